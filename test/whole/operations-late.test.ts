// Operations of which the data comes in pieces, through the built program: each is judged when its
// pieces are in, and has one version for each thing that happened, also if the program is killed.

import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { eventsOfRun, readingsOfRun } from "../rig/operations.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";

// They mostly wait, so they wait together.
const test = single.concurrent;

type Told = ReturnType<typeof JSON.parse>;

const START_MS = Date.UTC(2026, 4, 4, 10);
const RUN = { start_ms: START_MS, minutes: 120 };

const operationsOf = (appliance: Appliance): Promise<Told> =>
  appliance.json("/api/operations?startDate=2020-01-01&limit=1000");

/** Sends items in pieces, a second apart: after a pause of ten they would be judged alone. */
async function sendPieces(appliance: Appliance, items: readonly Told[], pieces: number) {
  const size = Math.ceil(items.length / pieces);
  for (let from = 0; from < items.length; from += size) {
    const sent = items.slice(from, from + size).map((item: Told) => ({
      kind: "event_type" in item ? "events" : "telemetry",
      payload: JSON.stringify(item),
    }));
    await appliance.publish(sent);
    await pause(1000);
  }
}

test("late pieces of an operation make one version, also if ballastd is killed", async () => {
  const folder = temporaryFolder();
  const { start, stop } = eventsOfRun(RUN);
  const readings = readingsOfRun(RUN);
  const held = readings.slice(40, 80);
  const first = [start, ...readings.slice(0, 40), stop, ...readings.slice(80)];
  let appliance = await startAppliance({ folder });
  await sendPieces(appliance, first, 6);
  await appliance.program.waitUntil("a verdict", async () =>
    (await operationsOf(appliance)).some(({ version }: Told) => version > 0),
  );
  await sendPieces(appliance, held, 4);
  await appliance.program.stop("SIGKILL");
  appliance = await startAppliance({ folder });
  await appliance.program.waitUntil("a second verdict", async () =>
    (await operationsOf(appliance)).some(({ version }: Told) => version > 1),
  );
  const [{ id }, ...others] = await operationsOf(appliance);
  expect(others).toEqual([]);
  const { versions } = await appliance.json(`/api/operations/${id}`);
  expect(versions).toMatchObject([
    { verdict: "cannot_tell", because: "the operation ended" },
    { verdict: "within_limits", because: "40 readings came late" },
  ]);
  await appliance[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("nine months that come at once: each start is an operation with one version", async () => {
  await using appliance = await startAppliance();
  const url = `mqtt://127.0.0.1:${appliance.mqtt_port}`;
  const args = ["simulate", "--url", url, "--speed", "max", "--months", "9", "--seed", "3"];
  const { code, stderr } = await runProgram({ args, folder: appliance.program.folder });
  expect(code, stderr).toBe(0);
  const events = await appliance.json("/api/events?startDate=2020-01-01&limit=10000");
  const starts = events.filter(({ event_type }: Told) => event_type === "PROCESS_START");
  // The last one may still run.
  let found: Told = [];
  await appliance.program.waitUntil("all verdicts", async () => {
    found = await operationsOf(appliance);
    return found.filter(({ version }: Told) => version > 0).length >= starts.length - 1;
  });
  await pause(15_000);
  found = await operationsOf(appliance);
  const times = (of: Told, name: string) => of.map((one: Told) => Date.parse(one[name])).sort();
  expect(times(found, "start")).toEqual(times(starts, "timestamp"));
  // A cleaning may be judged after an operation that follows it, where that takes long.
  const again = found.flatMap(({ versions }: Told) => versions.slice(1));
  expect(again.filter(({ because }: Told) => !because.startsWith("a cleaning came late"))).toEqual(
    [],
  );
});
