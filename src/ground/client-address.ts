// The address of a client, as logged and as counted by limits. A client with IPv6 has a whole /64,
// so limits count that; this machine's own addresses are counted one by one.

import { isIP, isIPv6 } from "node:net";

/** True if only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** The client's address; an IPv4 address in its own form even over an IPv6 socket. */
export function clientAddress({ remoteAddress = "gone" }: { remoteAddress?: string }): string {
  return remoteAddress.replace(/^::ffff:(?=\d+\.)/, "");
}

/** The name by which limits count an address: itself, or the /64 of an IPv6 one. */
export function countedAddress(address: string): string {
  const [bare] = address.split("%", 1);
  if (!isIPv6(bare) || isLoopback(bare)) return address;
  const [head, tail] = bare.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros =
    tail === undefined ? [] : Array(Math.max(0, 8 - head.length - tail.length)).fill("0");
  const network = [...head, ...zeros, ...(tail ?? [])].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
