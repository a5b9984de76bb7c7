// Health through the built program: scored aboard from readings, by the contract's formula, again
// when a reading comes late; received over MQTT and kept apart; summed up by hour and day.

import { describe, expect, test } from "vitest";
import { LAMP_NUMBERS } from "../../src/bwts/tags.ts";
import { type Appliance, type Sent, startAppliance } from "../oracle/appliance.ts";
import {
  expectedHealth,
  expectedHealthBuckets,
  type FlatHealth,
  healthProblems,
  LIMITS_ENV,
  SLOT_MS,
} from "../oracle/scoring.ts";
import { HOUR_MS, type Interval, within } from "../rig/grouping.ts";
import { isNear, type Logbook, openLogbook, printed, type Value } from "../rig/logbook.ts";
import { printedRandom, type Random } from "../rig/random.ts";

const STARTS = ["2023-12-31T22:00Z", "2024-02-29T22:30Z", "2026-05-01T06:00Z"].map((text) =>
  Date.parse(text),
);

/** Fields that all treating readings of a slot share; at least one component can be scored. */
function randomSlot(random: Random): Map<string, Value> {
  const fields = new Map<string, Value>([["POWER_COMPENSATION_PCT", random.between(0, 60)]]);
  if (random.chance(0.8)) fields.set("UVR_INTENSITY", random.between(50, 900));
  if (random.chance(0.8)) fields.set("LDC_AIR_TEMP", random.between(30, 60));
  if (random.chance(0.8)) fields.set("UVR_WATER_TEMP", random.between(380, 470) / 10);
  if (random.chance(0.2)) fields.set("AVG_LAMP_EFFICIENCY", random.between(0, 100));
  else
    for (const number of LAMP_NUMBERS) {
      if (random.chance(0.8))
        fields.set(`LAMP_${number}_EFFICIENCY`, random.between(4000, 9999) / 100);
      if (random.chance(0.5))
        fields.set(`LAMP_${number}_STATUS`, random.pick(["ACTIVE", "FAILED", "STANDBY", "OK"]));
    }
  if (fields.has("UVR_INTENSITY") && random.chance(0.2)) fields.delete("POWER_COMPENSATION_PCT");
  return fields;
}

// Treating or not; 40 m3/h is 5 % of the tests' limit, which isn't above it.
const TREATING: readonly [string, Value][] = [
  ["PROCESS_STATE", "RUNNING"],
  ["PROCESS_STATE", "BACKFLUSH"],
  ["SYS_FLOW_RATE", 40.001],
  ["SYS_FLOW_RATE", 640],
];
const IDLE: readonly (readonly [string, Value][])[] = [
  [["PROCESS_STATE", "IDLE"]],
  [
    ["PROCESS_STATE", "CIP"],
    ["SYS_FLOW_RATE", 700],
  ],
  [
    ["PROCESS_STATE", "WARMUP"],
    ["UVR_INTENSITY", 5],
  ],
  [
    ["SYS_FLOW_RATE", 40],
    ["UVR_INTENSITY", 5],
  ],
  [["UVR_INTENSITY", 5]],
];

const FLOWING: readonly [string, Value] = ["SYS_FLOW_RATE", 640];
const TREATED: Fields = [
  ["PROCESS_STATE", "RUNNING"],
  ["UVR_INTENSITY", 600],
];

type Fields = readonly (readonly [string, Value])[];

async function send(
  { appliance, logbook }: { appliance: Appliance; logbook: Logbook },
  readings: readonly { at_ms: number; fields: Fields }[],
): Promise<void> {
  const messages = readings.map(({ at_ms, fields }): Sent => {
    logbook.note({ at_ms, fields: new Map(fields) });
    const members = { timestamp: at_ms, ...Object.fromEntries(fields) };
    return { kind: "telemetry", payload: JSON.stringify(members) };
  });
  await appliance.publish(messages);
}

async function waitForScores(appliance: Appliance, logbook: Logbook): Promise<void> {
  let problems: readonly string[] = [];
  const isScored = async () => {
    const answered = await appliance.json("/api/health?limit=10000");
    problems = healthProblems(expectedHealth(logbook.readings()), answered);
    return problems.length === 0;
  };
  const what = "the scores to be those of the formula";
  await appliance.program.waitUntil(what, isScored).catch((error) => {
    throw new Error(problems.slice(0, 5).join("\n"), { cause: error });
  });
}

test("closed slots are scored by the formula, and again when a reading comes late", async () => {
  const random = printedRandom("health scored aboard");
  await using appliance = await startAppliance({ env: LIMITS_ENV });
  const logbook = openLogbook("BWTS-001");
  const late: { at_ms: number; fields: Fields }[] = [];
  const readings = STARTS.flatMap((first_ms) =>
    [...Array(12).keys()].flatMap((number) => {
      const start_ms = first_ms + number * SLOT_MS;
      const common = [...randomSlot(random)];
      const times = random.shuffled([0, 1, 7000, 450_000, 899_000, SLOT_MS - 1]);
      const inSlot = times.map((offset_ms, index) => {
        const isTreating = random.chance(0.6) && number % 4 !== 3;
        const fields = isTreating ? [...common, random.pick(TREATING)] : random.pick(IDLE);
        return { at_ms: start_ms + offset_ms, fields, isLate: index === 0 && random.chance(0.3) };
      });
      late.push(...inSlot.filter(({ isLate }) => isLate));
      return inSlot.filter(({ isLate }) => !isLate);
    }),
  );
  const turning = { at_ms: STARTS[1] - SLOT_MS, fields: [FLOWING, ...TREATED.slice(1)] };
  await send({ appliance, logbook }, random.shuffled([...readings, turning]));
  await waitForScores(appliance, logbook);
  const idleBefore = { at_ms: STARTS[0] + 3 * SLOT_MS + 8, fields: [...TREATED] };
  // In a slot that ends in four minutes or later; the oracle isn't told of it.
  const open = { at_ms: Date.now() + 240_000, fields: [...TREATED] };
  await send({ appliance, logbook: openLogbook("BWTS-001") }, [open]);
  // Its state comes late: no water was treated after all, and its slot's record goes.
  const turned = { at_ms: turning.at_ms, fields: IDLE[0] };
  await send({ appliance, logbook }, [...late, idleBefore, turned]);
  await waitForScores(appliance, logbook);
  await expectAboardBeforeReceived(appliance, logbook);
});

/** Records for slots that were scored aboard come over MQTT too: they are listed, not preferred. */
async function expectAboardBeforeReceived(appliance: Appliance, logbook: Logbook): Promise<void> {
  const aboard: FlatHealth[] = await appliance.json("/api/health?limit=10000");
  const received = aboard.map(({ timestamp }) => ({ timestamp, overall_score: 1.5 }));
  await appliance.publish([{ kind: "health", payload: JSON.stringify(received) }]);
  const all: FlatHealth[] = await appliance.json("/api/health?limit=10000");
  expect(all).toHaveLength(2 * aboard.length);
  expect(all.filter(({ overall_score }) => overall_score !== 1.5)).toEqual(aboard);
  const problems = await bucketProblems(appliance, aboard, {
    interval: "hour",
    query: "&endDate=2030-01-01",
  });
  expect(problems).toEqual([]);
  const { latestHealth } = await appliance.json("/api/stats");
  const [newest] = expectedHealth(logbook.readings());
  const [{ timestamp, overall_score, componentsUvHealth: uv_health }] = aboard;
  expect(latestHealth).toMatchObject({ timestamp, overall_score, components: { uv_health } });
  expect(Object.keys(latestHealth)).toEqual([
    "timestamp",
    "overall_score",
    "risk_level",
    "month",
    "components",
  ]);
  expect(timestamp).toBe(printed(newest.at_ms));
}

async function bucketProblems(
  appliance: Appliance,
  records: readonly FlatHealth[],
  { interval, query }: { interval: Interval; query: string },
): Promise<readonly string[]> {
  const path = `/api/health/aggregated?interval=${interval}${query}`;
  const answered: unknown[] = await appliance.json(path);
  const expected = expectedHealthBuckets(records, interval);
  const isSame = (one: unknown, other: unknown): boolean => {
    if (one === null || typeof one !== "object" || other === null || typeof other !== "object")
      return isNear(one, other, { absolute: 1e-4, relative: 0 });
    const [members, others] = [Object.entries(one), Object.entries(other)];
    return (
      members.length === others.length &&
      members.every(
        ([name, value], index) => name === others[index][0] && isSame(value, others[index][1]),
      )
    );
  };
  if (answered.length !== expected.length)
    return [`${path}: got ${answered.length} buckets, expected ${expected.length}`];
  return expected
    .filter((bucket, index) => !isSame(bucket, answered[index]))
    .map((bucket) => `${path}: ${bucket.timestamp} differs from ${JSON.stringify(bucket)}`);
}

describe("records that come over MQTT", () => {
  function randomRecords(random: Random): readonly FlatHealth[] {
    const records = new Map<string, FlatHealth>();
    for (let count = 0; count < 300; count += 1) {
      const timestamp = printed(
        random.pick(STARTS) + random.between(0, 100) * random.pick([1, HOUR_MS]),
      );
      const score = () => random.between(0, 10_000) / 100;
      const maybe = () => (random.chance(0.8) ? score() : null);
      records.set(timestamp, {
        ...{ timestamp, overall_score: score() },
        ...{ componentsUvHealth: maybe(), componentsLampHealth: maybe() },
        ...{ componentsPowerEfficiency: maybe(), componentsThermalHealth: maybe() },
      });
    }
    return [...records.values()];
  }

  test("are listed newest first, once, and summed up over any range", async () => {
    const random = printedRandom("health received");
    await using appliance = await startAppliance();
    const records = randomRecords(random);
    const messages = records.map((record) => ({ kind: "health", payload: JSON.stringify(record) }));
    await appliance.publish([...random.shuffled(messages), ...random.shuffled(messages)]);
    const newestFirst = [...records].sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
    for (const limit of [1, 7, 100, 10_000]) {
      const answered = await appliance.json(`/api/health?limit=${limit}`);
      expect(answered).toMatchObject(newestFirst.slice(0, limit));
    }
    expect(await appliance.json("/api/health")).toHaveLength(100);
    const timed = records.map((record) => ({ at_ms: Date.parse(record.timestamp), record }));
    for (let round = 0; round < 60; round += 1) {
      const edge = () => random.pick(timed).at_ms + random.pick([-1, 0, 1]);
      const [start_ms, end_ms] = [edge(), edge()].sort((a, b) => a - b);
      const inside = within(timed, { start_ms, end_ms }).map(({ record }) => record);
      const query = `&startDate=${printed(start_ms)}&endDate=${printed(end_ms)}&limit=1`;
      const interval = random.pick(["hour", "day"] as const);
      expect(await bucketProblems(appliance, inside, { interval, query })).toEqual([]);
    }
    for (const interval of ["hour", "day"] as const) {
      const path = `/api/health/aggregated?interval=${interval}`;
      const all = await appliance.json(`${path}&limit=10000`);
      expect(await bucketProblems(appliance, records, { interval, query: "&limit=10000" })).toEqual(
        [],
      );
      expect(await appliance.json(`${path}&limit=2`)).toEqual(all.slice(-2));
      expect(await appliance.json(path)).toEqual(all.slice(-30));
    }
    expect(await appliance.quarantine()).toEqual([]);
  });

  test("never change once stored: another record of the same time is set aside", async () => {
    await using appliance = await startAppliance();
    const send = (record: object) =>
      appliance.publish([{ kind: "health", payload: JSON.stringify(record) }]);
    await send({ timestamp: "2026-05-01", overall_score: 79.9, componentsUvHealth: "70,5" });
    await send({ timestamp: "2026-05-01", overall_score: 12 });
    await send({ timestamp: "2026-05-01", overall_score: 79.9, componentsUvHealth: 70.5 });
    expect(await appliance.json("/api/health")).toEqual([
      {
        ...{ timestamp: "2026-05-01T00:00:00.000Z", overall_score: 79.9, risk_level: "MEDIUM" },
        ...{ month: 5, componentsUvHealth: 70.5, componentsPowerEfficiency: null },
        ...{ componentsLampHealth: null, componentsThermalHealth: null },
      },
    ]);
    const entries = await appliance.quarantine();
    expect(entries).toMatchObject([{ reason: "conflict", count: 1 }]);
  });
});
