// What goes with everything that a browser may open as a page: nothing is allowed but what the page
// itself is made of. No Strict-Transport-Security: certificates aboard are mostly self-signed, and
// a browser that once saw the header lets nobody pass the warning when that one has ended.

import type { Headers } from "./refusal.ts";

/** The headers of a page; `sources` are the directives of what it needs, all else is refused. */
export function pageHeaders(sources: string): Headers {
  const policy = ["default-src 'none'", sources, "base-uri 'none'", "form-action 'none'"];
  return {
    "Content-Security-Policy": [...policy, "frame-ancestors 'none'"].join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
  };
}
