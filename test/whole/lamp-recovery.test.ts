// A lamp that gets better, aboard the built program: the end that was told is taken back, the new
// forecast holds, and the track record keeps the wrong one.

import { expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { askChecked } from "../oracle/asking.ts";
import { newLamp, openFleet } from "../rig/fleet.ts";
import { forecasts, lampsOf, load, timeOf, voyage } from "../rig/lamps-aboard.ts";
import { printedRandom } from "../rig/random.ts";

async function trackRecord(appliance: Appliance) {
  const { bytes } = await askChecked(appliance, "GET", "/api/predictions/track-record");
  return JSON.parse(bytes.toString());
}

test("the end of a lamp that is mended is taken back, and counts as wrong", async () => {
  const random = printedRandom("lamp recovery");
  await using appliance = await startAppliance();
  const fleet = openFleet(random, (lamp) => 900 + 20 * lamp);
  for (const [index, lamp] of fleet.lamps.entries())
    Object.assign(lamp, { worn_h: 2500 + 80 * index, bend: 1 });
  // So few hours that no other forecast is outlived by its lamp beyond its horizon.
  await load(appliance, voyage(fleet, 10));
  const alter = (reading: Record<string, string | number>) => {
    reading.LAMP_07_EFFICIENCY = 0.75 * Number(reading.LAMP_07_EFFICIENCY);
  };
  const dim = Array.from({ length: 5 }, () => fleet.operate({ alter })).flat();
  await load(appliance, dim);
  const worn = (await forecasts(appliance, timeOf(dim))).get("LAMP_07");
  expect(worn?.predictions).toMatchObject({
    ...{ expected_end: "worn", remaining_useful_life_hours: 0, failure_probability: 1 },
  });
  expect((await lampsOf(appliance)).lamps[6].present).toMatchObject({ outcome: "worn" });
  // Its ballast was mended.
  const mended = voyage(fleet, 4);
  await load(appliance, mended);
  const better = (await forecasts(appliance, timeOf(mended))).get("LAMP_07");
  const { hours, worn_h } = fleet.lamps[6];
  const hoursOf = (name: string) => Number(better?.predictions[name]);
  expect(better?.predictions).toMatchObject({ expected_end: null, basis: "fit" });
  expect(hoursOf("remaining_useful_life_hours_p05")).toBeLessThan(worn_h - hours);
  expect(hoursOf("remaining_useful_life_hours_p95")).toBeGreaterThan(worn_h - hours);
  expect(hoursOf("remaining_useful_life_hours")).toBeGreaterThan(0.75 * (worn_h - hours));
  // Replaced in good order: it lived on for four operations, and nobody knows how long it would.
  fleet.lamps[6] = newLamp(random);
  const replaced = voyage(fleet, 1);
  await load(appliance, replaced);
  await forecasts(appliance, timeOf(replaced));
  let record = await trackRecord(appliance);
  await appliance.program.waitUntil("the scores", async () => {
    record = await trackRecord(appliance);
    return !record.message.includes("not all");
  });
  expect(record).toMatchObject({
    ...{ lamps_ended: { failed: 0, worn: 0, replaced: 1 }, brier: 1 },
  });
  // Forecasts that told its end too early are known to be wrong. The others are believed, but for
  // ends before p05, of which there was none: without the wrong ones it would be 0.90 of 0.95.
  expect(record.coverage).toBeLessThan(18 / 19);
  expect(record.forecasts_scored).toBeGreaterThan(0);
  // A forecast may have come between two batches of the voyage, with less than all of it ahead.
  expect(record.median_error_hours).toBeGreaterThan(0);
});
