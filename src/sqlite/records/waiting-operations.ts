// Operations that wait to be judged again, because they were judged by other data or other limits:
// they aren't reported as within limits. The newest hour is always due until a later one begins, so
// it alone proves nothing.

import type { Operation } from "../../bwts/operations/operation.ts";
import { floorTo, HOUR_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";

/** Name of the derivation that judges operations, in the table of due pieces. */
export const JUDGING = "operations";

/** Start of the row in that table which means that all pieces of a derivation are due. */
export const ALL_DUE = Number.MAX_SAFE_INTEGER;

/** Start of the newest due hour; ALL_DUE if all are due, null if none is. */
export const newestDueHour = (db: Connection): number | null =>
  prepare(db, "due.newest").get({ name: JUDGING })?.start_ms ?? null;

/** Hours so near decide about an operation too: its mode, and totalisers beside it. */
export const JUDGED_BESIDE_MS = 6 * HOUR_MS;

/** The time of an operation, and the time of its newest version. */
export interface JudgedTime extends ClosedRange {
  readonly made_ms: number;
}

/**
 * True if an hour of an operation, or near it, is still to be judged; the newest hour doesn't
 * count.
 */
export function isDue(db: Connection, { start_ms, end_ms }: ClosedRange): boolean {
  const range = {
    start_ms: floorTo(start_ms - JUDGED_BESIDE_MS, HOUR_MS),
    end_ms: Math.max(start_ms, end_ms) + JUDGED_BESIDE_MS,
  };
  const asked = { name: JUDGING, all: ALL_DUE, ...range };
  return prepare(db, "due.is_waiting").get(asked)?.is_waiting === 1;
}

/** True if data of an operation's time arrived after its judgement. */
export const hasNews = (db: Connection, asked: JudgedTime): boolean =>
  prepare(db, "operation.news").get({ ...asked })?.is_news === 1;

/** True if an operation may be judged differently by now. */
export const isWaiting = (db: Connection, judged: JudgedTime): boolean =>
  isDue(db, judged) || (touchesNewest(db, judged) && hasNews(db, judged));

/** True if the operation includes the newest hour, which is due even if it was judged. */
export function touchesNewest(db: Connection, { start_ms, end_ms }: ClosedRange): boolean {
  const newest_ms = newestDueHour(db);
  return newest_ms !== null && newest_ms <= end_ms && newest_ms + HOUR_MS > start_ms;
}

/** The answer for a waiting operation that was within limits; a worse verdict would be kept. */
export const withoutVerdict = (operation: Operation): Operation => ({
  ...operation,
  remarks: [...operation.remarks, "waiting"],
  ...{ verdict: null, verdict_with_hidden: null, reasons: [], parts: [] },
});
