// Finds what is missing from an operation's readings: stretches without a reading, hidden
// stretches, and stretches of moving water that lack a fact. A gap across which both totalisers
// stood still counts as rest. Pure.

import { isAbove, isUpTo } from "../../ground/binary-noise.ts";
import { movingVolume } from "../operations/moving-volume.ts";
import type { RuleId } from "../operations/rules.ts";
import { type Breach, intervalsOf } from "./breaches.ts";
import { carried, type Followed } from "./followed.ts";
import type { GatheredNumber } from "./gathered.ts";
import { TOTALISERS } from "./totals.ts";
import { isJudgedState, MOVES, STANDS, STILL, stateCode, UNKNOWN_MOVES } from "./water.ts";

/** A stretch without readings. */
export interface UntoldStretch {
  readonly rule: "no_readings" | "hidden_readings";
  readonly start_ms: number;
  readonly end_ms: number;
}

/**
 * Gaps in which water may have moved. Each begins where the time covered by the reading before
 * ends.
 */
export function untoldReadings(readings: Followed): readonly UntoldStretch[] {
  const { count, at_ms, covers_ms, gap, hiddenGap, start_ms, end_ms } = readings;
  const found: UntoldStretch[] = [];
  const add = (isHidden: boolean, from_ms: number, to_ms: number) =>
    found.push({
      rule: isHidden ? "hidden_readings" : "no_readings",
      ...{ start_ms: from_ms, end_ms: to_ms },
    });
  if (readings.gapAtStart) add(readings.hiddenAtStart, start_ms, count > 0 ? at_ms[0] : end_ms);
  for (let index = 1; index < count; index += 1)
    if (gap[index] === 1 && !isRest(readings, index))
      add(hiddenGap[index] === 1, at_ms[index - 1] + covers_ms[index - 1], at_ms[index]);
  if (readings.gapAtEnd && count > 0)
    add(readings.hiddenAtEnd, at_ms[count - 1] + covers_ms[count - 1], end_ms);
  return found;
}

/** True if no water moved on either side of the gap before `index`, or across it. */
function isRest(readings: Followed, index: number): boolean {
  const { moves, certified_m3_h } = readings;
  if (moves[index - 1] !== STILL || moves[index] !== STILL) return false;
  return TOTALISERS.every((field) =>
    isUpTo(Math.abs(riseAcross(readings, field, index)), movingVolume(certified_m3_h)),
  );
}

/**
 * The totaliser's rise across the gap before `index`, in m3; NaN if unknown. A totaliser that is 0
 * on both sides may not be fitted.
 */
function riseAcross(readings: Followed, field: GatheredNumber, index: number): number {
  const values = readings.numbers(field);
  const [before, after] = [
    toldNear(values, index - 1, -1, readings),
    toldNear(values, index, 1, readings),
  ];
  return before === 0 && after === 0 ? Number.NaN : after - before;
}

/**
 * Gaps across which a totaliser rose although no water moved on either side, and none was treated:
 * water moved, or the totaliser leapt. The state during it isn't known.
 */
export function risenGaps(readings: Followed): readonly Breach[] {
  const { count, at_ms, covers_ms, gap, moves, state, certified_m3_h } = readings;
  const found: Breach[] = [];
  for (let index = 1; index < count; index += 1) {
    if (gap[index] === 0 || moves[index - 1] !== STILL || moves[index] !== STILL) continue;
    if (isJudgedState(state[index - 1]) || isJudgedState(state[index])) continue;
    const most_m3 = movingVolume(certified_m3_h, at_ms[index] - at_ms[index - 1]);
    if (!TOTALISERS.some((field) => isAbove(riseAcross(readings, field, index), most_m3))) continue;
    found.push({
      ...{ start_ms: at_ms[index - 1], end_ms: at_ms[index], covers_ms: covers_ms[index - 1] },
      ...{ first: index - 1, after: index, readings: 1 },
      ...{ worst: null, worst_ms: null, limit: null },
    });
  }
  return found;
}

/** The next known value from `index` on, up to the next gap; NaN without one. */
function toldNear(
  values: Float64Array,
  index: number,
  step: 1 | -1,
  { gap, count }: Followed,
): number {
  for (let at = index; at >= 0 && at < count; at += step) {
    if (!Number.isNaN(values[at])) return values[at];
    if (gap[step === 1 ? at + 1 : at] === 1) break;
  }
  return Number.NaN;
}

export type NamedIntervals = readonly [rule: RuleId, intervals: readonly Breach[]];

const NO_STATE = stateCode("untold");
const BYPASS = stateCode("bypass");

/** The intervals of moving water without intensity, flow, state, or a mode that matters. */
export function untoldFacts(
  readings: Followed,
  unsaid: Uint8Array | null,
): readonly NamedIntervals[] {
  const { treated, moves, state } = readings;
  const intervals = (holds: (index: number) => boolean) => intervalsOf(readings, holds);
  const isUnknown = (index: number) =>
    moves[index] === STANDS || (moves[index] === UNKNOWN_MOVES && state[index] !== BYPASS);
  return [
    [
      "no_intensity",
      unsaid === null ? [] : intervals((index) => unsaid[index] === 1 && treated[index] === 1),
    ],
    ["no_flow", intervals(isUnknown)],
    ["no_state", intervals((index) => moves[index] === MOVES && state[index] === NO_STATE)],
    ["no_mode", untoldModes(readings)],
  ];
}

/** Intervals without a mode in which a value is within the limit of only one mode. */
function untoldModes(readings: Followed): readonly Breach[] {
  const { treated, mode, set, limits, flow } = readings;
  if (!mode.subarray(0, readings.count).includes(0)) return [];
  const uv = carried(readings, readings.numbers("UVR_INTENSITY"));
  return intervalsOf(readings, (index) => {
    if (treated[index] === 0 || mode[index] !== 0) return false;
    const { uv_imo, uv_uscg, flow_max_imo, flow_max_uscg } = limits[set[index]].limits;
    return (
      (uv[index] >= Math.min(uv_imo, uv_uscg) && uv[index] < Math.max(uv_imo, uv_uscg)) ||
      (flow[index] > Math.min(flow_max_imo, flow_max_uscg) &&
        flow[index] <= Math.max(flow_max_imo, flow_max_uscg))
    );
  });
}
