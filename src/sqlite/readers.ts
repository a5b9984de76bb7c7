// The readers as the main thread sees them: a few threads, a bounded number of answers under way.
// A thread that dies is replaced, and what was asked of it gets a clean error.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { MINUTE_MS } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { type ReaderCall, type ReaderReply, THREAD_LIMITS, type WorkerRole } from "./calls.ts";
import type { DueSlot } from "./health-due.ts";
import { type Answer, type Query, ReaderLost, type Readers, ReadersBusy } from "./query.ts";
import type { ScoredSlot } from "./scoring.ts";

/** Two: on the two cores of an industrial PC, one long export leaves the other reader free. */
const THREADS = 2;
/** Answers under way at a time, over all threads; more are told to come back. */
const OPEN_MAX = 64;
/** An answer that nobody has asked more of for this long is given up. */
const IDLE_MAX_MS = 2 * MINUTE_MS;
/** Between the death of a thread and its replacement, so that a broken disk doesn't spin. */
const RESPAWN_MS = 200;

/** The readers, and what else their threads compute. */
export interface ReaderThreads extends Readers {
  /** Scores slots over the readings as they are now. */
  score(slots: readonly DueSlot[]): Promise<readonly ScoredSlot[]>;
  /** How many threads died, for /metrics. */
  lost(): number;
  /** Answers under way. */
  open(): number;
  close(): Promise<void>;
}

type Waiting = (reply: ReaderReply | Error) => void;

/** One reader, whichever worker is it at the moment. */
interface Thread {
  /** By number, who waits for the next reply; null while nobody does. */
  readonly asks: Map<number, Waiting | null>;
  post(call: ReaderCall): void;
  close(): Promise<void>;
}

interface ReaderOptions {
  readonly workerFile: string;
  readonly role: Extract<WorkerRole, { role: "reader" }>;
  readonly log: Log;
}

/** Starts the readers' threads from `workerFile`; the database must be there. */
export async function openReaderThreads(options: ReaderOptions): Promise<ReaderThreads> {
  let seq = 0;
  let lost = 0;
  const onLost = () => {
    lost += 1;
  };
  const threads = await Promise.all(
    Array.from({ length: THREADS }, () => openThread(options, onLost)),
  );

  const openCount = () => threads.reduce((sum, thread) => sum + thread.asks.size, 0);
  const leastBusy = () =>
    threads.reduce((least, thread) => (thread.asks.size < least.asks.size ? thread : least));

  const begin = (call: (number: number) => ReaderCall) => {
    if (openCount() >= OPEN_MAX) throw new ReadersBusy(`${OPEN_MAX} answers are under way`);
    seq += 1;
    return { ...conversation(leastBusy(), seq), first: call(seq) };
  };

  return {
    async ask(query: Query): Promise<Answer> {
      const talk = begin((number) => ({ kind: "ask", seq: number, query }));
      const reply = await talk.next(talk.first);
      if (reply.kind === "nothing") {
        talk.end();
        return { chunks: null };
      }
      return { chunks: chunksOf(reply, talk) };
    },
    async score(slots) {
      const talk = begin((number) => ({ kind: "score", seq: number, slots }));
      const reply = await talk.next(talk.first);
      talk.end();
      if (reply.kind !== "scored") throw new Error(`reader: got ${reply.kind}, expected scored`);
      return reply.slots;
    },
    lost: () => lost,
    open: openCount,
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

async function openThread(options: ReaderOptions, onLost: () => void): Promise<Thread> {
  const asks = new Map<number, Waiting | null>();
  let closing = false;

  const spawn = (): Worker => {
    const worker = new Worker(options.workerFile, {
      workerData: options.role,
      resourceLimits: THREAD_LIMITS,
    });
    worker.on("message", (reply: ReaderReply) => {
      if (reply.kind !== "ready") asks.get(reply.seq)?.(reply);
    });
    worker.on("error", (error) =>
      options.log.error("a reader's thread died", { problem: messageOf(error) }),
    );
    worker.once("exit", () => {
      if (closing) return;
      onLost();
      for (const waiting of [...asks.values()])
        waiting?.(new ReaderLost("the reader's thread ended"));
      asks.clear();
      setTimeout(() => {
        current = spawn();
      }, RESPAWN_MS).unref();
    });
    return worker;
  };
  let current = spawn();
  await once(current, "message");
  return {
    asks,
    post: (call) => current.postMessage(call),
    async close() {
      closing = true;
      await current.terminate();
    },
  };
}

interface Conversation {
  /** Sends a call and waits for its reply; rejects when the thread fails or dies. */
  next(call: ReaderCall): Promise<ReaderReply>;
  more(): Promise<ReaderReply>;
  /** Ends the conversation; the thread stops working on it. */
  end(): void;
}

function conversation(thread: Thread, seq: number): Conversation {
  const { asks } = thread;
  let idle: NodeJS.Timeout | null = null;
  asks.set(seq, null);
  const end = () => {
    if (idle !== null) clearTimeout(idle);
    if (asks.delete(seq)) thread.post({ kind: "stop", seq });
  };
  const next = (call: ReaderCall): Promise<ReaderReply> => {
    if (idle !== null) clearTimeout(idle);
    if (!asks.has(seq)) return Promise.reject(new ReaderLost("the answer was given up"));
    return new Promise((resolve, reject) => {
      asks.set(seq, (reply) => {
        asks.set(seq, null);
        idle = setTimeout(end, IDLE_MAX_MS).unref();
        if (reply instanceof Error) reject(reply);
        else if (reply.kind === "failed") {
          end();
          reject(new ReaderLost(reply.problem.message));
        } else resolve(reply);
      });
      thread.post(call);
    });
  };
  return { next, more: () => next({ kind: "more", seq }), end };
}

// While a chunk is on its way to the client the reader makes the next one, and no more than that.
async function* chunksOf(first: ReaderReply, talk: Conversation): AsyncGenerator<Uint8Array> {
  try {
    let reply = first;
    for (;;) {
      if (reply.kind !== "chunk") throw new Error(`reader: got ${reply.kind}, expected chunk`);
      if (reply.last) {
        yield reply.bytes;
        return;
      }
      const ahead = talk.more();
      // A failure counts when the chunk is wanted; by then the client may have gone.
      ahead.catch(() => {});
      yield reply.bytes;
      reply = await ahead;
    }
  } finally {
    talk.end();
  }
}
