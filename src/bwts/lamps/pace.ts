// Hour counters compared with the clock: counters in minutes, or in another unit, outrun it for all
// lamps alike. If their pace is a plain factor they are divided by it meanwhile; else their hours
// say nothing. A unit that changes, here or in the map, changes no lamp's hours.

import { HOUR_MS } from "../../ground/clock.ts";
import { median } from "../ranks.ts";
import type { Sight } from "./fields.ts";
import {
  newPace,
  newPosition,
  type PositionState,
  presentLife,
  type TrackerState,
} from "./state.ts";

/** Counters are compared with the clock over half an hour, and judged by the last six windows. */
const PACE_WINDOW_H = 0.5;
const PACE_WINDOWS = 6;
const PACE_WINDOWS_MIN = 3;
const PACE_SHARE = 1.5;
const PACE_SLACK_H = 1.2;
/** Tenths of an hour, minutes, hundredths, thousandths, seconds; known by a pace within a tenth. */
const FACTORS = [10, 60, 100, 1_000, 3_600];
const FACTOR_OFF_MAX = 0.1;

/** A lamp's hours and its counter in another unit are compared with this slack, from this age. */
const UNIT_SLACK_H = 1;
const COMPARED_FROM_H = 3;
const UNITS = [1, ...FACTORS];
/** So many lamps more than the others show another unit. */
const UNIT_MAJORITY = 2;
/** Counters that went by less of the clock's time than this prove no unit. */
const PACE_TRUE_MIN = 0.7;

/** A century: more hours are no lamp's. */
export const HOURS_MAX = 1e6;

/** True if enough was seen to compare the counters with the clock. */
export function isPaceKnown({ paces }: TrackerState): boolean {
  return paces.length >= PACE_WINDOWS_MIN;
}

/** True while the counters outrun the clock by no plain factor: then nothing can be forecast. */
export function areCountersUnknown({ counters_fast, counter_factor }: TrackerState): boolean {
  return counters_fast && counter_factor === 1;
}

/** The sight without counters that can't be hours: above a century. */
export function withoutImpossible(sight: Sight): Sight {
  if (!sight.lamps.some(isImpossible)) return sight;
  const lamps = sight.lamps.map((lamp) =>
    isImpossible(lamp) ? { ...lamp, counter_h: null } : lamp,
  );
  return { ...sight, lamps };
}

const isImpossible = ({ counter_h }: Sight["lamps"][number]) =>
  counter_h !== null && counter_h > HOURS_MAX;

/** The sight with its counters in hours. */
export function inHours(
  { counter_factor }: Pick<TrackerState, "counter_factor">,
  sight: Sight,
): Sight {
  if (counter_factor === 1) return sight;
  const lamps = sight.lamps.map((lamp) => ({
    ...lamp,
    counter_h: lamp.counter_h === null ? null : lamp.counter_h / counter_factor,
  }));
  return { ...sight, lamps };
}

/**
 * The sight with its counters in hours. Counters that come in another unit at once, as when a map
 * rule mends them, go on from the lamps' hours. The unit holds from the second such reading on: the
 * counters of a single one are left out.
 */
export function inKnownUnit(state: TrackerState, seen: Sight): Sight {
  const { last_ms, counted_ms, positions: hours, counter_factor } = state;
  const burnt_h = (seen.at_ms - (counted_ms ?? last_ms ?? seen.at_ms)) / HOUR_MS;
  const factor = areCountersUnknown(state)
    ? null
    : factorSeen({ lamps: seen.lamps, hours, burnt_h }, counter_factor);
  if (factor !== null && factor !== counter_factor) {
    if (state.unit_seen !== factor) {
      state.unit_seen = factor;
      return { ...seen, lamps: seen.lamps.map((lamp) => ({ ...lamp, counter_h: null })) };
    }
    state.counter_factor = factor;
    state.counters_fast = factor !== 1;
    state.paces = [];
    state.pace = newPace();
    for (const at of state.positions) at.broken = null;
  }
  if (factor !== null) state.unit_seen = null;
  return inHours(state, seen);
}

/** Counters as sent, and the hours that their lamps had `burnt_h` before, at the most. */
interface CountersSeen {
  readonly lamps: readonly { readonly counter_h: number | null }[];
  readonly hours: readonly { readonly raw_h: number | null }[];
  readonly burnt_h: number;
}

/**
 * The factor by which most lamps' counters go on from their hours: the usual one if it can be, null
 * if there is none.
 */
export function factorSeen(seen: CountersSeen, usual: number): number | null {
  if (majority(seen, usual) > 0) return usual;
  return UNITS.find((factor) => majority(seen, factor) >= UNIT_MAJORITY) ?? null;
}

/**
 * Lamps whose counters, divided by `factor`, go on from their hours, less those that don't; without
 * lamps that were replaced.
 */
function majority({ lamps, hours, burnt_h }: CountersSeen, factor: number): number {
  let found = 0;
  // By index: this runs for each lamp of millions of readings.
  for (let position = 0; position < lamps.length; position += 1) {
    const { counter_h } = lamps[position];
    const { raw_h } = hours[position];
    if (counter_h === null || raw_h === null || raw_h < COMPARED_FROM_H) continue;
    // Another lamp, whatever the unit.
    if (counter_h < raw_h - UNIT_SLACK_H) continue;
    const goesOn =
      counter_h >= factor * (raw_h - UNIT_SLACK_H) &&
      counter_h <= factor * (raw_h + UNIT_SLACK_H + PACE_SHARE * burnt_h);
    found += goesOn ? 1 : -1;
  }
  return found;
}

/** The sight by which hours burnt are told: a first reading in another unit is in that one. */
export function inUnitSeen(state: TrackerState, seen: Sight, counted: Sight): Sight {
  const { unit_seen } = state;
  return unit_seen === null ? counted : inHours({ counter_factor: unit_seen }, seen);
}

/** Compares counters in hours with the clock, and finds the factor by which they outrun it. */
export function bookPace(state: TrackerState, sight: Sight, elapsed_h: number): void {
  if (elapsed_h <= 0) return;
  const { pace } = state;
  pace.hours += elapsed_h;
  for (let position = 0; position < sight.lamps.length; position += 1) {
    const { counter_h } = sight.lamps[position];
    const { raw_h } = state.positions[position];
    if (counter_h !== null && raw_h !== null && counter_h > raw_h)
      pace.advance_h[position] += (counter_h - raw_h) * state.counter_factor;
  }
  if (pace.hours < PACE_WINDOW_H) return;
  state.pace = newPace();
  const running = pace.advance_h.filter((advance_h) => advance_h > 0);
  // Counters that rest don't say that they are in hours now.
  if (running.length === 0 && state.counters_fast) return;
  const advance_h = running.length === 0 ? 0 : median(running);
  state.paces.push({ hours: pace.hours, advance_h });
  if (state.paces.length > PACE_WINDOWS) state.paces.shift();
  if (judgePace(state)) state.positions = state.positions.map((at) => seenAnew(state, at));
  else if (isPaceTrue(state)) state.trusted = trustedNow(state, sight.at_ms);
}

/** Judges the newest windows; true if the counters are judged otherwise than before. */
function judgePace(state: TrackerState): boolean {
  const { paces, counters_fast: wasFast, counter_factor: before } = state;
  const fast = paces.filter(isFast);
  state.counters_fast = wasFast
    ? !isPaceKnown(state) || paces.slice(-PACE_WINDOWS_MIN).some(isFast)
    : fast.length >= PACE_WINDOWS_MIN;
  // Lamps that burnt for part of a window only look slower than they are.
  const isKept = before !== 1 && !isSteady(paces);
  state.counter_factor = !state.counters_fast ? 1 : isKept ? before : factorOf(fast);
  return wasFast !== state.counters_fast || before !== state.counter_factor;
}

type SeenPace = TrackerState["paces"][number];

function isSteady(paces: readonly SeenPace[]): boolean {
  const all = paces.map(({ hours, advance_h }) => advance_h / hours);
  const middle = median(all);
  return (
    all.length === PACE_WINDOWS &&
    all.every((pace) => Math.abs(pace / middle - 1) <= FACTOR_OFF_MAX)
  );
}

/** True if the newest windows, and the last one too, prove the unit: the counters kept pace. */
function isPaceTrue({ paces, counter_factor }: TrackerState): boolean {
  const keepsPace = (windows: readonly SeenPace[]) => {
    const clock_h = windows.reduce((sum, { hours }) => sum + hours, 0);
    const counted_h = windows.reduce((sum, { advance_h }) => sum + advance_h, 0) / counter_factor;
    return counted_h >= PACE_TRUE_MIN * clock_h && counted_h <= PACE_SHARE * clock_h + UNIT_SLACK_H;
  };
  return paces.length === PACE_WINDOWS && keepsPace(paces) && keepsPace(paces.slice(-1));
}

function trustedNow(state: TrackerState, at_ms: number): TrackerState["trusted"] {
  const lives = state.positions.flatMap((at) => presentLife(at) ?? []);
  return {
    ...{ at_ms, hours: state.hours },
    lives: lives.map(({ began_ms, places, hours }) => ({
      ...{ began_ms, position: places[0].position, hours },
    })),
  };
}

/**
 * A position whose counter was in another unit than thought: what was known before goes on, wrong
 * hours say nothing.
 */
function seenAnew({ trusted, hours }: TrackerState, at: PositionState): PositionState {
  const life = presentLife(at);
  const known = trusted?.lives.find(
    ({ began_ms, position }) => life?.began_ms === began_ms && life.places[0].position === position,
  );
  const past = at.lives.filter(({ ended_ms }) => ended_ms !== null && isBefore(ended_ms));
  if (life === null || known === undefined || trusted === null)
    return { ...newPosition(), lives: past };
  life.hours = known.hours + (life.failed_ms === null ? hours - trusted.hours : 0);
  life.counter_base_h = null;
  const anew = { counter: null, broken: null, raw_h: null, comparing: null, verifying: null };
  return { ...at, ...anew, lives: [...past, life] };

  function isBefore(ended_ms: number): boolean {
    return trusted !== null && ended_ms <= trusted.at_ms;
  }
}

function isFast({ hours, advance_h }: SeenPace): boolean {
  return advance_h > PACE_SHARE * hours + PACE_SLACK_H;
}

/** The plain factor of a pace; 1 without one. */
function factorOf(paces: readonly SeenPace[]): number {
  const pace = median(paces.map(({ hours, advance_h }) => advance_h / hours));
  return FACTORS.find((factor) => Math.abs(pace / factor - 1) <= FACTOR_OFF_MAX) ?? 1;
}

/** Counters that outrun the clock, for people, with a map rule to be copied; null for none. */
export function countersProblem(state: TrackerState): string | null {
  const { counters_fast, counter_factor: factor } = state;
  if (!counters_fast) return null;
  if (factor === 1)
    return (
      "lamp hour counters run faster than the clock: forecasts are suspended until a map rule " +
      "gives LAMP_XX_RUNTIME the right factor"
    );
  return `lamp hour counters run ${factor} times faster than the clock${unitOf(factor)}: forecasts \
divide them by ${factor} meanwhile. To mend it, put factor = "1/${factor}" into the map rule of \
LAMP_XX_RUNTIME, or this rule into the configuration:

[[map.rule]]
tag = "LAMP_XX_RUNTIME"
field = "LAMP_XX_RUNTIME"
factor = "1/${factor}"`;
}

function unitOf(factor: number): string {
  if (factor === 60) return " (minutes instead of hours?)";
  return factor === 3_600 ? " (seconds instead of hours?)" : "";
}
