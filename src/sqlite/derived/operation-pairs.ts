// Pairs operations as they are found with the stored ones, and selects those that a change of data
// may affect.

import type { OperationSpan } from "../../bwts/operations/judging.ts";
import { sameOperations } from "../../bwts/operations/same-operation.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { type OperationRow, recordOf, versionsOf } from "../records/operation-rows.ts";
import { BEFORE_MS, type OperationsContext, touches } from "./operation-search.ts";

/** The remarks about the beginning and the end of an operation. */
const EXTENT_REMARKS = [
  ...(["no_start", "no_stop", "never_ended", "water_unseen", "overlaps"] as const),
];

/** An operation as it is found, and the stored one; either may be missing. */
export interface OperationMatch {
  readonly span: OperationSpan | null;
  readonly row: OperationRow | null;
}

/**
 * The operations that a change may affect, and rows in that time that match none, in order of their
 * starts.
 */
export function pairsOf({ spans, rows, isOwn, own }: OperationsContext): readonly OperationMatch[] {
  const same = sameOperations(spans, rows);
  const pairs = spans.map((span, at): OperationMatch => {
    const place = same[at];
    return { span, row: place === null ? null : rows[place] };
  });
  const left = rows.filter((row, place) => !same.includes(place) && touches(row, own));
  const startOf = ({ span, row }: OperationMatch) => span?.start_ms ?? row?.start_ms ?? 0;
  return [
    ...pairs.filter((_, at) => isOwn[at]),
    ...left.map((row): OperationMatch => ({ span: null, row })),
  ].toSorted((one, other) => startOf(one) - startOf(other));
}

/** The time that a change in a range can affect: its readings decide the usual cadence after it. */
export const changeable = ({ start_ms, end_ms }: ClosedRange): ClosedRange => ({
  start_ms,
  end_ms: end_ms + BEFORE_MS,
});

/** True if an operation is found with the stored extent; its judgement may still change. */
export function isAsStored(db: Connection, { span, row }: OperationMatch): boolean {
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
