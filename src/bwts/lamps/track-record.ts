// The ship's track record: the accuracy of forecasts, by what is known of the lamps' later course,
// beside two naive forecasts, rated hours minus run-hours and the base rate. Sums of single lamps
// add up to the scores of all, so that each forecast is read once. Errors are counted by tenths of
// an hour, so that the median needs no list of them. A new ship has no record, as the answer shows.

import * as z from "zod";
import {
  addCells,
  brierOf,
  countShare,
  countSoon,
  newCells,
  type ScoreCells,
  sharesOutside,
} from "./censoring.ts";
import { countError, type ErrorCounts, medianError } from "./error-counts.ts";

/** A forecast and the lamp's outcome. Hours are operating hours. */
export interface ScoredForecast {
  readonly age_h: number;
  readonly median_h: number;
  readonly p05_h: number;
  readonly p95_h: number;
  readonly failure_probability: number;
  readonly horizon_h: number;
  /** Hours that the lamp had left, or that it was seen to burn. */
  readonly left_h: number;
  /** True if the lamp ended then; false if it was replaced early, or still burns. */
  readonly ended: boolean;
  /** True if the forecast said wrongly that the lamp had ended. */
  readonly isSaidEnded: boolean;
}

const SUMS = {
  /**
   * Number of forecasts of lamps that ended, and of false forecasts of an end; how many of the ends
   * were before p05, and after p95.
   */
  ended: 0,
  before_p05: 0,
  after_p95: 0,
  /** Number of false forecasts of an end. */
  said_ended: 0,
  /** Number of relative errors (as shares of the hours left), and their sum. */
  shares: 0,
  share_sum: 0,
  /** Number of forecasts whose lamp is known to have ended, or not, in the horizon; and of ends. */
  decided: 0,
  happened: 0,
  /** Sums of squared errors: of the failure probability, and of rated hours minus run-hours. */
  squares: 0,
  rated_squares: 0,
};

export interface ScoreTally {
  readonly sums: typeof SUMS;
  /** Errors of the same forecasts, and errors of rated hours minus run-hours. */
  readonly errors: ErrorCounts;
  readonly rated_errors: ErrorCounts;
  readonly cells: ScoreCells;
}

/** Minimum hours left for a relative error: in the last hour it would be infinite. */
const SHARE_FROM_H = 100;

export function newTally(): ScoreTally {
  return { sums: { ...SUMS }, errors: new Map(), rated_errors: new Map(), cells: newCells() };
}

/** Adds a forecast of a lamp that is rated for `rated_h`. */
export function addForecast(
  { sums, errors, rated_errors, cells }: ScoreTally,
  scored: ScoredForecast,
  rated_h: number,
): void {
  const { left_h, ended, isSaidEnded } = scored;
  const rated_left_h = Math.max(0, rated_h - scored.age_h);
  if (ended || isSaidEnded) {
    // A lamp that was replaced early shows only the minimum of the error.
    const errorOf = (said_h: number) =>
      ended ? Math.abs(said_h - left_h) : Math.max(0, left_h - said_h);
    const error_h = errorOf(scored.median_h);
    sums.ended += 1;
    sums.said_ended += +isSaidEnded;
    sums.before_p05 += +(left_h < scored.p05_h);
    sums.after_p95 += +(left_h > scored.p95_h);
    countError(errors, Math.round(error_h * 10), 1);
    countError(rated_errors, Math.round(errorOf(rated_left_h) * 10), 1);
    if (left_h >= SHARE_FROM_H) {
      sums.shares += 1;
      sums.share_sum += error_h / left_h;
    }
  }
  const happened = outcome(scored);
  const own = (scored.failure_probability - happened) ** 2;
  const rated = (+(rated_left_h <= scored.horizon_h) - happened) ** 2;
  if (!isSaidEnded) countShare(cells, scored);
  const isSoon = happened === 1 || !isDecided(scored);
  if (isSoon) countSoon(cells, scored, { own, rated });
  if (!isDecided(scored)) return;
  sums.decided += 1;
  sums.happened += happened;
  sums.squares += own;
  sums.rated_squares += rated;
}

/** The sums of several lamps' tallies, by version of the model. */
export function talliesOfAll(
  lamps: readonly ReadonlyMap<string, ScoreTally>[],
): ReadonlyMap<string, ScoreTally> {
  const all = Map.groupBy(
    lamps.flatMap((tallies) => [...tallies]),
    ([version]) => version,
  );
  return new Map(
    [...all].map(([version, ofVersion]) => [version, tallyOfAll(ofVersion.map(([, one]) => one))]),
  );
}

/** The sum of several tallies. */
function tallyOfAll(tallies: readonly ScoreTally[]): ScoreTally {
  const all = newTally();
  for (const { sums, errors, rated_errors, cells } of tallies) {
    addCells(all.cells, cells);
    for (const name of sumNames) all.sums[name] += sums[name];
    for (const [tenths, times] of errors) countError(all.errors, tenths, times);
    for (const [tenths, times] of rated_errors) countError(all.rated_errors, tenths, times);
  }
  return all;
}

const isSum = (name: string): name is keyof typeof SUMS => name in SUMS;
const sumNames = Object.keys(SUMS).filter(isSum);

/**
 * True if it is known whether the lamp ended within the horizon, or the forecast said wrongly that
 * it had ended.
 */
export function isDecided({ ended, isSaidEnded, left_h, horizon_h }: ScoredForecast): boolean {
  return ended || isSaidEnded || left_h > horizon_h;
}

/** 1 if the lamp was seen to end within the horizon, else 0. */
export function outcome({ ended, left_h, horizon_h }: ScoredForecast): number {
  return ended && left_h <= horizon_h ? 1 : 0;
}

/** The scores of forecasts; a score is null if no forecast can be scored by it. */
export interface ForecastScores {
  /** Number of forecasts of lamps that ended, and of false forecasts of an end. */
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
  /** Number of forecasts whose lamp is known to have ended, or not, within the horizon. */
  readonly decided: number;
  /** Brier scores: of the forecasts, of rated hours minus run-hours, of the base rate. */
  readonly brier: number | null;
  readonly rated_brier: number | null;
  readonly base_rate_brier: number | null;
}

/** The scores from sums over forecasts. */
export function scoresOf({ sums, errors, rated_errors, cells }: ScoreTally): ForecastScores {
  const { ended, shares, decided } = sums;
  const outside = sharesOutside(cells, sums.said_ended);
  const total = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const brier = brierOf(cells, {
    count: decided - sums.happened,
    squares: sums.squares - total(cells.soon_squares),
    rated_squares: sums.rated_squares - total(cells.soon_rated),
  });
  return {
    ended,
    coverage: outside === null ? null : 1 - outside.before_p05 - outside.after_p95,
    before_p05: outside?.before_p05 ?? null,
    after_p95: outside?.after_p95 ?? null,
    error_h: medianError(errors),
    rated_error_h: medianError(rated_errors),
    error_share: shares === 0 ? null : sums.share_sum / shares,
    decided,
    brier: brier?.own ?? null,
    rated_brier: brier?.rated ?? null,
    // A constant forecast of the rate errs by 1 - rate if the lamp ends, else by the rate.
    base_rate_brier: brier === null ? null : brier.rate * (1 - brier.rate),
  };
}

const figure = (about: string) => z.number().nullable().meta({ description: about });

const FIGURES = {
  forecasts_scored: z.number().int().meta({
    description: "of lamps that ended, outlived the horizon, or got better after an end was told",
  }),
  coverage: figure("share of true remaining lives inside the 90 % interval"),
  median_error_hours: figure("median absolute error of the remaining life, of lamps that ended"),
  median_error_hours_rated: figure("the same of rated hours minus hours burnt"),
  brier: figure("Brier score of the failure probability, 0 is best"),
  brier_rated: figure("the same of rated hours minus hours burnt"),
  brier_base_rate: figure("the same of the share that ended within the horizon"),
};

const FIGURES_EXAMPLE = {
  ...{ coverage: 0.91, median_error_hours: 142.5, median_error_hours_rated: 610 },
  ...{ brier: 0.07, brier_rated: 0.19, brier_base_rate: 0.18 },
};

export const TrackRecord = z
  .object({
    lamps_ended: z.object({
      failed: z.number().int(),
      worn: z.number().int(),
      replaced: z.number().int().meta({ description: "early, while they still worked" }),
    }),
    ...FIGURES,
    models: z.array(z.object({ model_version: z.string(), ...FIGURES })).meta({
      description:
        "the same of each version of the model apart, newest first: the first makes the present " +
        "forecasts, and may have none scored yet",
    }),
    message: z.string(),
  })
  .meta({
    id: "TrackRecord",
    example: {
      lamps_ended: { failed: 3, worn: 4, replaced: 2 },
      ...{ forecasts_scored: 640, ...FIGURES_EXAMPLE },
      models: [
        { model_version: "lamps-9", forecasts_scored: 120, ...FIGURES_EXAMPLE },
        { model_version: "lamps-8", forecasts_scored: 520, ...FIGURES_EXAMPLE },
      ],
      message:
        "scored on this ship's own lamps; forecasts of one lamp are alike, so few lamps say little",
    },
  });
export type TrackRecord = z.output<typeof TrackRecord>;

interface RecordFacts {
  readonly lamps_ended: TrackRecord["lamps_ended"];
  /** Lamps whose forecasts aren't in the tallies yet. */
  readonly unscored: number;
  /** The version of the model that makes the forecasts now. */
  readonly present: string;
}

/** The record of a ship's lamps, by tallies of each version of the model. */
export function trackRecordOf(
  tallies: ReadonlyMap<string, ScoreTally>,
  { lamps_ended, unscored, present }: RecordFacts,
): TrackRecord {
  const figures = figuresOf(tallyOfAll([...tallies.values()]));
  const earlier = [...tallies.keys()].filter((version) => version !== present);
  earlier.sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  return {
    lamps_ended,
    ...figures,
    models: [present, ...earlier].map((model_version) => ({
      model_version,
      ...figuresOf(tallies.get(model_version) ?? newTally()),
    })),
    message: messageOf(figures.forecasts_scored, unscored),
  };
}

function figuresOf(tally: ScoreTally) {
  const scores = scoresOf(tally);
  return {
    forecasts_scored: scores.decided,
    coverage: rounded(scores.coverage, 1e4),
    median_error_hours: rounded(scores.error_h, 10),
    median_error_hours_rated: rounded(scores.rated_error_h, 10),
    brier: rounded(scores.brier, 1e4),
    brier_rated: rounded(scores.rated_brier, 1e4),
    brier_base_rate: rounded(scores.base_rate_brier, 1e4),
  };
}

function messageOf(decided: number, unscored: number): string {
  if (unscored > 0) return `not all is scored yet: ${unscored} of the lamps that ended wait for it`;
  return decided === 0
    ? "no track record yet: no lamp with a forecast made aboard has ended"
    : "scored on this ship's lamps; forecasts of one lamp are alike, so few lamps say little";
}

function rounded(value: number | null, factor: number): number | null {
  return value === null ? null : Math.round(value * factor) / factor;
}
