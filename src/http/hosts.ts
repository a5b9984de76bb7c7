// Checks the host name of requests. A page on the internet can let its own name point here (DNS
// rebinding), and the crew's browser would then let it read every answer; its requests still carry
// that name. An address can't be rebound, so requests by address pass.

import { isIP, isIPv6 } from "node:net";
import { hostname } from "node:os";
import { variableOf } from "../config/read.ts";
import type { Listen } from "../config/values.ts";
import { quoted, Refusal } from "./refusal.ts";

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
