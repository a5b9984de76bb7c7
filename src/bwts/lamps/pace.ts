// Finds the unit of the hour counters by their pace: counters in minutes, or in another unit,
// outrun the clock for all lamps alike.

import type { Sight } from "../light/lamp-fields.ts";
import { median } from "../ranks.ts";
import { newPace, type PaceWindow, presentLife, type TrackerState } from "./state.ts";
import { counterUnit, inHours, OFF_WINDOWS, PACE_SHARE, setUnit, UNITS } from "./unit.ts";
import { proveHours, recomputeLives, setAside } from "./unit-change.ts";

/** Length of a window in which counters are compared with the clock; number of windows kept. */
const PACE_WINDOW_H = 0.5;
const PACE_WINDOWS = 6;
const PACE_WINDOWS_MIN = 3;
const PACE_SLACK_H = 1.2;
/** Maximum difference of a pace from a plain factor, as a share of the factor. */
const FACTOR_OFF_MAX = 0.1;
/** Minimum advance, as a share of the clock's time, that proves a unit; slack of its maximum. */
const PACE_TRUE_MIN = 0.7;
const PACE_TRUE_SLACK_H = 1;
/** Share of the clock's time below which a single counter is out of pace. */
const PACE_SLOW = 0.15;

/** Multiple of the rated hours before which 90 % of lamps end, by the prior of forecasts. */
const LIFE_MAX = 2;

type SeenPace = TrackerState["paces"][number];

/** True if there are enough windows to compare the counters with the clock. */
export function isPaceKnown({ paces }: TrackerState): boolean {
  return paces.length >= PACE_WINDOWS_MIN;
}

/**
 * True if the counters may be taken as hours: their pace has shown their unit, or they are within a
 * lamp's life. Beyond it they are more likely minutes.
 */
export function mayBeHours(state: TrackerState, rated_hours: number): boolean {
  const hours = state.positions.flatMap((at) => presentLife(at)?.hours ?? []);
  return isPaceKnown(state) || hours.length === 0 || median(hours) <= LIFE_MAX * rated_hours;
}

/** Compares counters in hours with the clock, and finds the unit in which they keep its pace. */
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
  closeWindow(state, pace, sight);
}

function closeWindow(state: TrackerState, { hours, advance_h }: PaceWindow, sight: Sight): void {
  // Counters that advance in steps of ten hours stand still in most windows.
  const running = advance_h.filter((advance, position) => {
    const { raw_h, burning } = state.positions[position];
    return advance > 0 || (raw_h !== null && burning === "lit");
  });
  const counted_h = running.length === 0 ? 0 : median(running);
  // Counters that stand still don't show that they are in hours now.
  if (counted_h === 0 && state.counters_fast) return;
  state.paces.push({ hours, advance_h: counted_h });
  if (state.paces.length > PACE_WINDOWS) state.paces.shift();
  const before = counterUnit(state);
  const unit = unitByPace(state);
  if (unit !== before) {
    const sent = inHours(sight, 1 / state.counter_factor);
    setUnit(state, unit);
    recomputeLives(state, inHours(sent, unit));
    return;
  }
  if (unit !== null && keepsPace(state.paces.slice(-1), unit))
    judgeEach(state, { hours, advance_h }, sight.at_ms);
  if (isPaceTrue(state)) proveHours(state, sight.at_ms);
}

/** The unit by the newest windows; the known one if they don't decide. */
function unitByPace(state: TrackerState): number | null {
  const { paces, counters_fast: wasFast } = state;
  const fast = paces.filter(isFast);
  const areFast = wasFast
    ? !isPaceKnown(state) || paces.slice(-PACE_WINDOWS_MIN).some(isFast)
    : fast.length >= PACE_WINDOWS_MIN;
  if (!areFast) return 1;
  // Lamps that burnt for part of a window look slower than they are, never faster.
  const known = counterUnit(state);
  const isTold = isSteady(paces) || outrun(paces, known ?? 1) >= PACE_WINDOWS_MIN;
  return wasFast && known !== null && !isTold ? known : plainUnit(fast);
}

/** Number of windows in which counters, divided by `factor`, outran the clock. */
function outrun(paces: readonly SeenPace[], factor: number): number {
  return paces.filter(({ hours, advance_h }) => isFast({ hours, advance_h: advance_h / factor }))
    .length;
}

function isFast({ hours, advance_h }: SeenPace): boolean {
  return advance_h > PACE_SHARE * hours + PACE_SLACK_H;
}

function isSteady(paces: readonly SeenPace[]): boolean {
  const all = paces.map(({ hours, advance_h }) => advance_h / hours);
  const middle = median(all);
  const alike = all.filter((pace) => Math.abs(pace / middle - 1) <= FACTOR_OFF_MAX);
  // One may differ: it holds the end of an operation, and some last for less than six windows.
  return all.length === PACE_WINDOWS && alike.length >= PACE_WINDOWS - 1;
}

/** The unit of a pace; null if it is no plain factor. */
function plainUnit(paces: readonly SeenPace[]): number | null {
  const pace = median(paces.map(({ hours, advance_h }) => advance_h / hours));
  return UNITS.find((factor) => Math.abs(pace / factor - 1) <= FACTOR_OFF_MAX) ?? null;
}

/** True if the counters kept pace in the newest windows and in the last: the unit is proven. */
function isPaceTrue({ paces, counter_factor }: TrackerState): boolean {
  const areMany = paces.length === PACE_WINDOWS;
  return areMany && keepsPace(paces, counter_factor) && keepsPace(paces.slice(-1), counter_factor);
}

function keepsPace(windows: readonly SeenPace[], factor: number): boolean {
  const clock_h = windows.reduce((sum, { hours }) => sum + hours, 0);
  const counted_h = windows.reduce((sum, { advance_h }) => sum + advance_h, 0) / factor;
  const most_h = PACE_SHARE * clock_h + PACE_TRUE_SLACK_H;
  return counted_h >= PACE_TRUE_MIN * clock_h && counted_h <= most_h;
}

/** Finds single counters that are out of pace while most keep it, such as one in minutes. */
function judgeEach(state: TrackerState, { hours, advance_h }: PaceWindow, at_ms: number): void {
  const { counter_factor } = state;
  for (const [position, at] of state.positions.entries()) {
    const counted_h = advance_h[position] / counter_factor;
    if (counted_h === 0 && at.burning !== "lit") continue;
    const isSlow = counted_h > 0 && counted_h < PACE_SLOW * hours;
    const isOff = isSlow || isFast({ hours, advance_h: counted_h });
    at.off_windows = isOff ? (at.off_windows ?? 0) + 1 : 0;
    if (at.off_windows !== OFF_WINDOWS) continue;
    const unit = plainUnit([{ hours, advance_h: advance_h[position] }]);
    setAside(state, at, { at_ms, part: unit === null ? null : counter_factor / unit });
  }
}

/** A text about counters that outrun the clock, with a map rule to copy; null if none do. */
export function countersProblem(state: TrackerState): string | null {
  const unit = counterUnit(state);
  if (unit === 1) return null;
  if (unit === null)
    return (
      "lamp hour counters run faster than the clock: forecasts are suspended until a map rule " +
      "gives LAMP_XX_RUNTIME the right factor"
    );
  return `lamp hour counters run ${unit} times faster than the clock${nameOf(unit)}: forecasts \
divide them by ${unit} meanwhile. To mend it, put factor = "1/${unit}" into the map rule of \
LAMP_XX_RUNTIME, or this rule into the configuration:

[[map.rule]]
tag = "LAMP_XX_RUNTIME"
field = "LAMP_XX_RUNTIME"
factor = "1/${unit}"`;
}

function nameOf(unit: number): string {
  if (unit === 60) return " (minutes instead of hours?)";
  return unit === 3_600 ? " (seconds instead of hours?)" : "";
}
