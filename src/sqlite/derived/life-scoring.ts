// Scores the forecasts of ended lamps, in a reader's thread. Each forecast is scored once: sums are
// kept by lamp, and recomputed only if the lamp's life changed. A step has a limited number of
// forecasts.

import { type EndedLife, endedLives, wasFitted } from "../../bwts/lamps/ended-life.ts";
import { placeAt } from "../../bwts/lamps/life.ts";
import type { LampLimits } from "../../bwts/lamps/outlook.ts";
import { addForecast, newTally } from "../../bwts/lamps/score-tally.ts";
import type { TrackerState } from "../../bwts/lamps/state.ts";
import { messageOf } from "../../ground/errors.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import type { Connection } from "../file/open.ts";
import { type ForecastRow, forecastsOfLamps, proveForecast } from "./forecasts.ts";
import { type LampKey, type LampScore, lampScores, type ScoreChanges } from "./lamp-scores.ts";

/** Forecasts of a step: at some 12 us each it holds a reader no longer than an answer does. */
const FORECASTS_MAX = 4000;

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
  const stopped_ms = scoreForecasts(db, open, { rated_h: limits.rated_hours, replaced_ms });
  for (const one of open) settle(one, stopped_ms);
  return {
    put: open.filter(({ isChanged }) => isChanged).map(({ score }) => score),
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

/** Scores the next forecasts of all lamps at once; returns the time reached, null at the end. */
function scoreForecasts(
  db: Connection,
  open: readonly OpenLife[],
  { rated_h, replaced_ms }: { rated_h: number; replaced_ms: number | null },
): number | null {
  if (open.length === 0) return null;
  const start_ms = 1 + Math.min(...open.map(({ score }) => score.through_ms ?? 0));
  const end_ms = Math.max(...open.map(({ ended }) => lastOf(ended)));
  const places = open.flatMap(({ ended }) => ended.life.places);
  const lamps = [...new Set(places.map(({ position }) => position + 1))];
  let scored = 0;
  let scored_ms: number | null = null;
  for (const row of forecastsOfLamps(db, { start_ms, end_ms }, lamps)) {
    const { at_ms, lamp } = row;
    const one = open.find(
      ({ ended, score }) =>
        at_ms > (score.through_ms ?? 0) && placeAt(ended.life, at_ms) === lamp - 1,
    );
    // Forecasts that replace others are made after these lamps have ended, so they have nothing to
    // score.
    if (one === undefined || at_ms === replaced_ms) continue;
    if (scored >= FORECASTS_MAX && at_ms !== scored_ms) return at_ms - 1;
    scored += 1;
    scored_ms = at_ms;
    one.isChanged = true;
    if (isWhole(db, row)) addRow(one, row, rated_h);
  }
  return null;
}

/** False for a damaged forecast; the others are scored all the same. */
function isWhole(db: Connection, row: ForecastRow): boolean {
  try {
    proveForecast(row);
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    damageOf(db).note(messageOf(error));
    return false;
  }
}

function addRow({ ended, score }: OpenLife, row: ForecastRow, rated_h: number): void {
  const { end_h, tally } = score;
  const age_h = row.lamp_runtime_hours;
  // Made after the lamp had ended.
  if (row.expected_end !== null || age_h > end_h) return;
  const scored = {
    p05_h: row.remaining_useful_life_hours_p05,
    median_h: row.remaining_useful_life_hours,
    p95_h: row.remaining_useful_life_hours_p95,
    failure_probability: row.failure_probability,
    horizon_h: row.horizon_hours,
    age_h,
    left_h: end_h - age_h,
    ended: ended.outcome !== "replaced",
  };
  addForecast(tally, scored, rated_h);
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
