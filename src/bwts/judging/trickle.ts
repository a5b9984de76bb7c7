// Finds water that moves too slowly to be judged: at 2 % of the certified flow or less. No other
// rule looks at it, but over hours it can be a large share of the volume without data. It is
// measured by the totaliser or, without one, by the flow. Pure.

import { isAbove } from "../../ground/binary-noise.ts";
import { HOUR_MS } from "../../ground/clock.ts";
import { movingVolume } from "../operations/moving-volume.ts";
import { UNTOLD_SHARE } from "../operations/rules.ts";
import { firstIndex } from "../ranks.ts";
import { type Breach, intervalsOf } from "./breaches.ts";
import type { Followed } from "./followed.ts";
import type { Totals } from "./totals.ts";
import { STILL } from "./water.ts";

interface Trickle {
  readonly intervals: readonly Breach[];
  readonly volume_m3: number;
  /** Volume of the whole operation, by the same method. */
  readonly of_m3: number;
}

/** True if the trickle exceeds what standing water explains; it becomes a remark. */
export function isTrickling(readings: Followed): boolean {
  return isAbove(trickleOf(readings).volume_m3, movingVolume(readings.certified_m3_h));
}

/**
 * Intervals of trickling water, if their share of the volume exceeds the share that may lack data.
 */
export function trickles(readings: Followed): readonly Breach[] {
  const { intervals, volume_m3, of_m3 } = trickleOf(readings);
  const least_m3 = Math.max(movingVolume(readings.certified_m3_h), UNTOLD_SHARE * of_m3);
  return isAbove(volume_m3, least_m3) ? intervals : [];
}

function trickleOf(readings: Followed): Trickle {
  const { moves, count, totals } = readings;
  const movedIn =
    totals === null
      ? (first: number, after: number) => flowed(readings, first, after)
      : (first: number, after: number) => risen(readings, totals, { first, after });
  const intervals: Breach[] = [];
  let volume_m3 = 0;
  for (const one of intervalsOf(readings, (index) => moves[index] === STILL)) {
    const own_m3 = movedIn(one.first, one.after);
    if (!isAbove(own_m3, 0)) continue;
    intervals.push(one);
    volume_m3 += own_m3;
  }
  return { intervals, volume_m3, of_m3: movedIn(0, count) };
}

/**
 * The rise between the readings of an interval, m3: the step to the one after isn't its own, and
 * other rules report those across gaps. Reads the interval's own steps alone: an operation can have
 * thousands of intervals.
 */
function risen(
  { gap }: Followed,
  { at, counted: values, broken, count }: Totals,
  { first, after }: Pick<Breach, "first" | "after">,
): number {
  const firstPlace = firstIndex(count, (place) => at[place] >= first);
  let sum = 0;
  for (let place = firstPlace + 1; place < count && at[place] < after; place += 1)
    if (broken[place] === 0 && !gap.subarray(at[place - 1] + 1, at[place] + 1).includes(1))
      sum += values[place] - values[place - 1];
  return sum;
}

/** The flow of an interval's readings times their time, m3. */
function flowed({ flow, covers_ms }: Followed, first: number, after: number): number {
  let sum = 0;
  for (let index = first; index < after; index += 1)
    if (flow[index] > 0) sum += (flow[index] * covers_ms[index]) / HOUR_MS;
  return sum;
}
