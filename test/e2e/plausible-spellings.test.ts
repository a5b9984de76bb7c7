// Spellings of quality through the built program and over MQTT, an operation for each: a bad one
// costs it "within limits", an innocent one doesn't. A value marked so is answered as it came where
// readings are raw, and nowhere else.

import { expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";
import { eventsOfRun, readingsOfRun } from "../rig/operations.ts";
import { until } from "../rig/until.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FIRST_MS = Date.UTC(2026, 4, 1);

const bad: readonly object[] = [
  { ok: false },
  { error: "PLC not reachable" },
  { status: "FAULT" },
  { stale: true },
  { q: 0 },
  { data_valid: "N" },
  { quality: 500 },
  { errorCode: 12 },
  { UVR_INTENSITY: { value: 600, err: 3 } },
  { UVR_INTENSITY: { value: 600, errorCode: 7 } },
  { UVR_INTENSITY_ERR: 1 },
  { UVR_INTENSITY_QUALITY_OK: false },
  { UVR_INTENSITY_COMM_OK: 0 },
];
const innocent: readonly object[] = [
  { valid: "Y" },
  { quality: 100 },
  { status: "Manual mode off" },
  { status: "RUNNING" },
  { error: "none", errorCode: 0, stale: false },
  { UVR_INTENSITY_error: "0.8 %", UVR_INTENSITY_timeout: "30 s" },
  { q: 412, timeout: 30, errors: 12 },
];

const runOf = (told: object, place: number) => ({
  start_ms: FIRST_MS + 3 * place * HOUR_MS,
  minutes: 60,
  at: (minute: number) => (minute >= 20 && minute < 40 ? told : {}),
});

test("an operation is within limits by innocent spellings only", async () => {
  await using appliance = await startAppliance();
  const told = [...bad, ...innocent];
  const runs = told.map(runOf);
  const sent = (kind: string, payload: object) => ({ kind, payload: JSON.stringify(payload) });
  await appliance.publish(
    runs.flatMap((run) => [
      ...Object.values(eventsOfRun(run)).map((event) => sent("events", event)),
      ...readingsOfRun(run).map((reading) => sent("telemetry", reading)),
    ]),
  );
  const verdicts = async () => {
    const stored: readonly { start: string; verdict: string }[] = await appliance.json(
      "/api/operations?limit=100",
    );
    const by_start = new Map(stored.map(({ start, verdict }) => [Date.parse(start), verdict]));
    return runs.map(({ start_ms }, place) => [told[place], by_start.get(start_ms)]);
  };
  let found: Awaited<ReturnType<typeof verdicts>> = [];
  await until(
    "all operations to be judged",
    async () => {
      found = await verdicts();
      return found.every(([, verdict]) => verdict !== undefined && verdict !== "in_progress");
    },
    () => JSON.stringify(found),
  );
  expect(found).toEqual([
    ...bad.map((one) => [one, "cannot_tell"]),
    ...innocent.map((one) => [one, "within_limits"]),
  ]);
  const marks = "/export/telemetry?format=ndjson&columns=timestamp,not_believed";
  const lines = (await appliance.get(marks)).text.trim().split("\n");
  const marked = lines.filter((line) => line.includes("UVR_INTENSITY"));
  expect([lines.length, marked.length]).toEqual([61 * runs.length, 20 * bad.length]);

  for (const [place, run] of runs.entries()) {
    const at = (minute: number) => new Date(run.start_ms + minute * MINUTE_MS).toISOString();
    const range = `startDate=${at(20)}&endDate=${at(39.5)}&fields=UVR_INTENSITY`;
    const raw = await appliance.json(`/api/telemetry/chunked?${range}`);
    const sound = await appliance.json(`/api/telemetry/chunked?${range}&believed=true`);
    const what = JSON.stringify(told[place]);
    expect(raw.data, what).toHaveLength(20);
    expect(raw.data.at(-1), what).toMatchObject({ UVR_INTENSITY: 600 });
    const values = sound.data.map((one: { readonly UVR_INTENSITY: unknown }) => one.UVR_INTENSITY);
    expect(new Set(values), what).toEqual(new Set([place < bad.length ? null : 600]));
  }
});

test.each([
  { error: "PLC not reachable" },
  { UVR_INTENSITY: { value: 600, err: 3 }, SYS_FLOW_RATE: { value: 500, err: 3 } },
])("the present knows no value under %j", async (told) => {
  await using appliance = await startAppliance();
  const readings = Array.from({ length: 30 }, (_, index) => ({
    timestamp: new Date(Date.now() - 10_000 * (29 - index)).toISOString(),
    ...{ PROCESS_STATE: "RUNNING", operation_type: "BALLAST", COMPLIANCE_MODE: "IMO" },
    ...{ UVR_INTENSITY: 600, SYS_FLOW_RATE: 500, ...told },
  }));
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(readings) }]);
  const overview = await appliance.json("/api/overview");
  expect(["not_judged", "unknown"]).toContain(overview.verdict);
  expect(overview.reading.values).toMatchObject({ UVR_INTENSITY: null, SYS_FLOW_RATE: null });
  expect(overview.reading.doubted).toMatchObject({
    UVR_INTENSITY: { value: 600, reason: "bad_quality" },
    SYS_FLOW_RATE: { value: 500, reason: "bad_quality" },
  });
  expect((await appliance.json("/api/stats")).monthlyAvg).toMatchObject({
    ...{ avgUVIntensity: null, avgFlowRate: null },
  });
  const days = await appliance.json("/api/telemetry/aggregated?interval=day");
  expect(days.at(-1)).toMatchObject({ UVR_INTENSITY: null, SYS_FLOW_RATE: null });
  const { text: metrics } = await appliance.get("/metrics");
  expect(metrics).not.toMatch(/^ballastd_(uv_intensity_watts|flow_cubic_meters)\S* /m);
  expect(await appliance.json("/api/telemetry/latest")).toMatchObject({ UVR_INTENSITY: 600 });
});
