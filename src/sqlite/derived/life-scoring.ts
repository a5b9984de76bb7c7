// Scores the forecasts of ended lamps, in a reader's thread. Each forecast is scored once: sums are
// kept by lamp, and recomputed only if the lamp's life changed. A run is unpacked once for all of
// its lamps, and a step has a limited number of runs.

import { type EndedLife, endedLives, wasFitted } from "../../bwts/lamps/ended-life.ts";
import { placeAt } from "../../bwts/lamps/life.ts";
import type { LampLimits } from "../../bwts/lamps/outlook.ts";
import { addForecast, newTally } from "../../bwts/lamps/score-tally.ts";
import type { TrackerState } from "../../bwts/lamps/state.ts";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { messageOf } from "../../ground/errors.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import type { Connection } from "../file/open.ts";
import { type Forecast, type ForecastRun, forecastRuns } from "./forecasts.ts";
import {
  type LampKey,
  type LampScore,
  lampScores,
  packScore,
  type ScoreChanges,
} from "./lamp-scores.ts";

/**
 * Runs a step. At a third of a millisecond each, a step holds a reader as long as a large query.
 */
const RUNS_MAX = 500;

/** An ended lamp whose scoring isn't finished. */
interface OpenLife {
  readonly ended: EndedLife;
  score: LampScore;
  isChanged: boolean;
}

/** The next scoring step; `replaced_ms` is the time of a run that is about to be replaced. */
export function scoreLives(
  db: Connection,
  state: TrackerState,
  { limits, replaced_ms }: { limits: LampLimits; replaced_ms: number | null },
): ScoreChanges {
  const stored = lampScores(db);
  const lives = endedLives(state, limits).filter(wasFitted);
  const open = lives.flatMap((ended) => openLife(ended, stored));
  const stopped_ms = scoreRuns(db, open, { rated_h: limits.rated_hours, replaced_ms });
  for (const one of open) settle(one, stopped_ms);
  return {
    put: open.filter(({ isChanged }) => isChanged).map(({ score }) => packScore(score)),
    removed: stored
      .filter((score) => !lives.some((ended) => isOf(ended, score)))
      .map(({ position, began_ms }) => ({ position, began_ms })),
    isMore: stopped_ms !== null,
  };
}

/** True if the life belongs to the lamp with this key. */
export function isOf({ life }: EndedLife, { position, began_ms }: LampKey): boolean {
  return life.began_ms === began_ms && life.places[0]?.position === position;
}

function openLife(ended: EndedLife, stored: readonly LampScore[]): readonly OpenLife[] {
  const { life, end_h, basis } = ended;
  const known = stored.find((score) => isOf(ended, score));
  if (known?.basis === basis)
    return known.through_ms === null ? [] : [{ ended, score: known, isChanged: false }];
  const through_ms = life.began_ms - 1;
  const key = { position: life.places[0].position, began_ms: life.began_ms };
  return [
    { ended, score: { ...key, basis, end_h, through_ms, tally: newTally() }, isChanged: true },
  ];
}

/** Scores the next runs for all lamps at once; returns the time reached, null at the end. */
function scoreRuns(
  db: Connection,
  open: readonly OpenLife[],
  { rated_h, replaced_ms }: { rated_h: number; replaced_ms: number | null },
): number | null {
  if (open.length === 0) return null;
  const start_ms = 1 + Math.min(...open.map(({ score }) => score.through_ms ?? 0));
  const end_ms = Math.max(...open.map(({ ended }) => lastOf(ended)));
  let runs = 0;
  for (const run of forecastRuns(db, { start_ms, end_ms })) {
    const { at_ms } = run;
    const here = open.filter(
      ({ ended, score }) => at_ms > (score.through_ms ?? 0) && placeAt(ended.life, at_ms) !== null,
    );
    // A run that replaces another one is made after these lamps have ended, so it has nothing to
    // score.
    if (here.length === 0 || at_ms === replaced_ms) continue;
    if (runs === RUNS_MAX) return at_ms - 1;
    runs += 1;
    const forecasts = unlessDamaged(db, run);
    for (const one of here) addRun(one, forecasts, rated_h);
  }
  return null;
}

/** None of a damaged run; the others are scored all the same. */
function unlessDamaged(db: Connection, run: ForecastRun): readonly Forecast[] {
  try {
    return run.forecasts();
  } catch (error) {
    if (!isDamage(error)) throw error;
    damageOf(db).note(messageOf(error));
    return [];
  }
}

function addRun(one: OpenLife, forecasts: readonly Forecast[], rated_h: number): void {
  const { life, outcome } = one.ended;
  const { end_h, tally } = one.score;
  one.isChanged = true;
  for (const { at_ms, component_id, predictions, current_state } of forecasts) {
    const position = placeAt(life, at_ms);
    const age_h = current_state.runtime_hours;
    if (position === null || component_id !== `LAMP_${LAMP_NUMBERS[position]}`) continue;
    // Made after the lamp had ended.
    if (predictions.expected_end !== null || age_h > end_h) continue;
    const scored = {
      p05_h: predictions.remaining_useful_life_hours_p05,
      median_h: predictions.remaining_useful_life_hours,
      p95_h: predictions.remaining_useful_life_hours_p95,
      failure_probability: predictions.failure_probability,
      horizon_h: predictions.horizon_hours,
      age_h,
      left_h: end_h - age_h,
      ended: outcome !== "replaced",
    };
    addForecast(tally, scored, rated_h);
  }
}

/** Notes the time up to which a lamp's forecasts are scored. */
function settle(one: OpenLife, stopped_ms: number | null): void {
  const { ended, score } = one;
  const isDone = stopped_ms === null || lastOf(ended) <= stopped_ms;
  if (isDone) one.isChanged = true;
  if (isDone) one.score = { ...score, through_ms: null };
  else if (one.isChanged)
    one.score = { ...score, through_ms: Math.max(score.through_ms ?? 0, stopped_ms) };
}

/** The latest possible time of a forecast for the lamp. */
function lastOf({ life }: EndedLife): number {
  return life.ended_ms === null ? Number.MAX_SAFE_INTEGER : life.ended_ms - 1;
}
