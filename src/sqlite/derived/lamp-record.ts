// The track record of the ship's forecasts: the stored scores of ended lamps, and some forecasts of
// lamps that still burn. Without the latter, a young ship's record would contain only early ends.
// Their results change hourly, so none of them is stored.

import { MODEL_VERSION } from "../../bwts/lamps/model-version.ts";
import type { ScoredLife } from "../../bwts/lamps/outlook.ts";
import { placeAt } from "../../bwts/lamps/state.ts";
import {
  type ScoreTally,
  type TrackRecord,
  talliesOfAll,
  trackRecordOf,
} from "../../bwts/lamps/track-record.ts";
import { type Connection, prepare } from "../file/open.ts";
import { forecastsOfLamps } from "./lamp-rows.ts";
import {
  addRow,
  hasScore,
  isOf,
  isWholeForecast,
  type LampScore,
  lampScores,
  lampsOf,
} from "./lamp-scores.ts";

/** The track record of the ship's lamps, which are rated for `rated_h` operating hours. */
export function trackRecordNow(
  db: Connection,
  lives: readonly ScoredLife[],
  rated_h: number,
): TrackRecord {
  const lamps_ended = { failed: 0, worn: 0, replaced: 0 };
  for (const { outcome } of lives) if (outcome !== null) lamps_ended[outcome] += 1;
  const whole = lampScores(db).filter(({ through_ms }) => through_ms === null);
  const ended = lives.filter(hasScore);
  const isBy = (life: ScoredLife, score: LampScore) =>
    isOf(life, score) && score.basis === life.basis;
  const scores = ended.flatMap((life) => whole.find((score) => isBy(life, score)) ?? []);
  const unscored = ended.length - scores.length;
  const burning = lives.filter(({ outcome }) => outcome === null);
  const tallies = [...scores.map((score) => score.tallies), ...soFar(db, burning, rated_h)];
  return trackRecordOf(talliesOfAll(tallies), { lamps_ended, unscored, present: MODEL_VERSION });
}

/** Maximum number of forecast runs used: forecasts of one lamp are alike, so more add nothing. */
const RUNS_MAX = 100;

/**
 * The tallies of lamps that still burn: each forecast is compared with the fact that its lamp has
 * burnt until now. Every nth run is used and counted n times, so that the total stays right.
 */
function soFar(
  db: Connection,
  burning: readonly ScoredLife[],
  rated_h: number,
): readonly ReadonlyMap<string, ScoreTally>[] {
  const start_ms = Math.min(Number.MAX_SAFE_INTEGER, ...burning.map(({ life }) => life.began_ms));
  const runs = prepare(db, "forecast.runs").all({ start_ms });
  const lamps = lampsOf(burning);
  const every = Math.ceil(runs.length / RUNS_MAX);
  const tallies = new Map<string, ScoreTally>();
  for (let at = every >> 1; at < runs.length; at += every) {
    const { at_ms } = runs[at];
    for (const row of forecastsOfLamps(db, { start_ms: at_ms, end_ms: at_ms }, lamps)) {
      const ended = burning.find(({ life }) => placeAt(life, at_ms) === row.lamp - 1);
      if (ended !== undefined && isWholeForecast(db, row))
        addRow({ ended, score: { end_h: ended.end_h, tallies } }, row, rated_h);
    }
  }
  return new Array(every).fill(tallies);
}
