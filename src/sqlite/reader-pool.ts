// The readers' threads: one always runs, others start when all are at work and end when there was
// nothing for them to do for a while, because each takes some 20 MB. A thread that dies is
// replaced, and what was asked of it gets a clean error.

import { Worker } from "node:worker_threads";
import { MINUTE_MS } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { type ReaderCall, type ReaderReply, THREAD_LIMITS, type WorkerRole } from "./calls.ts";
import { ReaderLost, ReadersBusy } from "./query.ts";

/** Two: on the two cores of an industrial PC, one long export leaves the other reader free. */
const THREADS_MAX = 2;
/** Without work for so long, a thread ends unless it is the last. */
const SPARE_MS = 5 * MINUTE_MS;
/** Between the death of a thread and its replacement, so that a broken disk doesn't spin. */
const RESPAWN_MS = 200;

/** Who waits for a reply. */
export type Waiting = (reply: ReaderReply | Error) => void;

/** A reader that runs. */
export interface ReaderThread {
  /** Its answers under way by number, with who waits for the next reply; null while nobody does. */
  readonly asks: Map<number, Waiting | null>;
  post(call: ReaderCall): void;
}

export interface ReaderPool {
  /** The thread with the fewest answers under way. Throws ReadersBusy while none runs. */
  leastBusy(): ReaderThread;
  /** Starts another thread if all are at work; what comes next finds it. */
  relieve(): void;
  /** Every thread that runs. */
  running(): readonly ReaderThread[];
  /** Answers under way, over all threads. */
  open(): number;
  /** How many threads died. */
  lost(): number;
  close(): Promise<void>;
}

/** How the readers' threads are started. */
export interface ReaderOptions {
  readonly workerFile: string;
  readonly role: Extract<WorkerRole, { role: "reader" }>;
  readonly log: Log;
  /** Until it resolves the database isn't opened, only the thread started; by default it is there. */
  readonly database?: Promise<unknown>;
}

/** Starts the first thread; rejects when that can't be done, or `database` rejects. */
export async function openReaderPool(options: ReaderOptions): Promise<ReaderPool> {
  const running = new Set<PoolThread>();
  let isStarting = false;
  let isClosing = false;
  let lost = 0;

  const start = async () => {
    isStarting = true;
    try {
      const thread = await startThread(options);
      thread.worker.once("exit", () => bury(thread));
      running.add(thread);
      if (isClosing) await thread.worker.terminate();
    } finally {
      isStarting = false;
    }
  };
  const startAnother = () => {
    if (isStarting || isClosing) return;
    start().catch((error) => {
      options.log.error("a reader's thread can't be started", { problem: messageOf(error) });
      replaceLater();
    });
  };
  const replaceLater = () =>
    setTimeout(() => {
      if (running.size === 0) startAnother();
    }, RESPAWN_MS).unref();

  const bury = (thread: PoolThread) => {
    // Its work is given up before anybody is told: who asks again must find another thread.
    if (!running.delete(thread) || isClosing) return;
    lost += 1;
    for (const waiting of thread.asks.values())
      waiting?.(new ReaderLost("the reader's thread ended"));
    thread.asks.clear();
    replaceLater();
  };
  const endSpares = () => {
    for (const thread of running) {
      const isIdle = thread.asks.size === 0 && performance.now() - thread.asked_ms > SPARE_MS;
      if (!isIdle || running.size === 1) continue;
      running.delete(thread);
      thread.post({ kind: "close" });
    }
  };
  const sparing = setInterval(endSpares, SPARE_MS).unref();

  await start();
  return {
    running: () => [...running],
    leastBusy() {
      const [least] = [...running].sort((one, other) => one.asks.size - other.asks.size);
      if (least === undefined) throw new ReadersBusy("the readers are being started");
      least.asked_ms = performance.now();
      return least;
    },
    relieve() {
      const areAllAtWork = [...running].every(({ asks }) => asks.size > 0);
      if (areAllAtWork && running.size > 0 && running.size < THREADS_MAX) startAnother();
    },
    open: () => [...running].reduce((sum, { asks }) => sum + asks.size, 0),
    lost: () => lost,
    async close() {
      isClosing = true;
      clearInterval(sparing);
      await Promise.all([...running].map(({ worker }) => worker.terminate()));
    },
  };
}

interface PoolThread extends ReaderThread {
  readonly worker: Worker;
  /** When it was last asked something, by the monotonic clock. */
  asked_ms: number;
}

/** Resolves when the thread is ready; rejects when it ends before. */
function startThread(options: ReaderOptions): Promise<PoolThread> {
  const { workerFile, role, log, database = Promise.resolve() } = options;
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: role, resourceLimits: THREAD_LIMITS });
    database.then(
      () => worker.postMessage({ kind: "open" } satisfies ReaderCall),
      () => worker.terminate(),
    );
    const asks = new Map<number, Waiting | null>();
    const thread: PoolThread = {
      worker,
      asks,
      asked_ms: performance.now(),
      post: (call) => worker.postMessage(call),
    };
    worker.on("message", (reply: ReaderReply) => {
      if (reply.kind === "ready") resolve(thread);
      else asks.get(reply.seq)?.(reply);
    });
    worker.on("error", (error) => {
      log.error("a reader's thread died", { problem: messageOf(error) });
      reject(error);
    });
    worker.once("exit", () => reject(new Error("the thread ended")));
  });
}
