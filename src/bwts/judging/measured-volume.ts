// The volume of an operation by both ways: the difference of its type's totaliser, and the flow
// integrated by trapezoids. The totaliser counts if it never falls. Gives the volume of any part,
// too: a totaliser is taken as linear between two readings, and so is a flow. Pure.

import { HOUR_MS } from "../../ground/clock.ts";
import { wordOf } from "../plc-word.ts";
import { isGap } from "./cadence.ts";
import type { Followed } from "./followed.ts";
import type { GatheredNumber } from "./gathered.ts";
import type { UsualCadence } from "../operations/judging.ts";
import { VOLUME_DIFFERENCE } from "../operations/rules.ts";

export interface MeasuredVolume {
  readonly volume_m3: number | null;
  readonly source: "totaliser" | "flow" | null;
  readonly totaliser_m3: number | null;
  readonly flow_m3: number | null;
  /** The flow's against the totaliser's. */
  readonly difference_percent: number | null;
  readonly isReset: boolean;
  readonly differs: boolean;
  /** The volume between two instants, by `source`; null without one. */
  between(start_ms: number, end_ms: number): number | null;
}

/** A series of told values: times, values and the volume up to each. */
interface Series {
  readonly at_ms: Float64Array;
  readonly sums: Float64Array;
  readonly values: Float64Array;
  readonly count: number;
}

const TOTALISERS: Readonly<Record<string, GatheredNumber>> = {
  BALLAST: "SYS_TOTAL_BALLAST_VOL",
  DEBALLAST: "SYS_TOTAL_DEBALLAST_VOL",
};

export function measuredVolume(
  readings: Followed,
  operation_type: string | null,
  usualCadence: UsualCadence,
): MeasuredVolume {
  const field = TOTALISERS[wordOf(operation_type) ?? ""];
  const total = field === undefined ? null : toldSeries(readings, field, usualCadence);
  const flow = toldSeries(readings, "SYS_FLOW_RATE", usualCadence);
  const isReset = total !== null && hasFallen(total);
  if (total !== null) sumTotals(total);
  if (flow !== null) sumFlows(flow);
  const totaliser_m3 = total === null || isReset ? null : wholeVolume(total);
  const flow_m3 = flow === null ? null : wholeVolume(flow);
  const by = totaliser_m3 === null ? flow : total;
  return {
    volume_m3: totaliser_m3 ?? flow_m3,
    source: totaliser_m3 !== null ? "totaliser" : flow_m3 !== null ? "flow" : null,
    ...{ totaliser_m3, flow_m3, isReset, ...differenceOf(totaliser_m3, flow_m3) },
    between(start_ms, end_ms) {
      if (by === null) return null;
      const upTo = by === total ? totalUpTo : flowUpTo;
      return rounded(upTo(by, end_ms) - upTo(by, start_ms));
    },
  };
}

function differenceOf(totaliser_m3: number | null, flow_m3: number | null) {
  if (totaliser_m3 === null || flow_m3 === null)
    return { difference_percent: null, differs: false };
  const differs = Math.abs(flow_m3 - totaliser_m3) > VOLUME_DIFFERENCE * totaliser_m3;
  const share = totaliser_m3 === 0 ? null : (flow_m3 - totaliser_m3) / totaliser_m3;
  return { difference_percent: share === null ? null : rounded(share * 100), differs };
}

/** Takes away the noise of binary fractions: totalisers have two or three decimals. */
const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

/** The readings that tell a field; null unless they reach from about the first to the last. */
function toldSeries(
  readings: Followed,
  field: GatheredNumber,
  usualCadence: UsualCadence,
): Series | null {
  const values = readings.numbers(field);
  const at_ms = new Float64Array(readings.count);
  const told = new Float64Array(readings.count);
  let count = 0;
  for (let index = 0; index < readings.count; index += 1) {
    if (Number.isNaN(values[index])) continue;
    at_ms[count] = readings.at_ms[index];
    told[count] = values[index];
    count += 1;
  }
  if (count < 2) return null;
  const series = { at_ms, values: told, count, sums: new Float64Array(count) };
  const [first_ms, last_ms] = [readings.at_ms[0], readings.at_ms[readings.count - 1]];
  const atStart = { before: -1, after: 0, distance_ms: at_ms[0] - first_ms };
  const atEnd = { before: count - 1, after: count, distance_ms: last_ms - at_ms[count - 1] };
  const isCut = isGap(series, atStart, usualCadence) || isGap(series, atEnd, usualCadence);
  return isCut ? null : series;
}

function hasFallen({ values, count }: Series): boolean {
  for (let index = 1; index < count; index += 1) if (values[index] < values[index - 1]) return true;
  return false;
}

function sumTotals({ values, sums, count }: Series): void {
  for (let index = 1; index < count; index += 1) sums[index] = values[index] - values[0];
}

function sumFlows({ at_ms, values, sums, count }: Series): void {
  for (let index = 1; index < count; index += 1)
    sums[index] =
      sums[index - 1] +
      (((values[index] + values[index - 1]) / 2) * (at_ms[index] - at_ms[index - 1])) / HOUR_MS;
}

const wholeVolume = ({ sums, count }: Series) => rounded(sums[count - 1]);

function totalUpTo(series: Series, at_ms: number): number {
  const { low, share } = placeOf(series, at_ms);
  if (share === 0) return series.sums[low];
  return series.sums[low] + share * (series.sums[low + 1] - series.sums[low]);
}

function flowUpTo(series: Series, at_ms: number): number {
  const { low, share } = placeOf(series, at_ms);
  if (share === 0) return series.sums[low];
  const { values } = series;
  const flow = values[low] + share * (values[low + 1] - values[low]);
  return series.sums[low] + (((values[low] + flow) / 2) * (at_ms - series.at_ms[low])) / HOUR_MS;
}

/** The last reading up to an instant, and the share of the way to the next one. */
function placeOf({ at_ms, count }: Series, instant_ms: number) {
  let low = 0;
  let high = count - 1;
  if (instant_ms <= at_ms[0]) return { low: 0, share: 0 };
  if (instant_ms >= at_ms[high]) return { low: high, share: 0 };
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (at_ms[middle] <= instant_ms) low = middle;
    else high = middle;
  }
  return { low, share: (instant_ms - at_ms[low]) / (at_ms[high] - at_ms[low]) };
}
