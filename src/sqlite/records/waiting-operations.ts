// Operations that wait to be judged again: they were judged by other data, or by other limits, so
// "within limits" isn't said of them. The newest hour stays due until a later one begins, so it
// says nothing.

import type { Operation } from "../../bwts/operations/operation.ts";
import { floorTo, HOUR_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";

/** The derivation that judges operations, by its name in the table of what is due. */
export const JUDGING = "operations";

/** A row of that table by which all pieces of a derivation are due. */
export const ALL_DUE = Number.MAX_SAFE_INTEGER;

/** The starts of the hours that the derivation has yet to judge, ascending. */
export function dueHours(db: Connection): readonly number[] {
  return prepare(db, "due.up_to")
    .all({ name: JUDGING, now_ms: Number.MAX_SAFE_INTEGER })
    .map(({ start_ms }) => start_ms);
}

/** True if an hour of a time is yet to be judged, but for the newest. */
export function isDue(db: Connection, { start_ms, end_ms }: ClosedRange): boolean {
  const range = { start_ms: floorTo(start_ms, HOUR_MS), end_ms: Math.max(start_ms, end_ms) };
  const asked = { name: JUDGING, all: ALL_DUE, ...range };
  return prepare(db, "due.is_waiting").get(asked)?.is_waiting === 1;
}

/** An operation within limits that waits, as it is answered; any worse verdict stands. */
export const withoutVerdict = (operation: Operation): Operation => ({
  ...operation,
  remarks: [...operation.remarks, "waiting"],
  ...{ verdict: null, verdict_with_hidden: null, reasons: [], parts: [] },
});

export function touchesAny({ start_ms, end_ms }: ClosedRange, hours: ReadonlySet<number>): boolean {
  if (hours.size === 0) return false;
  for (let at = floorTo(start_ms, HOUR_MS); at <= end_ms; at += HOUR_MS)
    if (hours.has(at)) return true;
  return false;
}
