// The accuracy of forecasts, for the track record aboard and for the evaluation on simulated ships.
// Each score stands beside those of two naive forecasts: rated hours minus run-hours, and the base
// rate. A lamp that was replaced early is scored only if its end doesn't matter, because it was
// still alive at the horizon.

import {
  addForecast,
  isDecided,
  medianError,
  newTally,
  outcome,
  type ScoredForecast,
  type ScoreTally,
} from "./score-tally.ts";

/** A score is null if no forecast can be scored by it. */
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
  /** Mean absolute error as a share of the hours left, over forecasts with at least 100 h left. */
  readonly error_share: number | null;
  /** Forecasts for which it is known if the lamp ended within the horizon. */
  readonly decided: number;
  /** Brier scores: of the forecasts, of rated hours minus run-hours, of the base rate. */
  readonly brier: number | null;
  readonly rated_brier: number | null;
  readonly base_rate_brier: number | null;
}

/** The scores of forecasts of lamps that are rated for `rated_h`. */
export function forecastScores(
  cases: readonly ScoredForecast[],
  { rated_h }: { rated_h: number },
): ForecastScores {
  const tally = newTally();
  for (const each of cases) addForecast(tally, each, rated_h);
  return scoresOf(tally);
}

/** The scores from sums over forecasts. */
export function scoresOf({ sums, errors, rated_errors }: ScoreTally): ForecastScores {
  const { ended, before_p05, after_p95, shares, decided } = sums;
  const ofEnded = (count: number) => (ended === 0 ? null : count / ended);
  const ofDecided = (sum: number) => (decided === 0 ? null : sum / decided);
  const rate = ofDecided(sums.happened);
  return {
    ended,
    coverage: ofEnded(ended - before_p05 - after_p95),
    before_p05: ofEnded(before_p05),
    after_p95: ofEnded(after_p95),
    error_h: medianError(errors),
    rated_error_h: medianError(rated_errors),
    error_share: shares === 0 ? null : sums.share_sum / shares,
    decided,
    brier: ofDecided(sums.squares),
    rated_brier: ofDecided(sums.rated_squares),
    // A constant forecast of the rate errs by 1 - rate if the lamp ends, else by the rate.
    base_rate_brier: rate === null ? null : rate * (1 - rate),
  };
}

/** Distance of a score below the better of two baselines, as a share; null without them. */
export function shareBelow(score: number | null, ...baselines: readonly (number | null)[]) {
  const known = baselines.filter((each) => each !== null);
  const best = Math.min(...known);
  return score === null || known.length === 0 || best === 0 ? null : 1 - score / best;
}

/** A tenth of the probabilities: the mean forecast, and the share that ended. */
export interface Decile {
  readonly from: number;
  readonly count: number;
  readonly said: number;
  readonly was: number;
  /** Standard error of `was` if the forecasts are right. */
  readonly error: number;
}

/** Compares probabilities with outcomes, by tenths that have a forecast. */
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
 * The penalty of the PHM08 challenge for one error (forecast minus true value, in cycles): late
 * forecasts cost more than early ones. It grows exponentially, so hours are first divided by 10 to
 * 50.
 */
export function phm08Penalty(error: number): number {
  return error < 0 ? Math.expm1(-error / 13) : Math.expm1(error / 10);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
