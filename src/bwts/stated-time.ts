// Checks a time that people enter, for a lamp or a note: not before the oldest possible reading,
// and not further ahead than any clock can be. So a typing error in the year is refused, instead of
// sorting before all other entries for ever.

import { HOUR_MS, printTime } from "../ground/clock.ts";
import { Declined } from "../ground/errors.ts";
import { reason } from "../ground/reasons.ts";
import { OLDEST_MS } from "./reading.ts";

const AHEAD_MAX_HOURS = 48;

/** The refusal of the time of a body's `member`; null if it is valid. */
export function statedTimeProblem(member: string, at_ms: number, now_ms: number): Declined | null {
  const given = printTime(at_ms);
  if (at_ms < OLDEST_MS)
    return new Declined(
      `${member}: got ${given}, expected 2000 or later`,
      reason("time_early", { given, earliest: printTime(OLDEST_MS) }),
    );
  if (at_ms <= now_ms + AHEAD_MAX_HOURS * HOUR_MS) return null;
  return new Declined(
    `${member}: got ${given}, expected at most ${AHEAD_MAX_HOURS} hours from now`,
    reason("time_ahead", { given, hours: AHEAD_MAX_HOURS }),
  );
}
