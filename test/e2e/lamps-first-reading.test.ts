// The first reading of a lamp, over MQTT: its forecast tells the light that was sent, and no dates.

import { expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";
import { forecasts, lampsOf, publish } from "../rig/lamps-aboard.ts";
import { runProgram } from "../rig/program.ts";

test("a single reading with a lamp's efficiency gives a forecast with its light", async () => {
  await using appliance = await startAppliance();
  const timestamp = "2026-05-01T06:30:00.000Z";
  await publish(appliance, [{ timestamp, PROCESS_STATE: "RUNNING", LAMP_07_EFFICIENCY: 91.5 }]);
  const known = await forecasts(appliance, timestamp);
  const { predictions = {}, current_state = {} } = known.get("LAMP_07") ?? {};
  expect(current_state).toMatchObject({ efficiency_percent: 91.5, status: "OPERATIONAL" });
  expect(predictions).toMatchObject({
    ...{ basis: "rated_life_prior", expected_end: null, remaining_days: null },
    ...{ end_date_p05: null, end_date_p50: null, end_date_p95: null },
  });
  // Its age is unknown: half a life of about 3,200 h is left.
  expect(Number(predictions.remaining_useful_life_hours)).toBeGreaterThan(1_400);
  expect(Number(predictions.remaining_useful_life_hours)).toBeLessThan(1_900);
  expect(Number(predictions.efficiency_percent)).toBeGreaterThan(80);
  expect(Number(predictions.efficiency_percent)).toBeLessThan(91.5);
  const { lamps, duty } = await lampsOf(appliance);
  expect(lamps[6].present).toMatchObject({ efficiency_percent: 91.5, hours: 0 });
  expect(duty.hours_per_day).toBeNull();
});

test("a statement about a time before the first reading is refused: it does nothing", async () => {
  await using appliance = await startAppliance();
  const timestamp = "2026-05-01T06:30:00.000Z";
  await publish(appliance, [{ timestamp, PROCESS_STATE: "RUNNING", LAMP_05_EFFICIENCY: 91.5 }]);
  await forecasts(appliance, timestamp);
  const { folder } = appliance.program;
  const replaced = (at: string) =>
    runProgram({ args: ["lamp", "replaced", "5", "--at", at], folder });
  const slip = await replaced("2015-12-18");
  expect(slip.code).toBe(1);
  expect(slip.stderr).toContain("--at: got 2015-12-18T00:00:00.000Z, expected 2026-04-29T06:30");
  expect(slip.stderr).toContain("the first reading is of 2026-05-01T06:30:00.000Z");
  // A day before it, the lamp may have been changed for this first reading.
  expect(await replaced("2026-04-30")).toMatchObject({ code: 0 });
});
