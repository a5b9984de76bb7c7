// Tells of readings that come long after they were sent: a plant that sends what it kept during a
// cut. The newest reading stored isn't the newest there is then. Pure.

import { MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import type { Reading } from "../reading.ts";

/** A reading that came so long after it was sent was kept back: newer ones may be, too. */
const LATE_MS = MINUTE_MS;

export function isLate(
  newest: Pick<Reading, "at_ms" | "received_ms"> | null,
  plant: { readonly plant_clock_offset_seconds: number | null },
): boolean {
  if (newest === null) return false;
  const sent_ms = newest.at_ms - (plant.plant_clock_offset_seconds ?? 0) * SECOND_MS;
  return newest.received_ms - sent_ms > LATE_MS;
}
