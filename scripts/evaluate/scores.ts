// Scores of forecasts that only the evaluation on simulated ships gives: of cases, by tenths of
// probability, and by the measures of the literature.

import {
  addForecast,
  type ForecastScores,
  isDecided,
  newTally,
  outcome,
  type ScoredForecast,
  scoresOf,
} from "../../src/bwts/lamps/track-record.ts";

/** The scores of forecasts of lamps that are rated for `rated_h`. */
export function forecastScores(
  cases: readonly ScoredForecast[],
  { rated_h }: { rated_h: number },
): ForecastScores {
  const tally = newTally();
  for (const each of cases) addForecast(tally, each, rated_h);
  return scoresOf(tally);
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

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
