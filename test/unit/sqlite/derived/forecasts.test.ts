import { expect, test } from "vitest";
import { LAMP_NUMBERS } from "../../../../src/bwts/tags.ts";
import { printTime } from "../../../../src/ground/clock.ts";
import { newestForecasts, putForecasts } from "../../../../src/sqlite/derived/lamp-rows.ts";
import { predictionTexts } from "../../../../src/sqlite/derived/predictions.ts";
import { prepare } from "../../../../src/sqlite/file/open.ts";
import { openRig } from "../../../rig/database.ts";

const AT_MS = Date.UTC(2026, 4, 1);

function forecast(at_ms: number, lamp: string, hours: number) {
  return {
    at_ms,
    component_id: `LAMP_${lamp}`,
    predictions: {
      remaining_useful_life_hours: hours,
      failure_probability: 0.125,
      efficiency_percent: null,
      remaining_useful_life_hours_p05: hours / 4,
      remaining_useful_life_hours_p95: hours * 2,
      horizon_hours: 500,
      basis: "fit",
      model_version: "lamps-1",
      expected_end: null,
      remaining_operations: 12.5,
      remaining_days: 100,
      end_date_p05: "2026-07-01",
      end_date_p50: "2026-08-09",
      end_date_p95: null,
      counter_divisor: null,
      profile: null,
      data_through: printTime(at_ms),
    },
    current_state: {
      runtime_hours: 1234.5,
      efficiency_percent: 91.5,
      status: "OPERATIONAL",
      fitted: "2025-01-01T00:00:00.000Z",
    },
  };
}

interface Answered {
  readonly timestamp: string;
  readonly component_id: string;
  readonly predictions: { readonly remaining_useful_life_hours: number };
}

const newest = (limit: number) =>
  ({ name: "predictions", range: { start_ms: null, end_ms: null }, limit }) as const;

const idsOf = (texts: Iterable<string>) =>
  [...texts].map((text) => {
    const { timestamp, component_id, predictions }: Answered = JSON.parse(text);
    return `${timestamp} ${component_id} ${predictions.remaining_useful_life_hours}`;
  });

test("forecasts made aboard and received ones are served newest first, then by lamp", () => {
  const db = openRig().db;
  putForecasts(db, [forecast(AT_MS, "02", 2000), forecast(AT_MS, "01", 1000)]);
  putForecasts(db, [forecast(AT_MS + 1000, "01", 990)]);
  prepare(db, "prediction.add").run({
    at_ms: AT_MS,
    component_id: "LAMP_01",
    predictions: JSON.stringify({ remaining_useful_life_hours: 7 }),
    current_state: "{}",
  });
  const all = [
    "2026-05-01T00:00:01.000Z LAMP_01 990",
    "2026-05-01T00:00:00.000Z LAMP_01 1000",
    "2026-05-01T00:00:00.000Z LAMP_01 7",
    "2026-05-01T00:00:00.000Z LAMP_02 2000",
  ];
  expect(idsOf(predictionTexts(db, newest(100)))).toEqual(all);
  expect(idsOf(predictionTexts(db, newest(3)))).toEqual(all.slice(0, 3));
});

test("each lamp's newest forecast is served, however many of one lamp were received", () => {
  const db = openRig().db;
  const of = (limit: number) => predictionTexts(db, { ...newest(limit), isEachLamp: true });
  const receive = (at_ms: number, lamp: string, hours: number) =>
    prepare(db, "prediction.add").run({
      ...{ at_ms, component_id: `LAMP_${lamp}`, current_state: "{}" },
      predictions: JSON.stringify({ remaining_useful_life_hours: hours }),
    });
  for (let later = 1; later <= 20; later += 1) receive(AT_MS + later * 1000, "01", later);
  receive(AT_MS - 1000, "03", 33);
  receive(AT_MS - 1000, "16", 66);
  const before = "2026-04-30T23:59:59.000Z LAMP_";
  expect(idsOf(of(16))).toEqual([
    "2026-05-01T00:00:20.000Z LAMP_01 20",
    ...[`${before}03 33`, `${before}16 66`],
  ]);
  putForecasts(
    db,
    LAMP_NUMBERS.map((lamp) => forecast(AT_MS, lamp, 1000)),
  );
  const all = [
    "2026-05-01T00:00:20.000Z LAMP_01 20",
    ...LAMP_NUMBERS.slice(1).map((lamp) => `2026-05-01T00:00:00.000Z LAMP_${lamp} 1000`),
  ];
  expect(idsOf(of(16))).toEqual(all);
  expect(idsOf(of(3))).toEqual(all.slice(0, 3));
});

test("forecasting again as of the same reading replaces what was forecast", () => {
  const db = openRig().db;
  putForecasts(db, [forecast(AT_MS, "01", 1000), forecast(AT_MS, "02", 1500)]);
  putForecasts(db, [forecast(AT_MS, "01", 900)]);
  expect(newestForecasts(db, 100)).toEqual([forecast(AT_MS, "01", 900)]);
});

test("forecasts are plain numbers in the table, and come back as they were", () => {
  const db = openRig().db;
  const run = LAMP_NUMBERS.map((lamp, index) => forecast(AT_MS, lamp, 1000.1 + index * 123.4));
  putForecasts(db, run);
  expect(newestForecasts(db, 16)).toEqual(run);
  const [first] = newestForecasts(db, 1);
  expect(JSON.stringify(first)).toBe(JSON.stringify(run[0]));
  const row = db.prepare("select * from forecast where lamp = 7").get();
  expect(row).toMatchObject({
    ...{ at_ms: AT_MS, remaining_useful_life_hours: 1740.5, failure_probability: 0.125 },
    ...{ lamp_runtime_hours: 1234.5, lamp_fitted_ms: Date.UTC(2025, 0, 1) },
  });
});
