// Distinguishes a cleaning (CIP), which isn't judged, from an operation that only has its type:
// water that is taken in or discharged is judged whatever its type is. A cleaning moves its own
// water, in the state CIP, and no totaliser of ballast counts it. Pure.

import { movingVolume } from "../operations/moving-volume.ts";
import { wordOf } from "../plc-word.ts";
import type { Followed } from "./followed.ts";
import { risenVolume, TOTALISERS, totalsOf } from "./totals.ts";
import { MOVES, stateCode } from "./water.ts";

const CLEANING = stateCode("cleaning");

/** True if the type says that it is a cleaning, and its readings don't contradict that. */
export function isRealCleaning(
  type: string | null,
  readings: Followed,
  allowed_ms: number,
): boolean {
  if (wordOf(type) !== "CIP") return false;
  const { count, moves, state, covers_ms, at_ms, certified_m3_h } = readings;
  let moved_ms = 0;
  for (let index = 0; index < count; index += 1)
    if (moves[index] === MOVES && state[index] !== CLEANING) moved_ms += covers_ms[index];
  if (moved_ms > allowed_ms) return false;
  const time_ms = count === 0 ? 0 : at_ms[count - 1] - at_ms[0];
  return TOTALISERS.every((field) => {
    const { totals } = totalsOf(readings, field, certified_m3_h);
    return totals === null || risenVolume(totals) <= movingVolume(certified_m3_h, time_ms);
  });
}
