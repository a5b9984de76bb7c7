// The PLC's clock as live readings tell it: a step that stays is one, whatever else a plant sends.

import { expect, test } from "vitest";
import { type ClockStep, stepName } from "../../../src/bwts/clock-step.ts";
import { openPlcClock, openTwoClocks, type PlcStep } from "../../../src/bwts/plc-clock.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/ground/clock.ts";

const START_MS = Date.UTC(2026, 4, 1);

/** A PLC and its plant: `send` at a pace, with a clock that is off and may run fast. */
function plcOf(settled_ms: number | null = null) {
  const clock = openPlcClock(settled_ms);
  const found: PlcStep[] = [];
  let received_ms = START_MS;
  const saw = (sent_ms: number) => {
    const step = clock.saw({ sent_ms, received_ms });
    if (step !== null) found.push(step);
  };
  return {
    clock,
    found,
    saw,
    /** Readings every `every_ms`, by a clock that is `offset_ms` ahead. */
    live(count: number, every_ms: number, offset_ms: number) {
      for (let index = 0; index < count; index += 1) {
        received_ms += every_ms;
        saw(received_ms + offset_ms);
      }
    },
  };
}

const seconds = (found: readonly PlcStep[]) =>
  found.map(({ from_ms, to_ms }) => Math.round((to_ms - from_ms) / SECOND_MS));

test.each([200, 1000, 10_000, 180_000])("one step is found at one reading in %i ms", (every_ms) => {
  const plc = plcOf();
  plc.live(60, every_ms, -400);
  plc.live(60, every_ms, HOUR_MS);
  expect(seconds(plc.found)).toEqual([3600]);
  expect(plc.clock.offset()?.offset_ms).toBe(HOUR_MS);
  plc.live(60, every_ms, -7000);
  expect(seconds(plc.found)).toEqual([3600, -3607]);
});

test("whole seconds, late readings and a single wrong one are no step", () => {
  const plc = plcOf();
  for (let index = 0; index < 300; index += 1) {
    const late_ms = index % 17 === 0 ? -9000 : -(index * 37) % 1000;
    plc.live(1, 1000, late_ms);
  }
  plc.live(1, 1000, 5 * HOUR_MS);
  plc.live(60, 1000, 0);
  expect(plc.found).toEqual([]);
  expect(Math.abs(plc.clock.offset()?.offset_ms ?? Number.NaN)).toBeLessThan(1000);
});

test("a buffer that is emptied, and sixteen lamps of one time, are no step", () => {
  const plc = plcOf();
  plc.live(30, 1000, 0);
  for (let index = 0; index < 1000; index += 1) {
    plc.saw(START_MS - HOUR_MS + index * 10_000);
    plc.live(index % 2, 210, -HOUR_MS + index * 9790);
  }
  for (let index = 0; index < 200; index += 1) plc.saw(START_MS);
  plc.live(60, 1000, 0);
  expect(plc.found).toEqual([]);
});

test("drift is told after an hour, and the box's own step is none of the PLC's", () => {
  const plc = plcOf();
  for (let index = 0; index < 2000; index += 1) plc.live(1, 10_000, Math.round(index * 0.5));
  expect(plc.clock.offset()?.drift_ms_per_day).toBeCloseTo(4320, -2);
  plc.clock.boxStepped(HOUR_MS);
  expect(plc.clock.settled_ms()).toBeLessThan(-HOUR_MS + 2000);
  expect(plc.clock.offset()?.drift_ms_per_day).toBeNull();
});

test("what was settled in the run before tells a step in between", () => {
  const plc = plcOf(0);
  plc.live(30, 1000, -HOUR_MS);
  expect(plc.found).toMatchObject([{ isSinceLastRun: true }]);
  const same = plcOf(-1200);
  same.live(30, 1000, 300);
  expect(same.found).toEqual([]);
});

test("a first clock that is behind what came before it was put back", () => {
  const plc = plcOf();
  for (let minute = 60; minute > 0; minute -= 1) plc.saw(START_MS - minute * 60_000);
  plc.live(30, 1000, -8 * HOUR_MS);
  expect(plc.found).toMatchObject([{ isSinceLastRun: false }]);
  expect(plc.clock.settled_ms()).toBeCloseTo(-8 * HOUR_MS, -4);
});

test("a step of whole hours has a name", () => {
  const named = (seconds_off: number) => {
    const step = { at_ms: 0, clock: "plc", from_ms: 0, found: "" } as const;
    return stepName({ ...step, to_ms: seconds_off * SECOND_MS } satisfies ClockStep);
  };
  expect([3600, -3602, 7200, -8 * 3600, 5, 3500, 30 * 3600].map(named)).toEqual([
    ...["daylight saving", "daylight saving", "time zone", "time zone"],
    ...[null, null, null],
  ]);
});

/** A time by the box's clock, and the readings received then by their offsets. */
type Receipt = readonly [at_ms: number, ...offsets_ms: readonly number[]];

/** The clocks by which readings come after so many receipts. */
function twoOf(count: number, receipt: (index: number) => Receipt) {
  const clocks = openTwoClocks();
  for (let index = 0; index < count; index += 1) {
    const [at_ms, ...offsets] = receipt(index);
    const received_ms = START_MS + at_ms;
    for (const offset_ms of offsets) clocks.saw({ sent_ms: received_ms + offset_ms, received_ms });
  }
  return clocks.now()?.map((offset_ms) => Math.round(offset_ms / MINUTE_MS)) ?? null;
}

test.each<[string, number, (index: number) => Receipt]>([
  ["in turn", 20, (index) => [index * SECOND_MS, index % 2 === 0 ? 0 : -8 * HOUR_MS]],
  ["at once", 20, (index) => [index * SECOND_MS, 300, -8 * HOUR_MS - ((index * 37) % 900)]],
  [
    "one each minute",
    300,
    (index) => [index * SECOND_MS, ...(index % 60 ? [0] : [0, -8 * HOUR_MS])],
  ],
])("readings by two clocks are noticed: %s", (_, count, receipt) => {
  expect(twoOf(count, receipt)).toEqual([0, -480]);
});

test.each<[string, number, (index: number) => Receipt]>([
  ["a step", 60, (index) => [index * SECOND_MS, index < 30 ? 0 : -8 * HOUR_MS]],
  [
    "an hour's buffer beside live ones",
    360,
    (index) => [index * SECOND_MS, 0, index * 9000 - HOUR_MS],
  ],
  ["late ones", 60, (index) => [index * SECOND_MS, index % 17 === 0 ? -70 * SECOND_MS : 0]],
  ["times in whole minutes", 300, (index) => [index * SECOND_MS, -(index % 60) * SECOND_MS]],
  [
    "a second one that has gone",
    90,
    (index) => [index * SECOND_MS, ...(index < 20 ? [0, HOUR_MS] : [0])],
  ],
])("one clock isn't two: %s", (_, count, receipt) => {
  expect(twoOf(count, receipt)).toBeNull();
});
