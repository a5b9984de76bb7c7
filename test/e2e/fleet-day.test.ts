// A tenth of a fleet's day: 500 ships with the 42 segments of a day each, 21,000 links, but of 256
// readings and not 2,048, out of four encoded days. `npm run soak -- --fleet` is the whole one, of
// 5,000 ships.

import { expect, test } from "vitest";
import { runFleetDay } from "../../scripts/soak/fleet-day.ts";

test("a day of 500 ships, some of them cut off in the middle, is ashore once", async () => {
  const day = { ships: 500, days: 4, segments: 42, readings: 256 };
  const report = await runFleetDay({ ...day, progress: () => {} });
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ links: 500 * 42, whole: 500, verified: 4 });
  expect(report.cuts).toBe(63);
});
