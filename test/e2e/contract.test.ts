// Every endpoint of the built program with parameters good and bad: status, headers, and each body
// held against the document that the same program serves.

import { readFileSync } from "node:fs";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TAGS } from "../../src/bwts/tags.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { ask, askChecked } from "../oracle/asking.ts";

let appliance: Appliance;
const asked = (method: string, target: string, headers: Record<string, string> = {}) =>
  ask(appliance, method, target, headers);
const checked = (method: string, target: string) => askChecked(appliance, method, target);

beforeAll(async () => {
  appliance = await startAppliance();
});
afterAll(() => appliance[Symbol.asyncDispose]());

const EMPTY: readonly (readonly [path: string, status: number, body: unknown])[] = [
  [
    "/api/stats",
    200,
    {
      latestTelemetry: null,
      latestHealth: null,
      recentEvents: [],
      monthlyAvg: { avgUVIntensity: null, avgPowerOutput: null, avgFlowRate: null },
    },
  ],
  ["/api/telemetry/latest", 404, { error: 404, message: expect.any(String) }],
  ["/api/telemetry/history", 200, []],
  ["/api/telemetry/aggregated", 200, []],
  [
    "/api/telemetry/chunked?startDate=2026-05-01&endDate=2026-05-01",
    200,
    { data: [], pagination: { offset: 0, limit: 500, total: 0, hasMore: false } },
  ],
  ["/api/telemetry/runtime-analysis", 200, []],
  ["/api/health", 200, []],
  ["/api/health/aggregated", 200, []],
  ["/api/events", 200, []],
  ["/api/predictions", 200, []],
  [
    "/api/predictions/track-record",
    200,
    expect.objectContaining({ forecasts_scored: 0, coverage: null, brier: null }),
  ],
  ["/api/lamps", 200, expect.objectContaining({ data_through: null, suspended: null })],
  ["/api/diagnosis", 200, expect.objectContaining({ intensity: null, causes: [], findings: [] })],
];

test.each(EMPTY)(
  "a new appliance answers %s with %i and nothing made up",
  async (path, status, body) => {
    const answer = await checked("GET", path);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.bytes.toString())).toEqual(body);
  },
);

test("a new appliance that waits for its first message is ready", async () => {
  const { bytes } = await checked("GET", "/readyz");
  expect(JSON.parse(bytes.toString())).toMatchObject({
    ...{ ready: true, reasons: [], last_reading: null, last_commit: null },
  });
  await checked("GET", "/healthz");
  await checked("GET", "/version");
  const tags = await checked("GET", "/api/tags");
  expect(JSON.parse(tags.bytes.toString())).toEqual(TAGS);
  const { bytes: document } = await checked("GET", "/openapi.json");
  expect(JSON.parse(document.toString())).toMatchObject({
    ...{ openapi: "3.1.0", info: { version: "1.0.0", license: { name: "MIT" } } },
  });
});

test("every metric that was ever published keeps its name, its type and its labels", async () => {
  const { text } = await appliance.get("/metrics");
  const served = new Map<string, string>();
  for (const [, name, type, series] of text.matchAll(/^# TYPE (\w+) (\w+)\n((?:[^#\n].*\n)*)/gm)) {
    const labels = [...series.matchAll(/[{,](\w+)="/g)].map(([, label]) => label);
    const own = new Set(labels.filter((label) => !["le", "quantile"].includes(label)));
    // A family that has no series yet shows no labels.
    served.set(name, series === "" ? "" : [type, ...[...own].sort()].join(" "));
  }
  const published = readFileSync("test/data/metric-names.txt", "utf8").trim().split("\n");
  const broken = published.filter((line) => {
    const [name, ...known] = line.split(" ");
    const now = served.get(name);
    return now !== "" && now !== known.join(" ");
  });
  expect(broken).toEqual([]);
  expect(published.length).toBeGreaterThan(60);
});

async function fill(): Promise<void> {
  const hours = [...Array(50).keys()].map((hour) => Date.UTC(2026, 3, 29) + hour * 3_600_000);
  const readings = hours.map((timestamp, hour) => ({
    ...{ timestamp, PROCESS_STATE: "RUNNING", UVR_INTENSITY: 600 + hour, "X.y": "unknown" },
    ...{ FAILED_LAMP_COUNT: 0, LAMP_16_RUNTIME: hour, LAMP_16_STATUS: "ACTIVE" },
  }));
  const events = hours.map((timestamp) => ({ timestamp, event_type: "PROCESS_STOP" }));
  const health = hours.map((timestamp) => ({ timestamp, overall_score: 50 }));
  const predictions = hours.map((timestamp) => ({
    ...{ timestamp, component_id: "LAMP_01", current_state: { runtime_hours: 1 } },
  }));
  const messages = Object.entries({ telemetry: readings, events, health, predictions });
  await appliance.publish(
    messages.map(([kind, items]) => ({ kind, payload: JSON.stringify(items) })),
  );
}

const DATED = "startDate=2026-04-29&endDate=2026-04-30";
const GOOD: readonly (readonly [path: string, length: number | null])[] = [
  ["/api/stats", null],
  ["/api/telemetry/latest?_=1&source=x", null],
  ["/api/telemetry/history", 25],
  ["/api/telemetry/history?hours=1&hour=&x=1&x=2", 2],
  ["/api/telemetry/history?hours=0087600", 50],
  ["/api/telemetry/aggregated", 3],
  ["/api/telemetry/aggregated?interval=hour&hours=2", 3],
  [`/api/telemetry/aggregated?interval=hour&${DATED}&hours=1`, 48],
  ["/api/telemetry/aggregated?interval=hour&startDate=2026-04-30T23:00:00%2B00:00", 3],
  ["/api/telemetry/aggregated?interval=hour&startDate=2026-05-01T01:00:00+02:00", 3],
  ["/api/telemetry/aggregated?interval=hour&startDate=2026-04-30%2023:00", 3],
  ["/api/telemetry/aggregated?interval=hour&startDate=2026-04-30T23:00:00.0009999", 3],
  ["/api/telemetry/aggregated?interval=hour&endDate=2026-04-29T01:00:00Z", 2],
  [`/api/telemetry/chunked?${DATED}&limit=10000&offset=9007199254740992`, null],
  [`/api/telemetry/chunked?${DATED}`, null],
  ["/api/telemetry/runtime-analysis", 50],
  [`/api/telemetry/runtime-analysis?${DATED}`, 48],
  ["/api/health?limit=7", 7],
  ["/api/health/aggregated", 3],
  ["/api/health/aggregated?interval=hour", 30],
  ["/api/health/aggregated?interval=hour&limit=40", 40],
  [`/api/health/aggregated?interval=hour&limit=3&${DATED}`, 48],
  ["/api/events?limit=1", 1],
  ["/api/events?type=PROCESS_STOP", 50],
  ["/api/events?type=PROCESS_START", 0],
  ["/api/predictions?limit=7", 7],
  ["/api/predictions/track-record", null],
  ["/api/lamps", null],
  ["/api/diagnosis", null],
];

describe("an appliance with data", () => {
  beforeAll(fill);

  test.each(GOOD)("answers %s with 200 and %j items", async (path, length) => {
    const { status, bytes } = await checked("GET", path);
    expect(status).toBe(200);
    if (length !== null) expect(JSON.parse(bytes.toString())).toHaveLength(length);
  });

  test("answers HEAD as GET without a body, and any other method with 405 and Allow", async () => {
    for (const path of [...EMPTY.map(([target]) => target), "/healthz", "/openapi.json"]) {
      const [get, head] = [await asked("GET", path), await asked("HEAD", path)];
      expect(head.bytes).toHaveLength(0);
      expect(head.status).toBe(get.status);
      expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
      for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
        const { status, headers } = await checked(method, path);
        expect({ status, allow: headers.allow }).toEqual({
          status: 405,
          allow: "GET, HEAD, OPTIONS",
        });
      }
      const options = await asked("OPTIONS", path);
      expect(options.status).toBe(204);
      expect(options.headers.allow).toBe("GET, HEAD, OPTIONS");
    }
    expect(await asked("HEAD", "/plants")).toMatchObject({ status: 405 });
  });

  test("knows no other path", async () => {
    const paths = ["/api", "/api/", "/api/telemetry", "/api/stats/", "/API/stats", "/api/plants"];
    for (const path of [
      ...paths,
      "/plants/7",
      "/../etc/passwd",
      "/%2e%2e/x",
      "/%ff",
      "/__proto__",
    ]) {
      const { status, bytes } = await checked("GET", path);
      expect({ path, status }).toEqual({ path, status: 404 });
      expect(JSON.parse(bytes.toString())).toMatchObject({ error: 404 });
    }
  });

  test("answers with the compression that is asked for, and the same bytes inside", async () => {
    const path = `/api/telemetry/chunked?${DATED}`;
    const { bytes: plain } = await asked("GET", path);
    const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
    for (const [name, decode] of Object.entries(decoders)) {
      const { headers, bytes } = await asked("GET", path, { "accept-encoding": name });
      expect(headers["content-encoding"]).toBe(name);
      expect(bytes.length).toBeLessThan(plain.length / 5);
      expect(decode(bytes).equals(plain)).toBe(true);
    }
    const { headers } = await asked("GET", path, { "accept-encoding": "gzip;q=0, identity" });
    expect(headers).not.toHaveProperty("content-encoding");
  });

  test("refuses what is too long with a status of its own, and lives on", async () => {
    expect(await asked("GET", `/api/stats?x=${"y".repeat(20_000)}`)).toMatchObject({ status: 414 });
    expect(await asked("GET", "/api/stats", { x: "y".repeat(60_000) })).toMatchObject({
      status: 431,
    });
    expect(await asked("GET", "/api/stats")).toMatchObject({ status: 200 });
  });
});

test("with auth.monitoring = token, all but /healthz and /readyz needs the token", async () => {
  const env = { BALLASTD_AUTH_MONITORING: "token", BALLASTD_AUTH_TOKEN: "a-secret-of-the-test" };
  await using closed = await startAppliance({ env });
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(closed.url + path, { headers })).status;
  for (const path of [
    ...EMPTY.map(([target]) => target),
    "/metrics",
    "/version",
    "/openapi.json",
    "/docs",
    "/api/tags",
  ]) {
    expect(await status(path), path).toBe(401);
    expect(await status(path, { authorization: "Bearer secre" })).toBe(401);
    expect(await status(path, { authorization: "Bearer a-secret-of-the-test" })).not.toBe(401);
  }
  expect([await status("/healthz"), await status("/readyz")]).toEqual([200, 200]);
});
