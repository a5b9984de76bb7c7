// Events, health and predictions by date through the built program: a range is what the whole list
// has of it, and one far back costs no more than the newest.

import { afterAll, beforeAll, expect, test } from "vitest";
import { openReader, statementText } from "../src/sqlite/open.ts";
import { type Appliance, startAppliance } from "./oracle/appliance.ts";
import { askChecked } from "./oracle/asking.ts";
import { DAY_MS, HOUR_MS } from "./oracle/grouping.ts";
import { printedRandom } from "./oracle/random.ts";

const NEWEST_MS = Date.parse("2026-05-01T12:00:00Z");
const OLDEST_MS = NEWEST_MS - 730 * DAY_MS;

const random = printedRandom("records");
const times = Array.from({ length: 60 }, () => random.between(OLDEST_MS, NEWEST_MS));
const TIMES = [...times, OLDEST_MS, NEWEST_MS, ...times.slice(0, 9).map((at_ms) => at_ms + 1)];

let appliance: Appliance;

beforeAll(async () => {
  appliance = await startAppliance();
  const scored = TIMES.slice(0, 8).map((timestamp) => ({
    ...{ timestamp, PROCESS_STATE: "RUNNING", UVR_INTENSITY: random.between(200, 700) },
  }));
  const events = TIMES.flatMap((timestamp, number) =>
    ["PROCESS_START", "ALARM_TRIGGERED"].map((event_type) => ({
      ...{ timestamp, event_type, description: `UV_LOW: ${number}`, data: { number } },
    })),
  );
  const health = TIMES.map((timestamp) => ({ timestamp, overall_score: random.between(0, 100) }));
  const predictions = TIMES.flatMap((timestamp) =>
    ["LAMP_02", "LAMP_16"].map((component_id) => ({
      ...{ timestamp, component_id, predictions: { failure_probability: 0.5 } },
    })),
  );
  const kinds = { telemetry: scored, events, health, predictions };
  await appliance.publish(
    Object.entries(kinds).map(([kind, all]) => ({ kind, payload: JSON.stringify(all) })),
  );
  const slots = new Set(scored.map(({ timestamp }) => Math.floor(timestamp / (HOUR_MS / 4))));
  await appliance.program.waitUntil("health is scored", async () => {
    const { length } = await appliance.json("/api/health?limit=10000");
    return length === new Set(TIMES).size + slots.size;
  });
});

afterAll(() => appliance?.[Symbol.asyncDispose]());

interface Timed {
  readonly timestamp: string;
}

const PATHS = ["/api/events", "/api/events?type=PROCESS_START", "/api/health", "/api/predictions"];

test.each(PATHS)("%s answers a range as the whole list has it", async (path) => {
  const asked = (more: string) => `${path}${path.includes("?") ? "&" : "?"}${more}`;
  const all: readonly Timed[] = await appliance.json(asked("limit=10000"));
  expect(all.length).toBeGreaterThan(60);
  const expected = (from_ms: number, to_ms: number) =>
    all.filter(({ timestamp }) => {
      const at_ms = Date.parse(timestamp);
      return at_ms >= from_ms && at_ms <= to_ms;
    });
  for (let turn = 0; turn < 20; turn += 1) {
    const [from_ms, to_ms] = [random.pick(TIMES), random.pick(TIMES)].sort((a, b) => a - b);
    const start = `startDate=${new Date(from_ms).toISOString()}`;
    const end = `endDate=${new Date(to_ms).toISOString()}`;
    const limit = random.between(1, 9);
    const both = expected(from_ms, to_ms);
    expect(await appliance.json(asked(`${start}&${end}&limit=10000`))).toEqual(both);
    expect(await appliance.json(asked(`${end}&${start}&limit=${limit}`))).toEqual(
      both.slice(0, limit),
    );
    expect(await appliance.json(asked(`${start}&limit=10000`))).toEqual(
      expected(from_ms, NEWEST_MS),
    );
    expect(await appliance.json(asked(end))).toEqual(expected(0, to_ms).slice(0, 100));
  }
  const day = Math.floor(OLDEST_MS / DAY_MS) * DAY_MS;
  const date = new Date(OLDEST_MS).toISOString().slice(0, 10);
  const ofDay = await askChecked(appliance, "GET", asked(`startDate=${date}&endDate=${date}`));
  expect(JSON.parse(ofDay.bytes.toString())).toEqual(expected(day, day + DAY_MS - 1));
  expect(await appliance.json(asked("startDate=2030-01-01"))).toEqual([]);
});

// Predictions of one time, of some lamps each, are sorted by lamp.
test("no range walks a table, nor sorts more than what is of one time", () => {
  const db = openReader(`${appliance.program.folder}/data/ballastd.db`);
  for (const name of [
    ...["event.newest", "event.newest_of_type", "health.received_newest", "health.newest_day"],
    ...["prediction.newest", "forecast.newest"],
  ]) {
    const plan = db
      .prepare<[object], { detail: string }>(`explain query plan ${statementText(name)}`)
      .all({ start_ms: 0, end_ms: 1, limit: 1, event_type: "", from_ms: 0, before_ms: 1 })
      .map(({ detail }) => detail);
    expect(plan[0], name).toMatch(/^SEARCH \w+ USING .*(at_ms|day_ms|rowid)>\? AND .*<\?/);
    expect(plan.join(), name).not.toMatch(/SCAN|B-TREE FOR ORDER/);
  }
  db.close();
});
