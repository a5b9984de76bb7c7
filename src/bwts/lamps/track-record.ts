// The ship's track record in answers: the accuracy of forecasts for lamps that have ended, beside
// two naive ones. A new ship has none, and the answer says so.

import * as z from "zod";
import { scoresOf } from "./forecast-score.ts";
import type { ScoreTally } from "./score-tally.ts";

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
