// Batches of messages, in the writer's thread: all that have arrived share one commit and one
// fsync, and are then acknowledged. A failure that isn't the disk's would repeat for ever: the
// batch is halved until the faulty message is alone, which is quarantined, reported and
// acknowledged. While the disk fails, acknowledgements are withheld and commits are tried again.
// Between two commits a segment is sealed if there are enough readings, but never while a caller
// waits for a reply.

import { lateAfter } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import { type Faults, isDiskFault, rejectOf, takeHalving } from "../file/faults.ts";
import { problemOf } from "./calls.ts";
import type { BatchResult, MessageProgress } from "./ingest.ts";
import type { Store } from "./store.ts";
import type { FromWriter, LongestSteps, WaitingMessage } from "./writer-messages.ts";

/** Maximum number of messages, and of their bytes, in a commit: about 0.1 s of decoding. */
const BATCH_MESSAGES_MAX = 2000;
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** Time in which a commit takes messages in; writing their changes takes about as long again. */
const COMMIT_MS = 60;
/** Interval between attempts to commit while the disk fails. */
const COMMIT_AGAIN_MS = 2000;
/** Interval of sealing while messages arrive without pause. */
const SEAL_EVERY_MS = 1000;
/** Time after failed sealing before it is tried again: each attempt delays messages. */
const SEAL_AGAIN_MS = 10_000;
/** Maximum length of a topic in a log message, in characters. */
const SHOWN_MAX = 200;

export interface Batches {
  add(messages: readonly WaitingMessage[]): void;
  /** Commits waiting messages, as many as one commit takes. */
  now(): void;
  /** Commits all waiting messages and stops; nothing is sealed any more. */
  end(): void;
  /** Reports a commit of a file's readings, which belong to no message. */
  imported(batch: BatchResult): void;
  /** Reports the newest reading, after readings were hidden, shown again or taken in again. */
  corrected(newest_ms: number | null): void;
}

/** The parts that a commit uses. */
interface Committing {
  readonly store: Store;
  /** Throws if the open files are no longer those under their names. */
  readonly present: () => void;
  readonly faults: Faults;
  readonly times: StepTimes;
}

/** A message that waits for its commit, or for the commit of its remaining part. */
interface Held extends WaitingMessage {
  readonly progress: MessageProgress | null;
}

export function openBatches(
  committing: Committing,
  last_reading_ms: number | null,
  reply: (message: FromWriter) => void,
): Batches {
  const { times } = committing;
  const waiting: Held[] = [];
  /** Long messages stored in part; the first is continued every other turn until it is done. */
  const begun: Held[] = [];
  let wasLong = false;
  const committer = openCommitter(committing, last_reading_ms, reply);
  const sealing = openSealing(committing);
  let scheduled: NodeJS.Immediate | null = null;
  let sealed_ms = performance.now();

  const commitOne = () => {
    const isLong = begun.length > 0 && (!wasLong || waiting.length === 0);
    const batch = isLong ? begun.splice(0, 1) : waiting.splice(0, batchLength(waiting));
    wasLong = isLong;
    if (batch.length === 0) return;
    const left = times.timed("commit", () => committer.commit(batch));
    for (const held of left.toReversed())
      if (held.progress === null) waiting.unshift(held);
      else if (isLong) begun.unshift(held);
      // Only the first one keeps its decoded slice, to save memory.
      else begun.push({ ...held, progress: { ...held.progress, slice: null } });
  };
  const isWaiting = () => waiting.length > 0 || begun.length > 0;

  // Seals one segment at a time, with a commit between two; while messages arrive without pause,
  // one a second.
  const turn = () => {
    scheduled = null;
    commitOne();
    if (isWaiting() && performance.now() - sealed_ms < SEAL_EVERY_MS) schedule();
    else {
      const isMore = times.timed("seal", sealing);
      sealed_ms = performance.now();
      if (isMore || isWaiting()) schedule();
    }
  };
  const schedule = () => {
    scheduled ??= setImmediate(turn);
  };

  return {
    add(messages) {
      for (const message of messages) waiting.push({ ...message, progress: null });
      schedule();
    },
    now() {
      commitOne();
      schedule();
    },
    end() {
      while (isWaiting()) commitOne();
      if (scheduled !== null) clearImmediate(scheduled);
    },
    imported(batch) {
      committer.tell([], batch);
      schedule();
    },
    corrected(newest_ms) {
      committer.corrected(newest_ms);
      schedule();
    },
  };
}

function batchLength(waiting: readonly Held[]): number {
  let bytes = 0;
  const end = waiting.findIndex(({ message }, index) => {
    bytes += message.payload.length;
    return index > 0 && (index >= BATCH_MESSAGES_MAX || bytes > BATCH_BYTES_MAX);
  });
  return end < 0 ? waiting.length : end;
}

const NOTHING = {
  ...{ readings: 0, quarantined: 0, repeated: 0, events: 0, newest_ms: null, tellsPlant: false },
  aside: [],
} as const;

/** Commits batches and answers their messages. */
function openCommitter(
  { store, present, faults }: Committing,
  last_reading_ms: number | null,
  reply: (message: FromWriter) => void,
) {
  let newest_ms = last_reading_ms;
  const tell = (seqs: readonly number[], result: BatchResult) => {
    if (result.newest_ms !== null) newest_ms = Math.max(newest_ms ?? 0, result.newest_ms);
    const batch = { ...result, committed_ms: Date.now(), last_reading_ms: newest_ms };
    reply({ kind: "committed", seqs, batch });
  };
  const tellNothing = (seqs: readonly number[]) =>
    tell(seqs, { ...NOTHING, clock_trusted: store.trustsClock(Date.now()) });
  const retry = openRetry({ store, faults }, () => tellNothing([]));
  const withhold = (seqs: readonly number[], error: unknown) => {
    reply({ kind: "withheld", seqs, problem: problemOf(error) });
    retry();
  };

  /** Commits the first messages of a batch, at most `limit`; returns those not stored yet. */
  const commitFirst = (batch: readonly Held[], limit: number): readonly Held[] => {
    const [first, others] = [batch.slice(0, limit), batch.slice(limit)];
    const seqs = first.map(({ seq }) => seq);
    try {
      const { done, progress, result } = store.commitUntil(lateAfter(COMMIT_MS), first);
      present();
      tell(seqs.slice(0, done), result);
      return progress === null
        ? batch.slice(done)
        : [...first.slice(done + 1), { ...first[done], progress }, ...others];
    } catch (error) {
      if (!isDiskFault(error)) throw error;
      withhold(seqs, error);
      return others;
    }
  };
  const setAside = ({ seq, message }: WaitingMessage, error: unknown) => {
    const { topic, payload_bytes } = message;
    const what = `${payload_bytes} bytes on ${JSON.stringify(topic.slice(0, SHOWN_MAX))}`;
    try {
      const result = store.setAside(message, error);
      present();
      faults.tell(`a message that can't be stored is in quarantine (${what})`, error);
      tell([seq], result);
    } catch (second) {
      if (isDiskFault(second) || rejectOf(second).reason === "damaged") withhold([seq], second);
      else {
        // Acknowledged: if withheld, it would be sent again for ever and block its sender.
        faults.tell(`a message is lost (${what}, ${messageOf(error)})`, second);
        tellNothing([seq]);
      }
    }
  };
  return {
    tell,
    /** Commits for a limited time; returns the rest, at most one of them stored in part. */
    commit: (batch: readonly Held[]) =>
      takeHalving(batch.length, {
        take: (limit) => commitFirst(batch, limit),
        leave(error) {
          setAside(batch[0], error);
          return batch.slice(1);
        },
      }),
    corrected(at_ms: number | null) {
      newest_ms = at_ms;
      tellNothing([]);
    },
  };
}

/**
 * After the first call, tries to commit regularly until it succeeds, so that a recovery is noticed
 * even if no message arrives.
 */
function openRetry(
  { store, faults }: Pick<Committing, "store" | "faults">,
  succeeded: () => void,
): () => void {
  let timer: NodeJS.Timeout | null = null;
  const retry = () => {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      const at_ms = Date.now();
      const run = { job: "commit again", started_ms: at_ms, ended_ms: at_ms };
      try {
        store.recordJob({ ...run, result: "commits succeed again" });
        succeeded();
      } catch (error) {
        faults.tellOwn("a commit can't be tried again", error);
        retry();
      }
    }, COMMIT_AGAIN_MS).unref();
  };
  return retry;
}

/** Seals one segment if there is enough for it; true if there may be more. */
function openSealing({ store, faults }: Pick<Committing, "store" | "faults">): () => boolean {
  let failed_ms = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - failed_ms < SEAL_AGAIN_MS) return false;
    try {
      return store.sealFull();
    } catch (error) {
      // Hot rows stay where they are; sealing is tried again later.
      failed_ms = performance.now();
      faults.tellOwn("sealing failed", error);
      return false;
    }
  };
}

export interface StepTimes {
  /** Carries out a step and records its duration. */
  timed<Result>(kind: string, step: () => Result): Result;
  longest(): LongestSteps;
}

export function openStepTimes(): StepTimes {
  const longest: Record<string, number> = {};
  return {
    timed(kind, step) {
      const began_ms = performance.now();
      try {
        return step();
      } finally {
        longest[kind] = Math.max(longest[kind] ?? 0, performance.now() - began_ms);
      }
    },
    longest: () => ({ ...longest }),
  };
}
