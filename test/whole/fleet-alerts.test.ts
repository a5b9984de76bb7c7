// Alerts about the link as the crew meets them: the shore is silent for too long, and the shore has
// what a box put back from a backup hasn't. Each ends by itself when its reason has ended.

import { cpSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR_MS } from "../../src/ground/clock.ts";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { fakeClock } from "../rig/fake-clock.ts";
import { type FleetRig, startFleet } from "../rig/fleet-rig.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { until } from "../rig/until.ts";

const newFolder = foldersOfTests(afterAll);
let fleet: FleetRig;

beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.[Symbol.asyncDispose]());

/** A folder with the ship's key, and the environment that joins her. */
async function joined(ship: string) {
  const folder = newFolder();
  const { urls, certificate, key, key_pin } = await fleet.add(ship);
  const place = (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const env = {
    BALLASTD_SHORE_URL: urls[0],
    BALLASTD_SHORE_CERT: place("cert.pem", certificate),
    BALLASTD_SHORE_KEY: place("key.pem", key),
    BALLASTD_SHORE_KEY_PIN: key_pin,
    BALLASTD_SHORE_ALARM_HOURS: "1",
  };
  return { folder, env };
}

/** The open alert with this code; undefined without one. */
async function alertOf(appliance: Appliance, code: string) {
  const open = await appliance.json("/api/alarms?state=open");
  return open.find((alarm: { code: string }) => alarm.code === code);
}

const isOpen = (appliance: Appliance, code: string) => async () =>
  (await alertOf(appliance, code)) !== undefined;
/** A warning that is over stays until it is acknowledged; a caution goes. */
const isOver = (appliance: Appliance, code: string) => async () => {
  const alert = await alertOf(appliance, code);
  return alert === undefined || alert.cleared_at !== null;
};
/** Connected, with everything ashore. */
const isDrained = (appliance: Appliance) => async () => {
  const { state, backlog } = await appliance.json("/api/shore");
  return state === "connected" && backlog.links === 0;
};

test("SHORE_BEHIND rises after hours of silence, and ends with an answer", async () => {
  const { folder, env } = await joined("9074729");
  const clock = fakeClock(folder);
  await using appliance = await startAppliance({ folder, env: { ...env, ...clock.env } });
  await until("a session", isDrained(appliance));
  expect(await alertOf(appliance, "SHORE_BEHIND")).toBeUndefined();
  await fleet.stop();
  clock.set((2 * HOUR_MS) / 1000);
  await until("the alert", isOpen(appliance, "SHORE_BEHIND"));
  const { description } = await alertOf(appliance, "SHORE_BEHIND");
  expect(description).toMatch(/no answer of the shore for 1 h: .*(ECONNREFUSED|connection)/);
  await fleet.start();
  await until("its end", isOver(appliance, "SHORE_BEHIND"));
  expect((await appliance.json("/api/shore")).state).toBe("connected");
});

test("SHORE_FORK rises for a box put back from a backup, and ends when it is ahead", async () => {
  const { folder, env } = await joined("9176187");
  const data = path.join(folder, "data");
  const kept = path.join(folder, "kept");
  const start = () => startAppliance({ folder, env });
  const publish = (appliance: Appliance, name: string, count: number) =>
    appliance.publish(
      Array.from({ length: count }, (_, index) => ({
        kind: "events",
        payload: JSON.stringify({ event_type: "ALARM_TRIGGERED", description: `${name} ${index}` }),
      })),
    );
  {
    await using before = await start();
    await publish(before, "common", 2);
    await until("all ashore", isDrained(before));
    await before.program.stop("SIGTERM");
    cpSync(data, kept, { recursive: true });
  }
  {
    await using lost = await start();
    await publish(lost, "lost", 3);
    await until("all ashore", isDrained(lost));
    expect(await alertOf(lost, "SHORE_FORK")).toBeUndefined();
    await lost.program.stop("SIGTERM");
  }
  rmSync(data, { recursive: true });
  cpSync(kept, data, { recursive: true });
  await using appliance = await start();
  await publish(appliance, "other", 1);
  await until("the alert", isOpen(appliance, "SHORE_FORK"));
  const { description } = await alertOf(appliance, "SHORE_FORK");
  expect(description).toMatch(/the shore has (event|audit) \d+, this box the same only up to \d+/);
  // Both chains go on beyond those that were lost.
  await publish(appliance, "further", 4);
  for (let day = 1; day <= 9; day += 1)
    await appliance.get(`/export/events?startDate=2026-05-0${day}`);
  await until("its end", isOver(appliance, "SHORE_FORK"));
  await until("all ashore", isDrained(appliance));
  const told = await fleet.psql(`select description from fleet.event
    where ship = '9176187' and description ~ '^(common|lost|other|further) ' order by 1`);
  expect(told.trim().split("\n")).toEqual([
    ...["common 0", "common 1", "further 0", "further 1", "further 2", "further 3"],
    ...["lost 0", "lost 1", "lost 2", "other 0"],
  ]);
});
