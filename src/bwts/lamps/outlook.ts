// Turns tracked lamp lives into stored and served predictions: the forecast of each fitted lamp, in
// hours, in operations and in days at this ship's duty. Rounding keeps the relations between the
// figures. Lamps that have ended are told for the scoring of their forecasts.

import { DAY_MS, HOUR_MS, printTime } from "../../ground/clock.ts";
import type { HealthLimits } from "../health.ts";
import type { ShownLimits } from "../overview/shown-limits.ts";
import { LAMP_NUMBERS } from "../tags.ts";
import type { LampPrior } from "./curve.ts";
import { type LampForecast, type LifeInBins, shipForecasts } from "./ship-lamps.ts";
import {
  type LampLife,
  placeAt,
  presentLife,
  type LampLife as TrackedLife,
  type TrackerState,
} from "./state.ts";

/** The configuration of lamps, which forecasts use. */
export interface LampLimits {
  readonly rated_hours: number;
  /** % of a new lamp. */
  readonly end_of_life_efficiency: number;
  readonly horizon_hours: number;
}

/** A forecast for a lamp, as it is stored and answered. */
export interface StoredForecast {
  /** Time of the newest reading that it rests on. */
  readonly at_ms: number;
  /** `LAMP_01` to `LAMP_16`. */
  readonly component_id: string;
  readonly predictions: ReturnType<typeof predicted>;
  readonly current_state: ReturnType<typeof currentState>;
}

/** Raised whenever the same lives would get other forecasts. */
const MODEL_VERSION = "lamps-1";

/** Forecasts are renewed after so many operating hours. */
export const LAMP_FORECAST_EVERY_H = 6;

/** Consecutive bins at or below the end-of-life efficiency that make a lamp worn. */
const WORN_BINS = 2;
/** Less than this above the end of life, in points, a lamp is DEGRADED. */
const DEGRADED_MARGIN_PCT = 5;
/** Duty is measured over the newest operations, at most half a year. */
const DUTY_MS = 180 * DAY_MS;
/** A later date isn't given: the ship hardly ever treats water. */
const DAYS_MAX = 36_500;
/** Shorter operations don't count for their typical length. */
const OPERATION_MIN_H = 0.5;

/** The end of a life; null while the lamp is fitted and works. */
export function outcomeOf(life: TrackedLife, limits: LampLimits): LifeInBins["ended"] {
  if (life.failed_ms !== null) return "failed";
  const last = life.bins.slice(-WORN_BINS);
  const isWorn =
    last.length === WORN_BINS &&
    last.every(({ efficiency }) => efficiency <= limits.end_of_life_efficiency);
  if (isWorn) return "worn";
  return life.ended_ms === null ? null : "replaced";
}

/** The hours of a lamp when it failed, was worn, or was last seen. */
export function endHoursOf(life: TrackedLife, limits: LampLimits): number {
  if (outcomeOf(life, limits) !== "worn") return life.hours;
  const above = life.bins.findLastIndex(
    ({ efficiency }) => efficiency > limits.end_of_life_efficiency,
  );
  return life.bins[above + 1]?.hours ?? life.hours;
}

/** The forecasts of all fitted lamps as of the newest reading; none without one. */
export function predictionsOf(state: TrackerState, limits: LampLimits): readonly StoredForecast[] {
  const { last_ms } = state;
  if (last_ms === null || state.counters_fast) return [];
  const lives = state.positions.flatMap(({ lives: ofPosition }) => ofPosition);
  const forecasts = shipForecasts(
    lives.map((life) => pooled(life, limits)),
    { prior: priorOf(limits), horizon_h: limits.horizon_hours },
  );
  const duty = dutyOf(state);
  return state.positions.flatMap((at, position) => {
    const life = presentLife(at);
    if (life === null) return [];
    const forecast = forecasts[lives.indexOf(life)] ?? null;
    return [
      {
        at_ms: last_ms,
        component_id: `LAMP_${LAMP_NUMBERS[position]}`,
        predictions: predicted({ life, forecast, duty, last_ms }, limits),
        current_state: currentState(life, at.recent.at(-1) ?? null, limits),
      },
    ];
  });
}

/** Prior knowledge of lamps. */
export function priorOf({ rated_hours, end_of_life_efficiency }: LampLimits): LampPrior {
  return { rated_h: rated_hours, end_efficiency: end_of_life_efficiency / 100 };
}

/** A life for the ship's forecasts: bins by their number, null where there was none. */
export function pooled(life: TrackedLife, limits: LampLimits): LifeInBins {
  const first = life.bins[0]?.bin ?? 0;
  const last = life.bins.at(-1)?.bin ?? -1;
  const bins: LifeInBins["bins"][number][] = new Array(Math.max(0, last - first + 1)).fill(null);
  for (const { bin, hours, efficiency } of life.bins) bins[bin - first] = { hours, efficiency };
  return { first, bins, age_h: endHoursOf(life, limits), ended: outcomeOf(life, limits) };
}

/** Operating hours per calendar day, and per operation; null if unknown. */
export interface Duty {
  readonly hours_a_day: number | null;
  readonly hours_an_operation: number | null;
}

/** This ship's duty, from its newest operations. */
export function dutyOf({ operations, last_ms, first_ms }: TrackerState): Duty {
  const from_ms = Math.max((last_ms ?? 0) - DUTY_MS, operations[0]?.start_ms ?? 0, first_ms ?? 0);
  const since = operations.filter(({ end_ms }) => end_ms >= from_ms);
  const hours = since.reduce((sum, operation) => sum + operation.hours, 0);
  const days = Math.max(1, ((last_ms ?? 0) - from_ms) / DAY_MS);
  const whole = since
    .map((operation) => operation.hours)
    .filter((operationHours) => operationHours >= OPERATION_MIN_H)
    .sort((one, other) => one - other);
  return {
    hours_a_day: hours > 0 ? Math.min(24, hours / days) : null,
    hours_an_operation: whole.length === 0 ? null : whole[whole.length >> 1],
  };
}

interface Expected {
  readonly life: TrackedLife;
  readonly forecast: LampForecast | null;
  readonly duty: Duty;
  readonly last_ms: number;
}

function predicted({ life, forecast, duty, last_ms }: Expected, limits: LampLimits) {
  const horizon_hours = limits.horizon_hours;
  const remaining = tenths(forecast?.median_h ?? 0);
  const p05 = Math.min(remaining, tenths(forecast?.p05_h ?? 0));
  const p95 = Math.max(remaining, tenths(forecast?.p95_h ?? 0));
  const outcome = outcomeOf(life, limits);
  return {
    remaining_useful_life_hours: remaining,
    failure_probability: printedProbability(forecast, { remaining, horizon_hours }),
    efficiency_percent: expectedEfficiency(life, horizon_hours, limits),
    remaining_useful_life_hours_p05: p05,
    remaining_useful_life_hours_p95: p95,
    horizon_hours,
    basis: outcome === "failed" ? "failed" : basisOf(forecast),
    model_version: MODEL_VERSION,
    expected_end: outcome === "failed" || outcome === "worn" ? outcome : null,
    ...inCrewUnits({ remaining, p05, p95 }, { duty, last_ms }),
    data_through: printTime(last_ms),
  };
}

function basisOf(forecast: LampForecast | null): string {
  // A worn lamp has ended by its own light.
  return forecast === null || forecast.basis === "lamp_points" || forecast.basis === "ended"
    ? "fit"
    : forecast.basis;
}

/** Rounded without crossing a half: at least 0.5 exactly when the median is within the horizon. */
function printedProbability(
  forecast: LampForecast | null,
  { remaining, horizon_hours }: { remaining: number; horizon_hours: number },
): number {
  if (forecast === null) return 1;
  const probability = Math.round(forecast.failure_probability * 1000) / 1000;
  return remaining <= horizon_hours
    ? Math.min(1, Math.max(0.5, probability))
    : Math.max(0, Math.min(0.499, probability));
}

/** The lamp's efficiency in % at the end of the horizon if its fall continues. */
function expectedEfficiency(
  life: TrackedLife,
  horizon_hours: number,
  { rated_hours, end_of_life_efficiency }: LampLimits,
): number | null {
  if (life.failed_ms !== null) return 0;
  const last = life.bins.at(-1);
  if (last === undefined) return null;
  const first = life.bins.find(({ hours }) => hours >= 100) ?? last;
  const span_h = last.hours - first.hours;
  const usual = -Math.log(end_of_life_efficiency / 100) / (1.3 * rated_hours);
  const seen = span_h < 300 ? usual : Math.log(first.efficiency / last.efficiency) / span_h;
  return tenths(last.efficiency * Math.exp(-Math.max(0, seen) * horizon_hours));
}

function inCrewUnits(
  { remaining, p05, p95 }: { remaining: number; p05: number; p95: number },
  { duty, last_ms }: { duty: Duty; last_ms: number },
) {
  const { hours_a_day, hours_an_operation } = duty;
  const days = (hours: number) => (hours_a_day === null ? null : hours / hours_a_day);
  const date = (hours: number) => {
    const away = days(hours);
    if (away === null || away > DAYS_MAX) return null;
    return printTime(last_ms + Math.round(away * 24) * HOUR_MS).slice(0, 10);
  };
  const remaining_days = days(remaining);
  return {
    remaining_operations:
      hours_an_operation === null ? null : tenths(remaining / hours_an_operation),
    remaining_days: remaining_days === null ? null : Math.round(remaining_days),
    end_date_p05: date(p05),
    end_date_p50: date(remaining),
    end_date_p95: date(p95),
  };
}

function currentState(life: TrackedLife, recent_pct: number | null, limits: LampLimits) {
  const outcome = outcomeOf(life, limits);
  const efficiency = life.bins.at(-1)?.efficiency ?? recent_pct;
  const isDim =
    efficiency !== null && efficiency < limits.end_of_life_efficiency + DEGRADED_MARGIN_PCT;
  const status = outcome === "failed" ? "FAILED" : isDim ? "DEGRADED" : "OPERATIONAL";
  return {
    runtime_hours: tenths(life.hours),
    efficiency_percent: outcome === "failed" ? 0 : efficiency === null ? null : tenths(efficiency),
    status,
    fitted: printTime(life.began_ms),
  };
}

const tenths = (value: number): number => Math.round(Math.max(0, value) * 10) / 10;

export interface EndedLife {
  readonly life: LampLife;
  readonly outcome: "failed" | "worn" | "replaced";
  /** On the lamp when it ended, operating hours. */
  readonly end_h: number;
  /** Unchanged as long as the score of its forecasts is valid. */
  readonly basis: string;
}

/** Lives that have ended, in no order. */
export function endedLives(state: TrackerState, limits: LampLimits): readonly EndedLife[] {
  return state.positions
    .flatMap(({ lives }) => lives)
    .flatMap((life) => {
      const outcome = outcomeOf(life, limits);
      if (outcome === null) return [];
      const end_h = endHoursOf(life, limits);
      return [{ life, outcome, end_h, basis: scoringBasis(life, { outcome, end_h, limits }) }];
    });
}

/** True if a forecast can have been made for the lamp; one that was removed at once had none. */
export function wasFitted({ life }: EndedLife): boolean {
  return placeAt(life, life.began_ms) !== null;
}

function scoringBasis(
  { failed_ms, ended_ms, places }: LampLife,
  { outcome, end_h, limits }: Pick<EndedLife, "outcome" | "end_h"> & { limits: LampLimits },
): string {
  // A counter may run on after its lamp has failed, until the lamp is removed.
  const isCounting = outcome === "failed" && ended_ms === null;
  const hours = isCounting ? null : end_h;
  return JSON.stringify([outcome, hours, failed_ms, ended_ms, places, limits.rated_hours]);
}

/** The ship's limits, and the settings of lamps. */
export interface LampConfig {
  readonly lamps: LampLimits;
  readonly limits: HealthLimits & ShownLimits;
}
