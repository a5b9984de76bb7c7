// The make's profile, to the built program: from the configuration to the forecasts and the answer
// that says what it was worth, across a change of the configuration.

import { expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";
import { openFleet, recentStart } from "../rig/fleet.ts";
import { forecasts, load, timeOf, voyage } from "../rig/lamps-aboard.ts";
import { runProgram } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";

const POINTS = ["0 100", "1000 88", "2000 79", "3000 70"];
const env = {
  BALLASTD_LAMPS_PART_NUMBER: "UVL-3400",
  BALLASTD_LAMPS_PROFILE: POINTS.join(", "),
};

test("a configured profile is in each forecast, until it is taken out again", async () => {
  const random = printedRandom("lamp-profile");
  const fleet = openFleet(random, () => 1000, recentStart(9));
  const readings = voyage(fleet, 8);
  const later = fleet.operate();
  const profiled = await startAppliance({ env });
  await using _ = profiled;
  const { folder } = profiled.program;
  await load(profiled, readings);
  const made = await forecasts(profiled, timeOf(readings));
  expect(made.size).toBe(16);
  for (const { predictions } of made.values()) {
    expect(predictions.model_version).toMatch(/^lamps-\d+$/);
    expect(predictions.profile).toEqual({
      ...{ part_number: "UVL-3400", points: POINTS },
      weight: expect.closeTo(0.5, 0),
      stretch: expect.closeTo(1, 0),
    });
  }
  await profiled.program.stop("SIGTERM");
  await using plain = await startAppliance({ folder });
  await load(plain, later);
  const anew = await forecasts(plain, timeOf(later));
  for (const { predictions } of anew.values()) expect(predictions.profile).toBeNull();
});

test("check refuses a table that doesn't reach the end of life, and names both keys", async () => {
  await using appliance = await startAppliance();
  const { folder } = appliance.program;
  const short = { BALLASTD_LAMPS_PROFILE: "0 100, 4000 85" };
  const { code, stdout, stderr } = await runProgram({ args: ["check"], folder, env: short });
  expect(code).toBe(1);
  expect(stdout + stderr).toMatch(
    /lamps\.profile ends at 85 %, expected .* lamps\.end_of_life_efficiency \(70 %\)/,
  );
});
