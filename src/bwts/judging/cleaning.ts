// Distinguishes a cleaning (CIP), which isn't judged, from an operation that only has its type:
// water that is taken in or discharged is judged whatever its type is. A cleaning moves its own
// water, in the state CIP, and no totaliser of ballast counts it. Pure.

import { isAbove } from "../../ground/binary-noise.ts";
import { movingVolume } from "../operations/moving-volume.ts";
import { wordOf } from "../plc-word.ts";
import type { Followed } from "./followed.ts";
import { risenVolume, TOTALISERS, totalsOf } from "./totals.ts";
import { MOVES, stateCode } from "./water.ts";

const CLEANING = stateCode("cleaning");
/** Maximum flow of a cleaning's own pump, as a share of the certified flow. */
const OWN_FLOW_SHARE = 0.1;

/**
 * True if the type is a cleaning and its readings don't contradict that. Null if only missing
 * totalisers could: as much water moves as in an uptake or discharge.
 */
export function isRealCleaning(
  type: string | null,
  readings: Followed,
  allowed_ms: number,
): boolean | null {
  if (wordOf(type) !== "CIP") return false;
  const { count, moves, flow, state, covers_ms, at_ms, certified_m3_h } = readings;
  let [moved_ms, strong_ms] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    if (moves[index] === MOVES && state[index] !== CLEANING) moved_ms += covers_ms[index];
    if (isAbove(flow[index], OWN_FLOW_SHARE * certified_m3_h)) strong_ms += covers_ms[index];
  }
  if (moved_ms > allowed_ms) return false;
  const time_ms = count === 0 ? 0 : at_ms[count - 1] - at_ms[0];
  const all = TOTALISERS.map((field) => totalsOf(readings, field, certified_m3_h).totals);
  const hasRisen = all.some(
    (totals) =>
      totals !== null && isAbove(risenVolume(totals), movingVolume(certified_m3_h, time_ms)),
  );
  if (hasRisen) return false;
  return all.includes(null) && strong_ms > allowed_ms ? null : true;
}
