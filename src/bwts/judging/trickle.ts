// Finds water that moves too slowly to be judged: 2 % of the certified flow or less. It is no
// moving water, so no rule has looked at it, but in hours it can be a large share of the volume, of
// which nothing is known then. The totaliser tells it, and the flow where there is none. Pure.

import { HOUR_MS } from "../../ground/clock.ts";
import { UNTOLD_SHARE } from "../operations/rules.ts";
import { type Breach, intervalsOf } from "./breaches.ts";
import type { Followed } from "./followed.ts";
import { movingVolume, type Totals } from "./totals.ts";
import { STILL } from "./water.ts";

interface Trickle {
  readonly intervals: readonly Breach[];
  readonly volume_m3: number;
  /** The volume of the whole operation, by the same witness. */
  readonly of_m3: number;
}

/** True if more than standing water explains trickled: a remark. */
export function isTrickling(readings: Followed): boolean {
  return trickleOf(readings).volume_m3 > movingVolume(readings.certified_m3_h);
}

/** The intervals of it, if they are more of the volume than may be untold. */
export function trickles(readings: Followed): readonly Breach[] {
  const { intervals, volume_m3, of_m3 } = trickleOf(readings);
  const least_m3 = Math.max(movingVolume(readings.certified_m3_h), UNTOLD_SHARE * of_m3);
  return volume_m3 > least_m3 ? intervals : [];
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
    if (own_m3 <= 0) continue;
    intervals.push(one);
    volume_m3 += own_m3;
  }
  return { intervals, volume_m3, of_m3: movedIn(0, count) };
}

/**
 * The rise between the readings of an interval, m3: the step to the one after isn't its own, and
 * those across gaps are told by other rules.
 */
function risen(
  { gap }: Followed,
  { at, values, broken, count }: Totals,
  { first, after }: Pick<Breach, "first" | "after">,
): number {
  let sum = 0;
  for (let place = 1; place < count; place += 1) {
    const [from, to] = [at[place - 1], at[place]];
    if (from < first || to >= after || broken[place] === 1) continue;
    if (!gap.subarray(from + 1, to + 1).includes(1)) sum += values[place] - values[place - 1];
  }
  return sum;
}

/** The flow of an interval's readings times their time, m3. */
function flowed({ flow, covers_ms }: Followed, first: number, after: number): number {
  let sum = 0;
  for (let index = first; index < after; index += 1)
    if (flow[index] > 0) sum += (flow[index] * covers_ms[index]) / HOUR_MS;
  return sum;
}
