// Forecasts made aboard. Those of all lamps at one reading share a compressed row, since sixteen of
// them differ in little but their figures. A row each took 543 bytes and, at continuous duty, more
// space in 24 months than all readings. Forecasts that come over MQTT have a table of their own.

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Prediction } from "../../bwts/prediction.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type ClosedRange, EVER } from "../file/query.ts";
import { proven, withChecksum } from "../file/row-checksum.ts";

/** A forecast for one lamp, with the members that the track record uses. */
export interface Forecast extends Pick<Prediction, "at_ms" | "component_id"> {
  readonly predictions: Prediction["predictions"] & {
    readonly remaining_useful_life_hours: number;
    readonly remaining_useful_life_hours_p05: number;
    readonly remaining_useful_life_hours_p95: number;
    readonly failure_probability: number;
    readonly horizon_hours: number;
    readonly expected_end: string | null;
  };
  readonly current_state: Prediction["current_state"] & { readonly runtime_hours: number };
}

export interface RunRow {
  readonly at_ms: number;
  readonly forecasts: Uint8Array;
}

/** Stores a run's forecasts, in place of earlier ones for the same reading. */
export function putForecasts(db: Connection, forecasts: readonly Prediction[]): void {
  for (const [at_ms, run] of Map.groupBy(forecasts, (forecast) => forecast.at_ms)) {
    const lamps = run
      .map(({ component_id, predictions, current_state }) => ({
        component_id,
        predictions,
        current_state,
      }))
      .sort((one, other) => (one.component_id < other.component_id ? -1 : 1));
    const packed = withChecksum(zstdCompressSync(JSON.stringify(lamps)), String(at_ms));
    prepare(db, "forecast.put").run({ at_ms, forecasts: packed });
  }
}

/**
 * Runs of forecasts of a range, newest first, each by lamp; so many that there are `count`, if
 * there are.
 */
export function newestForecasts(
  db: Connection,
  count: number,
  { start_ms, end_ms }: ClosedRange = EVER,
): readonly Forecast[] {
  const newest: Forecast[] = [];
  const newestRuns = prepare<object, RunRow>(db, "forecast.newest");
  for (const row of newestRuns.iterate({ start_ms, end_ms })) {
    newest.push(...unpacked(row));
    if (newest.length >= count) break;
  }
  return newest;
}

/** The forecasts at one reading, unpacked on demand. */
export interface ForecastRun {
  readonly at_ms: number;
  /** By lamp. Throws a DamagedError if their checksum doesn't match. */
  forecasts(): readonly Forecast[];
}

/** The runs of a range in order of time. */
export function* forecastRuns(db: Connection, range: ClosedRange): Generator<ForecastRun, void> {
  const { start_ms, end_ms } = range;
  for (const row of prepare<object, RunRow>(db, "forecast.in_range").iterate({ start_ms, end_ms }))
    yield { at_ms: row.at_ms, forecasts: () => unpacked(row) };
}

/** Throws a DamagedError if they aren't what was stored. */
export function unpacked({ at_ms, forecasts }: RunRow): readonly Forecast[] {
  const run: readonly Omit<Forecast, "at_ms">[] = JSON.parse(
    zstdDecompressSync(proven(forecasts, "forecast", String(at_ms))).toString(),
  );
  return run.map((forecast) => ({ at_ms, ...forecast }));
}
