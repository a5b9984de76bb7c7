// Operations in which the PLC's clock is set, through the built program: sent live, at a reading a
// second, so that what comes after a step back by whole seconds meets what came before.

import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { temporaryFolder } from "../rig/program.ts";
import { sized } from "../rig/scale.ts";

// They mostly wait for clocks, so they wait together.
const test = single.concurrent;

type Told = ReturnType<typeof JSON.parse>;

/** Shorter operations show a breach. */
const env = { BALLASTD_LIMITS_BEYOND_SECONDS: "30" };
/** Idle readings before an operation, and after it. */
const IDLE_S = 8;

interface Plan {
  /** The operation lasts from second 0 to this one. */
  readonly seconds: number;
  /** When the PLC's clock is set, and by how many seconds. */
  readonly set: readonly { readonly at: number; readonly by: number }[];
  /** The second before which ballastd is restarted. */
  readonly restart?: number;
  readonly intensity?: (second: number) => number;
}

interface Ended {
  readonly operations: Told;
  readonly second_ms: number;
  readonly begun_ms: number;
  /** By so much it ended later than it was to, for a restart within it. */
  readonly late_s: number;
}

/** Answers by which a machine is found slow. */
const PROBES = 8;
/** A plan of two minutes then takes eight. */
const SECOND_MAX_S = 4;

/**
 * The length of a second of a plan: longer where the machine can't keep to one, since the times at
 * which live readings come tell a clock's step.
 */
async function secondOn(appliance: Appliance): Promise<number> {
  let slowest_ms = 0;
  for (let probe = 0; probe < PROBES; probe += 1) {
    const due_ms = Date.now() + 250;
    await pause(250);
    await appliance.json("/api/clock");
    slowest_ms = Math.max(slowest_ms, Date.now() - due_ms);
  }
  return 1000 * Math.min(SECOND_MAX_S, 1 + Math.floor((3 * slowest_ms) / 1000));
}

/** Sends an operation, and gives what is told of it once the clock's steps are known. */
async function operationOf({ seconds, set, restart, intensity }: Plan): Promise<Ended> {
  const folder = temporaryFolder();
  let appliance = await startAppliance({ folder, env });
  const second_ms = await secondOn(appliance);
  const begun_ms = Math.ceil(Date.now() / 1000) * 1000 + IDLE_S * second_ms;
  // All after a restart comes as much later as that took: while what the PLC kept meanwhile arrives
  // at once, nobody could tell a step of its clock.
  let late_s = 0;
  const lateAt = (at: number) => (restart !== undefined && at > restart ? at + late_s : at);
  const plc = (second: number) =>
    begun_ms +
    set.reduce((sum, { at, by }) => sum + (second >= lateAt(at) ? by : 0), second) * second_ms;
  const data = { operation_type: "BALLAST", location: "Busan" };
  const event = (event_type: string, second: number) => ({
    ...{ kind: "events", payload: JSON.stringify({ timestamp: plc(second), event_type, data }) },
  });
  const now_s = () => Math.floor((Date.now() - begun_ms) / second_ms);
  let [stop_s, last_s] = [seconds, seconds + IDLE_S];
  for (let second = -IDLE_S; second <= last_s; second += 1) {
    // An idle plant needn't tell what it said while nobody listened.
    if (second > stop_s && second !== restart) second = Math.max(second, now_s());
    await pause(Math.max(0, begun_ms + second * second_ms - Date.now()));
    if (second === restart) {
      await appliance[Symbol.asyncDispose]();
      appliance = await startAppliance({ folder, env });
      late_s = Math.max(0, now_s() - second);
      stop_s = lateAt(seconds);
      last_s = Math.max(stop_s, now_s()) + IDLE_S;
    }
    const isRunning = second >= 0 && second <= stop_s;
    const reading = {
      ...{ timestamp: plc(second), COMPLIANCE_MODE: "IMO" },
      ...{ PROCESS_STATE: isRunning ? "RUNNING" : "IDLE", SYS_FLOW_RATE: isRunning ? 600 : 0 },
      ...{ UVR_INTENSITY: intensity?.(second) ?? 600 + second, SYS_PRESSURE: 2 + second / 100 },
      SYS_TOTAL_BALLAST_VOL: 1000 + second / 6,
    };
    const sent = [{ kind: "telemetry", payload: JSON.stringify(reading) }];
    if (second === 0) sent.unshift(event("PROCESS_START", second));
    if (second === stop_s) sent.push(event("PROCESS_STOP", second));
    await appliance.publish(sent);
  }
  const operations = await told(appliance, set.length);
  await appliance[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
  return { operations, begun_ms, second_ms, late_s: stop_s - seconds };
}

async function told(appliance: Appliance, steps: number): Promise<Told> {
  let found: Told = [];
  await appliance.program.waitUntil("a verdict that knows the steps", async () => {
    const { steps: known } = await appliance.json("/api/clock");
    found = await appliance.json("/api/operations");
    return (
      known.length >= steps &&
      found.length > 0 &&
      found.every(({ version, remarks }: Told) => version > 0 && remarks.includes("clock_stepped"))
    );
  });
  return found;
}

const summary = ({ operations, begun_ms, second_ms, late_s }: Ended) =>
  operations.map((one: Told) => ({
    start: Math.round((Date.parse(one.start) - begun_ms) / second_ms),
    end: Math.round((Date.parse(one.end) - begun_ms) / second_ms) - late_s,
    verdict: one.verdict,
    rules: one.reasons.map(({ rule }: Told) => rule),
    versions: one.versions.map(({ verdict }: Told) => verdict),
  }));

const CASES = [
  {
    title: "back in the middle, so that a time is sent twice: it can't be told",
    plan: { seconds: 36, set: [{ at: 18, by: -12 }] },
    found: { end: 24, verdict: "cannot_tell", rules: ["clock_stepped"] },
  },
  {
    title: "back by more than is left of it: it can't be told",
    plan: { seconds: 40, set: [{ at: 34, by: -20 }] },
    found: { end: 20, verdict: "cannot_tell", rules: ["clock_stepped"] },
  },
  {
    title: "back by more than is left of it, and ballastd is restarted just after it",
    plan: { seconds: 40, set: [{ at: 34, by: -20 }], restart: 41 },
    found: { end: 20, verdict: "cannot_tell", rules: ["clock_stepped"] },
  },
  // A restart that takes longer than the cadence hides some of it.
  ...sized(
    [],
    [
      {
        title: "back at its last reading, and ballastd is restarted at once: everything was seen",
        plan: { seconds: 30, set: [{ at: 30, by: -12 }], restart: 31 },
        found: { end: 18, verdict: "within_limits", rules: [] },
      },
    ],
  ),
  {
    title: "back by an hour, beyond its start: everything was seen",
    plan: { seconds: 30, set: [{ at: 15, by: -3600 }] },
    found: { end: -3570, verdict: "within_limits", rules: [] },
  },
  {
    // A minute in all is allowed.
    title: "back by an hour, beyond its start, after which the UV is low for 70 s",
    plan: {
      ...{ seconds: 90, set: [{ at: 15, by: -3600 }] },
      intensity: (second: number) => (second > 16 && second < 87 ? 200 : 600 + second),
    },
    found: { end: -3510, verdict: "outside_limits", rules: ["uv_below_limit"] },
  },
  {
    title: "forward: everything was seen",
    plan: { seconds: 30, set: [{ at: 15, by: 120 }] },
    found: { end: 150, verdict: "within_limits", rules: [] },
  },
  {
    title: "back by an hour and forward again, with a restart in between",
    plan: {
      seconds: 40,
      restart: 20,
      set: [
        { at: 10, by: -3600 },
        { at: 28, by: 3600 },
      ],
    },
    found: { end: 40, verdict: "within_limits", rules: [] },
  },
];

for (const { title, plan, found } of CASES)
  test(`the PLC's clock is set ${title}`, async () => {
    const [operation, ...others] = summary(await operationOf(plan));
    expect(operation).toMatchObject({ start: 0, ...found });
    expect(others).toEqual([]);
    // It was never told to be within its limits while something of it wasn't seen.
    if (found.verdict === "cannot_tell") expect(operation.versions).not.toContain("within_limits");
  });
