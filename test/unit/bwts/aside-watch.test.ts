// The time from which all live messages count as quarantined: since the newest reading.

import { expect, test } from "vitest";
import { openAsideWatch, plcClockProblem } from "../../../src/bwts/aside-watch.ts";

const WRONG = [
  {
    ...{ reason: "bad_json", count: 1, first_ms: 0, detail: "", topic: "ship/lamps" },
    ...{ ahead_ms: null, alarms: [] },
  },
];

/** Runs a second at a time: one message that is quarantined, and a reading where `hears`. */
function watched(seconds: number, hears: (second: number) => boolean) {
  let now_ms = 0;
  const watch = openAsideWatch(() => now_ms);
  for (let second = 0; second < seconds; second += 1) {
    now_ms = second * 1000;
    if (hears(second)) watch.committed([], true);
    watch.committed(WRONG, false);
  }
  return watch.now()?.areAll;
}

test("one wrong topic beside readings isn't all, however seldom they come", () => {
  expect(watched(60, () => true)).toBe(false);
  expect(watched(1000, (second) => second % 180 === 0)).toBe(false);
});

test("readings that stop in the middle of an episode leave nothing but what is quarantined", () => {
  expect(watched(70, (second) => second < 60)).toBe(true);
  expect(watched(64, (second) => second < 60)).toBe(false);
  expect(watched(1200, (second) => second < 400 && second % 180 === 0)).toBe(true);
});

test("a new ship without one reading counts at once", () => {
  expect(watched(7, () => false)).toBe(true);
});

test.each([
  ["ahead of", 3],
  ["behind", -8],
])("a clock that is %s this computer's blames neither", (side, hours) => {
  const problem = plcClockProblem(hours * 3_600_000);
  expect(problem).toContain(`the PLC's clock is ${Math.abs(hours)} h ${side} this computer's`);
  expect(problem).toContain("either can be wrong");
});
