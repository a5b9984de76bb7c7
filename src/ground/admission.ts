// Limits the connections to a port, in total and by address. At the limit the one with the least
// claim is closed: without a message before with a login, at the address with the most, the oldest
// first. So a stranger with thousands of connections displaces his own, and a PLC or tablet still
// gets in; refusing the newest would lock the ship out. A client with IPv6 has a whole /64, so
// limits count that; this machine's own addresses are counted singly.

import { isIP, isIPv6, type Socket } from "node:net";
import { networkInterfaces } from "node:os";

/** An admitted connection. */
export interface AdmittedSocket {
  readonly address: string;
  /** The address as limits count it. */
  readonly counted: string;
  /** The client, as `address:port`. */
  readonly remote: string;
  /** The admitted socket, below TLS. */
  readonly socket: Socket;
  /** False until it is in use: it may be closed for newer connections. */
  settled: boolean;
  /** True after a login: connections without one are closed first. */
  named: boolean;
  /** True for a client known from before: it isn't closed for a stranger. */
  regular: boolean;
}

/** Time for answers in progress when the program ends. */
const CLOSE_GRACE_MS = 3000;

export interface AdmissionOptions {
  readonly total_max: number;
  /**
   * Maximum number of connections of one address or IPv6 /64, except this machine's own: a proxy
   * aboard serves many clients.
   */
  readonly address_max: number;
  /** True for the address, as limits count it, of a client known from before. */
  readonly isRegular?: (counted: string) => boolean;
  /** Called for each connection that is refused, or closed for another. */
  readonly onRefused: (who: Pick<AdmittedSocket, "address" | "remote">) => void;
}

export interface Admission {
  /** Admits a fresh socket, or destroys it and returns null. */
  admit(socket: Socket): AdmittedSocket | null;
  /** The admission of a socket, or of the TLS socket over it; null if it wasn't admitted. */
  admittedOf(socket: Socket): AdmittedSocket | null;
  /** Closes admitted connections. */
  cut(which: "unsettled" | "all"): void;
}

/** The number of connections of an address, as limits count it. */
interface AddressCount {
  count: number;
}

interface CountedSocket extends AdmittedSocket {
  readonly origin: AddressCount;
}

/**
 * Ends the connections of a server that accepts no more: those without an open request at once, the
 * others after CLOSE_GRACE_MS. Resolves with `closed`, which waits for the last one: Node itself
 * leaves connections open that were never used, as browsers open them in advance.
 */
export async function drained(admission: Admission, closed: Promise<void>): Promise<void> {
  admission.cut("unsettled");
  const cut = setTimeout(() => admission.cut("all"), CLOSE_GRACE_MS);
  await closed;
  clearTimeout(cut);
}

export function openAdmission(options: AdmissionOptions): Admission {
  const { total_max, address_max, isRegular = () => false, onRefused } = options;
  /** The admitted sockets by key, in the order of admission. */
  const sockets = new Map<string, CountedSocket>();
  /** Counts of connections by counted address. */
  const origins = new Map<string, AddressCount>();

  const leave = (key: string) => {
    const entry = sockets.get(key);
    if (entry === undefined || !sockets.delete(key)) return;
    entry.origin.count -= 1;
    if (entry.origin.count === 0) origins.delete(entry.counted);
  };
  /** Closes the connection with the least claim; false if there is none that `may` be closed. */
  const makeRoom = (may: (entry: CountedSocket) => boolean): boolean => {
    let least: { readonly key: string; readonly entry: CountedSocket } | null = null;
    for (const [key, entry] of sockets)
      if (may(entry) && (least === null || hasLess(entry, least.entry))) least = { key, entry };
    if (least === null) return false;
    onRefused(least.entry);
    least.entry.socket.destroy();
    leave(least.key);
    return true;
  };

  return {
    admit(socket) {
      // The client closed it before it was examined.
      if (socket.remoteAddress === undefined) {
        socket.destroy();
        return null;
      }
      const key = keyOf(socket);
      const address = clientAddress(socket);
      const counted = countedAddress(address);
      const known = origins.get(counted);
      const count = known?.count ?? 0;
      const regular = isRegular(counted);
      const own_max = isLoopback(address) ? total_max : address_max;
      const hasRoom =
        (count < own_max || makeRoom((entry) => entry.origin === known && !entry.settled)) &&
        (sockets.size < total_max || makeRoom((entry) => givesWay(entry, { count, regular })));
      const who = { address, remote: `${socket.remoteAddress}:${socket.remotePort}` };
      if (!hasRoom) {
        onRefused(who);
        socket.destroy();
        return null;
      }
      const origin = origins.get(counted) ?? { count: 0 };
      const entry = { ...who, counted, origin, socket, settled: false, named: false, regular };
      sockets.set(key, entry);
      origins.set(counted, origin);
      origin.count += 1;
      socket.once("close", () => {
        if (sockets.get(key) === entry) leave(key);
      });
      return entry;
    },
    admittedOf: (socket) => sockets.get(keyOf(socket)) ?? null,
    cut(which) {
      for (const { socket, settled } of sockets.values())
        if (which === "all" || !settled) socket.destroy();
    },
  };
}

/** A connection to be admitted: number of connections of its address, and if that is known. */
interface Newcomer {
  readonly count: number;
  readonly regular: boolean;
}

/**
 * True if the connection may be closed for the newcomer. A settled one only for a regular client,
 * or if its address still has more than the newcomer's afterwards. A regular client's only for
 * another regular one, and only unsettled.
 */
function givesWay({ settled, regular, origin }: CountedSocket, comer: Newcomer): boolean {
  if (regular) return comer.regular && !settled;
  return !settled || comer.regular || origin.count > comer.count + 1;
}

/** True if `one` has less claim than `other`; of two with an equal claim the older one. */
function hasLess(one: CountedSocket, other: CountedSocket): boolean {
  const difference = claimOf(one) - claimOf(other);
  return difference < 0 || (difference === 0 && one.origin.count > other.origin.count);
}

function claimOf({ settled, named, regular }: AdmittedSocket): number {
  if (regular) return 3;
  if (settled) return 2;
  return named ? 1 : 0;
}

/** Key of a socket by both ends, which a TLS socket shares with the socket below it. */
function keyOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

/** True if only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** The network interfaces of this machine, including loopback. */
export const ownInterfaces = () => Object.values(networkInterfaces()).flatMap((all) => all ?? []);

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
