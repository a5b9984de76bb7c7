// The totaliser of an operation without what no water explains: single odd values, falls and leaps.
// A pair of readings that a fall or a leap separates isn't continuous, and tells no volume. Pure.

import { HOUR_MS } from "../../ground/clock.ts";
import { certifiedVolume, MOVING_MS, movingVolume } from "../operations/moving-volume.ts";
import { RISE_FACTOR, UNEXPLAINED_STEPS } from "../operations/rules.ts";
import { totaliserStep } from "../operations/totaliser-step.ts";
import { wordOf } from "../plc-word.ts";
import { median } from "../ranks.ts";
import { WITNESS_DIFFERENCE } from "../treating.ts";
import type { GatheredNumber, GatheredReadings } from "./gathered.ts";

export const TOTALISERS: readonly GatheredNumber[] = [
  "SYS_TOTAL_BALLAST_VOL",
  "SYS_TOTAL_DEBALLAST_VOL",
];

const BY_TYPE: Readonly<Record<string, GatheredNumber>> = {
  BALLAST: "SYS_TOTAL_BALLAST_VOL",
  DEBALLAST: "SYS_TOTAL_DEBALLAST_VOL",
};

/** The totaliser's values that are believed, ascending by time. */
export interface Totals {
  readonly count: number;
  /** The position of the reading of each. */
  readonly at: Int32Array;
  readonly values: Float64Array;
  /** Entry k is 1 if the step from value k - 1 to value k has no meaning: no water explains it. */
  readonly broken: Uint8Array;
  /** True if single odd values were left out. */
  readonly isOdd: boolean;
  /** True if a step is broken. */
  readonly isReset: boolean;
}

/** The totaliser of a type; null for another type. */
export const ownTotaliser = (operation_type: string | null): GatheredNumber | null =>
  BY_TYPE[wordOf(operation_type) ?? ""] ?? null;

/** A totaliser stands still for so many times the usual time between two rises in a pause. */
const STAND_TIMES = 1.5;

interface FoundTotals {
  /** Null without two values that count, and if each is 0. */
  readonly totals: Totals | null;
  /** True if no water explains so much of it that it contradicts every flow. */
  readonly isDoubted: boolean;
}

export function totalsOf(
  readings: GatheredReadings,
  field: GatheredNumber,
  certified_m3_h: number,
): FoundTotals {
  const values = readings.numbers(field);
  const told: number[] = [];
  for (let index = 0; index < readings.count; index += 1)
    if (!Number.isNaN(values[index])) told.push(index);
  // A totaliser that is always 0 isn't fitted: it doesn't show that no water moved.
  if (told.length > 0 && told.every((index) => values[index] === 0))
    return { totals: null, isDoubted: false };
  const isStep = (from: number, to: number) => {
    const rise_m3 = values[to] - values[from];
    const time_ms = Math.max(MOVING_MS, readings.at_ms[to] - readings.at_ms[from]);
    return rise_m3 >= 0 && rise_m3 <= RISE_FACTOR * certifiedVolume(certified_m3_h, time_ms);
  };
  const kept = withoutOdd(told, isStep);
  const broken = Uint8Array.from(kept, (index, place) =>
    place > 0 && !isStep(kept[place - 1], index) ? 1 : 0,
  );
  const unexplained = told.length - kept.length + broken.filter((one) => one === 1).length;
  const isDoubted =
    unexplained >= UNEXPLAINED_STEPS && unexplained > WITNESS_DIFFERENCE * (told.length - 1);
  if (kept.length < 2) return { totals: null, isDoubted };
  breakStands(broken, {
    valueAt: (place) => values[kept[place]],
    timeAt: (place) => readings.at_ms[kept[place]],
  });
  const totals = {
    ...{ count: kept.length, at: Int32Array.from(kept), broken },
    values: Float64Array.from(kept, (index) => values[index]),
    ...{ isOdd: kept.length < told.length, isReset: broken.includes(1) },
  };
  return { totals, isDoubted };
}

/**
 * A totaliser that doesn't rise at all between two leaps, or between one and an end, as one that is
 * 0 for minutes, measures nothing there: its steps are broken too. If they are more of the time
 * than witnesses may differ by, they stay, and contradict the flow.
 */
function breakStands(
  broken: Uint8Array,
  { valueAt, timeAt }: Readonly<Record<"valueAt" | "timeAt", (place: number) => number>>,
): void {
  if (!broken.includes(1)) return;
  const stands: (readonly [first: number, after: number])[] = [];
  let [first, stood_ms] = [0, 0];
  for (let place = 1; place <= broken.length; place += 1) {
    if (place < broken.length && broken[place] === 0) continue;
    if (valueAt(first) === valueAt(place - 1)) {
      stands.push([first + 1, place]);
      stood_ms += timeAt(place - 1) - timeAt(first);
    }
    first = place;
  }
  if (stood_ms > WITNESS_DIFFERENCE * (timeAt(broken.length - 1) - timeAt(0))) return;
  for (const [from, after] of stands) broken.fill(1, from, after);
}

/** Leaves out values that don't fit between their neighbours, or fit none of them. */
function withoutOdd(
  told: readonly number[],
  isStep: (from: number, to: number) => boolean,
): readonly number[] {
  if (told.every((index, place) => place === 0 || isStep(told[place - 1], index))) return told;
  const between: number[] = [];
  for (const [place, index] of told.entries()) {
    const [before, after] = [between.at(-1), told.at(place + 1)];
    const isBeside =
      before !== undefined &&
      after !== undefined &&
      isStep(before, after) &&
      !(isStep(before, index) && isStep(index, after));
    if (!isBeside) between.push(index);
  }
  return between.filter((index, place) => {
    const [before, after] = [between.at(place - 1), between.at(place + 1)];
    const fitsBefore = place > 0 && before !== undefined && isStep(before, index);
    return fitsBefore || (after !== undefined && isStep(index, after));
  });
}

/** The facts that tell, beside a totaliser, where it rises. */
export interface BesideTotals {
  readonly gap: Uint8Array;
  readonly certified_m3_h: number;
  /** True if a flow is known that moves no water. */
  isStill(index: number): boolean;
}

/** Entry i is 1 if the totaliser rises while reading i stands, 0 if not, 2 if it isn't known. */
export function risingAt(
  readings: Pick<GatheredReadings, "at_ms" | "count">,
  totals: Totals | null,
  { gap, certified_m3_h, isStill }: BesideTotals,
): Uint8Array {
  const found = new Uint8Array(readings.count).fill(2);
  if (totals === null) return found;
  markRises(readings, totals, { found, certified_m3_h });
  unmarkPauses(readings, totals, { found, isStill });
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
 * A pause between two rises isn't moving water: the flow is 0, and it is longer than a totaliser of
 * coarse steps stands still in between.
 */
function unmarkPauses(
  { at_ms }: Pick<GatheredReadings, "at_ms">,
  totals: Totals,
  { found, isStill }: { readonly found: Uint8Array; isStill(index: number): boolean },
): void {
  const { at, broken, values, count } = totals;
  const isFlat = (pair: number) => {
    if (broken[pair + 1] === 1 || values[pair + 1] !== values[pair]) return false;
    for (let index = at[pair]; index < at[pair + 1]; index += 1)
      if (found[index] !== 1 || !isStill(index)) return false;
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
function usualStand(at_ms: Float64Array, { at, broken, values, count }: Totals): number {
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

/** The step in which it counts, m3: one of coarse steps is ahead by as much. 0 without a rise. */
export function stepOf({ values, broken, count }: Totals): number {
  const step = totaliserStep();
  for (let place = 1; place < count; place += 1)
    if (broken[place] === 0) {
      step.take(values[place - 1]);
      step.take(values[place]);
    }
  return step.step_m3() ?? 0;
}

/** All rises of a totaliser, m3. */
export const risenVolume = (totals: Totals) => riseSums(totals)[totals.count - 1];

/** The sum of rises up to each value, m3. */
function riseSums({ values, broken, count }: Totals): Float64Array {
  const sums = new Float64Array(count);
  for (let place = 1; place < count; place += 1)
    sums[place] = sums[place - 1] + (broken[place] === 1 ? 0 : values[place] - values[place - 1]);
  return sums;
}

/**
 * The totaliser's slope at each reading, m3/h: over five minutes from it on, or to the next value
 * if that is further; at the end over the last five minutes. NaN where it isn't known.
 */
export function slopesAt(
  { at_ms, count }: Pick<GatheredReadings, "at_ms" | "count">,
  totals: Totals | null,
): Float64Array {
  const found = new Float64Array(count).fill(Number.NaN);
  if (totals === null) return found;
  const { at, broken } = totals;
  const rises = riseSums(totals);
  const last = totals.count - 1;
  let to = 0;
  for (let pair = 0; pair < last; pair += 1) {
    while (to < last && (to <= pair || at_ms[at[to]] - at_ms[at[pair]] < MOVING_MS)) to += 1;
    let from = pair;
    while (from > 0 && at_ms[at[to]] - at_ms[at[from]] < MOVING_MS) from -= 1;
    if (broken[pair + 1] === 1) continue;
    const hours = (at_ms[at[to]] - at_ms[at[from]]) / HOUR_MS;
    if (hours > 0) found.fill((rises[to] - rises[from]) / hours, at[pair], at[pair + 1]);
  }
  return found;
}
