// Forecasts of lamps whose readings a void hides, of the built program: they go with the readings
// and come back with them.

import { expect, test as single } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openFleet } from "../rig/fleet.ts";
import { forecasts, lampsOf, load, timeOf, voyage } from "../rig/lamps-aboard.ts";
import { runProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";

// They mostly wait for jobs, so they wait together.
const test = single.concurrent;

async function run({ program: { folder } }: Appliance, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram({ args, folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

const newest = async (appliance: Appliance) =>
  (await appliance.get("/api/predictions?newest=each_lamp")).text;

const hide = (appliance: Appliance, [first, last]: readonly unknown[]) =>
  run(appliance, "void", ...["--from", `${first}`, "--to", `${last}`, "--reason", "a trial"]);

test("a void of the newest readings hides their forecasts, and its undo shows them", async () => {
  const random = printedRandom("lamps: a void");
  await using appliance = await startAppliance();
  const fleet = openFleet(random, (lamp) => 200 * lamp);
  const first = voyage(fleet, 4);
  const last = voyage(fleet, 1);
  await load(appliance, first);
  await forecasts(appliance, timeOf(first));
  const before = await newest(appliance);
  await load(appliance, last);
  await forecasts(appliance, timeOf(last));
  const whole = await newest(appliance);
  await hide(appliance, [last[0].timestamp, timeOf(last)]);
  await appliance.program.waitUntil("the lives without them", async () => {
    return (await lampsOf(appliance)).data_through === timeOf(first);
  });
  // Not even until the lamps are forecast again.
  expect(await newest(appliance)).toBe(before);
  const { lamps } = await appliance.json("/api/overview");
  for (const { forecast } of lamps) expect(forecast.timestamp).toBe(timeOf(first));
  const answered = await appliance.get("/export/predictions");
  expect(answered.text).toContain(String(timeOf(first)));
  expect(answered.text).not.toContain(String(timeOf(last)));
  await run(appliance, "void", "undo", "1");
  await appliance.program.waitUntil("the forecasts of all readings", async () => {
    return (await newest(appliance)) === whole;
  });
});

test("lamps are forecast again though the hidden readings were of no operation", async () => {
  const random = printedRandom("lamps: a void in port");
  await using appliance = await startAppliance();
  const fleet = openFleet(random, (lamp) => 200 * lamp);
  const alter = (reading: Record<string, string | number>) => {
    reading.PROCESS_STATE = "STANDBY";
    reading.SYS_FLOW_RATE = 0;
  };
  const first = voyage(fleet, 2);
  const port = fleet.operate({ hours: 3, alter });
  await load(appliance, [...first, ...port]);
  await forecasts(appliance, timeOf(port));
  // Operating hours stay what they are.
  await hide(appliance, [port[1].timestamp, timeOf(port)]);
  const known = await forecasts(appliance, port[0].timestamp);
  expect(known.size).toBe(16);
  const { lamps } = await lampsOf(appliance);
  for (const [index, { present }] of lamps.entries()) {
    const one = known.get(`LAMP_${String(index + 1).padStart(2, "0")}`);
    expect(one?.current_state.runtime_hours).toBe(present.hours);
  }
});
