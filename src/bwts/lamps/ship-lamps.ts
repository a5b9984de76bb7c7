// The lamps of one ship together: from their lives in bins of operating hours to a forecast for
// each burning lamp. Common facts (effects, the bend of the curve, deviations, sudden failures) are
// learned from all of them, past lives included. Efficiencies that a PLC computes from a lamp's
// hours say nothing about the lamp, and a forecast from them would be confident and empty: they are
// recognised, and not used.

import { commonEffects, type Effects } from "../light/common-effects.ts";
import type { LifeLogs } from "../light/common-steps.ts";
import { type Hours, type LampPrior, unseenEndHours } from "../light/curve.ts";
import { endHours } from "../light/end-hours.ts";
import { lampEvidence } from "../light/evidence.ts";
import type { LampPoint } from "../light/likelihood.ts";
import { type PlainFit, plainFit } from "../light/plain-fit.ts";
import {
  endsOfAll,
  expectedEnds,
  type ProfileFit,
  profileFit,
  sharedCurves,
} from "../light/shared-curves.ts";
import { type LampAge, suddenFailure } from "../light/sudden-failure.ts";
import { ENDED, type Forecast, lampForecast } from "./forecast.ts";
import { type StretchPoint, withoutDimness } from "./recovery.ts";

/** First hours of a lamp, which are left out: its light falls steeply, unlike later. */
const BURN_IN_H = 100;
/** Minimum number of points; with fewer a lamp is forecast from the prior alone. */
const POINTS_MIN = 2;
/** Minimum number of points for a plain line, and minimum hours that they span. */
const LINE_POINTS_MIN = 8;
const LINE_SPAN_MIN_H = 300;

/** Confidence of the line's interval, two-sided, like that from p05 to p95. */
const CONFIDENCE = 0.9;
/** A lamp's life in bins of the ship's operating hours, which all lamps share. */
export interface LifeInBins {
  /** Number of the stretch of `bins[0]`. */
  readonly first: number;
  /** Bin of each stretch; null without a steady reading. */
  readonly bins: readonly (LampBin | null)[];
  /** Operating hours so far, or at the end. */
  readonly age_h: number;
  /** True if its age isn't known when it is first seen: `age_h` counts from then. */
  readonly isAgeUnknown?: boolean;
  /** The end of the life; null while the lamp works. "replaced": removed while it worked. */
  readonly ended: "failed" | "worn" | "replaced" | null;
}

/** Medians of a bin's steady readings. */
export interface LampBin {
  readonly hours: number;
  /** Median output in % of a new lamp, above 0. */
  readonly efficiency: number;
}

/** The basis of a forecast; an ended lamp has no forecast. */
export type Basis = "lamp_points" | "rated_life_prior" | "counter_derived" | "one_figure" | "ended";

export interface LampForecast extends Forecast {
  readonly basis: Basis;
}

/**
 * The forecast of each life, in the given order, which doesn't change the forecasts; and the fit of
 * the make's profile, null without one.
 */
export function shipForecasts(
  lives: readonly LifeInBins[],
  {
    prior,
    horizon_h,
    effects = commonEffects(lives.map(logBins), []),
    isOneFigure = false,
  }: {
    prior: LampPrior;
    horizon_h: number;
    effects?: Pick<Effects, "off">;
    isOneFigure?: boolean;
  },
): { readonly forecasts: readonly LampForecast[]; readonly fit: ProfileFit | null } {
  const sudden = suddenFailure(lives.map(lampAge), prior);
  const derived = isCounterDerived(lives.map(({ bins }) => bins.filter((bin) => bin !== null)));
  const points = withoutDimness(
    lives.map((life) => (derived || isOneFigure ? [] : steadyPoints(life, effects.off))),
  );
  const { ends, fit } = shipEnds(points, prior);
  const forecasts = lives.map(({ age_h, isAgeUnknown = false, ended }, i): LampForecast => {
    if (ended !== null) return { ...ENDED, basis: "ended" };
    const usual = derived ? "counter_derived" : "rated_life_prior";
    const without = isOneFigure ? "one_figure" : usual;
    const basis = points[i].length >= POINTS_MIN ? "lamp_points" : without;
    const lamp = { age_h, isAgeUnknown: isAgeUnknown && basis !== "lamp_points" };
    return { ...lampForecast({ ...lamp, end: ends(i), sudden }, { horizon_h }), basis };
  });
  return { forecasts, fit };
}

/** The distribution of each lamp's hour of wear, from its own points and the others'. */
function shipEnds(
  points: readonly (readonly LampPoint[])[],
  prior: LampPrior,
): { readonly ends: (lamp: number) => Hours; readonly fit: ProfileFit | null } {
  const evidence = points.map((each) =>
    each.length >= POINTS_MIN ? lampEvidence(each, prior) : null,
  );
  const known = evidence.filter((each) => each !== null);
  const ship = sharedCurves(known, prior);
  const unseen = unseenEndHours(prior, endsOfAll(expectedEnds(ship, null)));
  const ends = (lamp: number) => {
    const own = evidence[lamp];
    return own === null ? unseen : endHours(own, { ship, prior });
  };
  return { ends, fit: profileFit(ship) };
}

/** The plain exponential through a life's unchanged bins, after burn-in; null with too few. */
export function lifeFit(life: LifeInBins, { end_efficiency }: LampPrior): PlainFit | null {
  const points = steadyPoints(life, []);
  const shares = points.map(({ hours, log_efficiency }) => ({
    hours,
    efficiency: Math.exp(log_efficiency),
  }));
  return isLine(points) ? plainFit(shares, { end_efficiency, confidence: CONFIDENCE }) : null;
}

/** The points of a life that show its ageing, without the common effects `off`. */
function steadyPoints(
  { first, bins }: LifeInBins,
  off: readonly number[],
): readonly StretchPoint[] {
  return bins.flatMap((bin, i) => {
    const log = logOf(bin);
    if (bin === null || log === null || bin.hours < BURN_IN_H) return [];
    return [{ bin: first + i, hours: bin.hours, log_efficiency: log - (off[first + i] ?? 0) }];
  });
}

/** The logs of a life's light. */
export function logBins({ first, bins }: Pick<LifeInBins, "first" | "bins">): LifeLogs {
  return { first, values: bins.map(logOf), hours: bins.map((bin) => bin?.hours ?? null) };
}

/** A lamp without light says nothing about its ageing, and has no log. */
function logOf(bin: LampBin | null): number | null {
  return bin === null || !(bin.efficiency > 0) ? null : Math.log(bin.efficiency / 100);
}

function isLine(points: readonly LampPoint[]): boolean {
  const hours = points.map((point) => point.hours);
  const span_h = Math.max(...hours) - Math.min(...hours);
  return points.length >= LINE_POINTS_MIN && span_h >= LINE_SPAN_MIN_H;
}

function lampAge({ age_h, ended }: LifeInBins): LampAge {
  return { hours: age_h, failed: ended === "failed" };
}

/** A lamp's output, in % of a new lamp, at an hour of its life. */
export interface CounterPoint {
  readonly hours: number;
  readonly efficiency: number;
}

/** Minimum number of lives that are compared: fewer may be alike by chance. */
const LIVES_MIN = 4;
/** Minimum number of points that have points of other lives near by. */
const COMPARED_MIN = 60;
/** Hours on either side within which points are near by. */
const NEAR_H = 25;
/** Difference within which hours are equal: lamps fitted together differ by rounding only. */
const SAME_H = 0.5;
/** Maximum difference in steps of rounding: one, and slightly more for sums of decimals. */
const STEPS_OFF = 1.001;
/** Steps of rounding in %: fine (finer counts as 0.1 %: no sensor has less noise), and whole. */
const STEP_FINE = 0.1;
const STEP_WHOLE = 1;
/** Minimum fall of the lamps' output, in % and in steps of rounding: new lamps are alike. */
const FALL_MIN = 3;
const FALL_STEPS = 10;
/** Minimum share of points that agree: medians at a step of the formula may not. */
const AGREEING = 0.98;

/** True if all lives' outputs are one function of their hours, of any form: a PLC computed them. */
export function isCounterDerived(lives: readonly (readonly CounterPoint[])[]): boolean {
  const points = lives
    .flatMap((life, at) => life.map((point) => ({ ...point, life: at })))
    .sort((one, other) => one.hours - other.hours || one.efficiency - other.efficiency);
  const step = roundingStep(points);
  const compared = points.flatMap((point, at) => {
    const range = othersAround(points, at);
    return range === null ? [] : [{ ...point, ...range }];
  });
  if (compared.length < COMPARED_MIN) return false;
  const efficiencies = compared.map(({ efficiency }) => efficiency);
  const fall = Math.max(...efficiencies) - Math.min(...efficiencies);
  const agreeing = compared.filter(
    ({ efficiency, low, high }) =>
      efficiency >= low - STEPS_OFF * step && efficiency <= high + STEPS_OFF * step,
  );
  return (
    new Set(compared.map(({ life }) => life)).size >= LIVES_MIN &&
    fall >= Math.max(FALL_MIN, FALL_STEPS * step) &&
    agreeing.length >= AGREEING * compared.length
  );
}

interface LifePoint extends CounterPoint {
  readonly life: number;
}

/**
 * The range of efficiencies in which a formula would put a point, from points of other lives: those
 * at the same hours if there are any, else those at the nearest hours before and after; null
 * without both.
 */
function othersAround(
  points: readonly LifePoint[],
  at: number,
): { readonly low: number; readonly high: number } | null {
  const same = [
    ...othersFrom(points, { at, way: -1, within_h: SAME_H }),
    ...othersFrom(points, { at, way: 1, within_h: SAME_H }),
  ];
  if (same.length > 0) return { low: Math.max(...same), high: Math.min(...same) };
  const before = othersFrom(points, { at, way: -1, within_h: NEAR_H }).next().value;
  const after = othersFrom(points, { at, way: 1, within_h: NEAR_H }).next().value;
  if (before === undefined || after === undefined) return null;
  return { low: Math.min(before, after), high: Math.max(before, after) };
}

/** Efficiencies of other lives within `within_h` of the point at `at`, in one direction. */
function* othersFrom(
  points: readonly LifePoint[],
  { at, way, within_h }: { at: number; way: 1 | -1; within_h: number },
): Generator<number, undefined> {
  const { hours, life } = points[at];
  for (let i = at + way; i >= 0 && i < points.length; i += way) {
    const other = points[i];
    if (Math.abs(other.hours - hours) > within_h) return;
    if (other.life !== life) yield other.efficiency;
  }
}

/** The rounding step of the efficiencies: whole percents (or halves for medians), or finer. */
function roundingStep(points: readonly CounterPoint[]): number {
  const isHalf = ({ efficiency }: CounterPoint) =>
    Math.abs(2 * efficiency - Math.round(2 * efficiency)) < 1e-6;
  return points.every(isHalf) ? STEP_WHOLE : STEP_FINE;
}
