// The cleanings (CIP) used to judge operations if the PLC doesn't send the hours since the last
// one. When a cleaning arrives late, is withdrawn or is corrected, the operations after it, up to
// the next cleaning, become due: their last cleaning has changed.

import type { JudgedOperation } from "../../bwts/operations/judging.ts";
import { isCleaning } from "../../bwts/operations/operation-words.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import { recordOf, versionsOf } from "../records/operation-rows.ts";

/** A cleaning just judged, or an operation that is no longer a cleaning (`end_ms` null). */
export interface JudgedCleaning {
  /** The operation's id; null for a new one. */
  readonly id: number | null;
  readonly end_ms: number | null;
}

/** End of a cleaning; null for any other operation, and for a withdrawn one. */
export function cleaningEnd(record: JudgedOperation): number | null {
  const { start, end, remarks } = record;
  if (!isCleaning(record) || end === null || remarks.includes("withdrawn")) return null;
  // Never before the start: a clock that was set back can date the end so.
  return Math.max(Date.parse(start), Date.parse(end));
}

/**
 * End of the last cleaning before a time. `judged` replaces stored cleanings, because it isn't
 * stored yet.
 */
export function cleanedBefore(
  db: Connection,
  at_ms: number,
  judged: readonly JudgedCleaning[] = [],
): number | null {
  const isJudged = new Set(judged.map(({ id }) => id));
  const stored = cleanings(db).findLast((one) => one.end_ms <= at_ms && !isJudged.has(one.id));
  const ends = [stored?.end_ms ?? null, ...judged.map(({ end_ms }) => end_ms)];
  const before = ends.filter((end_ms) => end_ms !== null && end_ms <= at_ms);
  return before.length === 0 ? null : Math.max(...before.map(Number));
}

/** Starts of the stored operations whose last cleaning differs after a change of one cleaning. */
export function startsAfterCleaning(
  db: Connection,
  { id, was_ms, is_ms }: Record<"was_ms" | "is_ms", number | null> & { readonly id: number },
): readonly number[] {
  const ends = [was_ms, is_ms].filter((one) => one !== null);
  if (was_ms === is_ms) return [];
  const [first_ms, last_ms] = [Math.min(...ends), Math.max(...ends)];
  const next = cleanings(db).find((one) => one.id !== id && one.end_ms > last_ms);
  const until_ms = next?.end_ms ?? Number.MAX_SAFE_INTEGER;
  const rows = prepare(db, "operation.starts").all({ start_ms: first_ms, until_ms });
  return rows.map(({ start_ms }) => start_ms);
}

/** The stored cleanings in order of their ends, without withdrawn ones. */
function cleanings(db: Connection): readonly { readonly id: number; readonly end_ms: number }[] {
  return memo(db, "cleanings", () =>
    prepare(db, "operation.cleanings")
      .all({})
      .flatMap(({ id, end_ms, is_doubted }) => {
        const isWithdrawn = is_doubted === 1 && isNone(db, id);
        return isWithdrawn || end_ms === null ? [] : [{ id, end_ms }];
      }),
  );
}

function isNone(db: Connection, id: number): boolean {
  return (
    withoutDamage(db, () => versionsOf(db, id).slice(-1).map(recordOf).map(cleaningEnd))?.[0] ===
    null
  );
}
