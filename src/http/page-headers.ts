// Headers of everything that a browser may open as a page: nothing is allowed but the page's own
// parts. No Strict-Transport-Security: certificates aboard are mostly self-signed, and after that
// header a browser lets nobody pass the warning when one has ended.

import type { Headers } from "./refusal.ts";

/** The headers of a page; `sources` are the directives for its parts, all else is refused. */
export function pageHeaders(sources: string): Headers {
  const policy = ["default-src 'none'", sources, "base-uri 'none'", "form-action 'none'"];
  return {
    "Content-Security-Policy": [...policy, "frame-ancestors 'none'"].join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
  };
}
