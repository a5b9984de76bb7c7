// Limits the connections to a port, in total and by address. At the limit the connection with the
// least claim makes room, first at the address with the most: a stranger who opens thousands of
// connections displaces his own, and a PLC or a tablet that comes later still gets in. (Refusing
// the newest would lock the ship out instead.) A client with IPv6 has a whole /64, so limits count
// that; this machine's own addresses are counted one by one.

import { isIP, isIPv6, type Socket } from "node:net";

/** An admitted connection. */
export interface AdmittedSocket {
  readonly address: string;
  /** `address:port` */
  readonly remote: string;
  /** The admitted socket, below TLS. */
  readonly socket: Socket;
  /** False while it makes room when others come. */
  settled: boolean;
}

export interface AdmissionOptions {
  readonly total_max: number;
  /**
   * From one address or IPv6 /64. This machine's own are exempt: a proxy aboard serves many
   * clients.
   */
  readonly address_max: number;
  /** Called for each connection that is refused, or makes room. */
  readonly onRefused: (who: Pick<AdmittedSocket, "address" | "remote">) => void;
}

export interface Admission {
  /** Admits a fresh socket, or destroys it and returns null. */
  admit(socket: Socket): AdmittedSocket | null;
  /** The admitted of an admitted socket, or of the TLS socket over it. */
  admittedOf(socket: Socket): AdmittedSocket | null;
  /** Closes admitted connections. */
  cut(which: "unsettled" | "all"): void;
}

interface CountedSocket extends AdmittedSocket {
  /** The address by which limits count it. */
  readonly counted: string;
}

export function openAdmission({ total_max, address_max, onRefused }: AdmissionOptions): Admission {
  /** In the order of admission. */
  const sockets = new Map<string, CountedSocket>();
  const counts = new Map<string, number>();

  const leave = (key: string) => {
    const entry = sockets.get(key);
    if (entry === undefined || !sockets.delete(key)) return;
    const left = (counts.get(entry.counted) ?? 0) - 1;
    if (left > 0) counts.set(entry.counted, left);
    else counts.delete(entry.counted);
  };
  const makeRoom = (counted: string): boolean => {
    for (const [key, entry] of sockets) {
      if (entry.settled || entry.counted !== counted) continue;
      onRefused(entry);
      entry.socket.destroy();
      leave(key);
      return true;
    }
    return false;
  };
  /** The addresses, those with most connections first. */
  const fullest = () =>
    [...counts].sort(([, one], [, other]) => other - one).map(([counted]) => counted);

  return {
    admit(socket) {
      // Closed before it was examined.
      if (socket.remoteAddress === undefined) {
        socket.destroy();
        return null;
      }
      const key = keyOf(socket);
      const address = clientAddress(socket);
      const counted = countedAddress(address);
      const own_max = isLoopback(address) ? total_max : address_max;
      const hasRoom =
        ((counts.get(counted) ?? 0) < own_max || makeRoom(counted)) &&
        (sockets.size < total_max || fullest().some(makeRoom));
      const who = { address, remote: `${socket.remoteAddress}:${socket.remotePort}` };
      if (!hasRoom) {
        onRefused(who);
        socket.destroy();
        return null;
      }
      const entry = { ...who, counted, socket, settled: false };
      sockets.set(key, entry);
      counts.set(counted, (counts.get(counted) ?? 0) + 1);
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

/** Both ends: a TLS socket has the same as the socket that it reads from. */
function keyOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

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
