// A fleet's day in short: 48 ships, or 500 in a run of everything, with the 42 segments of a day
// each, but of 256 readings and not 2,048. `npm run soak -- --fleet` is the whole one, of 5,000.

import { expect, test } from "vitest";
import { runFleetDay } from "../../scripts/soak/fleet-day.ts";
import { sized } from "../rig/scale.ts";

const DAY = { segments: 42, readings: 256 };

test("a day of a fleet, some of its ships cut off in the middle, is ashore once", async () => {
  const day = sized({ ...DAY, ships: 32, days: 2 }, { ...DAY, ships: 500, days: 4 });
  const report = await runFleetDay({ ...day, progress: () => {} });
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ links: day.ships * 42, whole: day.ships, verified: day.days });
  // The line of every eighth ship is cut.
  expect(report.cuts).toBe(Math.ceil(day.ships / 8));
});
