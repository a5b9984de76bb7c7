// Detects readings that arrive long after they were sent: after a cut a plant sends the ones that
// it kept. The newest stored reading isn't the newest one then. Pure.

import { MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import type { Reading } from "../reading.ts";

/** Maximum age of a reading on arrival. Before an older one arrives, newer ones may be waiting. */
const LATE_MS = MINUTE_MS;
/** Readings are never overdue earlier, while a link is made anew. */
const OVERDUE_MIN_MS = 15 * SECOND_MS;

export function isLate(
  newest: Pick<Reading, "at_ms" | "received_ms"> | null,
  plant: { readonly plant_clock_offset_seconds: number | null },
): boolean {
  if (newest === null) return false;
  const sent_ms = newest.at_ms - (plant.plant_clock_offset_seconds ?? 0) * SECOND_MS;
  return newest.received_ms - sent_ms > LATE_MS;
}

/** True if a reading is overdue; two cadences, because some PLCs connect for each message alone. */
export function isOverdue(received_ms: number | null, cadence_ms: number | null): boolean {
  return (received_ms ?? 0) > Math.max(OVERDUE_MIN_MS, 2 * (cadence_ms ?? 0));
}
