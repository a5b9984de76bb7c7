// Derived data proves itself: a flipped bit anywhere in a sum, a score, a forecast or a lamp's
// state, or in the numbers beside them, is found, and never answered.

import { beforeEach, describe, expect, test } from "vitest";
import type { StoredForecast } from "../../../../src/bwts/lamps/outlook.ts";
import { newState } from "../../../../src/bwts/lamps/state.ts";
import { newTally } from "../../../../src/bwts/lamps/track-record.ts";
import { DamagedError } from "../../../../src/codec/bytes.ts";
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS, printTime } from "../../../../src/ground/clock.ts";
import { eventTexts, recentEventsJson } from "../../../../src/sqlite/answers/events.ts";
import { rowsProblem } from "../../../../src/sqlite/derived/derived.ts";
import { GAPS } from "../../../../src/sqlite/derived/gaps.ts";
import { HEALTH } from "../../../../src/sqlite/derived/health-scores.ts";
import {
  newestState,
  packState,
  putForecasts,
  putStates,
} from "../../../../src/sqlite/derived/lamp-rows.ts";
import { putScores } from "../../../../src/sqlite/derived/lamp-scores.ts";
import { damageOf } from "../../../../src/sqlite/file/damage.ts";
import type { Connection } from "../../../../src/sqlite/file/open.ts";
import { storedBuckets } from "../../../../src/sqlite/sealed/buckets.ts";
import { countedPieces, countOf } from "../../../../src/sqlite/sealed/counts.ts";
import { hotProblems } from "../../../../src/sqlite/sealed/hot.ts";
import { readingsIn } from "../../../../src/sqlite/sealed/timeline.ts";
import { openBucketRepair } from "../../../../src/sqlite/threads/bucket-repair.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { derived, dueOf } from "../../../rig/derive.ts";

const rigOf = rigsOfTests();
const DAYS = 16;
const NEWEST_EVENT = {
  name: "events",
  range: { start_ms: null, end_ms: null },
  type: null,
  limit: 1,
} as const;

let db: Connection;
let dir: string;
beforeEach(() => {
  const rig = rigOf();
  ({ db, dir } = rig);
  const from_ms = AT_MS - DAYS * DAY_MS;
  rig.store.commit(
    Array.from({ length: (DAYS * DAY_MS) / HOUR_MS }, (_, hour) =>
      messageOf("telemetry", { timestamp: from_ms + hour * HOUR_MS, SYS_PRESSURE: hour / 10 }),
    ),
  );
  while (rig.store.sealOld(RECEIVED_MS + 2 * DAY_MS));
  const components = { uv_health: 1, lamp_health: 0.5, power_efficiency: 1, thermal_health: null };
  const score = { overall_score: 83.3, risk_level: "LOW", month: 5, source: "ballastd" } as const;
  const record = { at_ms: from_ms, ...score, components };
  HEALTH.save(db, [{ start_ms: from_ms, record }], {
    changed_from_ms: 0,
    again() {},
    append() {},
    now_ms: 0,
  });
  putForecasts(db, [forecastAt(from_ms)]);
  putStates(db, [{ through_ms: from_ms, state: packState(newState()) }]);
  const lampScore = {
    ...{ position: 3, began_ms: from_ms, basis: "[]", end_h: 4100, through_ms: null },
    tallies: new Map([["lamps-1", newTally()]]),
  };
  putScores(db, { put: [lampScore], removed: [], isMore: false });
});

function forecastAt(at_ms: number): StoredForecast {
  return {
    ...{ at_ms, component_id: "LAMP_01" },
    predictions: {
      ...{ remaining_useful_life_hours: 4000, failure_probability: 0.1, efficiency_percent: 80 },
      ...{ remaining_useful_life_hours_p05: 3000, remaining_useful_life_hours_p95: 5000 },
      ...{
        horizon_hours: 500,
        basis: "fit",
        model_version: "lamps-1",
        counter_divisor: null,
        profile: null,
      },
      ...{ data_through: printTime(at_ms), expected_end: null },
      ...{ remaining_operations: null, remaining_days: 300 },
      ...{ end_date_p05: "2026-11-01", end_date_p50: "2027-01-01", end_date_p95: null },
    },
    current_state: {
      ...{ runtime_hours: 4000, efficiency_percent: 90, status: "OPERATIONAL" },
      fitted: printTime(at_ms - DAY_MS),
    },
  };
}

describe.each(["health", "forecast", "lamp_state", "lamp_score"])("%s", (table) => {
  test("is found damaged by another value in any of its columns", () => {
    expect(rowsProblem(db)).toBeNull();
    const row = db.prepare<[], Record<string, unknown>>(`select * from ${table}`).get() ?? {};
    for (const [column, value] of Object.entries(row))
      for (const wrong of wrongValues(value)) {
        // SQLite takes whole numbers alone for a row's id.
        if (/^(at|through)_ms$/.test(column) && !Number.isInteger(wrong)) continue;
        db.exec("savepoint whole");
        db.prepare(`update or ignore ${table} set ${column} = ?`).run(wrong);
        expect(rowsProblem(db), `${column}: ${value} as ${wrong}`).toContain(
          `${table}: the row of `,
        );
        db.exec("rollback to whole; release whole");
      }
    expect(rowsProblem(db)).toBeNull();
  });
});

/** A value as a flipped bit, or a flipped type, can leave it. */
function wrongValues(value: unknown): readonly unknown[] {
  if (value === null) return [0, "x"];
  if (typeof value === "number") return [value + 1, value * 2 + 0.5, "x", "", Buffer.alloc(0)];
  if (typeof value === "string") return [`${value}x`, `X${value.slice(1)}`, 7];
  if (!Buffer.isBuffer(value)) throw new Error(`expected a value of SQLite, got ${value}`);
  const flipped = Buffer.from(value);
  flipped[value.length >> 1] ^= 4;
  return [flipped, value.subarray(1), "x"];
}

test("an event is answered as it was stored, or named as damaged", () => {
  const { db: other, store } = rigOf();
  const event = { timestamp: AT_MS, event_type: "PROCESS_START", data: { location: "Rotterdam" } };
  store.commit([messageOf("events", event)]);
  expect([...eventTexts(other, NEWEST_EVENT)].join()).toContain("Rotterdam");
  for (const change of [
    "description = 'BALLAST process begun'",
    "at_ms = at_ms + 1",
    "event_type = 'PROCESS_STOP'",
    "data = replace(data, 'Rotterdam', 'Rotterdan')",
    "data = '{'",
    "identity = zeroblob(32)",
  ]) {
    other.exec(`savepoint whole; update event set ${change}`);
    const told = [...eventTexts(other, NEWEST_EVENT)].map((text) => JSON.parse(text));
    expect(told, change).toMatchObject([{ data: { location: null, damaged: true } }]);
    expect(JSON.parse(recentEventsJson(other)), change).toEqual(told);
    other.exec("rollback to whole; release whole");
  }
});

test("a reading that isn't sealed yet is found damaged when it is asked for", () => {
  const { db: other, store } = rigOf();
  store.commit([messageOf("telemetry", { timestamp: AT_MS, SYS_PRESSURE: 4, NOTE: "as it was" })]);
  const ask = () => [...readingsIn(other, { start_ms: AT_MS, end_ms: AT_MS })];
  expect(ask()).toMatchObject([{ at_ms: AT_MS }]);
  const stored = other.prepare("select row from reading").pluck().get();
  if (!Buffer.isBuffer(stored)) throw new Error(`row: got ${stored}`);
  const write = other.prepare("update reading set row = ?");
  for (let byte = 0; byte < stored.length; byte += 1) {
    const flipped = Buffer.from(stored);
    flipped[byte] ^= 1 << (byte % 8);
    write.run(flipped);
    expect(ask).toThrow(DamagedError);
  }
});

test("a reading that isn't sealed yet is found damaged in the numbers beside it", () => {
  const { db: other, store } = rigOf();
  const send = (more: object) =>
    store.commit([messageOf("telemetry", { timestamp: AT_MS, SYS_PRESSURE: 4, ...more })]);
  const range = { start_ms: AT_MS - DAY_MS, end_ms: AT_MS + DAY_MS };
  const total = () => countOf(countedPieces(other, range));
  const find = (change: string) => {
    other.exec(`savepoint whole; update reading set ${change}`);
    expect(() => [...readingsIn(other, range)], change).toThrow(DamagedError);
    expect([...hotProblems(other)], change).toHaveLength(1);
  };
  const restore = () => other.exec("rollback to whole; release whole");
  send({});
  for (const change of ["received_ms = received_ms + 1", "clock_trusted = 0", "supersedes = 1"]) {
    find(change);
    expect(total(), change).toBe(1);
    restore();
  }
  while (store.sealOld(RECEIVED_MS + 2 * DAY_MS));
  send({ NOTE: "more" });
  send({ AGAIN: "and more" });
  expect([...readingsIn(other, range)]).toHaveLength(1);
  expect(total()).toBe(1);
  find("supersedes = 0");
  expect(total).toThrow(DamagedError);
  restore();
});

test("raw readings expire by whole days: any other mark is damage", () => {
  db.exec(`insert into mark (name, value) values ('raw_from_ms', ${DAY_MS * 20_000 + 1})`);
  expect(rowsProblem(db)).toContain("no whole day");
});

test("a damaged score is computed again from its readings, after the next start", () => {
  const rig = rigOf({}, dir);
  rig.db.exec("delete from due where derivation = 'health'; update health set uv_health = 2");
  derived(rig, HEALTH);
  expect(rowsProblem(rig.db)).toContain("health: the row of ");
  while (rig.store.sealFull());
  derived(rig, HEALTH);
  // No water was treated.
  expect(rig.db.prepare("select * from health").all()).toEqual([]);
});

test("lamps go on from a whole state", () => {
  db.exec("update lamp_state set state = x'00'");
  expect(newestState(db).through_ms).toBe(Number.NEGATIVE_INFINITY);
  expect(damageOf(db).take()).toEqual([expect.stringMatching(/^lamp_state: the row of /)]);
});

test("sums and counts that are damaged are made again, step by step, from their readings", () => {
  const stored = () =>
    (["hour", "day"] as const).map((interval) => storedBuckets(db, interval, ALWAYS));
  const before = stored();
  expect(before.map((all) => all.length)).toEqual([DAYS * 24, DAYS + 1]);
  for (const change of ["count = count + 1", "SYS_PRESSURE_sum = 7", "SYS_PRESSURE_max = null"])
    db.exec(`update bucket set ${change} where id % 5 = ${change.length % 5}`);
  expect(stored).toThrow(DamagedError);
  for (const step = openBucketRepair(db); step(); );
  expect(stored()).toEqual(before);
  expect(rowsProblem(db)).toBeNull();
  expect(damageOf(db).take()).toContainEqual(expect.stringMatching(/^bucket: the row of day /));
  // A damaged start leaves the place where the row belongs without one.
  db.exec(`update bucket set start_ms = start_ms + ${400 * DAY_MS} where id in (2, 3, 50)`);
  db.exec("delete from bucket where id = 90");
  expect(stored).toThrow(DamagedError);
  for (const step = openBucketRepair(db); step(); );
  expect(stored()).toEqual(before);
});

test("a gap after midnight is searched again when readings before midnight change", () => {
  const rig = rigOf();
  const midnight_ms = floorTo(AT_MS, DAY_MS) - 2 * DAY_MS;
  const send = (minutes: readonly number[]) =>
    rig.store.commit(
      minutes.map((minute) => {
        const timestamp = printTime(midnight_ms + minute * MINUTE_MS);
        return messageOf("telemetry", { timestamp, PROCESS_STATE: "RUNNING" });
      }),
    );
  const gaps = () => rig.db.prepare("select start_ms, end_ms from gap").all();
  send([-25, -20, -15, -10, -5, 0, 20, 21]);
  derived(rig, GAPS);
  expect(gaps()).toEqual([]);
  // One a minute is the cadence, as is found now.
  send(Array.from({ length: 20 }, (_, index) => -1 - index));
  expect(dueOf(rig, "gaps")).toContain(midnight_ms);
  derived(rig, GAPS);
  expect(gaps()).toContainEqual({ start_ms: midnight_ms, end_ms: midnight_ms + 20 * MINUTE_MS });
});

const ALWAYS = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };
