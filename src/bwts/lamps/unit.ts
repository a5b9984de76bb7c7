// The unit of the hour counters, as a factor: 1 for hours, 60 for minutes, null for a pace that is
// no plain factor, whose hours then say nothing. Here it is found from values: counters go on from
// the lamps' hours, in one unit or another. pace.ts finds it from their pace.

import { HOUR_MS } from "../../ground/clock.ts";
import type { LampSight, Sight } from "../light/lamp-fields.ts";
import { newPace, newPosition, type TrackerState } from "./state.ts";

/** Other units, as parts of an hour: tenths, minutes, hundredths, thousandths, seconds. */
const UNIT_FACTORS = [10, 60, 100, 1_000, 3_600];
export const UNITS = [1, ...UNIT_FACTORS];

/** Tolerance when a counter is compared with its lamp's hours, and minimum hours for it. */
const UNIT_SLACK_H = 1;
const COMPARED_FROM_H = 3;
/** Maximum advance of a counter, as a multiple of the clock's time. */
export const PACE_SHARE = 1.5;
/** Minimum majority of lamps (those that fit, minus the others) that shows another unit. */
const UNIT_MAJORITY = 2;

/** Number of windows out of pace after which a counter isn't used. */
export const OFF_WINDOWS = 3;

/** Maximum hours of a lamp: about a century. */
export const HOURS_MAX = 1e6;

type KnownUnit = Pick<TrackerState, "counters_fast" | "counter_factor">;

/** The unit of the counters; null if they outrun the clock by no plain factor. */
export function counterUnit({ counters_fast, counter_factor }: KnownUnit): number | null {
  return counters_fast && counter_factor === 1 ? null : counter_factor;
}

export function setUnit(state: TrackerState, unit: number | null): void {
  state.counters_fast = unit !== 1;
  state.counter_factor = unit ?? 1;
}

/** True while the counters' unit can't be determined: then nothing can be forecast. */
export function areCountersUnknown(state: KnownUnit): boolean {
  return counterUnit(state) === null;
}

/**
 * The unit of a sight's counters. It applies to later ones once two sights in a row show it, as
 * when a map rule corrects them; a single odd sight is converted by its own unit only.
 */
export function unitShown(state: TrackerState, { at_ms, lamps }: Sight): number | null {
  const usual = counterUnit(state);
  if (usual === null) return null;
  const burnt_h = (at_ms - (state.counted_ms ?? state.last_ms ?? at_ms)) / HOUR_MS;
  const seen = { lamps, hours: state.positions, burnt_h };
  const shown = counterFactor(seen, usual);
  if (shown === null) {
    if (areMended(state, seen)) state.positions = state.positions.map(newPosition);
    return usual;
  }
  if (shown !== usual && shown === state.unit_seen) {
    setUnit(state, shown);
    state.paces = [];
    state.pace = newPace();
  }
  state.unit_seen = shown === counterUnit(state) ? null : shown;
  return shown;
}

/**
 * True if counters fell to a plain fraction of the lamps' hours, such as 1/60, early in a record:
 * until now they were in another unit, and the lives derived from them are useless.
 */
function areMended({ positions, counter_factor }: TrackerState, seen: CountersSeen): boolean {
  const anyFell = seen.lamps.some(
    ({ counter_h }, at) => counter_h !== null && counter_h < (positions[at].raw_h ?? 0),
  );
  const isProven = positions.some(({ lives }) => lives.some(({ proven }) => proven !== undefined));
  if (!anyFell || isProven || counter_factor !== 1) return false;
  return UNIT_FACTORS.some((factor) => {
    const hours = positions.map(({ raw_h }) => ({ raw_h: raw_h === null ? null : raw_h / factor }));
    return majority({ ...seen, hours }, 1) >= UNIT_MAJORITY;
  });
}

/** Counters as sent, and their lamps' hours at most `burnt_h` burning hours before. */
interface CountersSeen {
  readonly lamps: readonly { readonly counter_h: number | null }[];
  readonly hours: readonly { readonly raw_h: number | null }[];
  readonly burnt_h: number;
}

/**
 * The factor by which most lamps' counters go on from their hours: the usual one if it fits; null
 * if no factor does, or several do, as after weeks in which young lamps may have burnt or not.
 */
export function counterFactor(seen: CountersSeen, usual: number): number | null {
  if (majority(seen, usual) > 0) return usual;
  const found = UNITS.filter((factor) => majority(seen, factor) >= UNIT_MAJORITY);
  return found.length === 1 ? found[0] : null;
}

/**
 * Number of lamps whose counters, divided by `factor`, go on from their hours, minus those whose
 * don't. Lamps that were replaced don't count.
 */
function majority({ lamps, hours, burnt_h }: CountersSeen, factor: number): number {
  let found = 0;
  // By index: this runs for each lamp of millions of readings.
  for (let position = 0; position < lamps.length; position += 1) {
    const { counter_h } = lamps[position];
    const { raw_h } = hours[position];
    if (counter_h === null || raw_h === null || raw_h < COMPARED_FROM_H) continue;
    // A lower counter is another lamp's, whatever the unit.
    if (counter_h < raw_h - UNIT_SLACK_H) continue;
    const goesOn =
      counter_h >= factor * (raw_h - UNIT_SLACK_H) &&
      counter_h <= factor * (raw_h + UNIT_SLACK_H + PACE_SHARE * burnt_h);
    found += goesOn ? 1 : -1;
  }
  return found;
}

/** The sight with its counters in hours; as sent if their unit isn't known. */
export function inHours(sight: Sight, unit: number | null): Sight {
  if (unit === 1 || unit === null) return sight;
  const lamps = sight.lamps.map((lamp) => ({
    ...lamp,
    counter_h: lamp.counter_h === null ? null : lamp.counter_h / unit,
  }));
  return { ...sight, lamps };
}

/** The sight without counters that aren't hours: above a century, or out of the clock's pace. */
export function withoutOdd(sight: Sight, { positions }: TrackerState): Sight {
  let lamps: LampSight[] | null = null;
  // By index: this runs for each lamp of millions of readings.
  for (let position = 0; position < positions.length; position += 1) {
    const lamp = sight.lamps[position];
    const { off_windows = 0 } = positions[position];
    if ((lamp.counter_h ?? 0) <= HOURS_MAX && off_windows < OFF_WINDOWS) continue;
    lamps ??= [...sight.lamps];
    lamps[position] = { ...lamp, counter_h: null };
  }
  return lamps === null ? sight : { ...sight, lamps };
}
