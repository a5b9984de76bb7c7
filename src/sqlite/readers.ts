// The readers as the main thread sees them: a question goes to the thread that has least to do, a
// bounded number of answers is under way, and each answer is fetched chunk by chunk.

import { MINUTE_MS } from "../clock.ts";
import { EXIT, Failure } from "../errors.ts";
import type { Problem, ReaderCall, ReaderReply } from "./calls.ts";
import { DAMAGED } from "./damage.ts";
import type { DueDay } from "./gap-due.ts";
import type { FoundGaps, OperationNow } from "./gaps.ts";
import type { DueSlot } from "./health-due.ts";
import type { LampRun } from "./lamp-states.ts";
import type { LampCall } from "./lamp-tracking.ts";
import type { ProofPlace, Proven } from "./proving.ts";
import {
  type Answer,
  type Query,
  ReaderLost,
  type Readers,
  ReadersBusy,
  StoredDamage,
} from "./query.ts";
import {
  openReaderPool,
  type ReaderOptions,
  type ReaderPool,
  type ReaderThread,
} from "./reader-pool.ts";
import type { ScoredSlot } from "./scoring.ts";

/** Answers under way at a time, over all threads; more are told to come back. */
const OPEN_MAX = 64;
/** An answer that nobody has asked more of for this long is given up. */
const IDLE_MAX_MS = 2 * MINUTE_MS;

/** Slots or days that are looked through beside questions: some milliseconds each. */
const FEW = 4;

/** The readers, and what else their threads compute. */
export interface ReaderThreads extends Readers {
  /** Scores slots over the readings as they are now. */
  score(slots: readonly DueSlot[]): Promise<readonly ScoredSlot[]>;
  /** Resolves when each thread has answered, however many answers are under way; one must run. */
  ping(): Promise<void>;
  /** Tells lamp lives from what came since the last time, and forecasts if that is due. */
  trackLamps(call: LampCall): Promise<LampRun>;
  /** Looks through days for gaps. */
  findGaps(days: readonly DueDay[]): Promise<readonly FoundGaps[]>;
  /** Proves what comes next after a place; what is damaged goes to `onDamage`. */
  prove(after: ProofPlace): Promise<Proven>;
  /** Whether an operation runs, as far as is known. */
  operationNow(): Promise<OperationNow>;
  /** How many threads died, for /metrics. */
  lost(): number;
  /** Answers under way. */
  open(): number;
  close(): Promise<void>;
}

/** Starts the readers' threads; the database must be there. */
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
    lost: pool.lost,
    open: pool.open,
    close: pool.close,
  };
}

/** The ways to talk with the pool's threads; each call has a number of its own. */
function openTalks(pool: ReaderPool) {
  let seq = 0;

  const begin = (call: Numbered, thread = pool.leastBusy) => {
    if (pool.open() >= OPEN_MAX) throw new ReadersBusy(`${OPEN_MAX} answers are under way`);
    seq += 1;
    return { ...conversation(thread(), seq), first: call(seq) };
  };

  const ping = async (thread: ReaderThread) => {
    seq += 1;
    const talk = conversation(thread, seq);
    await talk.next({ kind: "ping", seq });
    talk.end();
  };

  /** A call that is answered at once and as a whole. */
  const answerTo = async (call: Numbered) => {
    const talk = begin(call);
    const reply = await talk.next(talk.first);
    talk.end();
    return reply;
  };

  /** The same, of a call that may hold its thread for seconds. */
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

/** A call, given its number. */
type Numbered = (seq: number) => Exclude<ReaderCall, { kind: "open" | "close" }>;

interface Conversation {
  /** Sends a call and waits for its reply; rejects when the thread fails or dies. */
  next(call: ReaderCall): Promise<ReaderReply>;
  more(): Promise<ReaderReply>;
  /** Ends the conversation; the thread stops working on it. */
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
    if (!asks.has(seq)) return Promise.reject(new ReaderLost("the answer was given up"));
    return new Promise((resolve, reject) => {
      asks.set(seq, (reply) => {
        asks.set(seq, null);
        idle = setTimeout(end, IDLE_MAX_MS).unref();
        if (reply instanceof Error) reject(reply);
        else if (reply.kind === "failed") {
          end();
          reject(errorOf(reply.problem));
        } else resolve(reply);
      });
      thread.post(call);
    });
  };
  return { next, more: () => next({ kind: "more", seq }), end };
}

/** What a thread that still runs couldn't answer: by the content, by the disk, or by our fault. */
function errorOf({ message, code }: Problem): Error {
  if (code === null) return new Error(`reader: ${message}`);
  const isDamaged = code === DAMAGED || /^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code);
  return isDamaged ? new StoredDamage(message) : new Failure(EXIT.io, `${message} (${code})`);
}

// A client may leave before the first chunk is wanted, and a generator that was never begun runs
// nothing at its end: the conversation would stay open.
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

// While a chunk is on its way to the client the reader makes the next one, and no more than that.
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
      // A failure counts when the chunk is wanted; by then the client may have gone.
      ahead.catch(() => {});
      yield reply.bytes;
      reply = await ahead;
    }
  } finally {
    talk.end();
  }
}
