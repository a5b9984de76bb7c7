// Readings through the built program: sent in every way the contract allows, asked back in every
// way, and each field of each held against a recomputation.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Appliance,
  pageThrough,
  type Sent,
  startAppliance,
  topicOf,
} from "../oracle/appliance.ts";
import { buffered, messagesOf, randomFields } from "../oracle/plc.ts";
import { HOUR_MS, within } from "../rig/grouping.ts";
import {
  type ExpectedReading,
  listProblems,
  openLogbook,
  printed,
  readingProblems,
} from "../rig/logbook.ts";
import { runTool } from "../rig/mosquitto.ts";
import { printedRandom, type Random } from "../rig/random.ts";
import { LONG } from "../rig/scale.ts";

const ALWAYS = { start: "2000-01-01", end: "2026-12-31" };

// Critical dates of calendars, and the oldest time that is accepted.
const BORDERS = [
  "2000-01-01T00:00:00.000Z",
  "2023-12-31T23:59:59.999Z",
  "2024-01-01T00:00:00.000Z",
  "2024-02-28T23:59:59.999Z",
  "2024-02-29T00:00:00.000Z",
  "2024-02-29T12:00:00.000Z",
  "2024-03-01T00:00:00.000Z",
  "2025-02-28T23:59:59.999Z",
  "2025-03-01T00:00:00.000Z",
  "2025-10-26T01:00:00.000Z",
  "2026-04-30T23:59:59.999Z",
  "2026-05-01T00:00:00.000Z",
].map((text) => Date.parse(text));

/** Distinct instants on the borders and around them, some of them a millisecond apart. */
function randomInstants(random: Random): readonly number[] {
  const instants = new Set(BORDERS);
  while (instants.size < 500) {
    const border = random.pick(BORDERS.slice(1));
    const width_ms = random.pick([5, 60_000, HOUR_MS, 3 * HOUR_MS, 50 * HOUR_MS]);
    instants.add(border + random.between(-width_ms, width_ms));
  }
  return [...instants];
}

async function sendRandomReadings(appliance: Appliance, random: Random) {
  const logbook = openLogbook("BWTS-001");
  const messages: Sent[] = [];
  for (const at_ms of randomInstants(random)) {
    const statement = { at_ms, fields: randomFields(random, random.pick([0, 0.05, 0.5, 1])) };
    logbook.note(statement);
    messages.push(...messagesOf(random, statement));
  }
  const once = random.shuffled(messages);
  const again = messages.filter(() => random.chance(0.2));
  const sent = [...buffered(random, once), ...buffered(random, random.shuffled(again))];
  // On one connection, an acknowledged message comes after all before it.
  for (const message of sent.slice(1))
    void appliance.publish([message], { qos: random.pick([0, 1, 1, 1, 2]) });
  await appliance.publish(sent.slice(0, 1));
  return logbook.readings();
}

describe("random readings", () => {
  let appliance: Appliance;
  let random: Random;
  let expected: readonly ExpectedReading[];
  beforeAll(async () => {
    random = printedRandom("e2e-readings");
    appliance = await startAppliance();
    expected = await sendRandomReadings(appliance, random);
  });
  afterAll(() => appliance[Symbol.asyncDispose]());

  test("come back exactly, page by page, whatever the page's size", async () => {
    for (const limit of [1, 7, 500, 10_000]) {
      const answered = await pageThrough(appliance, { ...ALWAYS, limit });
      expect(listProblems(expected, answered), `limit ${limit}`).toEqual([]);
    }
  });

  test("leave nothing in quarantine and count once, however often they were sent", async () => {
    expect(await appliance.quarantine()).toEqual([]);
    const { text } = await appliance.get("/metrics");
    expect(text).toContain(`\nballastd_readings_total ${expected.length}\n`);
  });

  test("are paged exactly in any range, of two half hours or of a millisecond", LONG, async () => {
    for (let round = 0; round < 150; round += 1) {
      const { at_ms } = random.pick(expected);
      const start_ms = at_ms - random.between(0, random.pick([0, 1, HOUR_MS, 60 * HOUR_MS]));
      const end_ms = at_ms + random.between(0, random.pick([0, 1, HOUR_MS, 60 * HOUR_MS]));
      const range = { start: printed(start_ms), end: printed(end_ms) };
      const answered = await pageThrough(appliance, { ...range, limit: random.pick([3, 50, 500]) });
      const inside = within(expected, { start_ms, end_ms });
      expect(listProblems(inside, answered), JSON.stringify(range)).toEqual([]);
    }
  });

  test("are answered as history counted back from the latest, both ends included", async () => {
    const latest_ms = expected[expected.length - 1].at_ms;
    for (const hours of [1, 2, 24, 8760, 87_600]) {
      const span = { start_ms: latest_ms - hours * HOUR_MS, end_ms: latest_ms };
      const answered = await appliance.json(`/api/telemetry/history?hours=${hours}`);
      expect(listProblems(within(expected, span), answered), `${hours} hours`).toEqual([]);
    }
    const day = await appliance.json("/api/telemetry/history");
    expect(day).toEqual(await appliance.json("/api/telemetry/history?hours=24"));
  });

  test("have the latest of them as latest and in the overview", async () => {
    const latest = expected[expected.length - 1];
    expect(readingProblems(latest, await appliance.json("/api/telemetry/latest"))).toEqual([]);
    const { latestTelemetry } = await appliance.json("/api/stats");
    expect(readingProblems(latest, latestTelemetry)).toEqual([]);
  });

  test("are answered for the runtime analysis with 51 of their members", async () => {
    const answered = await appliance.json("/api/telemetry/runtime-analysis?startDate=2024-01-01");
    const inside = within(expected, { start_ms: Date.UTC(2024, 0, 1), end_ms: Infinity });
    expect(answered).toHaveLength(inside.length);
    for (const [index, { members }] of inside.entries()) {
      const names = Object.keys(answered[index]);
      expect(names).toHaveLength(51);
      expect(names.slice(0, 6)).toEqual([
        ...["timestamp", "UVR_INTENSITY", "UVR_POWER_OUTPUT"],
        ...["LAMP_01_RUNTIME", "LAMP_01_EFFICIENCY", "LAMP_01_POWER"],
      ]);
      for (const name of names) expect(answered[index][name]).toBe(members.get(name));
    }
  });
});

describe("more than 10,000 readings in a range", () => {
  const first_ms = Date.UTC(2025, 5, 1);
  const instant = (number: number) => first_ms + number * 1000 + (number % 7);
  async function sendReadings(appliance: Appliance, numbers: readonly number[]): Promise<void> {
    const messages: Sent[] = [];
    for (let start = 0; start < numbers.length; start += 1000) {
      const items = numbers
        .slice(start, start + 1000)
        .map((number) => ({ timestamp: instant(number), UVR_INTENSITY: number }));
      messages.push({ kind: "telemetry", payload: JSON.stringify(items) });
    }
    await appliance.publish(messages);
  }

  async function expectThinned(appliance: Appliance, [first, last]: readonly [number, number]) {
    const range = `startDate=${printed(instant(first))}&endDate=${printed(instant(last))}`;
    const path = `/api/telemetry/runtime-analysis?${range}`;
    const answered: { timestamp: string; UVR_INTENSITY: number }[] = await appliance.json(path);
    const kept = answered.map(({ UVR_INTENSITY }) => UVR_INTENSITY);
    const total = last - first + 1;
    expect(kept.length).toBeLessThanOrEqual(10_000);
    expect(kept.length).toBeGreaterThan(5000);
    if (total <= 10_000) expect(kept).toHaveLength(total);
    expect([kept[0], kept[kept.length - 1]]).toEqual([first, last]);
    const gaps = kept.slice(1).map((number, index) => number - kept[index]);
    expect(Math.min(...gaps)).toBeGreaterThan(0);
    expect(Math.max(...gaps) / Math.min(...gaps), `${total} readings`).toBeLessThanOrEqual(2);
    for (const { timestamp, UVR_INTENSITY } of answered)
      expect(timestamp).toBe(printed(instant(UVR_INTENSITY)));
  }

  test("are thinned evenly over the whole range, with the first and the last", LONG, async () => {
    const random = printedRandom("thinning");
    await using appliance = await startAppliance();
    await sendReadings(appliance, [...Array(25_000).keys()]);
    for (const total of [9999, 10_000, 10_001, 19_999, 20_000, random.between(10_002, 24_998)]) {
      const first = random.between(0, 25_000 - total);
      await expectThinned(appliance, [first, first + total - 1]);
    }
    await expectThinned(appliance, [0, 24_999]);
    const path = "/api/telemetry/chunked?startDate=2025-06-01&endDate=2025-06-02";
    const { data, pagination } = await appliance.json(`${path}&offset=24990&limit=500`);
    expect(pagination).toEqual({ offset: 24_990, limit: 500, total: 25_000, hasMore: false });
    expect(data.map((reading: { UVR_INTENSITY: number }) => reading.UVR_INTENSITY)).toEqual(
      [...Array(10).keys()].map((index) => 24_990 + index),
    );
  });
});

test("what mosquitto_pub sends is stored, odd bytes and all", async () => {
  await using appliance = await startAppliance();
  const port = String(appliance.mqtt_port);
  const send = async (kind: string, payload: string, ...more: readonly string[]) => {
    const common = ["-h", "127.0.0.1", "-p", port, "-t", topicOf(kind), "-m", payload];
    expect(await runTool("mosquitto_pub", [...common, "-q", "1", ...more])).toEqual({
      code: 0,
      output: "",
    });
  };
  await send("telemetry", '{"timestamp":"2026-05-01T00:00:00Z","SYS_PRESSURE":"4,25"}');
  await send("lamps/7", '\ufeff{"timestamp":"2026-05-01 02:00+02:00","status":"FAILED"}', "-r");
  await send(
    "telemetry",
    '{"timestamp":1777593600,"UVR_INTENSITY":NaN,"X":-Infinity,"Y":0}',
    "-V",
    "mqttv31",
  );
  const latin1 = Buffer.from('{"timestamp":"2026-05-01","location":"Malmö"}\0\0 \0', "latin1");
  await appliance.publish([{ kind: "telemetry", payload: latin1 }]);
  const [reading, ...others] = await appliance.json("/api/telemetry/history");
  expect(others).toEqual([]);
  expect(reading).toMatchObject({
    timestamp: "2026-05-01T00:00:00.000Z",
    ...{ SYS_PRESSURE: 4.25, LAMP_07_STATUS: "FAILED", FAILED_LAMP_COUNT: 1 },
    ...{ UVR_INTENSITY: null, AVG_LAMP_EFFICIENCY: null, Y: 0, location: "Malmö" },
  });
  expect(reading).not.toHaveProperty("X");
  const [entry, ...more] = await appliance.quarantine();
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ reason: "bad_value", count: 1 });
  expect(entry.detail).toMatch(/UVR_INTENSITY.*X/);
});

test("what was acknowledged is in the very next answer, also where a text is kept", async () => {
  await using appliance = await startAppliance();
  for (let number = 1; number <= 20; number += 1) {
    const at_ms = Date.UTC(2024, 4, 1) + number * 60_000;
    const timestamp = printed(at_ms);
    const fields = { timestamp, SYS_PRESSURE: number, LAMP_07_RUNTIME: 1000 + number / 60 };
    await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(fields) }]);
    const latest = await appliance.json("/api/telemetry/latest");
    const { latestTelemetry } = await appliance.json("/api/stats");
    const overview = await appliance.json("/api/overview");
    expect({
      latest: latest.SYS_PRESSURE,
      overview: overview.reading.values.SYS_PRESSURE,
      lamp: overview.lamps[6].timestamp,
      stats: latestTelemetry.SYS_PRESSURE,
    }).toEqual({ latest: number, overview: number, lamp: timestamp, stats: number });
  }
});

test("messages without a time get that of their receipt, to the second, and say so", async () => {
  await using appliance = await startAppliance();
  const before_ms = Date.now();
  await appliance.publish([{ kind: "telemetry", payload: '{"UVR_INTENSITY":600}' }]);
  const { timestamp, timestamp_source } = await appliance.json("/api/telemetry/latest");
  expect(timestamp_source).toBe("receipt");
  expect(timestamp).toMatch(/\.000Z$/);
  expect(Date.parse(timestamp)).toBeGreaterThan(before_ms - 1000);
  expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.now());
});

test("with mqtt.merge_ms, parts with milliseconds of their own make one reading", async () => {
  await using appliance = await startAppliance({ env: { BALLASTD_MQTT_MERGE_MS: "1000" } });
  await appliance.publish([
    { kind: "telemetry", payload: '{"timestamp":"2026-05-01T00:00:07.999Z","SYS_PRESSURE":4}' },
    { kind: "lamps/1", payload: '{"timestamp":"2026-05-01T00:00:07.003Z","power":90}' },
    { kind: "lamps/1", payload: '{"timestamp":"2026-05-01T00:00:08.000Z","power":91}' },
  ]);
  const readings = await appliance.json("/api/telemetry/history");
  expect(readings).toMatchObject([
    { timestamp: "2026-05-01T00:00:07.000Z", SYS_PRESSURE: 4, LAMP_01_POWER: 90 },
    { timestamp: "2026-05-01T00:00:08.000Z", SYS_PRESSURE: null, LAMP_01_POWER: 91 },
  ]);
});
