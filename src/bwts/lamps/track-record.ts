// The ship's track record in answers: the accuracy of forecasts for lamps that have ended. Each
// score stands beside those of two naive forecasts: rated hours minus run-hours, and the base rate.
// A new ship has none, and the answer says so.

import * as z from "zod";
import { medianError, type ScoreTally } from "./score-tally.ts";

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

const figure = (about: string) => z.number().nullable().meta({ description: about });

export const TrackRecord = z
  .object({
    lamps_ended: z.object({
      failed: z.number().int(),
      worn: z.number().int(),
      replaced: z.number().int().meta({ description: "early, while they still worked" }),
    }),
    forecasts_scored: z.number().int().meta({ description: "of lamps that ended, or outlived it" }),
    coverage: figure("share of true remaining lives inside the 90 % interval"),
    median_error_hours: figure("median absolute error of the remaining life"),
    median_error_hours_rated: figure("the same of rated hours minus hours burnt"),
    brier: figure("Brier score of the failure probability, 0 is best"),
    brier_rated: figure("the same of rated hours minus hours burnt"),
    brier_base_rate: figure("the same of the share that ended within the horizon"),
    message: z.string(),
  })
  .meta({
    id: "TrackRecord",
    example: {
      lamps_ended: { failed: 3, worn: 4, replaced: 2 },
      forecasts_scored: 640,
      coverage: 0.91,
      median_error_hours: 142.5,
      median_error_hours_rated: 610,
      brier: 0.07,
      brier_rated: 0.19,
      brier_base_rate: 0.18,
      message:
        "scored on this ship's own lamps; forecasts of one lamp are alike, so few lamps say little",
    },
  });
export type TrackRecord = z.output<typeof TrackRecord>;

/** The record of lamps that have ended; the forecasts of `unscored` of them aren't in it yet. */
export function trackRecordOf(
  tally: ScoreTally,
  { lamps_ended, unscored }: { lamps_ended: TrackRecord["lamps_ended"]; unscored: number },
): TrackRecord {
  const scores = scoresOf(tally);
  return {
    lamps_ended,
    forecasts_scored: scores.decided,
    coverage: rounded(scores.coverage, 1e4),
    median_error_hours: rounded(scores.error_h, 10),
    median_error_hours_rated: rounded(scores.rated_error_h, 10),
    brier: rounded(scores.brier, 1e4),
    brier_rated: rounded(scores.rated_brier, 1e4),
    brier_base_rate: rounded(scores.base_rate_brier, 1e4),
    message: messageOf(scores.decided, unscored),
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
