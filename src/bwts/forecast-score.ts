// How forecasts turned out: used for the track record aboard and for the evaluation on simulated
// ships. Each score stands beside what two naive forecasts would have got: rated hours minus
// run-hours, and the base rate. A lamp that was replaced early is scored only where its end doesn't
// matter: it was still alive at the horizon.

import { median } from "./median.ts";

/** A forecast and what became of the lamp. Hours are operating hours. */
export interface ScoredForecast {
  readonly age_h: number;
  readonly median_h: number;
  readonly p05_h: number;
  readonly p95_h: number;
  readonly failure_probability: number;
  readonly horizon_h: number;
  /** Hours that the lamp had left, or those that it was seen to burn. */
  readonly left_h: number;
  /** Whether it ended then; false when it was replaced early, or still burns. */
  readonly ended: boolean;
}

/** Every score is null while no forecast can be scored by it. */
export interface ForecastScores {
  /** Forecasts of lamps that ended. */
  readonly ended: number;
  /** The share of ends within p05 to p95, before p05 and after p95. */
  readonly coverage: number | null;
  readonly before_p05: number | null;
  readonly after_p95: number | null;
  /** Median absolute error of the hours left, and that of rated hours minus run-hours. */
  readonly error_h: number | null;
  readonly rated_error_h: number | null;
  /** Mean absolute error as a share of the hours left, of those with at least 100 h left. */
  readonly error_share: number | null;
  /** Forecasts of which it is known whether the lamp ended within the horizon. */
  readonly decided: number;
  /** Brier scores: of the forecasts, of rated hours minus run-hours, of the base rate. */
  readonly brier: number | null;
  readonly rated_brier: number | null;
  readonly base_rate_brier: number | null;
}

/** Relative errors of fewer hours left say nothing: the last hour would be infinite. */
const SHARE_FROM_H = 100;

/** The scores of forecasts of lamps that are rated for `rated_h`. */
export function forecastScores(
  cases: readonly ScoredForecast[],
  { rated_h }: { rated_h: number },
): ForecastScores {
  const ended = cases.filter((each) => each.ended);
  const decided = cases.filter(isDecided);
  const rate = mean(decided.map(outcome));
  const shareOf = (is: (each: ScoredForecast) => boolean) => mean(ended.map((each) => +is(each)));
  const rated = (each: ScoredForecast) => Math.max(0, rated_h - each.age_h);
  const brier = (said: (each: ScoredForecast) => number) =>
    mean(decided.map((each) => (said(each) - outcome(each)) ** 2));
  return {
    ended: ended.length,
    coverage: shareOf((each) => each.left_h >= each.p05_h && each.left_h <= each.p95_h),
    before_p05: shareOf((each) => each.left_h < each.p05_h),
    after_p95: shareOf((each) => each.left_h > each.p95_h),
    error_h: middle(ended.map((each) => Math.abs(each.median_h - each.left_h))),
    rated_error_h: middle(ended.map((each) => Math.abs(rated(each) - each.left_h))),
    error_share: mean(
      ended
        .filter((each) => each.left_h >= SHARE_FROM_H)
        .map((each) => Math.abs(each.median_h - each.left_h) / each.left_h),
    ),
    decided: decided.length,
    brier: brier((each) => each.failure_probability),
    rated_brier: brier((each) => +(rated(each) <= each.horizon_h)),
    base_rate_brier: rate === null ? null : brier(() => rate),
  };
}

/** By how much a score is below the better of two baselines, as a share; null without them. */
export function shareBelow(score: number | null, ...baselines: readonly (number | null)[]) {
  const known = baselines.filter((each) => each !== null);
  const best = Math.min(...known);
  return score === null || known.length === 0 || best === 0 ? null : 1 - score / best;
}

/** A tenth of the probabilities: what was said on average, and what share ended. */
export interface Decile {
  readonly from: number;
  readonly count: number;
  readonly said: number;
  readonly was: number;
  /** Standard error of `was` if the forecasts are right. */
  readonly error: number;
}

/** Probabilities against outcomes, by tenths that have a forecast. */
export function reliability(cases: readonly ScoredForecast[]): readonly Decile[] {
  const decided = cases.filter(isDecided);
  return Array.from({ length: 10 }, (_, tenth) => tenth).flatMap((tenth) => {
    const here = decided.filter(
      (each) => Math.min(9, Math.floor(each.failure_probability * 10)) === tenth,
    );
    const said = mean(here.map((each) => each.failure_probability));
    const was = mean(here.map(outcome));
    if (said === null || was === null) return [];
    const error = Math.sqrt((said * (1 - said)) / here.length);
    return [{ from: tenth / 10, count: here.length, said, was, error }];
  });
}

/**
 * The alpha-lambda measure (Saxena et al. 2009, "On applying the prognostic performance metrics"):
 * the share of forecasts within `alpha` of the hours left. For cases at one share of their lives.
 */
export function alphaLambda(cases: readonly ScoredForecast[], alpha: number): number | null {
  return mean(
    cases
      .filter((each) => each.ended)
      .map((each) => +(Math.abs(each.median_h - each.left_h) <= alpha * each.left_h)),
  );
}

/**
 * The penalty of the PHM08 challenge for one error (said minus true, in cycles): late forecasts
 * cost more than early ones. It grows exponentially: hours are divided by 10 to 50 before.
 */
export function phm08Penalty(error: number): number {
  return error < 0 ? Math.expm1(-error / 13) : Math.expm1(error / 10);
}

function isDecided({ ended, left_h, horizon_h }: ScoredForecast): boolean {
  return ended || left_h > horizon_h;
}

function outcome({ ended, left_h, horizon_h }: ScoredForecast): number {
  return ended && left_h <= horizon_h ? 1 : 0;
}

function middle(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
