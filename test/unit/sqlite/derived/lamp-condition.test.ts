// A lamp past its life, by real readings: it is told since when and for how many hours, in every
// answer, and its wear is no risk of a failure.

import { expect, test } from "vitest";
import type { OverviewAnswer } from "../../../../src/bwts/present/overview.ts";
import { lampForecasts } from "../../../../src/sqlite/answers/lamp-hours.ts";
import { overviewJson } from "../../../../src/sqlite/answers/overview.ts";
import { plantNowJson } from "../../../../src/sqlite/answers/plant-now.ts";
import { failingLamps } from "../../../../src/sqlite/derived/lamp-condition.ts";
import { LAMPS } from "../../../../src/sqlite/derived/lamps.ts";
import { predictionTexts } from "../../../../src/sqlite/derived/predictions.ts";
import { EVER } from "../../../../src/sqlite/file/query.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { messageOf } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { LAMP_CONFIG, openFleet } from "../../../rig/fleet.ts";
import { printedRandom } from "../../../rig/random.ts";

const rigOf = rigsOfTests();
const random = printedRandom("lamp condition");

const OWN = {
  ...{ is_clock_trusted: true, is_ready: true, is_damaged: false, is_quarantining: false },
  is_cut: false,
  has_two_clocks: false,
};

test("a lamp past its life says since when, and is no risk of a failure", () => {
  const rig = rigOf();
  const fleet = openFleet(random, () => 400);
  fleet.lamps[1] = { hours: 1900, counter_off_h: 0, worn_h: 2000, bend: 1, failed: false };
  const began_ms = fleet.now_ms();
  for (let operation = 0; operation < 6; operation += 1) {
    const readings = fleet.operate({ hours: 72 });
    for (let at = 0; at < readings.length; at += 100)
      rig.store.commit([messageOf("telemetry", readings.slice(at, at + 100))]);
    derived(rig, LAMPS);
  }
  const now = { at_ms: null, now_ms: fleet.now_ms(), simulated: false, last_event_id: null };
  const unknown = { received_seconds_ago: 1, plant_clock_offset_seconds: null };
  const overview: OverviewAnswer = JSON.parse(
    overviewJson(rig.db, { ...now, ...unknown, ...OWN }, LAMP_CONFIG),
  );
  const [good, worn] = overview.lamps;
  expect(good).toMatchObject({ condition: "good", past_life: null });
  expect(worn).toMatchObject({ condition: "past_life", state: "active" });
  // Worn at 2,000 h of 2,332 h, found to a stretch of 30 h.
  expect(worn.past_life?.hours).toBeGreaterThan(250);
  expect(worn.past_life?.hours).toBeLessThan(400);
  const since_ms = Date.parse(worn.past_life?.since ?? "");
  expect(since_ms).toBeGreaterThan(began_ms);
  expect(since_ms).toBeLessThan(fleet.now_ms());
  expect(overview.to_do).toContain("lamps_past_life");

  const plant = JSON.parse(plantNowJson(rig.db, LAMP_CONFIG));
  expect(plant.plant.lamp_conditions.slice(0, 2)).toEqual(["good", "past_life"]);
  const each = { range: { start_ms: null, end_ms: null }, limit: 16, isEachLamp: true };
  const predictions = [...predictionTexts(rig.db, each)].map((text) => JSON.parse(text));
  expect(predictions[1]).toMatchObject({
    component_id: "LAMP_02",
    current_state: { status: "DEGRADED", condition: "past_life" },
  });
  const failing = failingLamps(lampForecasts(rig.db, EVER.end_ms), LAMP_CONFIG);
  expect(failing(24)).toEqual([]);
  expect(failing(20_000)).toHaveLength(16);
});

test("a good lamp of a ship that usually runs dimmed isn't near its end", () => {
  const rig = rigOf();
  const fleet = openFleet(random, () => 200);
  for (const [index, lamp] of fleet.lamps.entries())
    fleet.lamps[index] = { ...lamp, hours: 1000, worn_h: 3000 + 10 * index, bend: 1 };
  for (let operation = 0; operation < 9; operation += 1) {
    const power = operation % 4 === 3 ? 100 : 60;
    const alter = (reading: Record<string, string | number>) => {
      reading.UVR_POWER_SETPOINT = power;
      if (power === 100) return;
      for (const name of Object.keys(reading))
        if (name.endsWith("_EFFICIENCY")) reading[name] = 0.84 * Number(reading[name]);
    };
    const readings = fleet.operate({ hours: 36, alter });
    for (let at = 0; at < readings.length; at += 100)
      rig.store.commit([messageOf("telemetry", readings.slice(at, at + 100))]);
    derived(rig, LAMPS);
  }
  // 85 % at full power are 72 % at the set power of now, within 5 points of the end of life.
  const each = { range: { start_ms: null, end_ms: null }, limit: 16, isEachLamp: true };
  const states = [...predictionTexts(rig.db, each)].map((text) => JSON.parse(text).current_state);
  for (const { status, condition, efficiency_percent } of states) {
    expect(efficiency_percent).toBeLessThan(75);
    expect({ status, condition }).toEqual({ status: "OPERATIONAL", condition: "good" });
  }
  expect(states).toHaveLength(16);
});
