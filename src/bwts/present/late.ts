// Detects readings that arrive long after they were sent: after a cut of the link a plant sends the
// readings that it kept, and the newest stored one isn't the newest that exists. Pure.

import { MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import type { Reading } from "../reading.ts";

/**
 * Maximum age of a reading on arrival. If an older one arrives, newer ones may be waiting behind
 * it.
 */
const LATE_MS = MINUTE_MS;
/** Minimum time after which a reading is overdue: a link may just be re-established. */
const OVERDUE_MIN_MS = 15 * SECOND_MS;

export function isLate(
  newest: Pick<Reading, "at_ms" | "received_ms"> | null,
  plant: { readonly plant_clock_offset_seconds: number | null },
): boolean {
  if (newest === null) return false;
  const sent_ms = newest.at_ms - (plant.plant_clock_offset_seconds ?? 0) * SECOND_MS;
  return newest.received_ms - sent_ms > LATE_MS;
}

/**
 * True if the next reading is overdue, after two cadences: some PLCs connect for each message
 * alone.
 */
export function isOverdue(received_ms: number | null, cadence_ms: number | null): boolean {
  return (received_ms ?? 0) > Math.max(OVERDUE_MIN_MS, 2 * (cadence_ms ?? 0));
}
