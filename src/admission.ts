// Who may be connected to a port: so many in all, so many from one address. When that is full,
// whoever has least to show for its place makes room, first at the address that holds most: a
// stranger who opens thousands of connections puts out his own, and a PLC or a tablet that comes
// later still gets in. (Turning the newest away would lock the ship out instead.)

import type { Socket } from "node:net";
import { clientAddress, countedAddress } from "./client-address.ts";
import { isLoopback } from "./config-values.ts";

/** A connection that was let in. */
export interface Visit {
  readonly address: string;
  /** `address:port` */
  readonly remote: string;
  /** As it was admitted, below TLS. */
  readonly socket: Socket;
  /** False: it makes room when others come. */
  settled: boolean;
}

export interface AdmissionOptions {
  readonly total_max: number;
  /**
   * From one address or IPv6 /64; this machine's own are exempt, a proxy aboard speaks for many.
   */
  readonly address_max: number;
  /** Called for each connection that is turned away, or makes room. */
  readonly onRefused: (who: Pick<Visit, "address" | "remote">) => void;
}

export interface Admission {
  /** Lets a fresh socket in, or destroys it and answers null. */
  admit(socket: Socket): Visit | null;
  /** The visit of a socket that was admitted, or of the TLS socket over it. */
  visitOf(socket: Socket): Visit | null;
  /** Cuts those who are in. */
  cut(which: "unsettled" | "all"): void;
}

interface Guest extends Visit {
  /** The address as limits count it. */
  readonly counted: string;
}

export function openAdmission({ total_max, address_max, onRefused }: AdmissionOptions): Admission {
  /** In the order in which they came. */
  const guests = new Map<string, Guest>();
  const counts = new Map<string, number>();

  const leave = (key: string) => {
    const guest = guests.get(key);
    if (guest === undefined || !guests.delete(key)) return;
    const left = (counts.get(guest.counted) ?? 0) - 1;
    if (left > 0) counts.set(guest.counted, left);
    else counts.delete(guest.counted);
  };
  const makeRoom = (counted: string): boolean => {
    for (const [key, guest] of guests) {
      if (guest.settled || guest.counted !== counted) continue;
      onRefused(guest);
      guest.socket.destroy();
      leave(key);
      return true;
    }
    return false;
  };
  /** The addresses, those that hold most first. */
  const crowded = () =>
    [...counts].sort(([, one], [, other]) => other - one).map(([counted]) => counted);

  return {
    admit(socket) {
      // Gone before it was looked at.
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
        (guests.size < total_max || crowded().some(makeRoom));
      const who = { address, remote: `${socket.remoteAddress}:${socket.remotePort}` };
      if (!hasRoom) {
        onRefused(who);
        socket.destroy();
        return null;
      }
      const guest = { ...who, counted, socket, settled: false };
      guests.set(key, guest);
      counts.set(counted, (counts.get(counted) ?? 0) + 1);
      socket.once("close", () => {
        if (guests.get(key) === guest) leave(key);
      });
      return guest;
    },
    visitOf: (socket) => guests.get(keyOf(socket)) ?? null,
    cut(which) {
      for (const { socket, settled } of guests.values())
        if (which === "all" || !settled) socket.destroy();
    },
  };
}

/** Both ends: a TLS socket has the same as the socket that it reads from. */
function keyOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
