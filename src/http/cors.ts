// Which pages of other origins may read. Closed unless http.cors_origins names them, and never open
// for what changes something.

import type { Headers } from "./refusal.ts";

// Ten minutes: a browser then asks again, so that a changed configuration is noticed.
const PREFLIGHT_MAX_AGE_S = 600;

/** The headers that let `origin` read an answer; none when it may not. */
export function corsHeaders(origins: readonly string[], origin: string | undefined): Headers {
  if (origins.length === 0) return {};
  if (origins.includes("*")) return { "Access-Control-Allow-Origin": "*" };
  const vary = { Vary: "Accept-Encoding, Origin" };
  if (origin === undefined || !origins.includes(origin)) return vary;
  return { ...vary, "Access-Control-Allow-Origin": origin };
}

/** What a browser that asks beforehand is told besides. */
export const PREFLIGHT_HEADERS: Headers = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "Authorization",
  "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE_S),
};
