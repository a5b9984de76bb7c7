// Sealed storage from outside: killed in the middle of sealing again and again, and when the disk
// has less room than is allowed. What was acknowledged is there, and the chain verifies.

import { expect, test } from "vitest";
import { pageThrough, publishAll, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";
import { sized } from "../rig/scale.ts";

const ALWAYS = { start: "2000-01-01", end: "2030-01-01", limit: 10_000 };
const FIRST_MS = Date.UTC(2025, 11, 31, 20);
const STEP_MS = 10_000;
/** More than a segment a round. */
const ROUND = 2500;
const KILLS = sized(2, 6);

const newFolder = foldersOfTests();

const timeOf = (number: number) => new Date(FIRST_MS + number * STEP_MS).toISOString();

function messageOf(number: number) {
  const payload = { timestamp: timeOf(number), SYS_PRESSURE: number / 8, UVR_LEVEL: `n${number}` };
  return { kind: "telemetry", payload: JSON.stringify(payload) };
}

test("kills while readings are sealed lose nothing that was acknowledged", async () => {
  const folder = newFolder();
  const acknowledged = new Set<number>();
  for (let round = 0; round < KILLS; round += 1) {
    const appliance = await startAppliance({ folder });
    const client = await appliance.connect();
    // Up to and around the commit that fills a segment, another moment in each round.
    const killAfter = ROUND - 400 + round * 70;
    let count = 0;
    for (let number = round * ROUND; number < (round + 1) * ROUND; number += 1)
      publishAll(client, [messageOf(number)]).then(
        () => {
          acknowledged.add(number);
          count += 1;
          if (count === killAfter) process.kill(appliance.program.pid, "SIGKILL");
        },
        () => null, // cut off with the connection
      );
    await appliance.program.ended;
    await appliance[Symbol.asyncDispose]();
  }
  await using appliance = await startAppliance({ folder });
  const stored = await pageThrough(appliance, ALWAYS);
  const times = new Set(stored.map(({ timestamp }) => timestamp));
  expect(times.size).toBe(stored.length);
  expect([...acknowledged].filter((number) => !times.has(timeOf(number)))).toEqual([]);
  for (const reading of stored) {
    const number = (Date.parse(String(reading.timestamp)) - FIRST_MS) / STEP_MS;
    expect([reading.SYS_PRESSURE, reading.UVR_LEVEL]).toEqual([number / 8, `n${number}`]);
  }
  const rows = await appliance.json("/api/telemetry/aggregated?interval=hour&startDate=2000-01-01");
  const counted = rows.reduce(
    (sum: number, row: { recordCount: number }) => sum + row.recordCount,
    0,
  );
  expect(counted).toBe(stored.length);
  const verified = await runProgram({ args: ["verify", "--json"], folder });
  expect(verified.code).toBe(0);
  const { segments, problem } = JSON.parse(verified.stdout);
  expect(problem).toBeNull();
  expect(segments).toBeGreaterThanOrEqual(KILLS - 2);
});

test("below storage.free_stop nothing is acknowledged, reads go on, and it says so", async () => {
  const folder = newFolder();
  {
    await using before = await startAppliance({ folder });
    await before.publish([messageOf(0)]);
    await before.program.stop("SIGTERM");
  }
  const env = {
    BALLASTD_STORAGE_FREE_WARN: "1000000 GiB",
    BALLASTD_STORAGE_FREE_STOP: "1000000 GiB",
  };
  await using appliance = await startAppliance({ folder, env });
  const client = await appliance.connect();
  let isAcknowledged = false;
  publishAll(client, [messageOf(1)]).then(
    () => {
      isAcknowledged = true;
    },
    () => null, // the connection drops, as it must
  );
  await new Promise<void>((resolve) => client.once("close", () => resolve()));
  expect(isAcknowledged).toBe(false);
  expect(await appliance.json("/api/telemetry/latest")).toMatchObject({ timestamp: timeOf(0) });
  const { status, text } = await appliance.get("/readyz");
  expect(status).toBe(503);
  expect(JSON.parse(text).disk.problem).toContain("storage.free_stop");
  expect(JSON.parse(text).reasons.join()).toContain("disk");
});

test("below storage.free_warn it stores, is ready, and raises an alarm of its own", async () => {
  await using appliance = await startAppliance({
    env: { BALLASTD_STORAGE_FREE_WARN: "1000000 GiB" },
  });
  await appliance.publish([messageOf(0)]);
  const alarms = () => appliance.json("/api/events?type=ALARM_TRIGGERED");
  await appliance.program.waitUntil("the alarm", async () => (await alarms()).length > 0);
  expect((await alarms())[0].data).toMatchObject({ source: "ballastd", code: "DISK_LOW" });
  const { ready, disk } = await appliance.json("/readyz");
  expect([ready, disk.problem]).toEqual([true, expect.stringContaining("storage.free_warn")]);
  expect((await appliance.get("/metrics")).text).toMatch(/^ballastd_disk_free_bytes \d+/m);
});
