// The time from which all live messages count as quarantined: since the newest reading.

import { expect, test } from "vitest";
import { asideText, openAsideWatch, plcClockFault } from "../../../src/bwts/aside-watch.ts";

const WRONG = [
  {
    ...{ reason: "bad_json", count: 1, first_ms: 0, detail: "", topic: "ship/lamps" },
    ...{ sent_ms: null, ahead_ms: null, alarms: [] },
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

/** Runs seconds of readings, sent at `sent_ms`, that are quarantined but for the first. */
function afterOne(reason: string, seconds: number, sent_ms: (second: number) => number) {
  let now_ms = 0;
  const watch = openAsideWatch(() => now_ms);
  for (let second = -60; second < 0; second += 1) {
    now_ms = second * 1000;
    watch.committed([], true, now_ms);
  }
  watch.committed([], true, 0);
  for (let second = 1; second <= seconds; second += 1) {
    now_ms = second * 1000;
    const one = { ...WRONG[0], reason, sent_ms: sent_ms(second), detail: "UV: got 1, stored 4" };
    watch.committed([one], false);
  }
  return watch.now();
}

test("a clock that stands still, or has no seconds, leaves the present unknown", () => {
  const told = afterOne("conflict", 8, () => 0);
  expect(told).toMatchObject({ areAll: true, messages: 8, reasons: [{ reason: "conflict" }] });
  expect(told && asideText(told, null)).toMatch("clock stands still, its times have no seconds");
  expect(afterOne("conflict", 3, () => 0)).toBeNull();
});

test.each(["conflict", "expired", "retained", "too_many_tags"])(
  "late messages (%s) are told once they are all that comes",
  (reason) => {
    expect(afterOne(reason, 2, () => -9_000_000)).toBeNull();
    expect(afterOne(reason, 10, () => -9_000_000)).toMatchObject({ areAll: true });
  },
);

test("late messages beside readings aren't told, though readings are seldom", () => {
  let now_ms = 0;
  const watch = openAsideWatch(() => now_ms);
  for (let second = 0; second < 900; second += 1) {
    now_ms = second * 1000;
    const late = { ...WRONG[0], reason: "conflict", sent_ms: now_ms - 9_000_000 };
    watch.committed(second % 20 === 0 ? [] : [late], second % 20 === 0, now_ms);
    if (second > 20) expect(watch.now()).toBeNull();
  }
});

test.each([
  ["ahead of", 3],
  ["behind", -8],
])("a clock that is %s this computer's blames neither", (side, hours) => {
  const plc = {
    ...{ offset_ms: hours * 3_600_000, readings: 9, as_of_ms: 0 },
    drift_ms_per_day: null,
  };
  const problem = plcClockFault({ aside: null, plc, two: null, isTrusted: true })?.problem;
  expect(problem).toContain(`the PLC's clock is ${Math.abs(hours)} h ${side} this computer's`);
  expect(problem).toContain("either can be wrong");
});
