// Commits batches and reports the result. A failure that isn't the disk's would last for ever, and
// block the rest of the batch: the batch is halved until the message at fault is alone. That
// message is set aside, reported and acknowledged; the others are stored. While the disk fails,
// acknowledgements are withheld and commits are tried again.

import { messageOf } from "../../ground/errors.ts";
import type { ImportedReading, RefusedLine } from "../../payload/import.ts";
import type { Faults } from "../file/faults.ts";
import { isDiskFault, rejectOf, takeHalving } from "../file/faults.ts";
import type { ImportResult } from "../writing/import.ts";
import type { BatchResult, MessageProgress } from "../writing/ingest.ts";
import type { Store } from "../writing/store.ts";
import { problemOf } from "./calls.ts";
import type { WaitingMessage } from "./message-pack.ts";
import type { FromWriter } from "./writer-replies.ts";

/** Time for taking messages in; writing their changes takes about as long again. */
const COMMIT_MS = 60;
/** Interval between tries to commit while the disk fails. */
const AGAIN_MS = 2000;
/** Longest topic in a message, in characters. */
const SHOWN_MAX = 200;

export const NOTHING_IMPORTED: ImportResult = { stored: 0, same: 0, refused: [] };

/** A message that waits for its commit, or for the rest of it. */
export interface Held extends WaitingMessage {
  readonly progress: MessageProgress | null;
}

/** The parts that a commit uses. */
export interface Committing {
  readonly store: Store;
  /** Throws if the open files are no longer those under their names. */
  readonly present: () => void;
  readonly faults: Faults;
}

export interface Committer {
  /**
   * Commits messages for a limited time and answers each. Returns the others; the last of them may
   * be stored in part.
   */
  commit(batch: readonly Held[]): readonly Held[];
  /** Stores the valid lines of a file. Throws if the disk fails. */
  importLines(lines: readonly (ImportedReading | RefusedLine)[]): ImportResult;
  /** Reports another newest reading, after readings were hidden, shown again or taken in. */
  corrected(newest_ms: number | null): void;
}

const NOTHING = { readings: 0, quarantined: 0, repeated: 0, events: 0, newest_ms: null } as const;

export function openCommitter(
  { store, present, faults }: Committing,
  last_reading_ms: number | null,
  reply: (message: FromWriter) => void,
): Committer {
  let newest_ms = last_reading_ms;
  const tell = (seqs: readonly number[], result: BatchResult) => {
    newest_ms = maximum(newest_ms, result.newest_ms);
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

  /** Commits the first messages of a batch, at most `limit`; returns those not yet stored. */
  const commitFirst = (batch: readonly Held[], limit: number): readonly Held[] => {
    const [first, others] = [batch.slice(0, limit), batch.slice(limit)];
    const seqs = first.map(({ seq }) => seq);
    try {
      const { done, progress, result } = store.commitUntil(performance.now() + COMMIT_MS, first);
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
        // If withheld it would come again for ever, and block its sender.
        faults.tell(`a message is lost (${what}, ${messageOf(error)})`, second);
        tellNothing([seq]);
      }
    }
  };
  return {
    commit: (batch) =>
      takeHalving(batch.length, {
        take: (limit) => commitFirst(batch, limit),
        leave(error) {
          setAside(batch[0], error);
          return batch.slice(1);
        },
      }),
    importLines: (lines) => importLines(store, lines, (batch) => tell([], batch)),
    corrected(at_ms) {
      newest_ms = at_ms;
      tellNothing([]);
    },
  };
}

function importLines(
  store: Store,
  lines: readonly (ImportedReading | RefusedLine)[],
  tell: (batch: BatchResult) => void,
): ImportResult {
  let result = NOTHING_IMPORTED;
  let rest = lines;
  // After a failure the parts grow again: a bad line costs a few transactions, not one per line.
  for (let count = rest.length; rest.length > 0; count *= 2) {
    const part = takeHalving(Math.min(count, rest.length), {
      take(limit) {
        count = limit;
        const imported = store.importReadings(rest.slice(0, limit), Date.now());
        tell(imported.batch);
        return imported.result;
      },
      leave: (error) => refusedFor(rest[0], error),
    });
    result = joined(result, part);
    rest = rest.slice(count);
  }
  return result;
}

/**
 * After the first call, tries to commit now and then until it succeeds, so that a recovery is
 * noticed even if no message arrives.
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
    }, AGAIN_MS).unref();
  };
  return retry;
}

function refusedFor({ line }: { readonly line: number }, error: unknown): ImportResult {
  return { stored: 0, same: 0, refused: [{ line, problem: rejectOf(error).detail }] };
}

/** The sum of the results of two parts of a file. */
export function joined(one: ImportResult, other: ImportResult): ImportResult {
  return {
    stored: one.stored + other.stored,
    same: one.same + other.same,
    refused: [...one.refused, ...other.refused],
  };
}

function maximum(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
