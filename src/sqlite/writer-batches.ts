// Messages that wait for a commit, in the writer's thread: whatever has come by then shares one,
// and one fsync. Between two of them a segment is sealed where there is enough for it, never while
// somebody waits for an answer.

import type { WriterReply } from "./calls.ts";
import { type Committing, openCommitter } from "./committer.ts";
import type { ImportedReading, ImportResult, Refused } from "./import.ts";
import type { Waiting } from "./message-pack.ts";

/** The most messages and bytes that share one commit: about a tenth of a second of decoding. */
const BATCH_MESSAGES_MAX = 2000;
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** Before sealing is tried again that failed: each try takes time from those who wait. */
const SEAL_AGAIN_MS = 10_000;

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

export function openBatches(
  committing: Committing,
  last_reading_ms: number | null,
  reply: (message: WriterReply) => void,
): Batches {
  const waiting: Waiting[] = [];
  const committer = openCommitter(committing, last_reading_ms, reply);
  const sealing = openSealing(committing);
  let scheduled: NodeJS.Immediate | null = null;

  const commitAll = () => {
    while (waiting.length > 0) committer.commit(waiting.splice(0, batchLength(waiting)));
  };

  // One segment at a time, with what came in the meantime committed between two of them.
  const turn = () => {
    scheduled = null;
    commitAll();
    if (sealing()) schedule();
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
    imported(lines) {
      const result = committer.importLines(lines);
      schedule();
      return result;
    },
  };
}

/** Seals one segment if there is enough for it; true if there may be more. */
function openSealing({ store, faults }: Pick<Committing, "store" | "faults">): () => boolean {
  let failed_ms = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - failed_ms < SEAL_AGAIN_MS) return false;
    try {
      return store.sealFull();
    } catch (error) {
      // Hot rows stay where they are; a commit tries again after a while.
      failed_ms = performance.now();
      faults.tellOwn("sealing failed", error);
      return false;
    }
  };
}

function batchLength(waiting: readonly Waiting[]): number {
  let bytes = 0;
  const end = waiting.findIndex(({ message }, index) => {
    bytes += message.payload.length;
    return index > 0 && (index >= BATCH_MESSAGES_MAX || bytes > BATCH_BYTES_MAX);
  });
  return end < 0 ? waiting.length : end;
}
