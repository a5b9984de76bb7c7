// Limits the connections to a port, in total and by address. At the limit the connection with the
// least claim makes room, first at the address with the most: a stranger who opens thousands of
// connections displaces his own, and a PLC or a tablet that comes later still gets in. (Refusing
// the newest would lock the ship out instead.)

import type { Socket } from "node:net";
import { clientAddress, countedAddress } from "./client-address.ts";
import { isLoopback } from "./config-values.ts";

/** An admitted connection. */
export interface Visit {
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
  readonly onRefused: (who: Pick<Visit, "address" | "remote">) => void;
}

export interface Admission {
  /** Admits a fresh socket, or destroys it and returns null. */
  admit(socket: Socket): Visit | null;
  /** The visit of an admitted socket, or of the TLS socket over it. */
  visitOf(socket: Socket): Visit | null;
  /** Closes admitted connections. */
  cut(which: "unsettled" | "all"): void;
}

interface Guest extends Visit {
  /** The address by which limits count it. */
  readonly counted: string;
}

export function openAdmission({ total_max, address_max, onRefused }: AdmissionOptions): Admission {
  /** In the order of admission. */
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
  /** The addresses, those with most connections first. */
  const crowded = () =>
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
