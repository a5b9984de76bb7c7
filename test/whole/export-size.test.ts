// GET /export/estimate of the built program against the files themselves: the lines that it tells,
// and its bytes, for data whose lines are of very different lengths.

import { afterAll, beforeAll, expect, test } from "vitest";
import { TAGS } from "../../src/bwts/tags.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { askChecked } from "../oracle/asking.ts";
import { printedRandom } from "../rig/random.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.parse("2026-03-01T00:00:00Z");
/** The largest error of the bytes, as a share; lines differ by a factor of 20. */
const TOLERANCE = 0.1;

const random = printedRandom("export-size");
let appliance: Appliance;

beforeAll(async () => {
  appliance = await startAppliance();
  const numbers = TAGS.slice(2).filter(({ type }) => type === "number");
  // Idle for hours, then an operation with all fields; sealed readings and hot ones.
  const telemetry = Array.from({ length: 3000 }, (_, minute) => {
    const share = Math.floor(minute / 300) % 3 === 0 ? 1 : 0.05;
    const sent = numbers.filter(() => random.chance(share));
    const fields = sent.map(({ name }) => [name, random.between(0, 100_000) / 100]);
    return { timestamp: START_MS + minute * MINUTE_MS, ...Object.fromEntries(fields) };
  });
  // Many short ones in an hour, then fewer long ones over weeks.
  const events = Array.from({ length: 1500 }, (_, number) => ({
    timestamp: START_MS + (number < 1000 ? number * 3000 : number * 10 * MINUTE_MS),
    event_type: "ALARM_TRIGGERED",
    description: number < 1000 ? "UV_LOW" : "ø".repeat(random.between(200, 900)),
    data: {},
  }));
  const predictions = telemetry.slice(0, 700).map(({ timestamp }) => ({
    ...{ timestamp, component_id: "LAMP_02", predictions: { failure_probability: 0.5 } },
  }));
  const kinds = { telemetry, events, predictions };
  await appliance.publish(
    Object.entries(kinds).flatMap(([kind, all]) =>
      [0, 500, 1000, 1500, 2000, 2500].flatMap((from) => {
        const some = all.slice(from, from + 500);
        return some.length === 0 ? [] : [{ kind, payload: JSON.stringify(some) }];
      }),
    ),
  );
});
afterAll(() => appliance[Symbol.asyncDispose]());

async function estimated(query: string): Promise<Readonly<Record<string, number>>> {
  const { bytes } = await askChecked(appliance, "GET", `/export/estimate?${query}`);
  return JSON.parse(bytes.toString());
}

const FILES = [
  ["telemetry", "format=csv"],
  ["telemetry", "format=ndjson"],
  ["telemetry", "format=csv&columns=UVR_INTENSITY,received_at"],
  ["telemetry", "format=ndjson&startDate=2026-03-01T07:00Z&endDate=2026-03-02T19:59Z"],
  ["events", "format=csv"],
  ["events", "format=ndjson&startDate=2026-03-01T00:30Z"],
  ["predictions", "format=csv"],
  ["alarms", "format=ndjson"],
] as const;

test.each(FILES)("of %s with %s is near the file", async (kind, query) => {
  let estimate = await estimated(`kind=${kind}&${query}`);
  let bytes = 0;
  // An event of ballastd's own may come between the two answers.
  const missed = async () => {
    estimate = await estimated(`kind=${kind}&${query}`);
    const { text } = await appliance.get(`/export/${kind}?${query}`);
    bytes = Buffer.byteLength(text);
    return text.split("\n").length - 1 - (query.includes("csv") ? 1 : 0) - estimate.rows;
  };
  await expect.poll(missed).toBe(0);
  expect(Math.abs(estimate.bytes - bytes) / bytes).toBeLessThan(TOLERANCE);
  expect(estimate.measured_rows).toBeLessThanOrEqual(1024);
});

test("of a file of a few lines is exact, and so is that of none", async () => {
  const few = "format=csv&endDate=2026-03-01T00:30Z";
  for (const kind of ["telemetry", "predictions", "health", "gaps"]) {
    const estimate = await estimated(`kind=${kind}&${few}`);
    const { text } = await appliance.get(`/export/${kind}?${few}`);
    const rows = text.trimEnd().split("\n").length - 1;
    expect(estimate).toEqual({
      rows,
      bytes: Buffer.byteLength(text),
      exact: true,
      measured_rows: rows,
    });
  }
});

test.each(["kind=quarantine", "format=sqlite", "columns=UVR", "startDate=2026-02-30"])(
  "refuses %s",
  async (query) => {
    const answer = await appliance.get(`/export/estimate?${query}`);
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, 400]);
  },
);
