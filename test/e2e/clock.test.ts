// The clock ledger through the built program: a PLC whose clock is set, a box whose clock is set
// under it (libfaketime), restarts in between. Nothing is dropped, nothing is double, each step is
// told once.

import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { fakeClock } from "../rig/fake-clock.ts";
import { openValidator } from "../rig/http-validator.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

// They mostly wait for clocks, so they wait together.
const test = single.concurrent;

const HOUR = 3600;
const iso = (at_ms: number) => new Date(at_ms).toISOString();

interface Step {
  readonly at: string;
  readonly clock: string;
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  readonly name: string | null;
  readonly found: string;
}

/** Sends a reading four times a second, by a clock that is off by `offset_ms`. */
function openPlc(appliance: Appliance) {
  const plc = { offset_ms: 0, sent: 0, isRunning: true, ended: Promise.resolve() };
  const run = async () => {
    while (plc.isRunning) {
      const timestamp = iso(Date.now() + plc.offset_ms);
      const payload = JSON.stringify({ timestamp, NUMBER: plc.sent });
      await appliance.publish([{ kind: "telemetry", payload }]);
      plc.sent += 1;
      await pause(250);
    }
  };
  plc.ended = run();
  return Object.assign(plc, {
    /** Live readings for longer than a step of the clock takes to be known. */
    async goOn() {
      const enough = plc.sent + 16;
      await appliance.program.waitUntil("live readings", () => plc.sent >= enough);
    },
    async end() {
      plc.isRunning = false;
      await plc.ended;
    },
  });
}

const steps = async (appliance: Appliance, query = ""): Promise<readonly Step[]> =>
  (await appliance.json(`/api/clock${query}`)).steps;

const waitForSteps = (appliance: Appliance, count: number) =>
  appliance.program.waitUntil(`${count} steps`, async () => {
    return (await steps(appliance)).length >= count;
  });

const waitForOffset = (appliance: Appliance) =>
  appliance.program.waitUntil("an offset", async () => {
    return (await appliance.json("/api/clock")).offset_seconds !== null;
  });

/** On a busy machine a reading that is sent now is received some seconds later. */
const WITHIN_S = 15;
const near = (seconds: number) => ({
  asymmetricMatch: (got: unknown) => typeof got === "number" && Math.abs(got - seconds) < WITHIN_S,
});

test("a PLC whose clock is set is found out, by live readings only", async () => {
  const folder = temporaryFolder();
  const env = { BALLASTD_QUARANTINE_MAX_BYTES: "1 MiB" };
  {
    await using appliance = await startAppliance({ folder, env });
    const plc = openPlc(appliance);
    await waitForOffset(appliance);
    // A buffer that is emptied, as an array and one by one, says nothing of the clock.
    const old = Array.from({ length: 500 }, (_, index) => iso(Date.UTC(2026, 1, 1) + index * 1000));
    const buffered = old.map((timestamp) => ({ timestamp, OLD: 1 }));
    await appliance.publish([
      { kind: "telemetry", payload: JSON.stringify(buffered.slice(0, 250)) },
      ...buffered
        .slice(250)
        .map((reading) => ({ kind: "telemetry", payload: JSON.stringify(reading) })),
    ]);
    await plc.goOn();
    expect(await steps(appliance)).toEqual([]);
    // Forward: what is ahead is set aside. Then back, and further back, to before 2000.
    plc.offset_ms = HOUR * 1000;
    await waitForSteps(appliance, 1);
    plc.offset_ms = -90 * 1000;
    await waitForSteps(appliance, 2);
    const begun_ms = Date.now();
    plc.offset_ms = -begun_ms;
    await waitForSteps(appliance, 3);
    await plc.end();
    const found = await steps(appliance);
    expect(found).toMatchObject([
      { clock: "plc", seconds: near(90 - begun_ms / 1000), name: null, found: "by live readings" },
      { clock: "plc", seconds: near(-HOUR - 90), name: null },
      { clock: "plc", seconds: near(HOUR), name: "daylight saving" },
    ]);
    expect(await steps(appliance, "?limit=1")).toEqual(found.slice(0, 1));
    expect(await steps(appliance, "?endDate=2020-01-01")).toEqual([]);
    const { status, text } = await appliance.get("/api/clock");
    const checked = { method: "GET", path: "/api/clock", status, type: "application/json" };
    const validator = openValidator(await appliance.json("/openapi.json"));
    expect(validator.answerProblems({ ...checked, body: text })).toBeNull();
    // Nothing was dropped and nothing is double: each reading is stored or set aside.
    const { data } = await appliance.json(
      "/api/telemetry/chunked?startDate=2000-01-01&endDate=2100-01-01&limit=10000",
    );
    const numbers = data.flatMap(({ NUMBER = null }) => (NUMBER === null ? [] : [NUMBER]));
    const aside = (await appliance.quarantine()).map(({ payload }) => payload);
    numbers.push(...aside.map((payload) => JSON.parse(payload ?? "{}").NUMBER));
    expect(numbers.sort((one: number, other: number) => one - other)).toEqual(
      Array.from({ length: plc.sent }, (_, number) => number),
    );
    await appliance.program.stop("SIGTERM");
    expect(appliance.program.stderr().match(/the PLC's clock was set/g)).toHaveLength(3);
  }
  // In the next run nothing is told again, but a clock that was set in between is.
  await using again = await startAppliance({ folder, env });
  expect(await steps(again)).toHaveLength(3);
  const plc = openPlc(again);
  await waitForSteps(again, 4);
  await plc.end();
  expect((await steps(again))[0]).toMatchObject({
    clock: "plc",
    found: expect.stringContaining("run before"),
  });
  const exported = await runProgram({ args: ["export", "--audit", "--format", "ndjson"], folder });
  expect(exported.stdout.match(/"kind":"clock_step"/g)).toHaveLength(4);
  await again.program.stop("SIGTERM");
  rmSync(folder, { recursive: true });
});

test("a box whose clock is set is found out while it runs and at its start", LONG, async () => {
  const folder = temporaryFolder();
  // Hours after the program was built: it trusts no earlier time.
  const clock = fakeClock(folder);
  clock.set(4 * HOUR);
  const { env } = clock;
  {
    await using appliance = await startAppliance({ folder, env });
    const plc = openPlc(appliance);
    await waitForOffset(appliance);
    clock.set(6 * HOUR);
    await waitForSteps(appliance, 1);
    clock.set(4 * HOUR - 600);
    await waitForSteps(appliance, 2);
    // The PLC's clock was not set: its offset is told anew, and is no step.
    await appliance.program.waitUntil("the new offset", async () => {
      const { offset_seconds } = await appliance.json("/api/clock");
      return Math.abs(offset_seconds + 4 * HOUR - 600) < WITHIN_S;
    });
    await plc.goOn();
    await plc.end();
    expect(await steps(appliance)).toMatchObject([
      { clock: "box", seconds: near(-2 * HOUR - 600), name: null },
      { clock: "box", seconds: near(2 * HOUR), name: "time zone" },
    ]);
    const { trusted, problem } = await appliance.json("/api/clock");
    expect([trusted, problem]).toEqual([false, expect.stringContaining("newest receipt")]);
    const [latest] = (await appliance.json("/api/telemetry/history?hours=1")).slice(-1);
    expect(latest.NUMBER).toBe(plc.sent - 1);
    const untrusted = async () => appliance.json("/api/alarms?state=active");
    await appliance.program.waitUntil("the alarm", async () => (await untrusted()).length > 0);
    expect(await untrusted()).toMatchObject([{ code: "CLOCK_NOT_TRUSTED", cleared_at: null }]);
    await appliance.program.stop("SIGTERM");
  }
  // Begun again behind the newest receipt: told once, however often it is started.
  for (let round = 0; round < 2; round += 1) {
    await using again = await startAppliance({ folder, env });
    await waitForSteps(again, 3);
    expect(await steps(again)).toHaveLength(3);
    expect((await steps(again))[0]).toMatchObject({
      clock: "box",
      found: expect.stringContaining("at the start"),
    });
    await again.program.stop("SIGTERM");
  }
  clock.set(7 * HOUR);
  await using right = await startAppliance({ folder, env });
  // It was set back, and nothing says yet that it is right.
  expect(await right.json("/api/clock")).toMatchObject({ trusted: false });
  const witness = openPlc(right);
  witness.offset_ms = 7 * HOUR * 1000;
  await right.program.waitUntil("trust", async () => (await right.json("/api/clock")).trusted);
  await witness.end();
  const alarms = async () => right.json("/api/alarms");
  await right.program.waitUntil("the end of the alarm", async () => {
    return (await alarms())[0].state === "cleared";
  });
  const raised: readonly { description: string }[] = await right.json(
    "/api/events?type=ALARM_TRIGGERED",
  );
  const ofTrust = raised.filter(({ description }) => description.startsWith("CLOCK_NOT_TRUSTED"));
  expect(ofTrust).toHaveLength(1);
  await right.program.stop("SIGTERM");
  rmSync(folder, { recursive: true });
});

test("one command regains trust after a receipt with the box years ahead", async () => {
  const folder = temporaryFolder();
  const clock = fakeClock(folder);
  const { env } = clock;
  const reading = { kind: "telemetry", payload: '{"timestamp":"2026-05-01","NUMBER":1}' };
  clock.set(10 * 365 * 24 * HOUR);
  {
    await using appliance = await startAppliance({ folder, env });
    await appliance.publish([reading]);
    await appliance.program.stop("SIGTERM");
  }
  clock.set(4 * HOUR);
  await using appliance = await startAppliance({ folder, env });
  expect(await appliance.json("/api/clock")).toMatchObject({ trusted: false });
  const ballastd = (...args: string[]) => runProgram({ args: ["clock", ...args], folder, env });
  expect(await ballastd("disown")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching("--reason"),
  });
  const { stdout } = await ballastd("disown", "--reason", "the box said 2036", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ from: expect.stringMatching(/^20/) });
  expect(await appliance.json("/api/clock")).toMatchObject({ trusted: true, problem: null });
  expect((await ballastd("list")).stdout).toMatch(/the box said 2036/);
  const exported = await runProgram({ args: ["export", "--audit", "--format", "ndjson"], folder });
  expect(exported.stdout).toMatch(/"kind":"disowned","actor":"local:/);
  await appliance.program.stop("SIGTERM");
  rmSync(folder, { recursive: true });
});
