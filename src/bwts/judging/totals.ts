// The totaliser of an operation without impossible values: single odd ones, falls and leaps. Across
// a fall or leap there is no volume. Pure.

import { isUpTo, withoutNoise } from "../../ground/binary-noise.ts";
import { HOUR_MS } from "../../ground/clock.ts";
import { certifiedVolume, MOVING_MS, trembleOf } from "../operations/moving-volume.ts";
import { RISE_FACTOR, UNEXPLAINED_STEPS } from "../operations/rules.ts";
import { totaliserStep } from "../operations/totaliser-step.ts";
import { wordOf } from "../plc-word.ts";
import { WITNESS_DIFFERENCE } from "../treating.ts";
import type { GatheredNumber, GatheredReadings } from "./gathered.ts";
import { withoutEnds } from "./rollover.ts";

export const TOTALISERS: readonly GatheredNumber[] = [
  "SYS_TOTAL_BALLAST_VOL",
  "SYS_TOTAL_DEBALLAST_VOL",
];

const BY_TYPE: Readonly<Record<string, GatheredNumber>> = {
  BALLAST: "SYS_TOTAL_BALLAST_VOL",
  DEBALLAST: "SYS_TOTAL_DEBALLAST_VOL",
};

/** Believed values of the totaliser, ascending by time; the highest ones where it trembles. */
export interface Totals {
  readonly count: number;
  /** Position of the reading of each value. */
  readonly at: Int32Array;
  readonly values: Float64Array;
  /** Entry k is 1 if the step from value k - 1 to value k is impossible. */
  readonly broken: Uint8Array;
  /** Maximum fall while it trembles, in m3. */
  readonly noise_m3: number;
  /** The values without trembling: a value counts as risen if it exceeds the one before by more. */
  readonly counted: Float64Array;
  /** True if single odd values were left out. */
  readonly isOdd: boolean;
  /** True if a step is broken. */
  readonly isReset: boolean;
}

/** The totaliser of a type; null for another type. */
export const ownTotaliser = (operation_type: string | null): GatheredNumber | null =>
  BY_TYPE[wordOf(operation_type) ?? ""] ?? null;

interface FoundTotals {
  /** Null with fewer than two valid values, and if each is 0. */
  readonly totals: Totals | null;
  /** True if so much of it is impossible that it contradicts any flow. */
  readonly isDoubted: boolean;
}

export function totalsOf(
  readings: GatheredReadings,
  field: GatheredNumber,
  certified_m3_h: number,
): FoundTotals {
  const shown = readings.numbers(field);
  const told: number[] = [];
  for (let index = 0; index < readings.count; index += 1)
    if (!Number.isNaN(shown[index])) told.push(index);
  // A totaliser that is always 0 isn't fitted: it doesn't show that no water moved.
  if (told.length > 0 && told.every((index) => shown[index] === 0))
    return { totals: null, isDoubted: false };
  const values = withoutEnds(shown, { told, at_ms: readings.at_ms }, certified_m3_h);
  const least_m3 = -trembleOf(certified_m3_h);
  const isRise = (from: number, to: number, rise_m3: number) => {
    const time_ms = Math.max(MOVING_MS, readings.at_ms[to] - readings.at_ms[from]);
    const most_m3 = RISE_FACTOR * certifiedVolume(certified_m3_h, time_ms);
    return isUpTo(least_m3, rise_m3) && isUpTo(rise_m3, most_m3);
  };
  const kept = withoutOdd(told, (from, to) => isRise(from, to, values[to] - values[from]));
  const { levels, broken, noise_m3 } = levelsOf(kept, values, isRise);
  const unexplained = told.length - kept.length + broken.filter((one) => one === 1).length;
  const isDoubted =
    unexplained >= UNEXPLAINED_STEPS && unexplained > WITNESS_DIFFERENCE * (told.length - 1);
  if (kept.length < 2) return { totals: null, isDoubted };
  breakStands(broken, {
    valueAt: (place) => levels[place],
    timeAt: (place) => readings.at_ms[kept[place]],
  });
  const totals = {
    ...{ count: kept.length, at: Int32Array.from(kept), broken },
    values: levels,
    ...{ noise_m3, counted: countedOf(levels, broken, noise_m3) },
    ...{ isOdd: kept.length < told.length, isReset: broken.includes(1) },
  };
  return { totals, isDoubted };
}

/** The highest value up to each one since the last impossible step. */
function levelsOf(
  kept: readonly number[],
  values: Float64Array,
  isRise: (from: number, to: number, rise_m3: number) => boolean,
): Pick<Totals, "broken" | "noise_m3"> & { readonly levels: Float64Array } {
  const [levels, broken] = [new Float64Array(kept.length), new Uint8Array(kept.length)];
  let noise_m3 = 0;
  for (const [place, index] of kept.entries()) {
    const before = place === 0 ? values[index] : levels[place - 1];
    if (place > 0 && !isRise(kept[place - 1], index, values[index] - before)) broken[place] = 1;
    else noise_m3 = Math.max(noise_m3, before - values[index]);
    levels[place] = broken[place] === 1 ? values[index] : Math.max(before, values[index]);
  }
  return { levels, broken, noise_m3 };
}

function countedOf(levels: Float64Array, broken: Uint8Array, noise_m3: number): Float64Array {
  if (noise_m3 === 0) return levels;
  const counted = levels.slice();
  for (let place = 1; place < counted.length; place += 1)
    if (broken[place] === 0 && isUpTo(levels[place] - counted[place - 1], noise_m3))
      counted[place] = counted[place - 1];
  return counted;
}

/**
 * Marks a stretch between two leaps, or between a leap and an end, in which the totaliser doesn't
 * rise: there it measures nothing, for instance 0 for minutes. If such stretches exceed the
 * difference allowed between flow and totaliser, they stay and contradict the flow.
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

/** Removes values that don't fit between their neighbours, and those that fit none of them. */
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

/** The step in which it counts, in m3: it may be ahead by as much. 0 without a rise. */
export function stepOf({ values, broken, count }: Totals): number {
  const step = totaliserStep();
  for (let place = 1; place < count; place += 1)
    if (broken[place] === 0) step.take(values[place] - values[place - 1]);
  return step.step_m3() ?? 0;
}

/** All rises of a totaliser, m3. */
export const risenVolume = (totals: Totals) => riseSums(totals, totals.counted)[totals.count - 1];

/** The sum of rises up to each value, m3. */
export function riseSums({ values: levels, broken, count }: Totals, values = levels): Float64Array {
  const sums = new Float64Array(count);
  for (let place = 1; place < count; place += 1)
    sums[place] = sums[place - 1] + (broken[place] === 1 ? 0 : values[place] - values[place - 1]);
  return sums;
}

/**
 * The totaliser's slope at each reading, in m3/h: over the next five minutes, or up to the next
 * value if that is later; at the end, over the last five minutes. After a stand its first rise is
 * left out, since that water may have moved before. NaN if unknown.
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
  const flats = flatPairs(totals);
  let to = 0;
  for (let pair = 0; pair < last; pair += 1) {
    while (to < last && (to <= pair || at_ms[at[to]] - at_ms[at[pair]] < MOVING_MS)) to += 1;
    let from = pair;
    while (from > 0 && at_ms[at[to]] - at_ms[at[from]] < MOVING_MS) from -= 1;
    if (broken[pair + 1] === 1) continue;
    const time_ms = at_ms[at[to]] - at_ms[at[from]];
    let first = from;
    if (flats[to] > flats[from]) while (first < to && rises[first] === rises[from]) first += 1;
    const rise_m3 = withoutNoise(rises[to] - rises[first]);
    const slope = withoutNoise((rise_m3 * HOUR_MS) / time_ms);
    if (time_ms > 0) found.fill(slope, at[pair], at[pair + 1]);
  }
  return found;
}

/** Number of pairs up to each value in which it stands still. */
function flatPairs({ values, count }: Totals): Uint32Array {
  const found = new Uint32Array(count);
  for (let place = 1; place < count; place += 1)
    found[place] = found[place - 1] + (values[place] === values[place - 1] ? 1 : 0);
  return found;
}
