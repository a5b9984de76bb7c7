// The pool of reader threads. One always runs; another starts under load and ends when it wasn't
// needed for a minute, because each takes some 15 MB. Answers share a thread, one chunk at a time.
// Work of the jobs holds a thread until it is done, so it goes to the other thread, and no query
// waits for it. A dead thread is replaced, and its calls end with an error.

import { Worker } from "node:worker_threads";
import { MINUTE_MS } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";
import { ReaderLost, ReadersBusy } from "../file/query.ts";
import { type SentCall, THREAD_LIMITS, type WorkerRole } from "./calls.ts";
import type { ReaderCalls } from "./reader-calls.ts";
import type { FromReader, ToReader } from "./reader-thread.ts";

/**
 * Maximum number of threads: on the two cores of an industrial PC, one long export leaves the other
 * reader free.
 */
const THREADS_MAX = 2;
/** Time without need after which an idle thread ends, unless it is the last one. */
const SPARE_MS = MINUTE_MS;
/**
 * Time after which answers must still overlap before another thread starts: those to the jobs
 * overlap every few seconds, for a few milliseconds.
 */
const OVERLAP_MS = 250;
/** Pause before a dead thread is replaced, so that a broken disk causes no endless loop. */
const RESPAWN_MS = 200;

/** Called with a reader's next reply, or with the error that ended the thread. */
export type ReplyTaker = (reply: FromReader | Error) => void;

/** A running reader. */
export interface ReaderThread {
  /** Answers in progress by number, each with the caller that waits for the next reply, or null. */
  readonly asks: Map<number, ReplyTaker | null>;
  /** The numbers of calls among these that hold the thread until they are done. */
  readonly work: Set<number>;
  post(message: ToReader<SentCall<ReaderCalls>>): void;
}

export interface ReaderPool {
  /**
   * The thread with the fewest answers in progress, without work if possible. Throws ReadersBusy if
   * none runs.
   */
  leastBusy(): ReaderThread;
  /** Resolves with a thread for work while another one answers; started if necessary. */
  forWork(): Promise<ReaderThread>;
  /** All running threads. */
  running(): readonly ReaderThread[];
  /** Number of answers in progress, over all threads. */
  open(): number;
  /** Number of threads that died. */
  lost(): number;
  close(): Promise<void>;
}

/** The settings of the readers' threads. */
export interface ReaderOptions {
  readonly workerFile: string;
  readonly role: Extract<WorkerRole, { role: "reader" }>;
  readonly log: Log;
  /** Called with each damage found, once by each thread. */
  readonly onDamage: (problem: string) => void;
  /** The database is opened when this resolves; by default at once. */
  readonly database?: Promise<unknown>;
}

/** Starts the first thread; rejects if it can't, or if `database` rejects. */
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
  /** Resolves when another thread has started, or can't start. */
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
    // Removed before its callers get the error: when they try again, they must find another thread.
    if (!running.delete(thread) || isClosing) return;
    lost += 1;
    for (const waiting of thread.asks.values())
      waiting?.(new ReaderLost("the reader's thread ended"));
    thread.asks.clear();
    replaceLater();
  };
  const spares = openSpares(running, startAnother);
  const leastBusy = () => {
    const [least] = [...running].sort(byLoad);
    if (least === undefined) throw new ReadersBusy("the readers are being started");
    spares.asked();
    return least;
  };

  await start();
  return {
    running: () => [...running],
    leastBusy,
    async forWork() {
      await spares.need();
      // The thread that already does work, else the least busy one: queries avoid both.
      return [...running].find(({ work }) => work.size > 0) ?? leastBusy();
    },
    open: () => openIn(running),
    lost: () => lost,
    async close() {
      isClosing = true;
      spares.close();
      await Promise.all([...running].map(({ worker }) => worker.terminate()));
    },
  };
}

/**
 * Orders threads by load. Work counts first, since answers yield to each other and work doesn't.
 */
function byLoad(one: ReaderThread, other: ReaderThread): number {
  return one.work.size - other.work.size || one.asks.size - other.asks.size;
}

function openIn(threads: ReadonlySet<ReaderThread>): number {
  return [...threads].reduce((sum, { asks }) => sum + asks.size, 0);
}

interface Spares {
  /** Resolves when all needed threads run, or can't start. */
  need(): Promise<void>;
  /** To be called before each query. */
  asked(): void;
  close(): void;
}

/** Starts further threads when they are needed, and ends them later. */
function openSpares(running: Set<PoolThread>, startAnother: () => Promise<void>): Spares {
  let needed_ms = performance.now();
  let looking: NodeJS.Timeout | undefined;
  const need = () => {
    needed_ms = performance.now();
    return running.size < THREADS_MAX ? startAnother() : Promise.resolve();
  };
  const look = () => {
    looking = undefined;
    if (openIn(running) > 1) void need();
  };
  const ending = setInterval(() => {
    if (performance.now() - needed_ms > SPARE_MS) endSpares(running);
  }, SPARE_MS).unref();
  return {
    need,
    asked() {
      if (openIn(running) > 0) looking ??= setTimeout(look, OVERLAP_MS).unref();
    },
    close() {
      clearInterval(ending);
      clearTimeout(looking);
    },
  };
}

function endSpares(running: Set<PoolThread>): void {
  for (const thread of running) {
    if (thread.asks.size > 0 || running.size === 1) continue;
    running.delete(thread);
    thread.post({ kind: "close" });
  }
}

interface PoolThread extends ReaderThread {
  readonly worker: Worker;
}

/** Starts a thread; resolves when it is ready, rejects if it ends before. */
function startThread(options: ReaderOptions): Promise<PoolThread> {
  const { workerFile, role, log, onDamage, database = Promise.resolve() } = options;
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: role, resourceLimits: THREAD_LIMITS });
    database.then(
      () => worker.postMessage({ kind: "open" } satisfies ToReader),
      () => worker.terminate(),
    );
    const asks = new Map<number, ReplyTaker | null>();
    const thread: PoolThread = {
      worker,
      asks,
      work: new Set(),
      post: (message) => worker.postMessage(message),
    };
    worker.on("message", (reply: FromReader) => {
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
