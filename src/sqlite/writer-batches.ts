// Messages that wait for a commit, in the writer's thread: whatever has come by then shares one,
// and one fsync. Between two of them a segment is sealed where there is enough for it, never while
// somebody waits for an answer; and while commits fail they are tried again.

import { codeOf } from "../errors.ts";
import { problemOf, type WriterReply } from "./calls.ts";
import type { ImportedReading, ImportResult, Refused } from "./import.ts";
import type { BatchResult } from "./ingest.ts";
import type { Waiting } from "./message-pack.ts";
import type { Store } from "./store.ts";

/** The most messages and bytes that share one commit: about a tenth of a second of decoding. */
const BATCH_MESSAGES_MAX = 2000;
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** Between two tries to commit while nothing can be. */
const AGAIN_MS = 2000;

/** What batches are committed into. */
export interface Committing {
  readonly store: Store;
  /** Throws when the open files are no longer those under their names. */
  readonly present: () => void;
}

export interface Batches {
  add(messages: readonly Waiting[]): void;
  /** Commits what waits. */
  now(): void;
  /** Commits what waits, and does nothing more. */
  end(): void;
  imported(batch: readonly (ImportedReading | Refused)[]): ImportResult;
  /** Readings were hidden, shown again or taken in: the newest is another. */
  corrected(newest_ms: number | null): void;
}

const NOTHING = { readings: 0, quarantined: 0, repeated: 0, events: 0, newest_ms: null } as const;

export function openBatches(
  { store, present }: Committing,
  last_reading_ms: number | null,
  reply: (message: WriterReply) => void,
): Batches {
  const waiting: Waiting[] = [];
  let scheduled: NodeJS.Immediate | null = null;
  let newest_ms = last_reading_ms;

  const tell = (seqs: readonly number[], result: BatchResult) => {
    newest_ms = maximum(newest_ms, result.newest_ms);
    const batch = { ...result, committed_ms: Date.now(), last_reading_ms: newest_ms };
    reply({ kind: "committed", seqs, batch });
  };

  const retry = openRetry(store, (result) => tell([], result));

  const commitBatch = (batch: readonly Waiting[]) => {
    const seqs = batch.map(({ seq }) => seq);
    try {
      const result = store.commit(batch.map(({ message }) => message));
      present();
      tell(seqs, result);
    } catch (error) {
      if (codeOf(error) === null) throw error;
      reply({ kind: "withheld", seqs, problem: problemOf(error) });
      retry();
    }
  };

  const commitAll = () => {
    while (waiting.length > 0) commitBatch(waiting.splice(0, batchLength(waiting)));
  };

  // One segment at a time, with what came in the meantime committed between two of them.
  const turn = () => {
    scheduled = null;
    commitAll();
    if (sealOne(store)) schedule();
  };
  const schedule = () => {
    scheduled ??= setImmediate(turn);
  };

  return {
    corrected(at_ms) {
      newest_ms = at_ms;
      tell([], { ...NOTHING, clock_trusted: store.trustsClock(Date.now()) });
      schedule();
    },
    add(messages) {
      waiting.push(...messages);
      schedule();
    },
    now() {
      commitAll();
      schedule();
    },
    end() {
      commitAll();
      if (scheduled !== null) clearImmediate(scheduled);
    },
    imported(readings) {
      const { result, batch } = store.importReadings(readings, Date.now());
      tell([], batch);
      schedule();
      return result;
    },
  };
}

/**
 * Tries to commit now and then once it was called, until it succeeds: that must be known though
 * nobody sends anything.
 */
function openRetry(store: Store, succeeded: (result: BatchResult) => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const retry = () => {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      const at_ms = Date.now();
      const run = { job: "commit again", started_ms: at_ms, ended_ms: at_ms };
      try {
        store.recordJob({ ...run, result: "commits succeed again" });
        succeeded({ ...NOTHING, clock_trusted: store.trustsClock(at_ms) });
      } catch (error) {
        if (codeOf(error) === null) throw error;
        retry();
      }
    }, AGAIN_MS).unref();
  };
  return retry;
}

/** Seals one segment if there is enough for it; true if there may be more. */
function sealOne(store: Store): boolean {
  try {
    return store.sealFull();
  } catch (error) {
    if (codeOf(error) === null) throw error;
    // Hot rows stay where they are; the next commit that succeeds tries again.
    return false;
  }
}

function batchLength(waiting: readonly Waiting[]): number {
  let bytes = 0;
  const end = waiting.findIndex(({ message }, index) => {
    bytes += message.payload.length;
    return index > 0 && (index >= BATCH_MESSAGES_MAX || bytes > BATCH_BYTES_MAX);
  });
  return end < 0 ? waiting.length : end;
}

function maximum(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
