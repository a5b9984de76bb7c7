// A port that nobody listens on, below those the kernel lends to outgoing connections: whoever
// knocks at a port of that range while its listener is away may be lent that very port, and then
// the listener can't come back.

import { once } from "node:events";
import { createServer } from "node:net";

const FIRST = 10_000;
const COUNT = 20_000;

/** A port of 127.0.0.1 that was free a moment ago and that no outgoing connection will take. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = createServer().listen(port, "127.0.0.1");
    const free = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!free) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

/** Holds a port of 127.0.0.1, 0 for any, until it is closed; rejects when another has it. */
export async function holdPort(wanted: number) {
  const server = createServer().listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : wanted;
  return {
    port,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
