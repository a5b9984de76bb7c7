// Hour counters compared with the clock: counters in minutes, or in another unit, outrun it for all
// lamps alike. If their pace is a plain factor they are divided by it meanwhile; else their hours
// say nothing.

import { median } from "../ranks.ts";
import type { Sight } from "./fields.ts";
import { newPosition, type TrackerState } from "./state.ts";

/** Counters are compared with the clock over half an hour, and judged by the last six windows. */
const PACE_WINDOW_H = 0.5;
const PACE_WINDOWS = 6;
const PACE_WINDOWS_MIN = 3;
const PACE_SHARE = 1.5;
const PACE_SLACK_H = 1.2;
/** Tenths of an hour, minutes, hundredths, thousandths, seconds; known by a pace within a tenth. */
const FACTORS = [10, 60, 100, 1_000, 3_600];
const FACTOR_OFF_MAX = 0.1;

/** True if enough was seen to compare the counters with the clock. */
export function isPaceKnown({ paces }: TrackerState): boolean {
  return paces.length >= PACE_WINDOWS_MIN;
}

/** True while the counters outrun the clock by no plain factor: then nothing can be forecast. */
export function areCountersUnknown({ counters_fast, counter_factor }: TrackerState): boolean {
  return counters_fast && counter_factor === 1;
}

/** The sight with its counters in hours. */
export function inHours({ counter_factor }: TrackerState, sight: Sight): Sight {
  if (counter_factor === 1) return sight;
  const lamps = sight.lamps.map((lamp) => ({
    ...lamp,
    counter_h: lamp.counter_h === null ? null : lamp.counter_h / counter_factor,
  }));
  return { ...sight, lamps };
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
  const running = pace.advance_h.filter((advance_h) => advance_h > 0);
  const advance_h = running.length === 0 ? 0 : median(running);
  state.paces.push({ hours: pace.hours, advance_h });
  if (state.paces.length > PACE_WINDOWS) state.paces.shift();
  state.pace = { hours: 0, advance_h: pace.advance_h.map(() => 0) };
  const { counters_fast: wasFast, counter_factor: before } = state;
  const fast = state.paces.filter(isFast);
  state.counters_fast = wasFast
    ? state.paces.slice(-PACE_WINDOWS_MIN).some(isFast)
    : fast.length >= PACE_WINDOWS_MIN;
  state.counter_factor = state.counters_fast ? factorOf(fast) : 1;
  // Wrong hours say nothing about the lamps, which are seen anew.
  if (wasFast !== state.counters_fast || before !== state.counter_factor)
    state.positions = state.positions.map(() => newPosition());
}

type SeenPace = TrackerState["paces"][number];

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
