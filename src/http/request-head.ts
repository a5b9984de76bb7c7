// Checks of a request's head before any route: limits that node's parser doesn't have, framing,
// and the name of the host asked for. Where two programs could see a request's end at different
// places, it is refused and its connection closed. A page on the internet can let its own name
// point here (DNS rebinding), and the crew's browser would then let it read every answer; its
// requests still carry that name. An address can't be rebound, so requests by address pass.

import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import { hostname } from "node:os";
import { variableOf } from "../config/config.ts";
import type { Listen } from "../config/values.ts";
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

/** The accepted names: localhost, this machine's own, the listening addresses, and `allowed`. */
export function hostNames(allowed: readonly string[], listen: readonly Listen[]): Set<string> {
  const own = hostname().toLowerCase();
  const short = own.split(".")[0];
  const names = listen.map(({ host }) => host.toLowerCase());
  return new Set(["localhost", own, short, `${short}.local`, ...names, ...allowed]);
}

/** A name or an address, and a port, as RFC 3986 writes them. */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(:\d*)?$/;

/** A request's target as it was sent, and its Host header. */
interface AskedHost {
  readonly target: string;
  readonly host: string | undefined;
}

/**
 * Throws a Refusal if the request, by Host or absolute target, has another name (421), or an
 * invalid one (400).
 */
export function requireHost({ target, host }: AskedHost, names: ReadonlySet<string>): void {
  const absolute = target.startsWith("/") ? null : /^https?:\/\/([^/?#]*)/i.exec(target);
  // HTTP/1.0 may omit it: no browser uses that.
  if (host !== undefined && !HOST.test(host))
    throw new Refusal(400, `Host: ${quoted(host)} was given, expected NAME or NAME:PORT`);
  for (const given of [absolute?.[1], host])
    if (given !== undefined && !isTaken(given, names))
      throw new Refusal(
        421,
        `Host: ${quoted(given)} is no name of this machine, expected its address or name, ` +
          `localhost, or one of http.allowed_hosts (${variableOf("http", "allowed_hosts")})`,
      );
}

function isTaken(given: string, names: ReadonlySet<string>): boolean {
  const host = given.replace(/:\d*$/, "");
  if (host.startsWith("[")) return host.endsWith("]") && isIPv6(host.slice(1, -1));
  return isIP(host) === 4 || names.has(host.toLowerCase().replace(/\.$/, ""));
}
