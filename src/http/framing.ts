// Limits on a request's head that node's parser doesn't have, and its framing: where two programs
// could see its end at different places, it is refused and its connection closed.

import type { IncomingMessage } from "node:http";
import { quoted, Refusal } from "./refusal.ts";

/** The longest path and query, in characters. */
export const URL_MAX = 16 * 1024;
/** A browser sends twenty; each takes a multiple of its bytes in memory. */
export const HEADERS_MAX = 100;

/** Throws a Refusal (400, 414, 431) unless the head of `request`, for `target`, is sound. */
export function requireFraming(request: IncomingMessage, target: string): void {
  const { httpVersion, rawHeaders } = request;
  if (target.length > URL_MAX)
    throw new Refusal(414, `the URL has ${target.length} characters, expected at most ${URL_MAX}`);
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    throw refuseFraming(`HTTP/${httpVersion} was given, expected HTTP/1.1`);
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked")
    throw refuseFraming(`Transfer-Encoding: ${quoted(coding)} was given, expected chunked`);
  if (coding !== undefined && httpVersion === "1.0")
    throw refuseFraming("Transfer-Encoding: was given with HTTP/1.0, expected it with HTTP/1.1");
  if (rawHeaders.length > 2 * HEADERS_MAX)
    throw new Refusal(431, `the request has more than ${HEADERS_MAX} header lines`);
  const hosts = hostLines(rawHeaders);
  if (hosts > 1) throw new Refusal(400, `Host: is there ${hosts} times, expected it once`);
  if (httpVersion === "1.1" && hosts === 0)
    throw new Refusal(400, "Host: is missing, expected it with HTTP/1.1");
}

/** Node's own view of the headers has only the first of them. */
function hostLines(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at].length === 4 && rawHeaders[at].toLowerCase() === "host") count += 1;
  return count;
}

/** The end of such a request isn't certain, so its connection is closed. */
function refuseFraming(message: string): Refusal {
  return new Refusal(400, message, { Connection: "close" });
}
