// The readers' threads: one always runs, another starts when it has something under way and ends
// when there was nothing for it to do for a while, because each takes some 20 MB. Answers share a
// thread, a chunk at a time; work of the jobs, which holds a thread until it is done, goes to the
// other one, so that no question waits for it. A thread that dies is replaced, and what was asked
// of it gets a clean error.

import { Worker } from "node:worker_threads";
import { MINUTE_MS } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { type ReaderCall, type ReaderReply, THREAD_LIMITS, type WorkerRole } from "./calls.ts";
import { ReaderLost, ReadersBusy } from "./query.ts";

/** Two: on the two cores of an industrial PC, one long export leaves the other reader free. */
const THREADS_MAX = 2;
/** With nothing under way for so long, a thread ends unless it is the last. */
const SPARE_MS = MINUTE_MS;
/** Between the death of a thread and its replacement, so that a broken disk doesn't spin. */
const RESPAWN_MS = 200;

/** Who waits for a reply. */
export type Waiting = (reply: ReaderReply | Error) => void;

/** A reader that runs. */
export interface ReaderThread {
  /** Its answers under way by number, with who waits for the next reply; null while nobody does. */
  readonly asks: Map<number, Waiting | null>;
  /** Of these, what holds the thread until it is done. */
  readonly work: Set<number>;
  post(call: ReaderCall): void;
}

export interface ReaderPool {
  /**
   * The thread with the fewest answers under way, of those without work where there are any. Throws
   * ReadersBusy while none runs.
   */
  leastBusy(): ReaderThread;
  /** A thread to be held by work while another answers; started if need be. */
  forWork(): Promise<ReaderThread>;
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
  /** Told of what is found damaged, once by each thread. */
  readonly onDamage: (problem: string) => void;
  /**
   * Until it resolves the database isn't opened, only the thread started; by default it is there.
   */
  readonly database?: Promise<unknown>;
}

/** Starts the first thread; rejects when that can't be done, or `database` rejects. */
export async function openReaderPool(options: ReaderOptions): Promise<ReaderPool> {
  const running = new Set<PoolThread>();
  let starting: Promise<void> | null = null;
  let isClosing = false;
  let lost = 0;

  const start = async () => {
    const thread = await startThread(options);
    thread.worker.once("exit", () => bury(thread));
    running.add(thread);
    if (isClosing) await thread.worker.terminate();
  };
  /** Resolves when it has started, or can't. */
  const startAnother = (): Promise<void> => {
    if (isClosing) return Promise.resolve();
    starting ??= start()
      .catch((error) => {
        options.log.error("a reader's thread can't be started", { problem: messageOf(error) });
        replaceLater();
      })
      .finally(() => {
        starting = null;
      });
    return starting;
  };
  const replaceLater = () =>
    setTimeout(() => {
      if (running.size === 0) void startAnother();
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
  const sparing = setInterval(() => endSpares(running), SPARE_MS).unref();
  const leastBusy = () => {
    const [least] = [...running].sort(byLoad);
    if (least === undefined) throw new ReadersBusy("the readers are being started");
    if (least.asks.size > 0 && running.size < THREADS_MAX) void startAnother();
    least.asked_ms = performance.now();
    return least;
  };

  await start();
  return {
    running: () => [...running],
    leastBusy,
    async forWork() {
      if (running.size < THREADS_MAX) await startAnother();
      // What works already, else what has least to do: questions keep away from both.
      return [...running].find(({ work }) => work.size > 0) ?? leastBusy();
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

/** Answers yield to each other, work to nobody. */
function byLoad(one: ReaderThread, other: ReaderThread): number {
  return one.work.size - other.work.size || one.asks.size - other.asks.size;
}

function endSpares(running: Set<PoolThread>): void {
  for (const thread of running) {
    const isIdle = thread.asks.size === 0 && performance.now() - thread.asked_ms > SPARE_MS;
    if (!isIdle || running.size === 1) continue;
    running.delete(thread);
    thread.post({ kind: "close" });
  }
}

interface PoolThread extends ReaderThread {
  readonly worker: Worker;
  /** When it was last asked something, by the monotonic clock. */
  asked_ms: number;
}

/** Resolves when the thread is ready; rejects when it ends before. */
function startThread(options: ReaderOptions): Promise<PoolThread> {
  const { workerFile, role, log, onDamage, database = Promise.resolve() } = options;
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
      work: new Set(),
      asked_ms: performance.now(),
      post: (call) => worker.postMessage(call),
    };
    worker.on("message", (reply: ReaderReply) => {
      if (reply.kind === "ready") resolve(thread);
      else if (reply.kind === "damage") for (const problem of reply.problems) onDamage(problem);
      else asks.get(reply.seq)?.(reply);
    });
    worker.on("error", (error) => {
      log.error("a reader's thread died", { problem: messageOf(error) });
      reject(error);
    });
    worker.once("exit", () => reject(new Error("the thread ended")));
  });
}
