// The scores of a fleet beside their goals. Intervals are by bootstrap over ships, not cases: lamps
// of one ship share its curve, its fouling and its sensor, and one lamp is forecast several times.

import type { ForecastScores } from "../../src/bwts/lamps/track-record.ts";
import { median, quantile } from "../../src/bwts/median.ts";
import { createRandom } from "../../src/simulator/random.ts";
import type { Case, ShipCases } from "./forecasts.ts";
import { alphaLambda, type Decile, forecastScores, reliability, shareBelow } from "./scores.ts";
import { RATED_H } from "./ship.ts";

const RESAMPLES = 200;
const ALPHA = 0.2;
/** A decile is judged from so many cases. */
const DECILE_CASES_MIN = 50;
const DECILE_OFF_MAX = 0.05;

export interface Score {
  readonly name: string;
  readonly goal: string;
  readonly value: number;
  /** 90 % of fleets of as many ships. */
  readonly from: number;
  readonly to: number;
  readonly isMet: boolean;
}

export interface Evaluation {
  readonly seed: number;
  readonly ships: number;
  readonly lives: number;
  readonly cases: number;
  readonly half_life_cases: number;
  readonly scores: readonly Score[];
  /** The figures that the scores are made of. */
  readonly figures: ForecastScores;
  readonly deciles: readonly (Decile & { readonly isMet: boolean | null })[];
  /** Null when it wasn't measured. */
  readonly run_ms: { readonly median: number; readonly most: number } | null;
}

interface Measure {
  readonly name: string;
  readonly goal: string;
  readonly isMet: (value: number) => boolean;
  readonly of: (fleet: Fleet) => number | null;
}

interface Fleet {
  readonly figures: ForecastScores;
  readonly halves: readonly Case[];
}

const MEASURES: readonly Measure[] = [
  {
    name: "coverage of the 90 % intervals",
    goal: "0.87 to 0.93",
    isMet: (value) => value >= 0.87 && value <= 0.93,
    of: ({ figures }) => figures.coverage,
  },
  {
    name: "Brier score at 500 h, below the better baseline by",
    goal: "at least 0.55",
    isMet: (value) => value >= 0.55,
    of: ({ figures: { brier, rated_brier, base_rate_brier } }) =>
      shareBelow(brier, rated_brier, base_rate_brier),
  },
  {
    name: "median error, below that of rated minus run-hours by",
    goal: "at least 0.60",
    isMet: (value) => value >= 0.6,
    of: ({ figures }) => shareBelow(figures.error_h, figures.rated_error_h),
  },
  {
    name: "within 20 % at half life, of lamps that wear out",
    goal: "at least 0.75",
    isMet: (value) => value >= 0.75,
    of: ({ halves }) => alphaLambda(halves, ALPHA),
  },
];

/** The scores of simulated ships, at least two. */
export function evaluationOf(ships: readonly ShipCases[], seed: number): Evaluation {
  const fleet = fleetOf(ships);
  const random = createRandom(seed);
  const resampled = Array.from({ length: RESAMPLES }, (_, i) =>
    fleetOf(ships.map((_, k) => ships[Math.floor(random.unit("ship", i, k) * ships.length)])),
  );
  const run_ms = ships.flatMap((ship) => ship.run_ms);
  return {
    seed,
    ships: ships.length,
    lives: ships.reduce((sum, { lives }) => sum + lives, 0),
    cases: ships.reduce((sum, { cases }) => sum + cases.length, 0),
    half_life_cases: fleet.halves.length,
    scores: MEASURES.flatMap((measure) => scoreOf(measure, fleet, resampled) ?? []),
    figures: fleet.figures,
    deciles: reliability(ships.flatMap(({ cases }) => cases)).map((decile) => ({
      ...decile,
      isMet:
        decile.count < DECILE_CASES_MIN
          ? null
          : Math.abs(decile.said - decile.was) <= DECILE_OFF_MAX + 2 * decile.error,
    })),
    run_ms: run_ms.length === 0 ? null : { median: median(run_ms), most: Math.max(...run_ms) },
  };
}

function fleetOf(ships: readonly ShipCases[]): Fleet {
  const cases = ships.flatMap((ship) => ship.cases);
  return {
    figures: forecastScores(cases, { rated_h: RATED_H }),
    halves: ships.flatMap((ship) => ship.halves),
  };
}

function scoreOf(
  { name, goal, isMet, of }: Measure,
  fleet: Fleet,
  resampled: readonly Fleet[],
): Score | null {
  const value = of(fleet);
  const values = resampled.map(of).filter((each) => each !== null);
  if (value === null) return null;
  const [from, to] = [quantile(values, 0.05), quantile(values, 0.95)];
  return { name, goal, value, from, to, isMet: isMet(value) };
}

/** The evaluation as text: tables in Markdown. */
export function printEvaluation(evaluation: Evaluation): string {
  const { ships, lives, cases, half_life_cases, seed, figures, run_ms } = evaluation;
  const scores = evaluation.scores.map(
    ({ name, goal, value, from, to, isMet }) =>
      `| ${name} | ${goal} | ${fixed(value)} (${fixed(from)} to ${fixed(to)}) | ${met(isMet)} |`,
  );
  const deciles = evaluation.deciles.map(
    ({ from, count, said, was, isMet }) =>
      `| ${from.toFixed(1)} to ${(from + 0.1).toFixed(1)} | ${count} | ${fixed(said)} | ` +
      `${fixed(was)} | ${met(isMet)} |`,
  );
  return `Simulated: ${ships} ships, ${lives} lamp lives, ${cases} forecasts at random times and \
${half_life_cases} at half life, seed ${seed}. In brackets 90 % intervals, by bootstrap over ships.

| score | goal | ballastd | |
| --- | --- | --- | --- |
${scores.join("\n")}

| | ballastd | rated minus run-hours | base rate |
| --- | ---: | ---: | ---: |
| Brier score at 500 h | ${row(figures.brier, figures.rated_brier, figures.base_rate_brier)} |
| median error, h | ${whole(figures.error_h)} | ${whole(figures.rated_error_h)} | |

Ends before p05: ${fixed(figures.before_p05)}, after p95: ${fixed(figures.after_p95)}.

| probability said | forecasts | said on average | ended | within 0.05 + 2 standard errors |
| --- | ---: | ---: | ---: | --- |
${deciles.join("\n")}
${run_ms === null ? "" : printRuns(run_ms)}`;
}

function printRuns({ median: middle, most }: { median: number; most: number }): string {
  const times = `median ${whole(middle)} ms, at most ${whole(most)} ms of processor time`;
  return `\nAll forecasts of a ship at one time: ${times}.\n`;
}

function row(...values: readonly (number | null)[]): string {
  return values.map(fixed).join(" | ");
}

function fixed(value: number | null): string {
  return value === null ? "" : value.toFixed(3);
}

function whole(value: number | null): string {
  return value === null ? "" : value.toFixed(0);
}

function met(isMet: boolean | null): string {
  return isMet === null ? "too few to say" : isMet ? "met" : "missed";
}
