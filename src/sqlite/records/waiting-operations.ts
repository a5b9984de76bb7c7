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

/** The newest hour that is due, ALL_DUE while all are; null if none is. */
export const newestDueHour = (db: Connection): number | null =>
  prepare(db, "due.newest").get({ name: JUDGING })?.start_ms ?? null;

/** Hours so near decide about an operation too: its mode, and totalisers beside it. */
export const JUDGED_BESIDE_MS = 6 * HOUR_MS;

/** An operation by its newest version. */
export interface JudgedTime extends ClosedRange {
  readonly made_ms: number;
}

/** True if an hour of an operation, or beside it, is yet to be judged; the newest one aside. */
export function isDue(db: Connection, { start_ms, end_ms }: ClosedRange): boolean {
  const range = {
    start_ms: floorTo(start_ms - JUDGED_BESIDE_MS, HOUR_MS),
    end_ms: Math.max(start_ms, end_ms) + JUDGED_BESIDE_MS,
  };
  const asked = { name: JUDGING, all: ALL_DUE, ...range };
  return prepare(db, "due.is_waiting").get(asked)?.is_waiting === 1;
}

/** True if data of a time came after a judgement of it. */
export const hasNews = (db: Connection, asked: JudgedTime): boolean =>
  prepare(db, "operation.news").get({ ...asked })?.is_news === 1;

/** True if an operation may be judged otherwise by now. */
export const isWaiting = (db: Connection, judged: JudgedTime): boolean =>
  isDue(db, judged) || (touchesNewest(db, judged) && hasNews(db, judged));

/** True if the newest hour, which is due whether or not it was judged, is one of an operation. */
export function touchesNewest(db: Connection, { start_ms, end_ms }: ClosedRange): boolean {
  const newest_ms = newestDueHour(db);
  return newest_ms !== null && newest_ms <= end_ms && newest_ms + HOUR_MS > start_ms;
}

/** An operation within limits that waits, as it is answered; any worse verdict stands. */
export const withoutVerdict = (operation: Operation): Operation => ({
  ...operation,
  remarks: [...operation.remarks, "waiting"],
  ...{ verdict: null, verdict_with_hidden: null, reasons: [], parts: [] },
});
