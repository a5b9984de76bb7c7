// The track record by the versions of the model that made the forecasts: a database of an update or
// two has forecasts of each.

import { afterEach, expect, test } from "vitest";
import { MODEL_VERSION } from "../../../../src/bwts/lamps/model-version.ts";
import type { StoredForecast } from "../../../../src/bwts/lamps/outlook.ts";
import type { TrackRecord } from "../../../../src/bwts/lamps/track-record.ts";
import { DAY_MS } from "../../../../src/ground/clock.ts";
import { trackRecordJson } from "../../../../src/sqlite/answers/lamps.ts";
import { newestForecasts, putForecasts } from "../../../../src/sqlite/derived/lamp-rows.ts";
import { LAMPS } from "../../../../src/sqlite/derived/lamps.ts";
import { openRig, type Rig, removeFolders } from "../../../rig/database.ts";
import { messageOf } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { LAMP_CONFIG, openFleet } from "../../../rig/fleet.ts";
import { printedRandom } from "../../../rig/random.ts";

afterEach(removeFolders);

const random = printedRandom("lamp models");
const recordOf = ({ db }: Rig): TrackRecord => JSON.parse(trackRecordJson(db, LAMP_CONFIG));

/** A ship of six operations, after which two lamps fail. */
function ship() {
  const rig = openRig();
  const fleet = openFleet(random, (lamp) => 300 + 20 * lamp);
  for (let operation = 0; operation < 8; operation += 1) {
    if (operation === 6) for (const lamp of fleet.lamps.slice(3, 5)) lamp.failed = true;
    const readings = fleet.operate();
    for (let at = 0; at < readings.length; at += 100)
      rig.store.commit([messageOf("telemetry", readings.slice(at, at + 100))]);
    derived(rig, LAMPS);
  }
  return { rig, failed_ms: fleet.now_ms() - 20 * DAY_MS };
}

function withModel(forecast: StoredForecast, model_version: string): StoredForecast {
  return { ...forecast, predictions: { ...forecast.predictions, model_version } };
}

test("each version of the model has its own scores, which add up to those of all", () => {
  const { rig, failed_ms } = ship();
  const before = recordOf(rig);
  const { models: [only] = [], lamps_ended, message: _message, ...all } = before;
  expect(lamps_ended).toMatchObject({ failed: 2 });
  expect(all.forecasts_scored).toBeGreaterThan(0);
  expect(before.models).toEqual([{ model_version: MODEL_VERSION, ...all }]);
  const runs = Map.groupBy(newestForecasts(rig.db, 1e6), ({ at_ms }) => at_ms);
  for (const [at_ms, run] of runs) {
    const isOld = at_ms < failed_ms - 35 * DAY_MS;
    const version = isOld ? "lamps-2, counters / 60" : "lamps-11";
    const changed = run.map((one) => withModel(one, version));
    if (at_ms < failed_ms - 15 * DAY_MS) putForecasts(rig.db, changed);
  }
  rig.db.exec("delete from lamp_score");
  derived(rig, LAMPS);
  const { models, ...after } = recordOf(rig);
  expect({ ...after, models: [only] }).toEqual(before);
  const versions = models.map(({ model_version }) => model_version);
  expect(versions).toEqual([MODEL_VERSION, "lamps-11", "lamps-2"]);
  const scored = models.map(({ forecasts_scored }) => forecasts_scored);
  for (const count of scored) expect(count).toBeGreaterThan(0);
  expect(scored.reduce((sum, count) => sum + count)).toBe(all.forecasts_scored);
  expect(new Set(models.map(({ median_error_hours }) => median_error_hours)).size).toBe(3);
  rig.close();
});

test("after an update the present model stands first, with nothing scored yet", () => {
  const { rig } = ship();
  const runs = Map.groupBy(newestForecasts(rig.db, 1e6), ({ at_ms }) => at_ms);
  for (const run of runs.values())
    putForecasts(
      rig.db,
      run.map((one) => withModel(one, "lamps-2")),
    );
  rig.db.exec("delete from lamp_score");
  derived(rig, LAMPS);
  expect(recordOf(rig).models).toMatchObject([
    { model_version: MODEL_VERSION, forecasts_scored: 0, coverage: null, brier: null },
    { model_version: "lamps-2", forecasts_scored: recordOf(rig).forecasts_scored },
  ]);
  rig.close();
});
