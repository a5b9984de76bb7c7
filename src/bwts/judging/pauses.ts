// Decides if water moved in a pause between two rises of a totaliser. A meter counts in steps, and
// its value trembles: between two rises the usual volume moved. If the second rise is late by the
// length of the pause, the water stood still; if it is on time, water moved; in between it isn't
// known. Pure.

import { isAbove, isUpTo } from "../../ground/binary-noise.ts";
import { movingVolume } from "../operations/moving-volume.ts";
import { median } from "../ranks.ts";
import { UNTREATED_MAX_MS } from "../treating.ts";
import { stepOf, type Totals } from "./totals.ts";

/** Value beside 1 and 0: it isn't known if the totaliser would have risen. */
export const MAY_RISE = 3;
/** Number of intervals on each side from which the usual length is computed. */
const SIDE = 2;
/** Usual variation of the flow from one interval to the next, as a share. */
const VARIES = 0.05;
/** Factor from which an interval is longer than usual; it must also exceed the cadence. */
const LONGER = 1.5;

interface PausesInput {
  /** Entries beyond the readings mean nothing. */
  readonly at_ms: Float64Array;
  readonly totals: Totals;
  /** An entry for each reading. */
  readonly gap: Uint8Array;
  readonly certified_m3_h: number;
  isPaused(index: number): boolean;
}

/** The interval from the rise at place `last` to the next one, at `place`. */
interface PausedStand {
  readonly last: number;
  readonly place: number;
  /** Paused time in it; 0 if no flow shows a pause. */
  readonly paused_ms: number;
  /** True if the interval before was paused too, and water moved throughout it. */
  readonly isMovingBefore: boolean;
}

interface PauseMarks {
  readonly found: Uint8Array;
  isFlowless(index: number): boolean;
}

/** Up to SIDE intervals without a pause on one side of `from`. */
function plainStands(
  { at_ms, totals, gap, isPaused }: PausesInput,
  from: number,
  by: 1 | -1,
): { time_ms: number; rise_m3: number }[] {
  const { at, counted, broken, count } = totals;
  const timeOf = (place: number) => at_ms[at[place]];
  const isRise = (place: number) => counted[place] !== counted[place - 1];
  const stands: { time_ms: number; rise_m3: number }[] = [];
  let edge = from;
  let isPlain = true;
  for (let place = from; stands.length < SIDE; ) {
    const next = place + by;
    if (next < 0 || next >= count) break;
    const [low, high] = by > 0 ? [place, next] : [next, place];
    if (broken[high] === 1) break;
    for (let index = at[low]; index < at[high]; index += 1)
      if (isPaused(index) || gap[index + 1] === 1) isPlain = false;
    place = next;
    if (place === 0 || !(isRise(place) && broken[place] === 0)) continue;
    const [first, last] = by > 0 ? [edge, place] : [place, edge];
    if (isPlain)
      stands.push({
        time_ms: timeOf(last) - timeOf(first),
        rise_m3: counted[last] - counted[first],
      });
    [edge, isPlain] = [place, true];
  }
  return stands;
}

export function openPauses(asked: PausesInput) {
  const { at_ms, totals, gap, certified_m3_h, isPaused } = asked;
  const { at, counted, noise_m3 } = totals;
  const timeOf = (place: number) => at_ms[at[place]];
  let resolution_m3: number | null = null;
  let allUsual_ms: number | null = null;
  const usualOf = ({ last, place }: PausedStand) => {
    const stands = [...plainStands(asked, last, -1), ...plainStands(asked, place, 1)];
    if (stands.length === 0) return null;
    const risen_m3 = stands.reduce((sum, { rise_m3 }) => sum + rise_m3, 0);
    const time_ms = stands.reduce((sum, one) => sum + one.time_ms, 0);
    return { usual_ms: median(stands.map((one) => one.time_ms)), m3_ms: risen_m3 / time_ms };
  };
  /** 1 if water moved in the pause, 0 if it stood still, MAY_RISE if it isn't known. */
  function kindOf(stand: PausedStand): number {
    const { last, place, paused_ms } = stand;
    const usual = usualOf(stand);
    if (usual === null) return MAY_RISE;
    resolution_m3 ??= Math.max(stepOf(totals), noise_m3);
    const [time_ms, hidden_ms] = [timeOf(place) - timeOf(last), resolution_m3 / usual.m3_ms];
    const moved_ms = (counted[place] - counted[last]) / usual.m3_ms - (time_ms - paused_ms);
    const distances_ms = [last, place].map((one) => timeOf(one) - timeOf(one - 1));
    const error_ms =
      Math.min(hidden_ms, (distances_ms[0] + distances_ms[1]) / 2) + VARIES * usual.usual_ms;
    // Up to the last value before the rise no more moved than it doesn't show.
    const isLast = isPaused(at[place] - 1);
    const most_ms = Math.min(moved_ms + error_ms, hidden_ms + (isLast ? distances_ms[1] : 0));
    if (isUpTo(2 * most_ms, paused_ms))
      return isAbove(moved_ms - error_ms, UNTREATED_MAX_MS) || isLate(stand) ? MAY_RISE : 0;
    return isAbove(2 * (moved_ms - error_ms), paused_ms) ? 1 : MAY_RISE;
  }
  /** True if it rose at rest, and later than a valve takes to close after the stop. */
  function isLate({ last, place, paused_ms }: PausedStand): boolean {
    const index = at[place];
    const isAtRest = isPaused(index) && (index + 1 >= gap.length || isPaused(index + 1));
    const late_ms = paused_ms - (timeOf(place) - timeOf(place - 1));
    const least_m3 = movingVolume(certified_m3_h, timeOf(place) - timeOf(last));
    const rise_m3 = counted[place] - counted[last];
    return isAtRest && isAbove(late_ms, UNTREATED_MAX_MS) && isAbove(rise_m3, least_m3);
  }
  return {
    mark(stand: PausedStand, { found, isFlowless }: PauseMarks): void {
      const { last, place, paused_ms } = stand;
      if (paused_ms > 0) {
        const own = kindOf(stand);
        const kind = own === MAY_RISE && stand.isMovingBefore ? 1 : own;
        for (let index = at[last]; index < at[place]; index += 1) {
          if (!isPaused(index)) continue;
          // A flow that stands is known better than what nobody knows.
          found[index] = kind === MAY_RISE && !isFlowless(index) ? 0 : kind;
        }
      }
      allUsual_ms ??= usualStand(at_ms, totals);
      const distance_ms = timeOf(place) - timeOf(place - 1);
      const time_ms = timeOf(place) - timeOf(last) - paused_ms - distance_ms;
      if (time_ms <= (1 + VARIES) * allUsual_ms) return;
      // A rise that is late by less may be of a pause, or of a smaller flow.
      const kind = time_ms <= LONGER * allUsual_ms ? MAY_RISE : 0;
      for (let index = at[last]; index < at[place - 1]; index += 1)
        if (!isPaused(index) && isFlowless(index)) found[index] = kind;
    },
  };
}

/** The usual time from one rise to the next, ms; Infinity with fewer than two. */
export function usualStand(at_ms: Float64Array, { at, broken, counted, count }: Totals): number {
  const times: number[] = [];
  let last_ms: number | null = null;
  for (let place = 1; place < count; place += 1) {
    if (broken[place] === 1 || counted[place] === counted[place - 1]) continue;
    const rose_ms = at_ms[at[place]];
    if (last_ms !== null) times.push(rose_ms - last_ms);
    last_ms = rose_ms;
  }
  return times.length === 0 ? Number.POSITIVE_INFINITY : median(times);
}
