// A network between two programs that misbehaves on demand, in each direction by itself: late,
// slow, cut, or a black hole that swallows every byte and closes nothing, as a lost NAT entry or a
// pulled cable behind a switch does. `up` is from those who connect to the target.

import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { startOnPort } from "./port.ts";

/** The treatment of bytes in one direction. */
export interface Way {
  /** Delay of each chunk in ms. */
  readonly delay_ms: number;
  /** At most so many a second; null for as fast as it goes. */
  readonly bytes_per_s: number | null;
  /** Nothing gets through, nothing is closed. A connection that lost bytes so is dead for good. */
  readonly isBlackHole: boolean;
}

export const CLEAR: Way = { delay_ms: 0, bytes_per_s: null, isBlackHole: false };
export const BLACK_HOLE: Way = { ...CLEAR, isBlackHole: true };

export interface NetworkProxy {
  readonly port: number;
  /** Connections accepted since the start, and open now. */
  accepted(): number;
  open(): number;
  /** Bytes that came in to go up, swallowed ones too. */
  sentUp_bytes(): number;
  /** From now on, for connections that are open and for new ones. */
  set(ways: { readonly up?: Way; readonly down?: Way }): void;
  /** Changes a bit of the next chunk that goes up. */
  spoil(): void;
  /** Ends every connection now: with a reset, or in order. */
  cut(how: "reset" | "end"): void;
  /** Nobody listens any more; open connections stay. */
  stopListening(): void;
  listenAgain(): Promise<void>;
  close(): void;
}

/** Bytes that may wait in one direction of a connection before its sender is paused. */
const WAITING_MAX_BYTES = 256 * 1024;

/** Interval at which a slow direction passes bytes. */
const TRICKLE_MS = 20;

/** The two sockets of a connection, and whether bytes of it were lost. */
interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  isDead: boolean;
}

/** Listens on a port of 127.0.0.1 and passes on to `port` of it. */
export async function openProxy(target: { readonly port: number }): Promise<NetworkProxy> {
  const pairs = new Set<Pair>();
  const ways = { up: CLEAR, down: CLEAR };
  let accepted = 0;
  let up_bytes = 0;
  let isToBeSpoilt = false;
  const accept = (near: Socket) => {
    accepted += 1;
    const far = connect({
      ...{ host: "127.0.0.1", port: target.port },
      ...{ noDelay: true, allowHalfOpen: true },
    });
    const pair: Pair = { near, far, isDead: false };
    pairs.add(pair);
    near.setNoDelay(true).on("data", (chunk) => {
      up_bytes += chunk.length;
      if (isToBeSpoilt) chunk[chunk.length - 1] ^= 1;
      isToBeSpoilt = false;
    });
    carry(pair, { from: near, to: far, way: () => ways.up });
    carry(pair, { from: far, to: near, way: () => ways.down });
    for (const socket of [near, far])
      socket.on("close", () => {
        if (near.destroyed && far.destroyed) pairs.delete(pair);
      });
  };
  let { server, port, release } = await startOnPort(async (reserved) => ({
    ...reserved,
    server: await listening(reserved.port, accept),
  }));
  const cut = (how: "reset" | "end") => {
    for (const { near, far } of pairs)
      for (const socket of [near, far])
        if (how === "reset") socket.resetAndDestroy();
        else socket.end();
  };
  return {
    port,
    accepted: () => accepted,
    open: () => pairs.size,
    sentUp_bytes: () => up_bytes,
    set: ({ up, down }) => {
      ways.up = up ?? ways.up;
      ways.down = down ?? ways.down;
    },
    spoil: () => {
      isToBeSpoilt = true;
    },
    cut,
    stopListening: () => void server.close(),
    listenAgain: async () => {
      server = await listening(port, accept);
    },
    close: () => {
      cut("reset");
      server.close();
      release();
    },
  };
}

interface Carriage {
  readonly from: Socket;
  readonly to: Socket;
  readonly way: () => Way;
}

/** Passes on what `from` sends, in order, then its end. Nothing of a dead connection passes. */
function carry(pair: Pair, { from, to, way }: Carriage): void {
  let last = Promise.resolve();
  let waiting_bytes = 0;
  const inOrder = (delay_ms: number, step: () => unknown) => {
    const due_ms = performance.now() + delay_ms;
    last = last.then(async () => {
      const left_ms = due_ms - performance.now();
      if (left_ms > 0) await pause(left_ms);
      if (!pair.isDead) await step();
    });
  };
  from.on("data", (chunk) => {
    pair.isDead ||= way().isBlackHole;
    if (pair.isDead) return;
    waiting_bytes += chunk.length;
    if (waiting_bytes > WAITING_MAX_BYTES) from.pause();
    inOrder(way().delay_ms, async () => {
      await pass(to, chunk, way());
      waiting_bytes -= chunk.length;
      from.resume();
    });
  });
  from.on("end", () => inOrder(way().delay_ms, () => to.end()));
  from.on("error", () => {
    if (!pair.isDead && !way().isBlackHole) to.resetAndDestroy();
  });
  from.on("close", () => {
    // Neither end of a dead connection hears of the other; the test's end closes what is left.
    if (!pair.isDead && !way().isBlackHole) inOrder(way().delay_ms, () => to.end());
  });
}

async function pass(to: Socket, chunk: Buffer, { bytes_per_s }: Way): Promise<void> {
  const step_bytes =
    bytes_per_s === null ? chunk.length : Math.max(1, (bytes_per_s * TRICKLE_MS) / 1000);
  for (let at = 0; at < chunk.length && to.writable; at += step_bytes) {
    if (bytes_per_s !== null) await pause(TRICKLE_MS);
    if (!to.write(chunk.subarray(at, at + step_bytes)))
      await Promise.race([once(to, "drain"), once(to, "close")]).catch(() => null);
  }
}

async function listening(port: number, accept: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, accept).listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
