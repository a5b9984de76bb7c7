// When a reading is too old to be called the present. That is a fact of its own: the link to
// ballastd may be alive all the same.

import type { ShownReading } from "../store/answers.ts";

/** Three missed readings of a plant that sends every three minutes. */
export const STALE_MS = 10 * 60_000;

export function isStale(reading: ShownReading, now_ms: number): boolean {
  return now_ms - reading.at_ms > STALE_MS;
}
