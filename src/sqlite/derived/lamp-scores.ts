// Scores of lamps' forecasts. The forecasts of an ended lamp are scored once, in a reader's thread:
// sums are kept by lamp, with the time up to which forecasts are scored, and recomputed only if the
// lamp's life changes. A step handles a limited number of forecasts. The writer stores the rows.

import { newCells, type ScoreCells } from "../../bwts/lamps/censoring.ts";
import { modelOf } from "../../bwts/lamps/model-version.ts";
import type { LampLimits } from "../../bwts/lamps/outcome.ts";
import { type ScoredLife, scoredLives, wasFitted } from "../../bwts/lamps/outlook.ts";
import { placeAt, type TrackerState } from "../../bwts/lamps/state.ts";
import { addForecast, newTally, type ScoreTally } from "../../bwts/lamps/track-record.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { provenRow, withRowChecksum } from "../file/row-checksum.ts";
import { type ForecastRow, forecastsOfLamps, proveForecast } from "./lamp-rows.ts";

/** A lamp: its first position (0 to 15) and the time of its first reading there. */
interface LampKey {
  readonly position: number;
  readonly began_ms: number;
}

export const SCORE_KEY = ["position", "began_ms"];

/** The scored forecasts of a lamp. */
export interface LampScore extends LampKey {
  /** Basis of the life at the time of scoring (`scoringBasis` in src/bwts/lamps/outlook.ts). */
  readonly basis: string;
  /** Operating hours of the lamp when it ended. */
  readonly end_h: number;
  /** Time up to which forecasts are scored; null if all are. */
  readonly through_ms: number | null;
  /** Tallies by the version of the model that made the forecasts. */
  readonly tallies: Map<string, ScoreTally>;
}

/** The changes of a scoring step. */
export interface ScoreChanges {
  readonly put: readonly LampScore[];
  readonly removed: readonly LampKey[];
  /** True if forecasts remain to be scored. */
  readonly isMore: boolean;
}

type ScoreRow = Omit<LampScore, "tallies"> & {
  /**
   * JSON: for each version the sums, and the numbers of forecasts by error in tenths of an hour.
   */
  readonly tallies: string;
  readonly checksum: number;
};

/** Every score. Damaged ones are left out, as if never computed, and the damage is noted. */
export function lampScores(db: Connection): readonly LampScore[] {
  const rows = prepare(db, "lamp.scores").all({});
  return rows.flatMap((row) => {
    const score = withoutDamage(db, () => {
      provenRow("lamp_score", SCORE_KEY, row);
      return scoreOf(row);
    });
    return score ?? [];
  });
}

/** True if the lamp has ended, and a forecast can have been made for it. */
export function hasScore(one: ScoredLife): boolean {
  return one.outcome !== null && wasFitted(one);
}

/** Stores the changes of a scoring step, in the caller's transaction. */
export function putScores(db: Connection, { put, removed }: ScoreChanges): void {
  for (const { position, began_ms } of removed)
    prepare(db, "lamp.remove_score").run({ position, began_ms });
  for (const score of put) prepare(db, "lamp.put_score").run(rowOf(score));
}

/** The row of a score; its columns are in the table's order. */
function rowOf({ position, began_ms, basis, end_h, through_ms, tallies }: LampScore): ScoreRow {
  const stored = [...tallies].map(([version, { sums, errors, rated_errors, cells }]) => [
    version,
    {
      ...{ sums, errors: Object.fromEntries(errors) },
      ...{ rated_errors: Object.fromEntries(rated_errors), cells },
    },
  ]);
  return withRowChecksum({
    ...{ position, began_ms, basis, end_h, through_ms },
    tallies: JSON.stringify(Object.fromEntries(stored)),
  });
}

interface StoredTally {
  readonly sums: ScoreTally["sums"];
  readonly errors: Readonly<Record<string, number>>;
  readonly rated_errors: Readonly<Record<string, number>>;
  /** Missing in scores of earlier versions, which are made again. */
  readonly cells?: ScoreCells;
}

function scoreOf({ tallies, checksum: _, ...score }: ScoreRow): LampScore {
  const stored: Readonly<Record<string, StoredTally>> = JSON.parse(tallies);
  const known = Object.entries(stored).map(
    ([version, { sums, errors, rated_errors, cells = newCells() }]) => {
      const counts = { errors: countsOf(errors), rated_errors: countsOf(rated_errors) };
      return [version, { sums, ...counts, cells }] as const;
    },
  );
  return { ...score, tallies: new Map(known) };
}

function countsOf(counts: Readonly<Record<string, number>>): Map<number, number> {
  return new Map(Object.entries(counts).map(([tenths, times]) => [Number(tenths), times]));
}

/**
 * Number of forecasts per step: at some 12 us each it occupies a reader no longer than an answer
 * does.
 */
const FORECASTS_MAX = 4000;

/** An ended lamp whose scoring isn't finished. */
interface OpenLife {
  readonly ended: ScoredLife;
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
  const lives = scoredLives(state, limits).filter(hasScore);
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
export function isOf({ life }: ScoredLife, { position, began_ms }: LampKey): boolean {
  return life.began_ms === began_ms && life.places[0]?.position === position;
}

function openLife(ended: ScoredLife, stored: readonly LampScore[]): readonly OpenLife[] {
  const { life, end_h, basis } = ended;
  const known = stored.find((score) => isOf(ended, score));
  if (known?.basis === basis)
    return known.through_ms === null ? [] : [{ ended, score: known, isChanged: false }];
  const through_ms = life.began_ms - 1;
  const key = { position: life.places[0].position, began_ms: life.began_ms };
  return [
    { ended, score: { ...key, basis, end_h, through_ms, tallies: new Map() }, isChanged: true },
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
  const lamps = lampsOf(open.map(({ ended }) => ended));
  let scored = 0;
  let scored_ms: number | null = null;
  for (const row of forecastsOfLamps(db, { start_ms, end_ms }, lamps)) {
    const { at_ms, lamp } = row;
    const one = open.find(
      ({ ended, score }) =>
        at_ms > (score.through_ms ?? 0) && placeAt(ended.life, at_ms) === lamp - 1,
    );
    // Forecasts about to be replaced are skipped: the new ones are made after these lamps ended,
    // and score nothing.
    if (one === undefined || at_ms === replaced_ms) continue;
    if (scored >= FORECASTS_MAX && at_ms !== scored_ms) return at_ms - 1;
    scored += 1;
    scored_ms = at_ms;
    one.isChanged = true;
    if (isWholeForecast(db, row)) addRow(one, row, rated_h);
  }
  return null;
}

/** The numbers of the lamps' positions, 1 to 16. */
export function lampsOf(lives: readonly ScoredLife[]): readonly number[] {
  const places = lives.flatMap(({ life }) => life.places);
  return [...new Set(places.map(({ position }) => position + 1))];
}

/** False for a damaged forecast, which is noted; the others are scored all the same. */
export function isWholeForecast(db: Connection, row: ForecastRow): boolean {
  const proven = withoutDamage(db, () => {
    proveForecast(row);
    return true;
  });
  return proven ?? false;
}

/** Scores a forecast by the known life of its lamp. */
export function addRow(
  { ended, score }: { ended: ScoredLife; score: Pick<LampScore, "end_h" | "tallies"> },
  row: ForecastRow,
  rated_h: number,
): void {
  const { end_h, tallies } = score;
  const { failed_ms, began, began_ms } = ended.life;
  // Made before a replacement that was stated later: its hours are those of the lamp before.
  if (began !== "first_seen" && row.lamp_fitted_ms < began_ms) return;
  const age_h = row.lamp_runtime_hours;
  const isSaidEnded = row.expected_end !== null;
  // Made after the lamp had ended. An end stated in advance was wrong.
  if (age_h > end_h || (isSaidEnded && age_h === end_h)) return;
  if (row.expected_end === "failed" && row.at_ms >= (failed_ms ?? Number.POSITIVE_INFINITY)) return;
  const scored = {
    p05_h: row.remaining_useful_life_hours_p05,
    median_h: row.remaining_useful_life_hours,
    p95_h: row.remaining_useful_life_hours_p95,
    failure_probability: row.failure_probability,
    horizon_h: row.horizon_hours,
    age_h,
    left_h: end_h - age_h,
    ended: ended.outcome !== null && ended.outcome !== "replaced",
    isSaidEnded,
  };
  const model = modelOf(row.model_version);
  const tally = tallies.get(model) ?? newTally();
  tallies.set(model, tally);
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

/** Latest possible time of a forecast for the lamp. */
function lastOf({ life }: ScoredLife): number {
  return life.ended_ms === null ? Number.MAX_SAFE_INTEGER : life.ended_ms - 1;
}
