// Forecasts made aboard: those of all lamps at one reading are a row, compressed, for sixteen of
// them differ in little but their figures. A row each took 543 bytes, and at continuous duty more
// room in 24 months than every reading; those that come over MQTT stand in a table of their own.

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Prediction } from "../bwts/prediction.ts";
import { type Connection, prepare } from "./open.ts";
import type { ClosedRange } from "./query.ts";
import { proven, withChecksum } from "./row-checksum.ts";

/** A forecast for one lamp, with what the track record asks of it. */
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

interface RunRow {
  readonly at_ms: number;
  readonly forecasts: Uint8Array;
}

/** Stores a run's forecasts; one as of the same reading gives way to it. */
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

/** Runs of forecasts, newest first, each by lamp; so many that there are `count`, if there are. */
export function newestForecasts(db: Connection, count: number): readonly Forecast[] {
  const newest: Forecast[] = [];
  for (const row of prepare<object, RunRow>(db, "forecast.newest").iterate({})) {
    newest.push(...unpacked(row));
    if (newest.length >= count) break;
  }
  return newest;
}

/** Runs beyond so many are passed over, evenly in time: each costs a third of a millisecond. */
const RUNS_MAX = 3000;

/** The runs of a range in order of time, each by lamp; of very many some that lie evenly. */
export function* forecastRuns(
  db: Connection,
  range: ClosedRange,
): Generator<readonly Forecast[], void> {
  const from = prepare<object, RunRow>(db, "forecast.from");
  const newest = prepare<object, RunRow>(db, "forecast.newest").get({});
  const end_ms = Math.min(range.end_ms, newest?.at_ms ?? 0);
  const { count } = prepare<object, { count: number }>(db, "forecast.count").get({
    ...range,
    limit: RUNS_MAX + 1,
  }) ?? { count: 0 };
  const step_ms = count <= RUNS_MAX ? 0 : (end_ms - range.start_ms) / RUNS_MAX;
  let start_ms = range.start_ms;
  for (;;) {
    const row = from.get({ start_ms });
    if (row === undefined || row.at_ms > end_ms) return;
    yield unpacked(row);
    const steps = Math.floor((row.at_ms - range.start_ms) / Math.max(1, step_ms)) + 1;
    start_ms = step_ms === 0 ? row.at_ms + 1 : range.start_ms + Math.ceil(steps * step_ms);
  }
}

function unpacked({ at_ms, forecasts }: RunRow): readonly Forecast[] {
  const run: readonly Omit<Forecast, "at_ms">[] = JSON.parse(
    zstdDecompressSync(proven(forecasts, String(at_ms))).toString(),
  );
  return run.map((forecast) => ({ at_ms, ...forecast }));
}
