// CORS: closed unless http.cors_origins names an
// origin, and never open for changes.

import type { Headers } from "./refusal.ts";

// Ten minutes: then a browser asks again, and notices a changed configuration.
const PREFLIGHT_MAX_AGE_S = 600;

/** The headers that let `origin` read an answer; none if it may not. */
export function corsHeaders(origins: readonly string[], origin: string | undefined): Headers {
  if (origins.length === 0) return {};
  if (origins.includes("*")) return { "Access-Control-Allow-Origin": "*" };
  const vary = { Vary: "Accept-Encoding, Origin" };
  if (origin === undefined || !origins.includes(origin)) return vary;
  return { ...vary, "Access-Control-Allow-Origin": origin };
}

/** Further headers for a browser's preflight request. */
export const PREFLIGHT_HEADERS: Headers = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "Authorization",
  "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE_S),
};
