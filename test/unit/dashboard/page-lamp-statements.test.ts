// Statements about a lamp on the page Lamps: some can be taken back, and some are doubted.

import { expect, test } from "vitest";
import { LampCurve } from "../../../src/bwts/lamps/life-curve.ts";
import {
  readCurve,
  readLampCounters,
  statedEnd,
} from "../../../src/dashboard/lamps/lamp-answers.ts";
import { counterDoubt, lightAfter } from "../../../src/dashboard/lamps/replacement-doubt.ts";

/** The stated ends of two lives, of which the fitted one began so. */
function endsAfter(began_by: string) {
  const [life] = LampCurve.parse(LampCurve.meta()?.example).lives;
  const earlier = { ...life, began: "2025-01-01T00:00:00.000Z", ended: life.began };
  const lives = [{ ...life, began_by }, earlier];
  const curve = readCurve({ ...Object(LampCurve.meta()?.example), lives })?.value;
  if (curve === undefined) throw new Error("expected a curve");
  return curve.lives.map((one) => statedEnd(curve, one));
}

test("only a replacement that a person stated can be taken back", () => {
  const stated_ms = Date.parse("2026-05-01T06:30:00.000Z");
  expect(endsAfter("confirmed")).toEqual([null, stated_ms]);
  for (const recognised of ["first_seen", "counter_fell", "light_returned"])
    expect(endsAfter(recognised)).toEqual([null, null]);
});

const AT_MS = Date.parse("2026-05-01T06:30:00.000Z");
const HOUR_MS = 3_600_000;

test("a counter that wasn't reset for the fitted lamp is doubted, before and after", () => {
  const fitted = { at_ms: AT_MS, hours: 0 };
  const doubt = (counter_h: number, after_h: number, hours = 0) =>
    counterDoubt({ ...fitted, hours }, { counter_h, read_ms: AT_MS + after_h * HOUR_MS });
  expect(doubt(2564, 0)).toBe("stands");
  expect(doubt(2564, -5)).toBe("stands");
  expect(doubt(2564, 1)).toBe("goes_on");
  expect(doubt(0.2, 1)).toBeNull();
  // Said later, or of a lamp that was used before.
  expect(doubt(100, 200)).toBeNull();
  expect(doubt(2564, 1, 2560)).toBeNull();
});

test("the output after a replacement is none until a reading of treatment after it", () => {
  const lamp = { at_ms: AT_MS + 1, efficiency: 84, state: "active" } as const;
  const running = { process: "RUNNING", isRunning: true };
  expect(lightAfter(AT_MS, lamp, running)).toBe(84);
  expect(lightAfter(AT_MS, { ...lamp, at_ms: AT_MS }, running)).toBeNull();
  expect(lightAfter(AT_MS, { ...lamp, state: "standby" }, running)).toBeNull();
  expect(lightAfter(AT_MS, lamp, { process: "IDLE", isRunning: false })).toBeNull();
  expect(lightAfter(AT_MS, lamp, { process: null, isRunning: false })).toBeNull();
  expect(lightAfter(AT_MS, lamp, null)).toBeNull();
});

test("a lamp's counter is that of the newest reading, and none where that has none", () => {
  const given = { timestamp: "2026-05-01T06:30:00.000Z", LAMP_10_RUNTIME: 2564 };
  const counters = readLampCounters(given)?.value ?? [];
  expect(counters[9]).toEqual({ counter_h: 2564, read_ms: AT_MS });
  expect(counters[8]).toBeNull();
  expect(readLampCounters({ LAMP_10_RUNTIME: 2564 })).toBeNull();
});
