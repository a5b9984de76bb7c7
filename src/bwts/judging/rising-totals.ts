// Finds the readings at which a totaliser shows that water moved, whatever the flow tells, also
// between the rises of one that counts in coarse steps. Pure.

import { MOVING_MS, movingVolume } from "../operations/moving-volume.ts";
import { median } from "../ranks.ts";
import type { GatheredReadings } from "./gathered.ts";
import { riseSums, type Totals } from "./totals.ts";

/** A totaliser stands still for so many times the usual time between two rises in a pause. */
export const STAND_TIMES = 1.5;

/** The facts that tell, beside a totaliser, where it rises. */
export interface BesideTotals {
  readonly gap: Uint8Array;
  readonly certified_m3_h: number;
  /** True if a flow is known that moves no water. */
  isStill(index: number): boolean;
  /** True if so, and where no flow is known in a state in which none need move. */
  isPaused(index: number): boolean;
}

/** Entry i is 1 if the totaliser rises while reading i stands, 0 if not, 2 if it isn't known. */
export function risingAt(
  readings: Pick<GatheredReadings, "at_ms" | "count">,
  totals: Totals | null,
  { gap, certified_m3_h, isStill, isPaused }: BesideTotals,
): Uint8Array {
  const found = new Uint8Array(readings.count).fill(2);
  if (totals === null) return found;
  markRises(readings, totals, { found, certified_m3_h });
  unmarkPauses(readings, totals, { found, isPaused });
  markStillRises(readings, totals, { found, certified_m3_h, gap, isPaused });
  // The last value, and one before a gap, go on as the step before: what rose in a gap is the
  // gap's. A flow that stands still there is known better.
  const goOn = (index: number, before: number) => (isStill(index) ? 2 : (found[before] ?? 2));
  const last = totals.count - 1;
  if (totals.broken[last] === 0)
    found[totals.at[last]] = goOn(totals.at[last], totals.at[last - 1]);
  for (let index = 0; index + 1 < readings.count; index += 1)
    if (gap[index + 1] === 1) found[index] = gap[index] === 0 ? goOn(index, index - 1) : 2;
  return found;
}

function markRises(
  { at_ms }: Pick<GatheredReadings, "at_ms">,
  totals: Totals,
  { found, certified_m3_h }: { readonly found: Uint8Array; readonly certified_m3_h: number },
): void {
  const { at, broken } = totals;
  const rises = riseSums(totals);
  const risenAt = lastRises(rises);
  for (let pair = 0; pair + 1 < totals.count; pair += 1)
    if (broken[pair + 1] === 0) found.fill(0, at[pair], at[pair + 1]);
  // Up to this pair, which rises, all are marked already.
  let marked = -1;
  const mark = (from: number, to: number) => {
    const last = risenAt[to - 1];
    let first = Math.max(from, marked + 1);
    // From one rise to the next water moved.
    if (from > marked) while (first <= last && rises[first + 1] === rises[first]) first += 1;
    for (let pair = first; pair <= last; pair += 1)
      if (broken[pair + 1] === 0) found.fill(1, at[pair], at[pair + 1]);
    marked = Math.max(marked, last);
  };
  let near = 0;
  for (let from = 0; from + 1 < totals.count; from += 1) {
    const start_ms = at_ms[at[from]];
    near = Math.max(near, from);
    while (near + 1 < totals.count && at_ms[at[near + 1]] - start_ms <= MOVING_MS) near += 1;
    const to = Math.max(near, from + 1);
    const most_m3 = movingVolume(certified_m3_h, at_ms[at[to]] - start_ms);
    if (rises[to] - rises[from] > most_m3) mark(from, to);
  }
}

/**
 * From one rise to the next water moved, if the flow is reported as 0 all the time, or the plant is
 * at rest without one: it isn't measured. One of coarse steps would tell it of the last reading
 * alone. A rise in a gap belongs to the gap.
 */
function markStillRises(
  { at_ms }: Pick<GatheredReadings, "at_ms">,
  { at, broken, values, count }: Totals,
  {
    found,
    certified_m3_h,
    gap,
    isPaused,
  }: Pick<BesideTotals, "certified_m3_h" | "gap" | "isPaused"> & {
    readonly found: Uint8Array;
  },
): void {
  let [last, isAllPaused] = [-1, false];
  for (let place = 1; place < count; place += 1) {
    for (let index = at[place - 1]; index <= at[place]; index += 1)
      isAllPaused &&= isPaused(index) && (index === at[place - 1] || gap[index] === 0);
    if (broken[place] === 0 && values[place] === values[place - 1]) continue;
    const rise_m3 = last < 0 ? 0 : values[place] - values[last];
    const time_ms = at_ms[at[place]] - at_ms[at[Math.max(0, last)]];
    if (isAllPaused && broken[place] === 0 && rise_m3 > movingVolume(certified_m3_h, time_ms))
      found.fill(1, at[last], at[place]);
    [last, isAllPaused] = [broken[place] === 0 ? place : -1, true];
  }
}

/**
 * A pause between two rises isn't moving water: the flow is 0, or the plant at rest without one,
 * and it is longer than a totaliser of coarse steps stands still in between.
 */
function unmarkPauses(
  { at_ms }: Pick<GatheredReadings, "at_ms">,
  totals: Totals,
  { found, isPaused }: Pick<BesideTotals, "isPaused"> & { readonly found: Uint8Array },
): void {
  const { at, broken, values, count } = totals;
  const isFlat = (pair: number) => {
    if (broken[pair + 1] === 1 || values[pair + 1] !== values[pair]) return false;
    for (let index = at[pair]; index < at[pair + 1]; index += 1)
      if (found[index] !== 1 || !isPaused(index)) return false;
    return true;
  };
  let usual_ms: number | null = null;
  for (let first = 0; first + 1 < count; first += 1) {
    if (!isFlat(first)) continue;
    let after = first + 1;
    while (after + 1 < count && isFlat(after)) after += 1;
    usual_ms ??= usualStand(at_ms, totals);
    if (at_ms[at[after]] - at_ms[at[first]] > STAND_TIMES * usual_ms)
      found.fill(0, at[first], at[after]);
    first = after - 1;
  }
}

/** The usual time from one rise to the next, ms; Infinity with fewer than two. */
export function usualStand(at_ms: Float64Array, { at, broken, values, count }: Totals): number {
  const times: number[] = [];
  let last_ms: number | null = null;
  for (let place = 1; place < count; place += 1) {
    if (broken[place] === 1 || values[place] === values[place - 1]) continue;
    const rose_ms = at_ms[at[place]];
    if (last_ms !== null) times.push(rose_ms - last_ms);
    last_ms = rose_ms;
  }
  return times.length === 0 ? Number.POSITIVE_INFINITY : median(times);
}

/** For each pair the last one, up to it, that rises; -1 without one. */
function lastRises(rises: Float64Array): Int32Array {
  const found = new Int32Array(rises.length);
  let last = -1;
  for (let pair = 0; pair + 1 < rises.length; pair += 1) {
    if (rises[pair + 1] > rises[pair]) last = pair;
    found[pair] = last;
  }
  return found;
}
