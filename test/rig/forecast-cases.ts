// The record of forecasts as it is when every stored one is looked at, with what is known of its
// lamp now: what the scores, which are kept and go on from there, must agree with.

import { effectsOf, endHoursOf, firstOutcomeOf } from "../../src/bwts/lamps/outcome.ts";
import type { StoredForecast } from "../../src/bwts/lamps/outlook.ts";
import { addForecast, newTally, scoresOf } from "../../src/bwts/lamps/track-record.ts";
import { median } from "../../src/bwts/ranks.ts";
import { LAMP_NUMBERS } from "../../src/bwts/tags.ts";
import { newestForecasts } from "../../src/sqlite/derived/lamp-rows.ts";
import { trackedLamps } from "../../src/sqlite/derived/lamps.ts";
import type { Rig } from "./database.ts";
import { LAMP_CONFIG } from "./fleet.ts";

/** The record as it is when every stored forecast is looked at. */
export function lookedAtAll({ db }: Rig) {
  const forecasts = newestForecasts(db, Number.MAX_SAFE_INTEGER);
  const state = trackedLamps(db, LAMP_CONFIG);
  const judging = { limits: LAMP_CONFIG.lamps, ...effectsOf(state) };
  const lives = new Set(state.positions.flatMap((at) => at.lives));
  const cases = [...lives].flatMap((life) => {
    const outcome = firstOutcomeOf(life, judging);
    const end_h = endHoursOf(life, judging, outcome);
    return forecasts
      .filter(({ at_ms, component_id, predictions, current_state }) => {
        const place = life.places.findLast(({ from_ms }) => from_ms <= at_ms);
        return (
          component_id === `LAMP_${LAMP_NUMBERS[place?.position ?? -1]}` &&
          at_ms < (life.ended_ms ?? Number.MAX_SAFE_INTEGER) &&
          (predictions.expected_end !== "failed" ||
            at_ms < (life.failed_ms ?? Number.MAX_SAFE_INTEGER)) &&
          (predictions.expected_end === null
            ? current_state.runtime_hours <= end_h
            : current_state.runtime_hours < end_h)
        );
      })
      .map((forecast) =>
        caseOf(forecast, { end_h, ended: outcome === "worn" || outcome === "failed" }),
      );
  });
  const known = cases.filter(({ ended, isSaidEnded }) => ended || isSaidEnded);
  const errors_h = known.map(({ median_h, left_h }) => Math.abs(median_h - left_h));
  const tally = newTally();
  for (const each of cases) addForecast(tally, each, LAMP_CONFIG.lamps.rated_hours);
  const { coverage, brier } = scoresOf(tally);
  return {
    forecasts_scored: tally.sums.decided,
    coverage,
    median_error_hours: errors_h.length === 0 ? null : median(errors_h),
    brier,
  };
}

function caseOf(
  { predictions, current_state }: StoredForecast,
  { end_h, ended }: { end_h: number; ended: boolean },
) {
  const age_h = current_state.runtime_hours;
  return {
    ...{ age_h, left_h: end_h - age_h, ended },
    median_h: predictions.remaining_useful_life_hours,
    p05_h: predictions.remaining_useful_life_hours_p05,
    p95_h: predictions.remaining_useful_life_hours_p95,
    failure_probability: predictions.failure_probability,
    horizon_h: predictions.horizon_hours,
    isSaidEnded: predictions.expected_end !== null,
  };
}
