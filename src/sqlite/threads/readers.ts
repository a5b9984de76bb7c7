// The main thread's side of the readers: a query goes to the least busy thread, the number of
// answers in progress is limited, and each answer is fetched chunk by chunk.

import { MINUTE_MS } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import type { Query } from "../answers/queries.ts";
import { DAMAGED } from "../file/damage.ts";
import { MADE_WHOLE, ReaderLost, ReadersBusy, StoredDamage } from "../file/query.ts";
import type { Caller, Problem, SentCall } from "./calls.ts";
import type { ReaderCalls } from "./reader-calls.ts";
import { openReaderPool, type ReaderOptions, type ReaderThread } from "./reader-pool.ts";
import type { FromReader, ToReader } from "./reader-thread.ts";

/** Maximum number of answers in progress, over all threads; further queries are refused as busy. */
const OPEN_MAX = 64;
/** Time without a request for the next chunk after which an answer is given up. */
const IDLE_MAX_MS = 2 * MINUTE_MS;

/**
 * A reader's answer; `chunks` is null if there is no data (`latest` without a reading). Each chunk
 * has its own buffer, which belongs to the receiver.
 */
export interface Answer {
  readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>> | null;
  /** Length of the whole list if the answer is one of its pages. */
  readonly total?: number | null;
}

/** The readers, as HTTP uses them. */
export interface Readers {
  /**
   * Sends a query to one reader. Rejects with ReadersBusy if the queue is full, ReaderLost if the
   * thread died, StoredDamage if the data is damaged, a Failure if the disk fails. Ending the
   * iteration of `chunks` early stops the work. An answer that is made whole goes to a thread
   * without other answers, as work does.
   */
  ask(query: Query): Promise<Answer>;
}

/** The readers, and the calls of reader-calls.ts to their threads. */
export interface ReaderThreads extends Readers {
  /** Makes a call with a short result, beside queries. */
  readonly call: Caller<ReaderCalls>;
  /** Makes a call that may hold its thread for seconds; the other threads answer meanwhile. */
  readonly work: Caller<ReaderCalls>;
  /**
   * Resolves when each thread has replied, however many answers are in progress. Rejects if none
   * runs.
   */
  ping(): Promise<void>;
  /** Number of threads that died, for /metrics. */
  lost(): number;
  /** Number of answers in progress. */
  open(): number;
  close(): Promise<void>;
}

/** Starts the readers' threads. The database must exist. */
export async function openReaderThreads(options: ReaderOptions): Promise<ReaderThreads> {
  const pool = await openReaderPool(options);
  let seq = 0;
  const begin = (thread: ReaderThread): Conversation => {
    seq += 1;
    return conversation(thread, seq);
  };
  const limited = (thread: () => ReaderThread): Conversation => {
    if (pool.open() >= OPEN_MAX) throw new ReadersBusy(`${OPEN_MAX} answers are in progress`);
    return begin(thread());
  };
  return {
    async ask(query: Query): Promise<Answer> {
      const isWork = MADE_WHOLE.has(query.name);
      const thread = isWork ? await pool.forWork() : pool.leastBusy();
      const talk = limited(() => thread);
      if (isWork) thread.work.add(talk.seq);
      const made = talk.next({ kind: "ask", seq: talk.seq, query });
      const reply = await made.finally(() => thread.work.delete(talk.seq));
      if (reply.kind === "nothing") return { chunks: null };
      const total = reply.kind === "chunk" ? reply.total : null;
      return { chunks: endedUnbegun(chunksOf(reply, talk), talk), total };
    },
    call: async (name, ...given) => resultOf(limited(pool.leastBusy), { name, given }),
    async work(name, ...given) {
      const thread = await pool.forWork();
      const talk = limited(() => thread);
      thread.work.add(talk.seq);
      try {
        return await resultOf(talk, { name, given });
      } finally {
        thread.work.delete(talk.seq);
      }
    },
    async ping() {
      const threads = pool.running();
      if (threads.length === 0) throw new ReadersBusy("the readers are being started");
      const pinged = threads.map((thread) => resultOf(begin(thread), { name: "ping", given: [] }));
      await Promise.all(pinged);
    },
    lost: pool.lost,
    open: pool.open,
    close: pool.close,
  };
}

interface SettlingRead {
  resolve(result: unknown): void;
}

/** Sends a call and resolves with its result. */
function resultOf<Settled>(talk: Conversation, call: SentCall<ReaderCalls>): Promise<Settled> {
  return new Promise((resolve, reject) => {
    const settling: SettlingRead = { resolve };
    talk.next({ kind: "call", seq: talk.seq, call }).then((reply) => {
      if (reply.kind === "done") settling.resolve(reply.result);
      else reject(new Error(`reader: got ${reply.kind}, expected done`));
    }, reject);
  });
}

interface Conversation {
  readonly seq: number;
  /** Sends a message and waits for its reply; rejects when the thread fails or dies. */
  next(message: ToReader<SentCall<ReaderCalls>>): Promise<FromReader>;
  more(): Promise<FromReader>;
  /** Ends the conversation; a thread that still works on it stops. */
  end(): void;
}

function conversation(thread: ReaderThread, seq: number): Conversation {
  const { asks } = thread;
  let idle: NodeJS.Timeout | null = null;
  asks.set(seq, null);
  const end = () => {
    if (idle !== null) clearTimeout(idle);
    if (asks.delete(seq)) thread.post({ kind: "stop", seq });
  };
  const next = (message: ToReader<SentCall<ReaderCalls>>): Promise<FromReader> => {
    if (idle !== null) clearTimeout(idle);
    if (!asks.has(seq)) return Promise.reject(new ReaderLost("the answer was cancelled"));
    return new Promise((resolve, reject) => {
      asks.set(seq, (reply) => {
        if (isLast(reply)) asks.delete(seq);
        else {
          asks.set(seq, null);
          idle = setTimeout(end, IDLE_MAX_MS).unref();
        }
        if (reply instanceof Error) reject(reply);
        else if (reply.kind === "failed") reject(errorOf(reply.problem));
        else resolve(reply);
      });
      thread.post(message);
    });
  };
  return { seq, next, more: () => next({ kind: "more", seq }), end };
}

/** True if the thread has ended the conversation itself, so that it needn't be woken to end it. */
function isLast(reply: FromReader | Error): boolean {
  return reply instanceof Error || reply.kind !== "chunk" || reply.last;
}

/**
 * The error of a call that failed in a living thread: damage, a failure of the disk, or an internal
 * error.
 */
function errorOf({ message, code }: Problem): Error {
  if (code === null) return new Error(`reader: ${message}`);
  const isDamaged = code === DAMAGED || /^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code);
  return isDamaged ? new StoredDamage(message) : new Failure(EXIT.io, `${message} (${code})`);
}

// A client may leave before the first chunk. A generator that hasn't begun runs no final block, so
// the conversation is ended here; otherwise it would stay open.
function endedUnbegun(chunks: ReturnType<typeof chunksOf>, talk: Conversation) {
  let begun = false;
  const iterator: AsyncIterator<Uint8Array<ArrayBuffer>> = {
    next() {
      begun = true;
      return chunks.next();
    },
    return() {
      if (!begun) talk.end();
      return chunks.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

// The chunks of an answer. While one is sent to the client, the reader makes one more, and no
// further ones.
async function* chunksOf(
  first: FromReader,
  talk: Conversation,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    let reply = first;
    for (;;) {
      if (reply.kind !== "chunk") throw new Error(`reader: got ${reply.kind}, expected chunk`);
      if (reply.last) {
        yield reply.bytes;
        return;
      }
      const ahead = talk.more();
      // A failure is thrown with its chunk; if the client has left by then, it must not count as
      // unhandled.
      ahead.catch(() => {});
      yield reply.bytes;
      reply = await ahead;
    }
  } finally {
    talk.end();
  }
}
