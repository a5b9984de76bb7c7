// The volume of an operation by two methods: the rises of the totaliser of its type, and the flow
// integrated by trapezoids. Where the totaliser lacks a step, or begins late, the flow fills in.
// Also gives the volume of any part; totaliser and flow are linear between readings. If the two
// contradict each other, there is no volume. Pure.

import { isAbove, isUpTo, withoutNoise } from "../../ground/binary-noise.ts";
import { HOUR_MS } from "../../ground/clock.ts";
import type { UsualCadence } from "../operations/judging.ts";
import { certifiedVolume } from "../operations/moving-volume.ts";
import { UNTOLD_SHARE, VOLUME_DIFFERENCE, VOLUME_FACTOR } from "../operations/rules.ts";
import { firstIndex } from "../ranks.ts";
import { WITNESS_DIFFERENCE } from "../treating.ts";
import { gapsBefore, isGap } from "./cadence.ts";
import type { Followed } from "./followed.ts";
import type { Totals } from "./totals.ts";
import { MOVES, STANDS } from "./water.ts";

export interface MeasuredVolume {
  readonly volume_m3: number | null;
  readonly source: "totaliser" | "flow" | null;
  readonly totaliser_m3: number | null;
  readonly flow_m3: number | null;
  /** Difference of the flow's volume from the totaliser's. */
  readonly difference_percent: number | null;
  readonly isReset: boolean;
  readonly isOdd: boolean;
  /** True if the totaliser stood still while water flowed. */
  readonly stands: boolean;
  readonly differs: boolean;
  /** True if the two differ by more than meters do: then there is no volume. */
  readonly isUnclear: boolean;
  /** Volume between two instants, by `source`; null without one. */
  between(start_ms: number, end_ms: number): number | null;
}

/** Volume up to each of some instants. */
interface VolumeSums {
  readonly at_ms: Float64Array;
  readonly sums: Float64Array;
  readonly count: number;
  /** Values that are linear between the instants; null if the sums are linear themselves. */
  readonly values: Float64Array | null;
  /** Entry k is 1 if the other method gave the step from instant k - 1 to k, linearly. */
  readonly filled?: Uint8Array;
}

export function measuredVolume(readings: Followed, usualCadence: UsualCadence): MeasuredVolume {
  const { totals, certified_m3_h, start_ms, end_ms } = readings;
  const most_m3 = VOLUME_FACTOR * certifiedVolume(certified_m3_h, end_ms - start_ms);
  const possible = (sums: VolumeSums | null) =>
    sums !== null && isUpTo(wholeOf(sums), most_m3) ? sums : null;
  const flow = possible(flowSums(readings, usualCadence));
  const risen = totals === null ? null : totalSums(readings, totals, { flow, usualCadence });
  const flow_m3 = flow === null ? null : wholeOf(flow);
  const isUnmoved = risen !== null && wholeOf(risen) === 0;
  const stands = isUnmoved && (flow_m3 ?? 0) > 0;
  // It may have stuck, or the other type's totaliser shows the water.
  const isStuck = isLong(readings, STANDS) || (isUnmoved && isLong(readings, MOVES));
  const total = stands || isStuck ? null : possible(risen);
  const totaliser_m3 = total === null ? null : wholeOf(total);
  const difference = differenceOf(totaliser_m3, flow_m3);
  // Nobody measured the water before the first reading, or after the last one.
  const isWhole = !readings.gapAtStart && !readings.gapAtEnd;
  const by = difference.isUnclear || !isWhole ? null : (total ?? flow);
  return {
    volume_m3: by === null ? null : wholeOf(by),
    source: by === null ? null : by === total ? "totaliser" : "flow",
    ...{ totaliser_m3, flow_m3, ...difference, stands },
    ...{ isReset: totals?.isReset === true, isOdd: totals?.isOdd === true },
    between(from_ms, to_ms) {
      return by === null ? null : withoutNoise(upTo(by, to_ms) - upTo(by, from_ms));
    },
  };
}

/** True if `what` holds for more of the time than may lack data. */
function isLong({ moves, covers_ms, at_ms, count }: Followed, what: number): boolean {
  let time_ms = 0;
  for (let index = 0; index < count; index += 1)
    if (moves[index] === what) time_ms += covers_ms[index];
  return time_ms > UNTOLD_SHARE * (at_ms[count - 1] - at_ms[0]);
}

function differenceOf(totaliser_m3: number | null, flow_m3: number | null) {
  if (totaliser_m3 === null || flow_m3 === null)
    return { difference_percent: null, differs: false, isUnclear: false };
  const apart_m3 = Math.abs(flow_m3 - totaliser_m3);
  const share = totaliser_m3 === 0 ? null : (flow_m3 - totaliser_m3) / totaliser_m3;
  return {
    difference_percent: share === null ? null : withoutNoise(share * 100),
    differs: isAbove(apart_m3, VOLUME_DIFFERENCE * totaliser_m3),
    isUnclear: isAbove(apart_m3, WITNESS_DIFFERENCE * Math.max(totaliser_m3, flow_m3)),
  };
}

const wholeOf = ({ sums, count }: VolumeSums) => withoutNoise(sums[count - 1]);

/**
 * Sums by the known flows. Null unless these cover nearly all of the time, from about the first
 * reading to the last. Steps without a flow are filled by the totaliser, so that they don't count
 * as a difference between the two; without one, by a straight line.
 */
function flowSums(readings: Followed, usualCadence: UsualCadence): VolumeSums | null {
  const told = readings.numbers("SYS_FLOW_RATE");
  const at_ms = new Float64Array(readings.count);
  const [values, sums] = [new Float64Array(readings.count), new Float64Array(readings.count)];
  const at: number[] = [];
  for (let index = 0; index < readings.count; index += 1) {
    if (Number.isNaN(told[index])) continue;
    const count = at.push(index) - 1;
    at_ms[count] = readings.at_ms[index];
    values[count] = told[index];
    if (count > 0)
      sums[count] =
        sums[count - 1] +
        (((values[count] + values[count - 1]) / 2) * (at_ms[count] - at_ms[count - 1])) / HOUR_MS;
  }
  const count = at.length;
  const found = { at_ms, sums, values, count };
  if (count < 2 || isCut(readings, found, usualCadence)) return null;
  const untold = count === readings.count ? [] : untoldSteps(at, found, usualCadence);
  if (untold.length === 0) return found;
  const untold_ms = untold.reduce((sum, step) => sum + at_ms[step] - at_ms[step - 1], 0);
  const whole_ms = readings.at_ms[readings.count - 1] - readings.at_ms[0];
  return untold_ms > UNTOLD_SHARE * whole_ms ? null : filledSums(readings, found, untold);
}

/** Steps across readings without a flow that are longer than the flow's usual cadence. */
function untoldSteps(
  at: readonly number[],
  series: Pick<VolumeSums, "at_ms" | "count">,
  usualCadence: UsualCadence,
): readonly number[] {
  const gaps = gapsBefore(series, usualCadence);
  return [...at.keys()].filter((step) => gaps[step] === 1 && at[step] - at[step - 1] > 1);
}

/** The sums, with the totaliser's rise in steps without a flow. */
function filledSums(
  { totals, at_ms: times }: Followed,
  flow: VolumeSums,
  untold: readonly number[],
): VolumeSums {
  if (totals === null) return flow;
  const { at_ms, sums, count } = flow;
  const found = { ...flow, sums: sums.slice(), filled: new Uint8Array(count) };
  const counted = Float64Array.from(totals.at, (index) => times[index]);
  const isUntold = new Set(untold);
  let more_m3 = 0;
  for (let step = 1; step < count; step += 1) {
    const range = { from_ms: at_ms[step - 1], to_ms: at_ms[step] };
    const rise_m3 = isUntold.has(step) ? riseBetween(totals, counted, range) : null;
    if (rise_m3 !== null) {
      more_m3 += rise_m3 - (sums[step] - sums[step - 1]);
      found.filled[step] = 1;
    }
    found.sums[step] += more_m3;
  }
  return found;
}

/** The totaliser's rise between two instants; null if a part of it isn't known. */
function riseBetween(
  { values, broken, count }: Totals,
  at_ms: Float64Array,
  { from_ms, to_ms }: { readonly from_ms: number; readonly to_ms: number },
): number | null {
  if (from_ms < at_ms[0] || to_ms > at_ms[count - 1]) return null;
  const first = firstIndex(count, (place) => at_ms[place] > from_ms);
  const after = firstIndex(count, (place) => at_ms[place] >= to_ms);
  if (broken.subarray(first, after + 1).includes(1)) return null;
  const sums = { at_ms, sums: values, count, values: null };
  return upTo(sums, to_ms) - upTo(sums, from_ms);
}

/** True if a series begins long after the first reading, or ends long before the last. */
function isCut(
  { at_ms, count }: Followed,
  series: Pick<VolumeSums, "at_ms" | "count">,
  usualCadence: UsualCadence,
): boolean {
  const last = series.count - 1;
  const atStart = { before: -1, after: 0, distance_ms: series.at_ms[0] - at_ms[0] };
  const atEnd = {
    before: last,
    after: last + 1,
    distance_ms: at_ms[count - 1] - series.at_ms[last],
  };
  return isGap(series, atStart, usualCadence) || isGap(series, atEnd, usualCadence);
}

interface Beside {
  readonly flow: VolumeSums | null;
  readonly usualCadence: UsualCadence;
}

/**
 * Sums by the rises of the totaliser, and by the flow where it has none. Null for the reasons of
 * `flowSums`, and if a step has neither.
 */
function totalSums(
  readings: Followed,
  totals: Totals,
  { flow, usualCadence }: Beside,
): VolumeSums | null {
  const { count, at } = totals;
  const at_ms = new Float64Array(count + 2);
  at_ms.set([readings.at_ms[0]]);
  for (let place = 0; place < count; place += 1) at_ms[place + 1] = readings.at_ms[at[place]];
  at_ms[count + 1] = readings.at_ms[readings.count - 1];
  if (isCut(readings, { at_ms: at_ms.subarray(1, count + 1), count }, usualCadence)) return null;
  if (flow === null && totals.isReset) return null;
  const sums = new Float64Array(count + 2);
  for (let place = 1; place < count + 2; place += 1) {
    const rise_m3 = riseAt(totals, place - 1);
    const [from_ms, to_ms] = [at_ms[place - 1], at_ms[place]];
    const filled_m3 = flow === null ? 0 : upTo(flow, to_ms) - upTo(flow, from_ms);
    sums[place] = sums[place - 1] + (rise_m3 ?? filled_m3);
  }
  return { at_ms, sums, count: count + 2, values: null };
}

/** Rise up to value `place`; null across a step that is impossible, and beyond the ends. */
function riseAt({ values, broken, count }: Totals, place: number): number | null {
  if (place < 1 || place >= count || broken[place] === 1) return null;
  return values[place] - values[place - 1];
}

/** The volume up to an instant. */
function upTo({ at_ms, sums, values, filled, count }: VolumeSums, instant_ms: number): number {
  const { low, share } = placeIn(at_ms, count, instant_ms);
  if (share === 0) return sums[low];
  if (values === null || filled?.[low + 1] === 1)
    return sums[low] + share * (sums[low + 1] - sums[low]);
  const flow = values[low] + share * (values[low + 1] - values[low]);
  return sums[low] + (((values[low] + flow) / 2) * (instant_ms - at_ms[low])) / HOUR_MS;
}

/** Index of the last time up to an instant, and the share of the way to the next time. */
function placeIn(at_ms: Float64Array, count: number, instant_ms: number) {
  let low = 0;
  let high = count - 1;
  if (instant_ms <= at_ms[0]) return { low: 0, share: 0 };
  if (instant_ms >= at_ms[high]) return { low: high, share: 0 };
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (at_ms[middle] <= instant_ms) low = middle;
    else high = middle;
  }
  const length_ms = at_ms[high] - at_ms[low];
  return { low, share: length_ms === 0 ? 0 : (instant_ms - at_ms[low]) / length_ms };
}
