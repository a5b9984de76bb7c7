// Which 15-minute slots wait to be scored, and their scores. Reading and computing happen here, in
// a reader's thread; the writer stores the result unless the slot has changed in the meantime.

import { type HealthLimits, SLOT_MS, scoreSlot } from "../bwts/health.ts";
import { type Connection, prepare } from "./open.ts";
import { readReadings } from "./reading-rows.ts";
import type { ScoredSlot } from "./store.ts";

/** Slots scored in one go; a ship's 24 months of slots are caught up with in many. */
export const SCORED_MAX = 200;

/** Scores the oldest due slots that ended by `closed_ms`. */
export function scoreDue(
  db: Connection,
  closed_ms: number,
  limits: HealthLimits,
): readonly ScoredSlot[] {
  const due = prepare<object, { start_ms: number; revision: number }>(db, "health.due");
  return due
    .all({ start_ms: closed_ms - SLOT_MS, limit: SCORED_MAX })
    .map(({ start_ms, revision }) => {
      const readings = [...readReadings(db, { start_ms, end_ms: start_ms + SLOT_MS - 1 })];
      return { start_ms, revision, record: scoreSlot({ start_ms, readings }, limits) };
    });
}
