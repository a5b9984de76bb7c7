// Ports of 127.0.0.1 for programs that must know theirs before they start, start again on the same
// one, or must find nobody there. A port that was found free may be taken before it is used.
// Therefore this process holds it as the local end of a connection to itself: to no process does
// the kernel lend such a port, neither for a bind to port 0 nor for an outgoing connection. A
// server that is given the number can listen there nevertheless, any number of times (both ends set
// SO_REUSEADDR, as servers do). The reservation ends with the process, even if it is killed.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";

export interface ReservedPort {
  readonly port: number;
  /** Ends the reservation before the process ends. */
  release(): void;
}

const HOST = "127.0.0.1";
/** A program that was given the same number elsewhere can still be there first. */
const ATTEMPTS = 3;

/** The server to which all reserving connections of this process lead. */
let anchor: Promise<Server> | null = null;

/** Reserves a port of 127.0.0.1 on which nobody listens. */
export async function reservePort(): Promise<ReservedPort> {
  anchor ??= openAnchor();
  const { port } = (await anchor).address() as AddressInfo;
  const socket = connect({ host: HOST, port, localAddress: HOST, localPort: 0 });
  await once(socket, "connect");
  socket.unref();
  return {
    port: socket.localPort ?? 0,
    // In order it would keep the port from others for a minute more (TIME_WAIT).
    release: () => void socket.resetAndDestroy(),
  };
}

/** Starts a server on a reserved port; on another one if its address is in use. */
export async function startOnPort<Started>(
  start: (reserved: ReservedPort) => Promise<Started>,
): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    const reserved = await reservePort();
    try {
      return await start(reserved);
    } catch (error) {
      reserved.release();
      if (attempt === ATTEMPTS || !/address already in use/i.test(String(error))) throw error;
    }
  }
}

/** Listens on a port, as another program would; the port stays reserved when it is vacated. */
export function occupyPort() {
  return startOnPort(async ({ port }) => {
    const server = createServer((socket) => socket.destroy()).listen(port, HOST);
    await once(server, "listening");
    return { port, vacate: () => new Promise<void>((done) => void server.close(() => done())) };
  });
}

async function openAnchor(): Promise<Server> {
  const server = createServer((socket) => socket.on("error", () => null).unref());
  server.listen(0, HOST);
  await once(server, "listening");
  return server.unref();
}
