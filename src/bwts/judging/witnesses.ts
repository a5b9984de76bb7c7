// Contradictions between flow and totaliser, and between the totalisers of both types. It isn't
// known which of them is right. Pure.

import { isAbove, isUpTo } from "../../ground/binary-noise.ts";
import { HOUR_MS } from "../../ground/clock.ts";
import { certifiedVolume, MOVING_MS, movingVolume } from "../operations/moving-volume.ts";
import { WITNESS_DIFFERENCE } from "../treating.ts";
import type { Followed } from "./followed.ts";
import { usualStand } from "./pauses.ts";
import { STANDS_LONG } from "./standing-totals.ts";
import { risenVolume, riseSums, stepOf, TOTALISERS, type Totals, totalsOf } from "./totals.ts";
import { STILL } from "./water.ts";

/** True if flow and totaliser, or both totalisers, contradict each other. */
export function isFlowContradicted(readings: Followed): boolean {
  const { totals } = readings;
  if (totals === null) return false;
  const sums = flowSums(readings);
  return (
    isWholeApart(readings, totals, sums) ||
    isAboveByTotal(readings, totals, sums) ||
    isOtherRising(readings, totals)
  );
}

/** True if volumes by totaliser and flow contradict each other. */
export function isApart(byTotal_m3: number, byFlow_m3: number, certified_m3_h: number): boolean {
  const most_m3 = Math.max(
    movingVolume(certified_m3_h),
    WITNESS_DIFFERENCE * Math.max(byTotal_m3, byFlow_m3),
  );
  return isAbove(Math.abs(byTotal_m3 - byFlow_m3), most_m3);
}

/**
 * True if flow and totaliser differ by more than 10 % over the time in which both are known. A step
 * of the totaliser explains that only if the totaliser doesn't exceed the certified flow.
 */
function isWholeApart(
  { moves, at_ms, certified_m3_h }: Followed,
  totals: Totals,
  { volume_m3, unknown }: FlowSums,
): boolean {
  let [byTotal_m3, byFlow_m3, time_ms] = [0, 0, 0];
  for (let place = 1; place < totals.count; place += 1) {
    const [from, to] = [totals.at[place - 1], totals.at[place]];
    if (totals.broken[place] === 1) continue;
    const isMoving = moves.subarray(from, to).some((one) => one !== STILL);
    if (unknown[to] !== unknown[from] || !isMoving) continue;
    byTotal_m3 += totals.values[place] - totals.values[place - 1];
    byFlow_m3 += volume_m3[to] - volume_m3[from];
    time_ms += at_ms[to] - at_ms[from];
  }
  if (!isApart(byTotal_m3, byFlow_m3, certified_m3_h)) return false;
  const isOver = isAbove(byTotal_m3, certifiedVolume(certified_m3_h, time_ms));
  return isOver || isAbove(Math.abs(byTotal_m3 - byFlow_m3), stepOf(totals));
}

/** Minimum number of steps and rises for a comparison: a totaliser may be ahead by one. */
const COMPARED_RISES = 10;

/**
 * True if the totaliser exceeds the certified flow for some time, by more than meters differ, while
 * the flow is lower: a flow meter stops at the end of its range.
 */
function isAboveByTotal(
  { at_ms, certified_m3_h }: Followed,
  totals: Totals,
  { volume_m3, unknown }: FlowSums,
): boolean {
  const { at, values, broken, count } = totals;
  const step_m3 = stepOf(totals);
  const compared_ms = Math.max(
    MOVING_MS,
    (COMPARED_RISES * step_m3 * HOUR_MS) / certified_m3_h,
    COMPARED_RISES * usualStand(at_ms, totals),
  );
  const timeOf = (place: number) => at_ms[at[place]];
  let [first, from] = [0, 0];
  for (let to = 1; to < count; to += 1) {
    if (broken[to] === 1) [first, from] = [to, to];
    while (from + 1 < to && timeOf(to) - timeOf(from + 1) >= compared_ms) from += 1;
    // A rise after a stand may be of all of it.
    let since = from;
    while (since > first && values[since - 1] === values[since]) since -= 1;
    const time_ms = timeOf(to) - timeOf(since);
    if (time_ms < compared_ms) continue;
    const most_m3 = certifiedVolume(certified_m3_h, time_ms);
    const rise_m3 = values[to] - values[since] - step_m3;
    const isOver = isAbove(rise_m3, (1 + WITNESS_DIFFERENCE) * most_m3);
    const byFlow_m3 = volume_m3[at[to]] - volume_m3[at[since]];
    const isKnown = unknown[at[to]] === unknown[at[since]];
    if (isOver && isKnown && isUpTo(byFlow_m3, most_m3)) return true;
  }
  return false;
}

type FlowSums = ReturnType<typeof flowSums>;

/**
 * For each reading: the volume up to it by the flow, in m3, and the number of steps without a flow.
 */
function flowSums({ flow, gap, at_ms, count }: Followed) {
  const [volume_m3, unknown] = [new Float64Array(count), new Uint32Array(count)];
  for (let index = 1; index < count; index += 1) {
    const mean = (flow[index - 1] + flow[index]) / 2;
    const isKnown = gap[index] === 0 && !Number.isNaN(mean);
    const moved_m3 = certifiedVolume(isKnown ? mean : 0, at_ms[index] - at_ms[index - 1]);
    volume_m3[index] = volume_m3[index - 1] + moved_m3;
    unknown[index] = unknown[index - 1] + (isKnown ? 0 : 1);
  }
  return { volume_m3, unknown };
}

/**
 * True if the totaliser of the other type rises while that of its own type, which isn't 0, stands
 * still: throughout, or for longer than its steps explain while no flow is known.
 */
function isOtherRising(readings: Followed, totals: Totals): boolean {
  const { at_ms, count, certified_m3_h, flow, standing } = readings;
  const most_m3 = movingVolume(certified_m3_h, at_ms[count - 1] - at_ms[0]);
  const others = TOTALISERS.flatMap((field) => {
    const other = totalsOf(readings, field, certified_m3_h).totals;
    return other === null ? [] : [other];
  });
  if (isUpTo(risenVolume(totals), most_m3))
    return others.some((other) => isAbove(risenVolume(other), most_m3));
  const isAlone = (index: number) => standing[index] === STANDS_LONG && Number.isNaN(flow[index]);
  return others.some((other) => isAbove(risenWhere(other, isAlone), most_m3));
}

/** The rises of a totaliser from readings for which `holds` is true, m3. */
function risenWhere(totals: Totals, holds: (index: number) => boolean): number {
  const rises = riseSums(totals);
  let risen_m3 = 0;
  for (let place = 1; place < totals.count; place += 1)
    if (holds(totals.at[place - 1])) risen_m3 += rises[place] - rises[place - 1];
  return risen_m3;
}
