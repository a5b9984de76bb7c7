// A time that people state, for a lamp or a note: no reading is so old, and no clock can be so far
// ahead. A slip in the year is refused, instead of standing before all others for ever.

import { DAY_MS, printTime } from "../ground/clock.ts";
import { OLDEST_MS } from "./reading.ts";

const AHEAD_MAX_MS = 2 * DAY_MS;

/** The reason to refuse the time of a body's `member`; null if it can be. */
export function statedTimeProblem(member: string, at_ms: number, now_ms: number): string | null {
  if (at_ms < OLDEST_MS) return `${member}: got ${printTime(at_ms)}, expected 2000 or later`;
  if (at_ms <= now_ms + AHEAD_MAX_MS) return null;
  return `${member}: got ${printTime(at_ms)}, expected at most 48 hours from now`;
}
