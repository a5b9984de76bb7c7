// A new ship whose messages are all quarantined, through the built program: /readyz, an alert, the
// log and the check say so, with the remedy; and the offset of the PLC's zone takes them in.

import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { databaseFile } from "../../src/sqlite/file/open.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const HOUR_MS = 3_600_000;
/** Ship's time without a zone. */
const shipTime = (at_ms: number) => new Date(at_ms).toISOString().slice(0, 19).replace("T", " ");
const reading = (at_ms: number, more: object = {}) => ({
  ...{ timestamp: shipTime(at_ms), PROCESS_STATE: "RUNNING", UVR_INTENSITY: 300, ...more },
});

/** Publishes `payload` each quarter of a second until `isEnough`. */
async function publishUntil(
  appliance: Appliance,
  payload: () => string,
  isEnough: () => Promise<boolean>,
) {
  while (!(await isEnough())) {
    await appliance.publish([{ kind: "telemetry", payload: payload() }]);
    await pause(250);
  }
}

const ready = async (appliance: Appliance) => JSON.parse((await appliance.get("/readyz")).text);

async function untilTold(appliance: Appliance, payload: () => string) {
  const codes = async () =>
    (await appliance.json("/api/alarms?state=active")).map(({ code }: { code: string }) => code);
  await publishUntil(appliance, payload, async () =>
    (await codes()).includes("MESSAGES_QUARANTINED"),
  );
  const { reasons } = await ready(appliance);
  const told = reasons.filter((reason: string) => reason.includes("quarantined since"));
  expect(told).toHaveLength(1);
  expect(appliance.program.stderr().match(/live messages are quarantined/g)).toHaveLength(1);
  return String(told[0]);
}

test("a PLC with ship's time is told everywhere, and an offset takes it in", async () => {
  await using appliance = await startAppliance();
  const told = await untilTold(appliance, () => JSON.stringify(reading(Date.now() + 8 * HOUR_MS)));
  const alarm = { event_type: "ALARM_TRIGGERED", data: { code: "UV_LOW" } };
  const sent = JSON.stringify({ timestamp: shipTime(Date.now() + 8 * HOUR_MS), ...alarm });
  await appliance.publish([{ kind: "events", payload: sent }]);
  await appliance.program.waitUntil("the plant's alarm", async () => {
    const texts = (await appliance.json("/api/alarms")).map(
      ({ description }: { description: string }) => description,
    );
    return texts.some((text: string) => text.includes("alarm UV_LOW came"));
  });
  expect(told).toMatch("the PLC's clock is 8 h ahead");
  expect(told).toMatch(/\d+ messages are quarantined since \S+Z \(future\), nothing is lost/);
  expect(told).toMatch("ballastd quarantine replay --reason future --shift -8h");
  const { folder } = appliance.program;
  const checked = await runProgram({ args: ["check"], folder });
  expect(checked.stdout + checked.stderr).not.toMatch(/ok +quarantine/);
  expect(checked.stdout + checked.stderr).toMatch(/messages wait/);
  await appliance.program.stop("SIGTERM");
  await using again = await startAppliance({
    folder,
    env: { BALLASTD_MQTT_PLC_UTC_OFFSET: "+08:00" },
  });
  const sent_ms = Math.floor(Date.now() / 1000) * 1000;
  await again.publish([
    { kind: "telemetry", payload: JSON.stringify(reading(sent_ms + 8 * HOUR_MS)) },
  ]);
  const latest = await again.json("/api/telemetry/latest");
  expect(Date.parse(latest.timestamp)).toBe(sent_ms);
  const replayed = await runProgram({ args: ["quarantine", "replay"], folder });
  expect(replayed.stderr).toMatch(/, 0 entries left/);
  expect((await runProgram({ args: ["check"], folder })).stdout).toMatch(/ok +quarantine/);
});

test("a plant's alarm stays active while all its messages are quarantined", async () => {
  const folder = temporaryFolder();
  const alarm = { event_type: "ALARM_TRIGGERED", data: { code: "UV_LOW" } };
  const stateOf = async (appliance: Appliance): Promise<string | undefined> => {
    const alerts: readonly { readonly code: string; readonly alert_state: string }[] =
      await appliance.json("/api/alarms?state=open");
    return alerts.find(({ code }) => code === "PLANT_ALARM_QUARANTINED")?.alert_state;
  };
  const ahead = () => JSON.stringify(reading(Date.now() + 8 * HOUR_MS));
  let appliance = await startAppliance({ folder });
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(reading(Date.now())) }]);
  const sent = JSON.stringify({ timestamp: shipTime(Date.now() + 8 * HOUR_MS), ...alarm });
  await appliance.publish([{ kind: "events", payload: sent }]);
  const areAll = async () => (await ready(appliance)).quarantining?.all === true;
  // The job that closed it ran every two seconds.
  await publishUntil(appliance, ahead, areAll);
  expect(await stateOf(appliance)).toBe("unacknowledged");
  await appliance.program.stop("SIGTERM");
  appliance = await startAppliance({ folder });
  await publishUntil(appliance, ahead, areAll);
  expect(await stateOf(appliance)).toBe("unacknowledged");
  await appliance.program.stop("SIGTERM");
  appliance = await startAppliance({ folder });
  // Its clock is right again, and it speaks for itself.
  await publishUntil(
    appliance,
    () => JSON.stringify(reading(Date.now())),
    async () => (await stateOf(appliance)) === "rectified",
  );
  await appliance[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("a quarantine that fills is told before a payload is lost, and when one is", async () => {
  await using appliance = await startAppliance({ env: { BALLASTD_QUARANTINE_MAX_BYTES: "10000" } });
  const cut = (number: number) => ({
    kind: "telemetry",
    payload: JSON.stringify(reading(Date.now(), { number, text: "x".repeat(900) })).slice(0, 950),
  });
  const alarm = async (): Promise<string | null> => {
    const open: readonly { readonly code: string; readonly description: string }[] =
      await appliance.json("/api/alarms?state=active");
    return open.find(({ code }) => code === "QUARANTINE_FULL")?.description ?? null;
  };
  await appliance.publish([1, 2, 3, 4, 5, 6, 7, 8].map(cut));
  const { quarantine } = await appliance.json("/api/system");
  expect(quarantine).toMatchObject({ entries: 8, bytes: 7600 });
  expect(await alarm()).toBeNull();
  await appliance.publish([cut(9)]);
  await appliance.program.waitUntil("the alert before", async () => (await alarm()) !== null);
  expect(await alarm()).toMatch(
    "9 of 100000 entries, 8550 of 10000 bytes: beyond that payloads are lost",
  );
  const entries = await appliance.quarantine();
  expect(entries.filter(({ payload }) => payload === null)).toEqual([]);
  await appliance.publish([10, 11, 12].map(cut));
  await appliance.program.waitUntil("the alert of the loss", async () =>
    /it is full, and the payloads of 2 messages are lost/.test((await alarm()) ?? ""),
  );
});

test("so is one that runs out of entries: 28 hours of a message a second", LONG, async () => {
  const folder = temporaryFolder();
  {
    await using appliance = await startAppliance({ folder });
    await appliance.program.stop("SIGTERM");
  }
  const db = new Database(databaseFile(path.join(folder, "data")));
  // Ids are the count: entries are never removed.
  db.prepare(
    `insert into quarantine (id, topic, reason, detail, payload, payload_bytes, identity,
       first_received_ms, last_received_ms, clock_trusted, count)
     values (80001, 'bwts/BWTS-001/telemetry', 'bad_json', '', x'7b', 1, x'01', 1, 1, 1, 1)`,
  ).run();
  db.close();
  await using again = await startAppliance({ folder });
  await again.program.waitUntil("the alert", async () => {
    const open: readonly { readonly description: string }[] = await again.json("/api/alarms");
    return open.some(({ description }) => description.includes("80001 of 100000 entries"));
  });
  await again.program.stop("SIGTERM");
  rmSync(folder, { recursive: true });
});

test("a PLC's clock that stands still takes the tick", LONG, async () => {
  await using appliance = await startAppliance();
  const rest = { COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 600, UVR_POWER_OUTPUT: 90 };
  const now_ms = Date.now();
  const sent = (at_ms: number, light: number) =>
    JSON.stringify(reading(at_ms, { ...rest, UVR_INTENSITY: light }));
  const ago = Array.from({ length: 30 }, (_, second) => 30 - second);
  await appliance.publish(
    ago.map((second) => ({
      ...{ kind: "telemetry", payload: sent(now_ms - second * 1000, 400 + second) },
    })),
  );
  const overview = () => appliance.json("/api/overview");
  expect(await overview()).toMatchObject({ verdict: "within_limit" });
  let light = 100;
  const still = () => {
    light += 1;
    return sent(now_ms - 1000, light);
  };
  await publishUntil(
    appliance,
    still,
    async () => (await ready(appliance)).quarantining?.all === true,
  );
  expect(await overview()).toMatchObject({ verdict: "quarantined", tick: false });
  const [told] = (await ready(appliance)).reasons;
  expect(told).toMatch("the PLC's clock stands still, its times have no seconds");
  expect(told).toMatch("UVR_INTENSITY: got");
});

test("cut JSON is told with its remedy", async () => {
  await using appliance = await startAppliance();
  let number = 0;
  const told = await untilTold(appliance, () => {
    number += 1;
    return JSON.stringify(reading(Date.now(), { number })).slice(0, -5);
  });
  expect(told).toMatch(/\(bad_json\), nothing is lost/);
  expect(told).toMatch(/Remedy: the JSON is cut/);
});
