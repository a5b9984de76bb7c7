// The overview and the evidence of the built program, held against a recomputation from the raw
// readings that the same program answers: now, at moments of the past, with readings hidden, with
// values that come in groups, and where nothing is known.

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { expect, test as single } from "vitest";
import { type Appliance, pageThrough, type Sent, startAppliance } from "../oracle/appliance.ts";
import { askChecked } from "../oracle/asking.ts";
import { fakeClock } from "../rig/fake-clock.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";

const test = single.concurrent;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Whole seconds, so that a time is the same on the wire. */
const NOW_MS = Math.floor(Date.now() / 1000) * 1000;
const iso = (at_ms: number) => new Date(at_ms).toISOString();

type Row = Readonly<Record<string, unknown>>;

async function overview(appliance: Appliance, at_ms: number | null = null) {
  const target = at_ms === null ? "/api/overview" : `/api/overview?at=${iso(at_ms)}`;
  const { status, bytes } = await askChecked(appliance, "GET", target);
  expect(status).toBe(200);
  return JSON.parse(bytes.toString());
}

const telemetry = (at_ms: number, fields: object): Sent => ({
  kind: "telemetry",
  payload: JSON.stringify({ timestamp: iso(at_ms), ...fields }),
});

const event = (at_ms: number, event_type: string, location: string, type = "BALLAST"): Sent => ({
  kind: "events",
  payload: JSON.stringify({
    timestamp: iso(at_ms),
    event_type,
    data: { operation_type: type, location, target_flow: 600 },
  }),
});

/** A reading every three minutes; the flow in m3/h fills the totaliser, if there is one. */
function operation(
  start_ms: number,
  end_ms: number,
  { flow, location, total = true }: { flow: number; location: string; total?: boolean },
): readonly Sent[] {
  const count = Math.floor((end_ms - start_ms) / (3 * MINUTE_MS)) + 1;
  const readings = Array.from({ length: count }, (_, index) => {
    const at_ms = start_ms + index * 3 * MINUTE_MS;
    const scatter = ((index * 37) % 11) / 5 - 1;
    const totaliser = total ? { SYS_TOTAL_BALLAST_VOL: 100_000 + index * (flow / 20) } : {};
    return telemetry(at_ms, {
      ...{ PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO", operation_type: "BALLAST", location },
      ...{ UVR_INTENSITY: 420 - index * 0.6 + scatter, UVR_POWER_OUTPUT: 90, SYS_FLOW_RATE: flow },
      ...{ LAMP_01_STATUS: "ACTIVE", LAMP_01_EFFICIENCY: 91.5, LAMP_02_STATUS: "FAILED" },
      ...totaliser,
    });
  });
  return [event(start_ms, "PROCESS_START", location), ...readings];
}

const ended = (start_ms: number, end_ms: number, what: Parameters<typeof operation>[2]) => [
  ...operation(start_ms, end_ms, what),
  event(end_ms, "PROCESS_STOP", what.location),
];

test("what it says now and then follows from the raw readings", async () => {
  await using appliance = await startAppliance();
  const since_ms = NOW_MS - 3 * HOUR_MS;
  const back = (hours: number) => NOW_MS - hours * HOUR_MS;
  await appliance.publish([
    ...ended(back(100), back(98), { flow: 500, location: "Singapore" }),
    ...ended(back(90), back(86), { flow: 500, location: "singapore ", total: false }),
    ...ended(back(80), back(74), { flow: 500, location: "Busan" }),
    ...operation(since_ms, NOW_MS, { flow: 500, location: "Singapore" }),
  ]);
  const found = await overview(appliance);
  const range = { start: iso(since_ms), end: iso(NOW_MS), limit: 500 };
  const raw = await pageThrough(appliance, range);
  const newest = raw.at(-1) ?? {};
  expect(found).toMatchObject({
    ...{ at: null, simulated: false, hidden: null, old: false, treating: true },
    ...{ verdict: "within_limit", mode: "IMO", uv_limit: 252, silence_seconds: 900 },
    reading: { timestamp: newest.timestamp, times: {} },
    limits: { uv_imo: 252, source: expect.stringContaining("default") },
  });
  const { values } = found.reading;
  for (const [name, value] of Object.entries(values))
    expect([name, value]).toEqual([name, newest[name]]);
  expect(found.received_seconds_ago).toBeGreaterThanOrEqual(0);
  const states = found.lamps.map(({ state }: { state: string }) => state);
  expect(states.slice(0, 3)).toEqual(["active", "failed", "unknown"]);
  expect(found.lamps[0]).toMatchObject({ efficiency_percent: 91.5, power_w: null });
  expect(found.operation).toMatchObject({
    ...{ operation_type: "BALLAST", location: "Singapore", since: iso(since_ms) },
    ...{ known_by: "events", volume_m3: 1500, volume_by: "totaliser" },
    // 1000 by the totaliser and 2000 by the flow.
    usual: { volume_m3: 1500, operations: 2, of: "type_and_location" },
    ...{ hours_left: 0, can_finish: "yes", lamps_at_risk: [] },
  });
  expect(found.time_to_limit).toMatchObject(expectedFall(raw, since_ms));
  expect(found.time_to_limit.uscg.reason).toBe("below_limit");

  // The same moment, and the end of the operation at Busan; both only from what was there then.
  const again = await overview(appliance, NOW_MS);
  // Operations are judged meanwhile, and tell more.
  found.time_to_limit.over_operations = again.time_to_limit.over_operations;
  expect(again).toMatchObject({ at: iso(NOW_MS), received_seconds_ago: null });
  for (const part of ["reading", "time_to_limit", "operation", "verdict"])
    expect(again[part]).toEqual(found[part]);
  const busan = await overview(appliance, back(75));
  expect(busan.operation).toMatchObject({ location: "Busan", since: iso(back(80)) });
  expect(busan.operation.usual).toEqual({ volume_m3: 1500, operations: 2, of: "type" });
  expect(busan.operation.volume_m3).toBe(2500);
  const idle = await overview(appliance, back(50));
  expect(idle).toMatchObject({ operation: null, old: true, verdict: "idle_silent" });
  expect(idle.time_to_limit).toMatchObject({ hours: null, reason: "old" });
  expect(await overview(appliance, back(1000))).toMatchObject({
    ...{ reading: null, verdict: "no_reading", treating: null, operation: null, health: null },
    time_to_limit: { hours: null, reason: "unknown" },
  });

  // Only the whole count of a treatment system's alert is kept.
  const fan = { event_type: "ALARM_TRIGGERED", description: "Fan stopped", data: { code: "FAN" } };
  const rises = [2, 1].map((hours) => JSON.stringify({ timestamp: iso(back(hours)), ...fan }));
  await appliance.publish(rises.map((payload) => ({ kind: "events", payload })));
  const countAt = async (at_ms: number | null) =>
    (await overview(appliance, at_ms)).alerts.find(({ code }: Row) => code === "FAN")?.count;
  const moments = [null, back(0.5), back(1.5), back(2.5)];
  expect(await Promise.all(moments.map(countAt))).toEqual([2, 2, null, undefined]);
});

/** Slopes between all pairs of readings, ten minutes after the start and later. */
function expectedFall(raw: readonly Row[], since_ms: number) {
  const told = raw
    .map((row) => ({ at_ms: Date.parse(String(row.timestamp)), y: Number(row.UVR_INTENSITY) }))
    .filter(({ at_ms }) => at_ms >= since_ms + 10 * MINUTE_MS);
  const slopes = told.flatMap((one, index) =>
    told.slice(index + 1).map((other) => ((other.y - one.y) / (other.at_ms - one.at_ms)) * HOUR_MS),
  );
  const middle = (all: readonly number[]) => {
    const sorted = all.toSorted((one, other) => one - other);
    const half = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  };
  const slope = middle(slopes);
  const end_ms = told.at(-1)?.at_ms ?? 0;
  const level = middle(told.map(({ at_ms, y }) => y + (slope * (end_ms - at_ms)) / HOUR_MS));
  return {
    ...{ points: told.length, end: iso(end_ms), reason: null },
    fall_w_m2_per_hour: expect.closeTo(-slope, 1),
    hours: expect.closeTo((level - 252) / -slope, 1),
  };
}

test("values that come in groups are merged, and each tells its own time", async () => {
  await using appliance = await startAppliance();
  const at = (seconds: number) => NOW_MS - seconds * 1000;
  await appliance.publish([
    telemetry(at(1200), { UVR_WATER_TEMP: 21 }),
    telemetry(at(30), { PROCESS_STATE: "RUNNING", UVR_INTENSITY: 240, COMPLIANCE_MODE: "imo" }),
    telemetry(at(20), { LAMP_07_STATUS: "Failed" }),
    telemetry(at(15), { LAMP_09_STATUS: "ACTIVE", LAMP_09_EFFICIENCY: 92 }),
    telemetry(at(10), { LAMP_08_EFFICIENCY: 88 }),
  ]);
  const found = await overview(appliance);
  expect(found).toMatchObject({ treating: true, verdict: "below_limit", mode: "IMO" });
  expect(found.reading).toMatchObject({
    timestamp: iso(at(30)),
    values: { UVR_INTENSITY: 240, UVR_WATER_TEMP: null, SYS_FLOW_RATE: null },
  });
  // A reading of one lamp tells of that one alone.
  expect(found.reading.values).toMatchObject({ FAILED_LAMP_COUNT: 1, AVG_LAMP_EFFICIENCY: 90 });
  expect(found.reading.times).toMatchObject({ AVG_LAMP_EFFICIENCY: iso(at(10)) });
  expect(found.lamps[6]).toMatchObject({ state: "failed", timestamp: iso(at(20)) });
  expect(found.lamps[7]).toMatchObject({ state: "unknown", timestamp: iso(at(10)) });
  expect(found.operation).toMatchObject({ known_by: "readings", volume_m3: null, usual: null });
  expect(found.time_to_limit).toMatchObject({ hours: null, reason: "below_limit" });
  // An operation that has no reading yet isn't the one before.
  await appliance.publish([
    event(NOW_MS - 3 * HOUR_MS, "PROCESS_START", "Singapore"),
    event(NOW_MS - 2 * HOUR_MS, "PROCESS_STOP", "Singapore"),
    event(at(5), "PROCESS_START", "Busan"),
  ]);
  expect((await overview(appliance)).operation).toMatchObject({
    ...{ location: "Busan", since: iso(at(5)), volume_m3: null, known_by: "events" },
  });
});

async function hide(appliance: Appliance, from_ms: number, to_ms: number): Promise<void> {
  const args = ["void", "--from", iso(from_ms), "--to", iso(to_ms), "--reason", "a test"];
  const { code, stderr } = await runProgram({ args, folder: appliance.program.folder });
  expect([code, stderr]).toEqual([0, ""]);
}

test("nothing, old, hidden and expected in vain are told apart", async () => {
  const folder = temporaryFolder();
  const clock = fakeClock(folder);
  clock.set((9 * HOUR_MS) / 1000);
  const running = { PROCESS_STATE: "RUNNING", UVR_INTENSITY: 400, COMPLIANCE_MODE: "IMO" };
  {
    await using ahead = await startAppliance({ folder, env: clock.env });
    const nothing = await overview(ahead);
    expect(nothing).toMatchObject({
      ...{ reading: null, verdict: "no_reading", treating: null, received_seconds_ago: null },
      ...{ reading_seconds_ago: null, operation: null, health: null, alerts: [], data: "none" },
      lamps: Array.from({ length: 16 }, () => ({ state: "unknown", efficiency_percent: null })),
    });
    await ahead.publish([telemetry(NOW_MS + 9 * HOUR_MS, running)]);
    expect(await overview(ahead)).toMatchObject({ data: "fresh" });
  }
  await using appliance = await startAppliance({ folder });
  expect(await overview(appliance)).toMatchObject({ data: "ahead", old: false });
  // Hiding what came while the clock was ahead doesn't hide that the plant is silent.
  await hide(appliance, NOW_MS + 8 * HOUR_MS, NOW_MS + 10 * HOUR_MS);
  const old_ms = NOW_MS - 5 * HOUR_MS;
  await appliance.publish([telemetry(old_ms, running)]);
  const isOld = { data: "old", old: true, verdict: "silent" };
  expect(await overview(appliance)).toMatchObject({ ...isOld, hidden: null });
  // Readings hidden hours ago aren't those of the present.
  await appliance.publish([telemetry(old_ms + HOUR_MS / 2, running)]);
  await hide(appliance, old_ms + HOUR_MS / 3, old_ms + HOUR_MS);
  expect(await overview(appliance)).toMatchObject({ ...isOld, hidden: { reason: "a test" } });
  expect(await overview(appliance, old_ms + HOUR_MS / 2)).toMatchObject({ verdict: "hidden" });
  await appliance.publish([event(old_ms + HOUR_MS, "PROCESS_STOP", "Singapore")]);
  const stopped = await overview(appliance);
  expect(stopped).toMatchObject({ old: true, operation: null });
  await appliance.publish([telemetry(NOW_MS - 1000, { ...running, PROCESS_STATE: "FAULT" })]);
  expect(await overview(appliance)).toMatchObject({ old: false, verdict: "fault" });
  await hide(appliance, NOW_MS - 2000, NOW_MS);
  const hidden = await overview(appliance);
  expect(hidden).toMatchObject({ verdict: "hidden", hidden: { reason: "a test" } });
  expect(hidden.reading.timestamp).toBe(iso(old_ms));
  const { bytes } = await askChecked(
    appliance,
    "GET",
    `/api/evidence?timestamp=${iso(NOW_MS - 1000)}`,
  );
  expect(JSON.parse(bytes.toString())).toMatchObject({ hidden: { reason: "a test" } });
  rmSync(folder, { recursive: true });
});

test("the evidence of a reading leads to its row in the chain", async () => {
  await using appliance = await startAppliance();
  const first_ms = NOW_MS - 2200 * MINUTE_MS;
  const sent = Array.from({ length: 2200 }, (_, minute) =>
    telemetry(first_ms + minute * MINUTE_MS, { UVR_INTENSITY: 400 + minute / 8, note: "ä" }),
  );
  await appliance.publish(sent);
  const evidence = async (minute: number) => {
    const target = `/api/evidence?timestamp=${iso(first_ms + minute * MINUTE_MS)}`;
    return await askChecked(appliance, "GET", target);
  };
  await appliance.program.waitUntil("the segment", async () => {
    const { bytes } = await evidence(7);
    return JSON.parse(bytes.toString()).readings[0].stored === "sealed";
  });
  const { bytes } = await evidence(7);
  const { readings, hidden } = JSON.parse(bytes.toString());
  expect(hidden).toBeNull();
  expect(readings).toMatchObject([{ counts: true, segment: { number: 1, row: 7, rows: 2048 } }]);
  expect(readings[0].values).toMatchObject({ UVR_INTENSITY: 400.875, note: "ä" });
  // The line of an NDJSON export is what the leaf is the hash of.
  const day = `startDate=${iso(first_ms + 7 * MINUTE_MS)}&endDate=${iso(first_ms + 7 * MINUTE_MS)}`;
  const { text } = await appliance.get(`/export/telemetry?format=ndjson&${day}`);
  const leaf = createHash("sha256").update(`\0${text.trimEnd()}`).digest("hex");
  expect(readings[0].segment.leaf).toBe(leaf);
  const hot = JSON.parse((await evidence(2199)).bytes.toString());
  expect(hot.readings).toMatchObject([{ stored: "hot", segment: null }]);
  await appliance.publish([telemetry(first_ms + 7 * MINUTE_MS, { UVR_WATER_TEMP: 20 })]);
  const late = JSON.parse((await evidence(7)).bytes.toString());
  expect(late.readings).toMatchObject([
    { stored: "hot", counts: true, values: { UVR_INTENSITY: 400.875, UVR_WATER_TEMP: 20 } },
    { stored: "sealed", counts: false, values: { UVR_WATER_TEMP: null } },
  ]);
  const none = await appliance.get(`/api/evidence?timestamp=${iso(first_ms - 1)}`);
  expect(none.status).toBe(404);
  expect(JSON.parse(none.text).message).toContain(`no reading of ${iso(first_ms - 1)} is stored`);
  expect((await appliance.get("/api/evidence")).status).toBe(400);
  for (const path of ["overview", "diagnosis"]) {
    const ahead = await appliance.get(`/api/${path}?at=${iso(NOW_MS + 48 * HOUR_MS)}`);
    expect([ahead.status, JSON.parse(ahead.text).message]).toEqual([
      400,
      expect.stringContaining("is ahead of ballastd's clock"),
    ]);
  }
});
