// Batches of messages that wait for a commit, in the writer's thread. All messages that have
// arrived share one commit and one fsync. Between two commits a segment is sealed if there are
// enough readings, but never while a caller waits for a reply.

import type { ImportedReading, RefusedLine } from "../../payload/import.ts";
import type { ImportResult } from "../writing/import.ts";
import {
  type Committer,
  type Committing,
  type Held,
  joined,
  NOTHING_IMPORTED,
  openCommitter,
} from "./committer.ts";
import type { WaitingMessage } from "./message-pack.ts";
import type { FromWriter } from "./writer-replies.ts";

/** Most messages and bytes of a commit: about 0.1 s of decoding. */
const BATCH_MESSAGES_MAX = 2000;
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** Interval of sealing while messages arrive without pause. */
const SEAL_EVERY_MS = 1000;
/** Lines of a file that share one commit. */
const LINES = 50;
/** Interval before failed sealing is tried again: each try delays messages. */
const SEAL_AGAIN_MS = 10_000;

export interface Batches {
  add(messages: readonly WaitingMessage[]): void;
  /** Commits waiting messages, as many as one commit takes. */
  now(): void;
  /** Commits all waiting messages, and does nothing more. */
  end(): void;
  /** Stores a file's lines, some at a time. */
  imported(lines: readonly (ImportedReading | RefusedLine)[]): Generator<void, ImportResult>;
  /** Notes another newest reading, after readings were hidden, shown again or ingested. */
  corrected(newest_ms: number | null): void;
}

export function openBatches(
  committing: Committing & { readonly times: StepTimes },
  last_reading_ms: number | null,
  reply: (message: FromWriter) => void,
): Batches {
  const waiting: Held[] = [];
  /** Long messages stored in part: the first gets every other turn until it is done. */
  const begun: Held[] = [];
  let wasLong = false;
  const committer = openCommitter(committing, last_reading_ms, reply);
  const sealing = openSealing(committing);
  let scheduled: NodeJS.Immediate | null = null;
  let sealed_ms = performance.now();

  const { times } = committing;
  const commitOne = () => {
    const isLong = begun.length > 0 && (!wasLong || waiting.length === 0);
    const batch = isLong ? begun.splice(0, 1) : waiting.splice(0, batchLength(waiting));
    wasLong = isLong;
    if (batch.length === 0) return;
    const left = times.timed("commit", () => committer.commit(batch));
    for (const held of left.toReversed())
      if (held.progress === null) waiting.unshift(held);
      else if (isLong) begun.unshift(held);
      // Only the first keeps its decoded slice.
      else begun.push({ ...held, progress: { ...held.progress, slice: null } });
  };
  const isWaiting = () => waiting.length > 0 || begun.length > 0;

  // One segment at a time, with a commit between two; if messages arrive without pause, one a
  // second.
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
    corrected(at_ms) {
      committer.corrected(at_ms);
      schedule();
    },
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
    *imported(lines) {
      const result = yield* importedBy(committer, lines);
      schedule();
      return result;
    },
  };
}

function* importedBy(
  committer: Committer,
  lines: readonly (ImportedReading | RefusedLine)[],
): Generator<void, ImportResult> {
  let result = NOTHING_IMPORTED;
  for (let from = 0; from < lines.length; from += LINES) {
    if (from > 0) yield;
    result = joined(result, committer.importLines(lines.slice(from, from + LINES)));
  }
  return result;
}

/** Seals one segment if there is enough for it; true if there may be more. */
function openSealing({ store, faults }: Pick<Committing, "store" | "faults">): () => boolean {
  let failed_ms = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - failed_ms < SEAL_AGAIN_MS) return false;
    try {
      return store.sealFull();
    } catch (error) {
      // Hot rows stay in place; a commit tries again after a while.
      failed_ms = performance.now();
      faults.tellOwn("sealing failed", error);
      return false;
    }
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

/**
 * The longest step of each kind since the start, in ms. During a step no message is acknowledged,
 * so each must be short.
 */
export type LongestSteps = Readonly<Record<string, number>>;

export interface StepTimes {
  /** Carries out a step, and notes its time. */
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
