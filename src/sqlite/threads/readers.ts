// The main thread's side of the readers: a query goes to the least busy thread, the number of
// answers in progress is limited, and each answer is fetched chunk by chunk.

import { MINUTE_MS } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import type { ProofPlace, Proven } from "../care/proving.ts";
import type { DueDay } from "../derived/gap-due.ts";
import type { FoundGaps, OperationNow } from "../derived/gaps.ts";
import type { DueSlot } from "../derived/health-due.ts";
import type { LampRun } from "../derived/lamp-states.ts";
import type { LampCall } from "../derived/lamp-tracking.ts";
import type { LimitsNow } from "../derived/limits-now.ts";
import type { ScoredSlot } from "../derived/scoring.ts";
import { DAMAGED } from "../file/damage.ts";
import {
  type Answer,
  type Query,
  ReaderLost,
  type Readers,
  ReadersBusy,
  StoredDamage,
} from "../file/query.ts";
import type { Problem, ReaderCall, ReaderReply } from "./calls.ts";
import {
  openReaderPool,
  type ReaderOptions,
  type ReaderPool,
  type ReaderThread,
} from "./reader-pool.ts";

/** Most answers in progress, over all threads; further ones are told to come back. */
const OPEN_MAX = 64;
/** An answer is given up if no more of it is requested for this long. */
const IDLE_MAX_MS = 2 * MINUTE_MS;

/** Slots or days of a call that runs beside queries; each takes some milliseconds. */
const FEW = 4;

/** The readers, and the other calls of their threads. */
export interface ReaderThreads extends Readers {
  /** Scores slots over the current readings. */
  score(slots: readonly DueSlot[]): Promise<readonly ScoredSlot[]>;
  /** Resolves when each thread has replied, whatever the number of answers; one must run. */
  ping(): Promise<void>;
  /** Tracks lamp lives from readings since the last call, and makes forecasts if they are due. */
  trackLamps(call: LampCall): Promise<LampRun>;
  /** Searches days for gaps. */
  findGaps(days: readonly DueDay[]): Promise<readonly FoundGaps[]>;
  /** Proves the next part after a place; damage goes to `onDamage`. */
  prove(after: ProofPlace): Promise<Proven>;
  /** The operation now, as far as it is known. */
  operationNow(): Promise<OperationNow>;
  /** The values that have a limit, at the newest reading; null without one. */
  limitsNow(): Promise<LimitsNow | null>;
  /** Number of threads that died, for /metrics. */
  lost(): number;
  /** Answers in progress. */
  open(): number;
  close(): Promise<void>;
}

/** Starts the readers' threads. The database must exist. */
export async function openReaderThreads(options: ReaderOptions): Promise<ReaderThreads> {
  const pool = await openReaderPool(options);
  const { begin, answerTo, resultOf, ping } = openTalks(pool);

  return {
    async ask(query: Query): Promise<Answer> {
      const talk = begin((number) => ({ kind: "ask", seq: number, query }));
      const reply = await talk.next(talk.first);
      if (reply.kind === "nothing") {
        talk.end();
        return { chunks: null };
      }
      return { chunks: endedUnbegun(chunksOf(reply, talk), talk) };
    },
    async score(slots) {
      const ask = slots.length > FEW ? resultOf : answerTo;
      const reply = await ask((seq) => ({ kind: "score", seq, slots }));
      if (reply.kind !== "scored") throw new Error(`reader: got ${reply.kind}, expected scored`);
      return reply.slots;
    },
    async ping() {
      const threads = pool.running();
      if (threads.length === 0) throw new ReadersBusy("the readers are being started");
      await Promise.all(threads.map(ping));
    },
    async trackLamps(given) {
      const reply = await resultOf((seq) => ({ kind: "lamps", seq, call: given }));
      if (reply.kind !== "tracked") throw new Error(`reader: got ${reply.kind}, expected tracked`);
      return reply.run;
    },
    async findGaps(days) {
      const ask = days.length > FEW ? resultOf : answerTo;
      const reply = await ask((seq) => ({ kind: "find_gaps", seq, days }));
      if (reply.kind !== "found_gaps")
        throw new Error(`reader: got ${reply.kind}, expected found_gaps`);
      return reply.days;
    },
    async prove(after) {
      const reply = await answerTo((seq) => ({ kind: "prove", seq, after }));
      if (reply.kind !== "proven") throw new Error(`reader: got ${reply.kind}, expected proven`);
      return reply.proven;
    },
    async operationNow() {
      const reply = await answerTo((seq) => ({ kind: "operation", seq }));
      if (reply.kind !== "operation")
        throw new Error(`reader: got ${reply.kind}, expected operation`);
      return reply.operation;
    },
    async limitsNow() {
      const reply = await answerTo((seq) => ({ kind: "limits", seq }));
      if (reply.kind !== "limits") throw new Error(`reader: got ${reply.kind}, expected limits`);
      return reply.limits;
    },
    lost: pool.lost,
    open: pool.open,
    close: pool.close,
  };
}

/** The kinds of conversation with the pool's threads. Each call has its own number. */
function openTalks(pool: ReaderPool) {
  let seq = 0;

  const begin = (call: Numbered, thread = pool.leastBusy) => {
    if (pool.open() >= OPEN_MAX) throw new ReadersBusy(`${OPEN_MAX} answers are in progress`);
    seq += 1;
    return { ...conversation(thread(), seq), first: call(seq) };
  };

  const ping = async (thread: ReaderThread) => {
    seq += 1;
    const talk = conversation(thread, seq);
    await talk.next({ kind: "ping", seq });
    talk.end();
  };

  /** A call with one reply, which comes soon. */
  const answerTo = async (call: Numbered) => {
    const talk = begin(call);
    const reply = await talk.next(talk.first);
    talk.end();
    return reply;
  };

  /** A call with one reply, which may hold its thread for seconds. */
  const resultOf = async (call: Numbered) => {
    const thread = await pool.forWork();
    const talk = begin(call, () => thread);
    const { seq: number } = talk.first;
    thread.work.add(number);
    try {
      return await talk.next(talk.first);
    } finally {
      thread.work.delete(number);
      talk.end();
    }
  };

  return { begin, answerTo, resultOf, ping };
}

/** Makes a call with the given number. */
type Numbered = (seq: number) => Exclude<ReaderCall, { kind: "open" | "close" }>;

interface Conversation {
  /** Sends a call and waits for its reply; rejects when the thread fails or dies. */
  next(call: ReaderCall): Promise<ReaderReply>;
  more(): Promise<ReaderReply>;
  /** Ends the conversation. The thread stops its work, if there is any left. */
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
  const next = (call: ReaderCall): Promise<ReaderReply> => {
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
      thread.post(call);
    });
  };
  return { next, more: () => next({ kind: "more", seq }), end };
}

/** True if the thread has ended the conversation by itself: a message would wake it for nothing. */
function isLast(reply: ReaderReply | Error): boolean {
  return reply instanceof Error || reply.kind !== "chunk" || reply.last;
}

/** The error of a call that failed in a living thread: by the data, the disk, or our fault. */
function errorOf({ message, code }: Problem): Error {
  if (code === null) return new Error(`reader: ${message}`);
  const isDamaged = code === DAMAGED || /^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code);
  return isDamaged ? new StoredDamage(message) : new Failure(EXIT.io, `${message} (${code})`);
}

// A client may leave before the first chunk. A generator that never began runs no final block, and
// the conversation would stay open.
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

// While a chunk is sent to the client the reader makes one more, and no further ones.
async function* chunksOf(
  first: ReaderReply,
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
      // A failure is reported with its chunk; by then the client may have left.
      ahead.catch(() => {});
      yield reply.bytes;
      reply = await ahead;
    }
  } finally {
    talk.end();
  }
}
