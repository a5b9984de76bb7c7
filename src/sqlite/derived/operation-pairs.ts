// Operations as they are found beside those that are stored, and which of them a change of data may
// concern.

import type { OperationSpan } from "../../bwts/operations/judging.ts";
import { sameOperations } from "../../bwts/operations/same-operation.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { type OperationRow, recordOf, versionsOf } from "../records/operation-rows.ts";
import { BEFORE_MS, type OperationsAround, touches } from "./operation-search.ts";

/** The remarks about where an operation begins and ends. */
const EXTENT_REMARKS = [
  ...(["no_start", "no_stop", "never_ended", "water_unseen", "overlaps"] as const),
];

/** An operation as it is found, and as it is stored. */
export interface FoundAndStored {
  readonly span: OperationSpan | null;
  readonly row: OperationRow | null;
}

/** The operations that a change may concern, and rows of none that lie there, by their starts. */
export function pairsOf({ spans, rows, isOwn, own }: OperationsAround): readonly FoundAndStored[] {
  const same = sameOperations(spans, rows);
  const pairs = spans.map((span, at): FoundAndStored => {
    const place = same[at];
    return { span, row: place === null ? null : rows[place] };
  });
  const left = rows.filter((row, place) => !same.includes(place) && touches(row, own));
  const startOf = ({ span, row }: FoundAndStored) => span?.start_ms ?? row?.start_ms ?? 0;
  return [
    ...pairs.filter((_, at) => isOwn[at]),
    ...left.map((row): FoundAndStored => ({ span: null, row })),
  ].toSorted((one, other) => startOf(one) - startOf(other));
}

/** The time that a range's readings can change: they tell the usual cadence behind them. */
export const changeable = ({ start_ms, end_ms }: ClosedRange): ClosedRange => ({
  start_ms,
  end_ms: end_ms + BEFORE_MS,
});

/** True if an operation is stored as it is found; what is judged in it may have changed. */
export function isAsStored(db: Connection, { span, row }: FoundAndStored): boolean {
  if (span === null || row === null || row.version === 0) return false;
  const end_ms = span.end_ms === null ? null : Math.max(span.start_ms, span.end_ms);
  const isSame =
    row.start_ms === span.start_ms && row.end_ms === end_ms && row.known_by === span.known_by;
  if (!isSame) return false;
  const newest = versionsOf(db, row.id).at(-1);
  if (newest === undefined) return false;
  const { remarks, operation_type, location } = recordOf(newest);
  return (
    !remarks.includes("withdrawn") &&
    EXTENT_REMARKS.every((one) => remarks.includes(one) === span.remarks.includes(one)) &&
    (span.operation_type === null || span.operation_type === operation_type) &&
    (span.location === null || span.location === location)
  );
}
