// Scores of forecasts whose outcomes are known. docs/evaluation.md defines each. Hours are scaled
// to lamps rated for 3,000 h, so that lamps of several makes can be added up.

import { isDecided, outcome, type ScoredForecast } from "../../src/bwts/lamps/track-record.ts";
import { median } from "../../src/bwts/ranks.ts";
import { type Case, LATE_H } from "./forecasts.ts";

/** Hours of all lamps are given as if they were rated for so many. */
export const SCALE_H = 3_000;
const ALPHA = 0.2;
/** A lamp that is said to be near its end lives on with more hours left. */
export const LIVES_ON_H = 250;

export interface ScoreSet {
  /** The share of ends within p05 to p95, of lamps that aren't said to have ended. */
  readonly coverage: number | null;
  /** Mean of p95 minus p05, likewise. */
  readonly width_h: number | null;
  /** Mean interval score (Gneiting and Raftery 2007) of p05 to p95: the smaller, the better. */
  readonly interval_h: number | null;
  /** Distance of the Brier score below the base rate's, and of the median error below rated. */
  readonly brier: number | null;
  readonly error: number | null;
  /** The share within 20 % of the hours left, of worn lamps near half their life. */
  readonly half_life: number | null;
  /** Mean distance of what was said from what was, over tenths of the probability. */
  readonly gap: number | null;
}

/** The scores of forecasts, and of those near half of a life that ends by decay. */
export function scoresOf(cases: readonly Case[], halves: readonly Case[]): ScoreSet {
  const scaled = (hours: number, { rated_h }: Case) => (hours * SCALE_H) / rated_h;
  const decided = cases.filter(isDecided);
  const lasting = cases.filter(({ isSaidEnded }) => !isSaidEnded);
  const rate = mean(decided.map(outcome));
  const ratedLeft = ({ told_h, age_h }: Case) => Math.max(0, told_h - age_h);
  const errors = (left: (one: Case) => number) =>
    cases.length === 0
      ? null
      : median(cases.map((one) => scaled(Math.abs(left(one) - one.left_h), one)));
  return {
    coverage: mean(
      lasting.map(({ left_h, p05_h, p95_h }) => +(left_h >= p05_h && left_h <= p95_h)),
    ),
    width_h: mean(lasting.map((one) => scaled(one.p95_h - one.p05_h, one))),
    interval_h: mean(cases.map((one) => scaled(intervalScore(one), one))),
    brier: shareBelow(
      mean(decided.map((one) => (one.failure_probability - outcome(one)) ** 2)),
      rate === null ? null : rate * (1 - rate),
    ),
    error: shareBelow(
      errors(({ median_h }) => median_h),
      errors(ratedLeft),
    ),
    half_life: alphaLambda(halves, ALPHA),
    gap: gapOf(decided),
  };
}

/** Share of the truths that lie outside of an interval as it should be. */
const OUTSIDE = 0.1;

/** The width, and what the truth lies outside, in hours: times 20, so that honesty pays. */
function intervalScore({ p05_h, p95_h, left_h }: ScoredForecast): number {
  const outside_h = Math.max(0, p05_h - left_h) + Math.max(0, left_h - p95_h);
  return p95_h - p05_h + (2 / OUTSIDE) * outside_h;
}

/** Distance of a score below a baseline, as a share of it; null without both. */
export function shareBelow(score: number | null, baseline: number | null): number | null {
  return score === null || baseline === null || baseline === 0 ? null : 1 - score / baseline;
}

/** A tenth of the probabilities: the mean forecast, and the share that ended. */
export interface Tenth {
  readonly from: number;
  readonly count: number;
  readonly said: number;
  readonly was: number;
}

/** Compares probabilities with outcomes, by tenths that have a forecast. */
export function reliability(cases: readonly ScoredForecast[]): readonly Tenth[] {
  const tenths = Array.from({ length: 10 }, () => ({ count: 0, said: 0, was: 0 }));
  for (const one of cases.filter(isDecided)) {
    const tenth = tenths[Math.min(9, Math.floor(one.failure_probability * 10))];
    tenth.count += 1;
    tenth.said += one.failure_probability;
    tenth.was += outcome(one);
  }
  return tenths.flatMap(({ count, said, was }, at) =>
    count === 0 ? [] : [{ from: at / 10, count, said: said / count, was: was / count }],
  );
}

function gapOf(cases: readonly ScoredForecast[]): number | null {
  const off = (sum: number, { count, said, was }: Tenth) => sum + count * Math.abs(said - was);
  return cases.length === 0 ? null : reliability(cases).reduce(off, 0) / cases.length;
}

/**
 * The alpha-lambda measure (Saxena et al. 2009, "On applying the prognostic performance metrics"):
 * the share of forecasts within `alpha` of the hours left. For cases at one share of their lives.
 */
export function alphaLambda(cases: readonly ScoredForecast[], alpha: number): number | null {
  return mean(cases.map((each) => +(Math.abs(each.median_h - each.left_h) <= alpha * each.left_h)));
}

/** Forecasts of lamps near their end by wear. */
export interface LastHours {
  /** Lamps with at most 100 h left, and those of which the forecast says so. */
  readonly near: number;
  readonly told: number;
  /** Lamps of which it says so, those with more than 250 h left, and these at full light. */
  readonly said: number;
  readonly live_on: number;
  readonly live_on_bright: number;
}

/** The scores of forecasts that were asked for near a lamp's end. */
export function lastHours(cases: readonly Case[]): LastHours {
  const isSaid = ({ median_h }: Case) => median_h <= LATE_H;
  const near = cases.filter(({ cause, left_h }) => cause === "worn" && left_h <= LATE_H);
  const said = cases.filter(isSaid);
  const live_on = said.filter(({ left_h }) => left_h > LIVES_ON_H);
  return {
    near: near.length,
    told: near.filter(isSaid).length,
    said: said.length,
    live_on: live_on.length,
    live_on_bright: live_on.filter(({ isDim }) => !isDim).length,
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
