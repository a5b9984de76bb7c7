// Health scored aboard against records kept in a map, and what is answered of it beside records
// that came over MQTT.

import { expect, test } from "vitest";
import { overallScore, SLOT_MS } from "../../../../src/bwts/health.ts";
import { type HealthRecord, riskLevel } from "../../../../src/bwts/health-record.ts";
import { DAY_MS, HOUR_MS, monthOf } from "../../../../src/ground/clock.ts";
import { healthBucketsJson, newestHealth } from "../../../../src/sqlite/answers/health.ts";
import { healthBackwards } from "../../../../src/sqlite/derived/health-scores.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { messageOf } from "../../../rig/decoding.ts";
import { saveFound } from "../../../rig/derive.ts";
import { randomOf } from "../../../rig/sealing.ts";

const rigOf = rigsOfTests();
const START_MS = Date.UTC(2025, 11, 30);
const SLOTS = 4 * 96;
const seed = Number(process.env.TEST_SEED ?? 1 + Math.floor(Math.random() * 1e6));

/** A record as scoring makes them: rounded, some components missing, the score now and then odd. */
function recordAt(at_ms: number, random: () => number): HealthRecord {
  const component = () => (random() < 0.1 ? null : Math.round(random() ** 0.2 * 1e6) / 1e4);
  const components = {
    uv_health: component(),
    lamp_health: component(),
    power_efficiency: component(),
    thermal_health: component(),
  };
  const score = random() < 0.2 ? Math.round(random() * 1000) / 10 : overallScore(components);
  const risk_level = score === null ? null : riskLevel(score);
  const record = { at_ms, overall_score: score, risk_level, month: monthOf(at_ms), components };
  return { source: "ballastd", ...record };
}

test(`scores come back as they were saved, replaced and removed (TEST_SEED=${seed})`, () => {
  const random = randomOf(seed);
  const rig = rigOf();
  const expected = new Map<number, HealthRecord>();
  for (let round = 0; round < 60; round += 1) {
    const slots = Array.from({ length: 1 + Math.floor(random() * 20) }, () => {
      const start_ms = START_MS + Math.floor(random() * SLOTS) * SLOT_MS;
      const record = random() < 0.2 ? null : recordAt(start_ms, random);
      if (record === null) expected.delete(start_ms);
      else expected.set(start_ms, record);
      return { start_ms, record };
    });
    saveFound(rig, "health", slots);
  }
  const newestFirst = [...expected.values()].sort((one, other) => other.at_ms - one.at_ms);
  expect(newestHealth(rig.db, 10_000)).toEqual(newestFirst);
  expect(newestHealth(rig.db, 7)).toEqual(newestFirst.slice(0, 7));
  for (let trial = 0; trial < 30; trial += 1) {
    const start_ms = START_MS + Math.floor(random() * SLOTS * SLOT_MS);
    const end_ms = start_ms + Math.floor(random() * 2 * DAY_MS);
    expect([...healthBackwards(rig.db, { start_ms, end_ms })]).toEqual(
      newestFirst.filter(({ at_ms }) => at_ms >= start_ms && at_ms <= end_ms),
    );
  }
  saveFound(
    rig,
    "health",
    newestFirst.map(({ at_ms }) => ({ start_ms: at_ms, record: null })),
  );
  expect(newestHealth(rig.db, 10_000)).toEqual([]);
});

test("a bucket with scores made aboard leaves received ones out", () => {
  const { db, store } = rigOf();
  const slot = (at_ms: number, overall_score: number) => {
    const record = { ...recordAt(at_ms, () => 0.5), overall_score };
    return { start_ms: at_ms, record };
  };
  const slots = [slot(START_MS, 80), slot(START_MS + SLOT_MS, 81), slot(START_MS + DAY_MS, 60)];
  saveFound({ store }, "health", slots);
  for (const [hours, overall_score] of [
    [0, 10],
    [5, 20],
    [48, 30],
  ]) {
    const timestamp = new Date(START_MS + hours * HOUR_MS).toISOString();
    store.commit([messageOf("health", { timestamp, overall_score })]);
  }
  const range = { start_ms: 0, end_ms: START_MS + 10 * DAY_MS };
  const scores = (interval: "hour" | "day", limit: number | null): unknown => {
    const asked = limit === null ? { interval, range, limit: 1 } : { interval, range: null, limit };
    return JSON.parse(healthBucketsJson(db, asked)).map(
      (bucket: { overall_score: number; recordCount: number }) => [
        bucket.overall_score,
        bucket.recordCount,
      ],
    );
  };
  expect(scores("day", null)).toEqual([
    [80.5, 2],
    [60, 1],
    [30, 1],
  ]);
  expect(scores("hour", null)).toEqual([
    [80.5, 2],
    [20, 1],
    [60, 1],
    [30, 1],
  ]);
  expect(scores("hour", 3)).toEqual([
    [20, 1],
    [60, 1],
    [30, 1],
  ]);
  expect(newestHealth(db, 2).map(({ source }) => source)).toEqual(["mqtt", "ballastd"]);
});
