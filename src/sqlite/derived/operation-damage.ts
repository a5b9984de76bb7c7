// Decides if damage prevents the judging of an operation. Without its damaged readings a violation
// of a limit could disappear, so a stored verdict stands until they are restored, or until a
// salvage has established that they are lost; a new operation waits until then.

import { HOUR_MS } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { OperationRow } from "../records/operation-rows.ts";
import { damagedHot } from "../sealed/hot.ts";
import { segmentsOf } from "../sealed/segments.ts";
import { type OperationsContext, touches } from "./operation-search.ts";

type Lasting = Pick<OperationRow, "start_ms" | "end_ms">;

/**
 * Time around an operation whose readings affect the times of its limits, and its usual cadence.
 */
const AROUND_MS = 6 * HOUR_MS;

/**
 * True if damage in or near an operation may change its judgement, as far as its readings have been
 * read. `damaged_ms` are times of damaged events; a new operation is known by its readings instead.
 */
export function isSpoilt(
  db: Connection,
  { start_ms, end_ms }: Lasting,
  {
    row,
    damaged_ms,
  }: { readonly row: OperationRow | null; readonly damaged_ms: readonly number[] },
): boolean {
  const isJudged = row !== null && row.version > 0;
  const times = [start_ms, end_ms, row?.start_ms, row?.end_ms].filter((at_ms) => at_ms != null);
  const around_ms = isJudged ? AROUND_MS : 0;
  const range = {
    start_ms: Math.min(...times) - around_ms,
    end_ms: (end_ms === null ? Number.MAX_SAFE_INTEGER : Math.max(...times)) + around_ms,
  };
  const lost = [...damagedSpans(db), ...(isJudged ? damaged_ms.map(instant) : [])];
  return lost.some((one) => one.start_ms <= range.end_ms && one.end_ms >= range.start_ms);
}

/** True if the times overlap with a judged operation that stands despite damage. */
export function isPartOfSpoilt(
  db: Connection,
  times: Lasting,
  { rows, now_ms, damaged_ms }: Pick<OperationsContext, "rows" | "now_ms" | "damaged_ms">,
): boolean {
  return rows.some(
    (row) =>
      row.version > 0 &&
      touches(times, { ...row, end_ms: row.end_ms ?? now_ms }) &&
      isSpoilt(db, row, { row, damaged_ms }),
  );
}

const instant = (at_ms: number): ClosedRange => ({ start_ms: at_ms, end_ms: at_ms });

/**
 * The times of damaged readings: unsealed ones, and segments found damaged when they were last
 * read.
 */
export function damagedSpans(db: Connection): readonly ClosedRange[] {
  return [
    ...damagedHot(db).map(({ at_ms }) => instant(at_ms)),
    ...segmentsOf(db)
      .damaged()
      .map(({ first_ms, last_ms }) => ({ start_ms: first_ms, end_ms: last_ms })),
  ];
}
