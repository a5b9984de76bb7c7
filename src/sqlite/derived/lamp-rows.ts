// The rows of lamps: saved states of the tracker, forecasts made aboard, and the engineer's
// statements. A run resumes from the newest valid state and reads only newer readings. Late
// readings and statements remove the states that they contradict, in the transaction that stores
// them. Forecasts received over MQTT have a table of their own.

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { ofStoredVersion, storedVersion } from "../../bwts/lamps/model-version.ts";
import type { StoredForecast } from "../../bwts/lamps/outlook.ts";
import { newState, TRACKER_VERSION, type TrackerState } from "../../bwts/lamps/state.ts";
import {
  expiredProblem,
  type LampWord,
  unreadProblem,
  WORD_REACH_MS,
} from "../../bwts/lamps/word.ts";
import { statedTimeProblem } from "../../bwts/stated-time.ts";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { printTime } from "../../ground/clock.ts";
import type { Declined } from "../../ground/errors.ts";
import { damageOf } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, EVER } from "../file/query.ts";
import {
  isWholeRow,
  keyOf,
  provenRow,
  rowProblem,
  type StoredRow,
  withRowChecksum,
} from "../file/row-checksum.ts";
import { oldestTime } from "../sealed/oldest-time.ts";
import { newestStored } from "../sealed/timeline.ts";
import type { Change, RowKey } from "./derivation.ts";

export const STATE_KEY = ["through_ms"];

/** A state that includes every reading up to `through_ms`: JSON, compressed with zstd. */
export interface PackedState {
  readonly through_ms: number;
  readonly state: Uint8Array;
}

export function packState(state: TrackerState): Uint8Array {
  return zstdCompressSync(JSON.stringify(state));
}

/** The newest valid state, and the time up to which it has read; a new state if there is none. */
export function newestState(db: Connection): { state: TrackerState; through_ms: number } {
  const rows = prepare(db, "lamp.states").iterate({
    version: TRACKER_VERSION,
  });
  for (const row of rows) {
    const { state, through_ms } = row;
    // Defaults fill members that a state of an earlier version lacks.
    if (isWholeRow(row)) {
      const stored = JSON.parse(zstdDecompressSync(state).toString());
      return { state: { ...newState(), ...stored }, through_ms };
    }
    damageOf(db).note(rowProblem("lamp_state", keyOf(row, STATE_KEY)));
  }
  return { state: newState(), through_ms: Number.NEGATIVE_INFINITY };
}

/** Stores states; of earlier ones only the last of each month is kept. */
export function putStates(db: Connection, states: readonly PackedState[]): void {
  for (const { through_ms, state } of states)
    prepare(db, "lamp.put_state").run(
      withRowChecksum({ through_ms, version: TRACKER_VERSION, state }),
    );
  prepare(db, "lamp.thin_states").run({});
}

/** Removes the states that a change in a range contradicts. */
export function forgetStates(db: Connection, { start_ms: at_ms }: ClosedRange): void {
  const newest = prepare(db, "lamp.newest_state").get({});
  // The check costs less than a deletion: readings are nearly always newer than any state.
  if (at_ms <= (newest?.at_ms ?? -1)) prepare(db, "lamp.forget_states").run({ at_ms });
}

/** True if a state can be computed again: none of its readings have expired. */
export function isStateAgain(db: Connection, { through_ms }: StoredRow): boolean {
  const toldFrom = prepare(db, "lamp.told_from").get({});
  return toldFrom === undefined || Number(through_ms) > Number(toldFrom.at_ms);
}

/** The engineer's statements in the order of receipt. */
export function lampWords(db: Connection): readonly LampWord[] {
  return prepare(db, "lamp.words")
    .all({})
    .map((row) => ({ ...row, replaced: row.replaced === 1 }));
}

/**
 * Stores the engineer's statement in the caller's transaction; returns null, or the reason to
 * refuse it.
 */
export function addLampWord(
  db: Connection,
  changed: (change: Change) => void,
  { word, now_ms }: { readonly word: LampWord; readonly now_ms: number },
): Declined | null {
  const toldFrom = prepare<"lamp.told_from", { at_ms: number }>(db, "lamp.told_from").get({});
  if (toldFrom !== undefined && word.at_ms <= toldFrom.at_ms)
    return expiredProblem(word, toldFrom.at_ms);
  // The later of both clocks counts, because this machine's may be behind the plant's.
  const problem = statedTimeProblem("at", word.at_ms, Math.max(now_ms, newestStored(db) ?? 0));
  if (problem !== null) return problem;
  const oldest_ms = oldestTime(db);
  if (oldest_ms !== null && word.at_ms + WORD_REACH_MS < oldest_ms)
    return unreadProblem(word, oldest_ms);
  prepare(db, "lamp.add_word").run({ ...word, replaced: word.replaced ? 1 : 0 });
  changed({ of: "lamp_words", instants: [word.at_ms - WORD_REACH_MS] });
  return null;
}

export const FORECAST_KEY = ["at_ms", "lamp"];

type Predictions = Omit<
  StoredForecast["predictions"],
  "data_through" | "counter_divisor" | "profile"
>;

/** A stored forecast for a lamp (1 to 16), with all columns of the table. */
export interface ForecastRow extends Predictions {
  readonly at_ms: number;
  readonly lamp: number;
  readonly lamp_runtime_hours: number;
  readonly lamp_efficiency_percent: number | null;
  readonly lamp_status: string;
  readonly lamp_fitted_ms: number;
  readonly checksum: number;
}

/** Stores a run's forecasts, replacing earlier ones for the same reading. */
export function putForecasts(db: Connection, forecasts: readonly StoredForecast[]): void {
  for (const at_ms of new Set(forecasts.map((forecast) => forecast.at_ms)))
    prepare(db, "forecast.remove").run({ at_ms });
  for (const forecast of forecasts) prepare(db, "forecast.put").run(rowOf(forecast));
}

/** The newest `limit` forecasts of a range, newest first, then by lamp. */
export function newestForecasts(
  db: Connection,
  limit: number,
  { start_ms, end_ms }: ClosedRange = EVER,
): readonly StoredForecast[] {
  const rows = prepare<"forecast.newest", ForecastRow>(db, "forecast.newest");
  return rows.all({ start_ms, end_ms, limit }).map(forecastOf);
}

/**
 * The stored forecasts of a range for some lamps, in order of time. Their checksums aren't checked.
 */
export function forecastsOfLamps(
  db: Connection,
  { start_ms, end_ms }: ClosedRange,
  lamps: readonly number[],
): Iterable<ForecastRow> {
  const rows = prepare<"forecast.of_lamps", ForecastRow>(db, "forecast.of_lamps");
  return rows.iterate({ start_ms, end_ms, lamps: JSON.stringify(lamps) });
}

/** The possible keys of forecasts, from the rows of runs. */
export function* forecastPlaces(db: Connection): Generator<RowKey> {
  for (const { at_ms } of prepare(db, "forecast.times").all({}))
    for (let lamp = 1; lamp <= LAMP_NUMBERS.length; lamp += 1) yield { at_ms, lamp };
}

/** True for forecasts of the latest run or later: then the lamps are forecast again. */
export function isForecastAgain(db: Connection, { at_ms }: StoredRow): boolean {
  const last = prepare(db, "lamp.run").get({});
  if (last === undefined || Number(at_ms) < last.at_ms) return false;
  prepare(db, "lamp.forget_run").run({});
  return true;
}

/** Throws a DamagedError if a forecast is damaged. */
export function proveForecast(row: ForecastRow): void {
  provenRow("forecast", FORECAST_KEY, row);
}

/** The row of a forecast, in the table's order, which `predictions` has as well. */
function rowOf({ at_ms, component_id, predictions, current_state }: StoredForecast): ForecastRow {
  const { data_through: _, counter_divisor: __, profile, ...predicted } = predictions;
  return withRowChecksum({
    ...{ at_ms, lamp: 1 + LAMP_NUMBERS.findIndex((lamp) => component_id === `LAMP_${lamp}`) },
    ...predicted,
    model_version: storedVersion(predicted.model_version, profile),
    lamp_runtime_hours: current_state.runtime_hours,
    lamp_efficiency_percent: current_state.efficiency_percent,
    lamp_status: current_state.status,
    lamp_fitted_ms: Date.parse(current_state.fitted),
  });
}

/** The forecast of a row. Throws a DamagedError if the row is damaged. */
export function forecastOf(row: ForecastRow): StoredForecast {
  proveForecast(row);
  const { at_ms, lamp, checksum: _, ...rest } = row;
  const { lamp_runtime_hours, lamp_efficiency_percent, lamp_status, lamp_fitted_ms, ...predicted } =
    rest;
  return {
    at_ms,
    component_id: `LAMP_${LAMP_NUMBERS[lamp - 1]}`,
    predictions: {
      ...predicted,
      ...ofStoredVersion(predicted.model_version),
      data_through: printTime(at_ms),
    },
    current_state: {
      runtime_hours: lamp_runtime_hours,
      efficiency_percent: lamp_efficiency_percent,
      status: lamp_status,
      fitted: printTime(lamp_fitted_ms),
    },
  };
}
