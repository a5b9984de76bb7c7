// The present after a clock was set, through the built program: the PLC's clock put back or ahead,
// the box's clock set back (libfaketime). The newest message received is shown, and nothing looks
// well.

import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { fakeClock } from "../rig/fake-clock.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

// They mostly wait for clocks, so they wait together.
const test = single.concurrent;

const HOUR_MS = 3_600_000;
const reading = (at_ms: number, more: object) =>
  JSON.stringify({
    ...{ timestamp: new Date(at_ms).toISOString(), PROCESS_STATE: "RUNNING" },
    ...{ COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 500, ...more },
  });

/** Sends readings four times a second, by a clock that is off by `offset_ms`, until `isEnough`. */
async function sendUntil(
  appliance: Appliance,
  { offset_ms, ...more }: { readonly offset_ms: number; readonly UVR_INTENSITY: number },
  isEnough: () => Promise<boolean>,
) {
  while (!(await isEnough())) {
    const payload = reading(Date.now() + offset_ms, more);
    await appliance.publish([{ kind: "telemetry", payload }]);
    await pause(250);
  }
}

const readiness = async (appliance: Appliance) => JSON.parse((await appliance.get("/readyz")).text);
const codes = async (appliance: Appliance): Promise<readonly string[]> =>
  (await appliance.json("/api/alarms?state=active")).map(({ code }: { code: string }) => code);

test("a PLC's clock put back by 8 h leaves what came last as the present", async () => {
  await using appliance = await startAppliance();
  const now_ms = Date.now();
  const hour = Array.from({ length: 60 }, (_, minute) => ({
    kind: "telemetry",
    payload: reading(now_ms - HOUR_MS + minute * 60_000, { UVR_INTENSITY: 600 }),
  }));
  await appliance.publish(hour);
  await sendUntil(appliance, { offset_ms: -8 * HOUR_MS, UVR_INTENSITY: 100 }, async () => {
    return (await appliance.json("/api/overview")).verdict === "below_limit";
  });
  const overview = await appliance.json("/api/overview");
  expect(overview.reading.values.UVR_INTENSITY).toBe(100);
  expect(overview.reading_seconds_ago).toBeGreaterThanOrEqual(-5);
  expect(overview.reading_seconds_ago).toBeLessThan(120);
  expect((await appliance.json("/api/telemetry/latest")).UVR_INTENSITY).toBe(100);
  await appliance.program.waitUntil("its alert", async () =>
    (await codes(appliance)).includes("PLC_CLOCK_WRONG"),
  );
  const { ready, reasons } = await readiness(appliance);
  expect([ready, reasons.join()]).toEqual([false, expect.stringMatching("8 h behind")]);
  // Three minutes of it, buffered by the PLC: the alert comes as it does without a step.
  const buffered = Array.from({ length: 18 }, (_, index) => ({
    kind: "telemetry",
    payload: reading(Date.now() - 8 * HOUR_MS - (180 - 10 * index) * 1000, { UVR_INTENSITY: 100 }),
  }));
  await appliance.publish(buffered);
  await sendUntil(appliance, { offset_ms: -8 * HOUR_MS, UVR_INTENSITY: 100 }, async () =>
    (await codes(appliance)).includes("UV_BELOW_LIMIT"),
  );
});

test("a PLC's clock ahead is told, and the last reading keeps its age", async () => {
  await using appliance = await startAppliance();
  await sendUntil(appliance, { offset_ms: 0, UVR_INTENSITY: 600 }, async () => {
    return (await appliance.json("/api/clock")).offset_seconds !== null;
  });
  await sendUntil(appliance, { offset_ms: 3 * HOUR_MS, UVR_INTENSITY: 600 }, async () => {
    return (await codes(appliance)).includes("MESSAGES_QUARANTINED");
  });
  await sendUntil(appliance, { offset_ms: 3 * HOUR_MS, UVR_INTENSITY: 600 }, async () => {
    return (await appliance.json("/api/clock")).offset_seconds > 3000;
  });
  const overview = await appliance.json("/api/overview");
  expect(overview.reading_seconds_ago).toBeLessThan(HOUR_MS / 1000);
  expect(overview.tick).toBe(false);
  const { reasons } = await readiness(appliance);
  expect(reasons).toEqual([expect.stringMatching(/the PLC's clock is 3 h ahead.*nothing is lost/)]);
  // Set right: readings tell the clock again, and what is quarantined is still told.
  await sendUntil(appliance, { offset_ms: 0, UVR_INTENSITY: 600 }, async () => {
    return (await readiness(appliance)).plc_clock === null;
  });
  expect((await appliance.json("/api/overview")).verdict).toBe("within_limit");
  expect((await readiness(appliance)).reasons).toEqual([
    expect.stringMatching(/nothing is lost: their times are 3 h ahead\. Take them in/),
  ]);
});

test("a box's clock set back stays untrusted until something says it is right", LONG, async () => {
  const folder = temporaryFolder();
  const clock = fakeClock(folder);
  const { env } = clock;
  const trusted = async (appliance: Appliance) =>
    (await appliance.json("/api/clock")).trusted === true;
  // Hours after the program was built: it trusts no earlier time.
  clock.set(6 * 3600);
  {
    await using appliance = await startAppliance({ folder, env });
    const plc = { offset_ms: 6 * HOUR_MS, UVR_INTENSITY: 600 };
    await sendUntil(appliance, plc, async () => {
      return (await appliance.json("/api/clock")).offset_seconds !== null;
    });
    clock.set(5 * 3600);
    // Steps are written within a second.
    await sendUntil(appliance, plc, async () => {
      const { trusted: isTrusted, steps } = await appliance.json("/api/clock");
      return !isTrusted && steps.length > 0;
    });
    await appliance.program.stop("SIGTERM");
  }
  // Later than the newest receipt, and with nothing that says it is right.
  clock.set(7 * 3600);
  {
    await using appliance = await startAppliance({ folder, env });
    const { trusted: isTrusted, problem } = await appliance.json("/api/clock");
    expect([isTrusted, problem]).toEqual([false, expect.stringMatching("set back by 60 min")]);
    // The page, /readyz and the check say the same.
    const said = `the clock of ballastd's computer isn't trusted: ${problem}`;
    expect(await readiness(appliance)).toMatchObject({ ready: false, reasons: [said] });
    expect(await appliance.json("/api/overview")).toMatchObject({ tick: false });
    const checked = await runProgram({ args: ["check"], folder, env });
    expect(checked.code).toBe(1);
    expect(checked.stdout + checked.stderr).toMatch("set back by 60 min");
    // A reading ahead of it is stored, and not quarantined.
    const ahead = reading(Date.now() + 8 * HOUR_MS, { UVR_INTENSITY: 1 });
    await appliance.publish([{ kind: "telemetry", payload: ahead }]);
    expect(await appliance.quarantine()).toEqual([]);
    const plc = { offset_ms: 7 * HOUR_MS, UVR_INTENSITY: 600 };
    await sendUntil(appliance, plc, () => trusted(appliance));
    // Set back again, and a person says that it is right.
    clock.set(7 * 3600 - 600);
    await appliance.program.waitUntil("no trust", async () => !(await trusted(appliance)));
    const disown = ["clock", "disown", "--reason", "checked by GPS"];
    expect(await runProgram({ args: disown, folder, env })).toMatchObject({ code: 0 });
    expect(await trusted(appliance)).toBe(true);
    await appliance.program.stop("SIGTERM");
  }
  rmSync(folder, { recursive: true });
});
