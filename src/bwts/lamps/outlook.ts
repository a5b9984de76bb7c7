// Turns tracked lamp lives into stored and served predictions: the forecast of each fitted lamp, in
// hours, in operations and in days at this ship's duty. Rounding keeps the relations between the
// figures. Lives are listed for the scoring of their forecasts.

import { DAY_MS, HOUR_MS, printTime } from "../../ground/clock.ts";
import type { HealthLimits } from "../health.ts";
import type { LampPrior } from "../light/curve.ts";
import { makersTable } from "../light/make-profile.ts";
import type { UsedProfile } from "../prediction.ts";
import type { ShownLimits } from "../present/shown-limits.ts";
import { LAMP_NUMBERS } from "../tags.ts";
import { type LampNow, lampNow, tenths } from "./lamp-now.ts";
import { modelVersion, usedProfile } from "./model-version.ts";
import {
  binsOf,
  effectsOf,
  endHoursOf,
  firstOutcomeOf,
  type Judging,
  type LampLimits,
  outcomeOf,
} from "./outcome.ts";
import { type LampForecast, type LifeInBins, shipForecasts } from "./ship-lamps.ts";
import {
  type LampLife,
  placeAt,
  type LampLife as TrackedLife,
  type TrackerState,
} from "./state.ts";
import { areCountersUnknown } from "./unit.ts";

/** A forecast for a lamp, as it is stored and answered. */
export interface StoredForecast {
  /** Time of the newest reading that it rests on. */
  readonly at_ms: number;
  /** The lamp, as `LAMP_01` to `LAMP_16`. */
  readonly component_id: string;
  readonly predictions: ReturnType<typeof predicted>;
  readonly current_state: ReturnType<typeof currentState>;
}

/** Version of the scoring, raised whenever forecasts would get other scores: all are redone. */
const SCORING = 5;

/** Operating hours after which forecasts are renewed. */
export const LAMP_FORECAST_EVERY_H = 6;

/** Points above the end of life below which a lamp is DEGRADED. */
const DEGRADED_MARGIN_PCT = 5;
/** Maximum time over which the duty is measured: half a year. */
const DUTY_MS = 180 * DAY_MS;
/**
 * Minimum time for a duty per day: ships treat water in port calls, days apart, and by the first
 * day alone the ship would seem to do nothing else.
 */
const DUTY_MIN_MS = 7 * DAY_MS;
/** Maximum days ahead for which a date is given; a later one means hardly any treatment. */
const DAYS_MAX = 36_500;
/** Minimum length of the operations whose typical length is taken. */
const OPERATION_MIN_H = 0.5;

/** The forecasts of all fitted lamps as of the newest reading; none without one. */
export function predictionsOf(state: TrackerState, limits: LampLimits): readonly StoredForecast[] {
  const { last_ms, counter_factor } = state;
  if (last_ms === null || areCountersUnknown(state)) return [];
  const lives = state.positions.flatMap(({ lives: ofPosition }) => ofPosition);
  const effects = effectsOf(state);
  const judging: Judging = { limits, ...effects };
  const { forecasts, fit } = shipForecasts(
    lives.map((life) => pooled(life, judging)),
    {
      prior: priorOf(limits),
      horizon_h: limits.horizon_hours,
      effects,
      isOneFigure: effects.isOneFigure,
    },
  );
  const duty = dutyOf(state);
  const profile = usedProfile(limits, fit);
  return state.positions.flatMap((at, position) => {
    const now = lampNow(at, judging);
    if (now === null) return [];
    const forecast = forecasts[lives.indexOf(now.life)] ?? null;
    return [
      {
        at_ms: last_ms,
        component_id: `LAMP_${LAMP_NUMBERS[position]}`,
        predictions: predicted({ now, forecast, duty, last_ms, counter_factor, profile }, limits),
        current_state: currentState(now, limits),
      },
    ];
  });
}

/** The prior knowledge of lamps, from the configuration. */
export function priorOf(limits: LampLimits): LampPrior {
  const { rated_hours, end_of_life_efficiency, profile = [] } = limits;
  const known = { rated_h: rated_hours, end_efficiency: end_of_life_efficiency / 100 };
  return profile.length === 0 ? known : { ...known, profile: makersTable(profile) };
}

/** A life in the form that the ship's forecasts use. */
export function pooled(life: TrackedLife, judging: Judging): LifeInBins {
  return {
    ...binsOf(life, judging.shared),
    age_h: endHoursOf(life, judging),
    isAgeUnknown: life.isUncounted === true,
    ended: outcomeOf(life, judging),
  };
}

/** Operating hours per calendar day, and per operation; null if unknown. */
export interface Duty {
  readonly hours_a_day: number | null;
  readonly hours_an_operation: number | null;
}

/** This ship's duty by its newest operations; per day only after a week of them. */
export function dutyOf({ operations, last_ms, first_ms }: TrackerState): Duty {
  const from_ms = Math.max((last_ms ?? 0) - DUTY_MS, operations[0]?.start_ms ?? 0, first_ms ?? 0);
  const since = operations.filter(({ end_ms }) => end_ms >= from_ms);
  const hours = since.reduce((sum, operation) => sum + operation.hours, 0);
  const seen_ms = (last_ms ?? 0) - from_ms;
  const whole = since
    .map((operation) => operation.hours)
    .filter((operationHours) => operationHours >= OPERATION_MIN_H)
    .sort((one, other) => one - other);
  return {
    hours_a_day:
      hours > 0 && seen_ms >= DUTY_MIN_MS ? Math.min(24, (hours / seen_ms) * DAY_MS) : null,
    hours_an_operation: whole.length === 0 ? null : whole[whole.length >> 1],
  };
}

interface Expected {
  readonly counter_factor: number;
  readonly now: LampNow;
  readonly forecast: LampForecast | null;
  readonly duty: Duty;
  readonly last_ms: number;
  readonly profile: UsedProfile | null;
}

function predicted(expected: Expected, limits: LampLimits) {
  const { now, forecast, duty, last_ms, counter_factor, profile } = expected;
  const { outcome } = now;
  const { horizon_hours } = limits;
  const remaining = tenths(forecast?.median_h ?? 0);
  const p05 = Math.min(remaining, tenths(forecast?.p05_h ?? 0));
  const p95 = Math.max(remaining, tenths(forecast?.p95_h ?? 0));
  return {
    remaining_useful_life_hours: remaining,
    failure_probability: printedProbability(forecast, { remaining, horizon_hours }),
    efficiency_percent: expectedEfficiency(now, remaining, limits),
    remaining_useful_life_hours_p05: p05,
    remaining_useful_life_hours_p95: p95,
    horizon_hours,
    basis: outcome === "failed" ? "failed" : basisOf(forecast),
    model_version: modelVersion(counter_factor),
    expected_end: outcome,
    ...inCrewUnits({ remaining, p05, p95 }, { duty, last_ms }),
    counter_divisor: counter_factor === 1 ? null : counter_factor,
    profile,
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

/**
 * The lamp's efficiency in % at the end of the horizon if its fall continues. Before its first
 * stretch of light: light * min(1, end of life / light) ^ (horizon / remaining hours).
 */
function expectedEfficiency(
  { life, outcome, efficiency_percent: light }: LampNow,
  remaining_h: number,
  { rated_hours, end_of_life_efficiency, horizon_hours }: LampLimits,
): number | null {
  if (outcome === "failed") return 0;
  const last = life.bins.at(-1);
  if (last === undefined) {
    if (light === null) return null;
    const left = Math.min(1, end_of_life_efficiency / light);
    return left === 1 ? light : tenths(light * left ** (horizon_hours / remaining_h));
  }
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

function currentState(
  { life, outcome, hours, efficiency_percent, full_percent }: LampNow,
  { end_of_life_efficiency }: LampLimits,
) {
  const isDim =
    full_percent !== null && full_percent < end_of_life_efficiency + DEGRADED_MARGIN_PCT;
  const lit = isDim ? "DEGRADED" : "OPERATIONAL";
  const works = efficiency_percent === null ? "UNKNOWN" : lit;
  const status = outcome === "failed" ? "FAILED" : works;
  return { runtime_hours: hours, efficiency_percent, status, fitted: printTime(life.began_ms) };
}

export interface ScoredLife {
  readonly life: LampLife;
  /** The end of its life; null while the lamp is fitted and works. */
  readonly outcome: LifeInBins["ended"];
  /**
   * Operating hours at its first end, which forecasts predict; without an end, at its newest light.
   */
  readonly end_h: number;
  /** Text that stays the same while the scores of its forecasts are valid. */
  readonly basis: string;
}

/** Lives that have ended, and those of lamps that still burn, in no order. */
export function scoredLives(state: TrackerState, limits: LampLimits): readonly ScoredLife[] {
  const judging: Judging = { limits, ...effectsOf(state) };
  return state.positions
    .flatMap(({ lives }) => lives)
    .map((life) => {
      const outcome = outcomeOf(life, judging);
      const isBurning = outcome === null && life.ended_ms === null;
      const end_h = isBurning
        ? litHours(life)
        : endHoursOf(life, judging, firstOutcomeOf(life, judging));
      return { life, outcome, end_h, basis: scoringBasis(life, { outcome, end_h, limits }) };
    });
}

/** The lamp's hours at its newest light: nothing shows that it burnt later. */
const litHours = ({ light, hours, first_h }: LampLife) =>
  light === undefined ? first_h : hours - light.hours_ago;

/** False for a lamp that was removed at once: no forecast can have been made for it. */
export function wasFitted({ life }: ScoredLife): boolean {
  return placeAt(life, life.began_ms) !== null;
}

function scoringBasis(
  { failed_ms, ended_ms, places }: LampLife,
  { outcome, end_h, limits }: Pick<ScoredLife, "outcome" | "end_h"> & { limits: LampLimits },
): string {
  // A counter may run on after its lamp has failed, until the lamp is removed.
  const isCounting = outcome === "failed" && ended_ms === null;
  const hours = isCounting ? null : end_h;
  const { rated_hours } = limits;
  return JSON.stringify([SCORING, outcome, hours, failed_ms, ended_ms, places, rated_hours]);
}

/** The ship's limits, and the settings of lamps. */
export interface LampConfig {
  readonly lamps: LampLimits;
  readonly limits: HealthLimits & ShownLimits;
}
