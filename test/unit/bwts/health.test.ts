// The score of a 15-minute slot, figure by figure.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { overallScore, scoreSlot } from "../../../src/bwts/health.ts";
import { riskLevel } from "../../../src/bwts/health-record.ts";
import { isTreating } from "../../../src/bwts/treating.ts";
import { type Named, readingOf } from "../../rig/readings.ts";

const limits = { uv_target: 650, flow_max_imo: 1000, cabinet_warn: 45, cabinet_trip: 60 };
const start_ms = Date.parse("2026-05-01T10:00:00Z");

/** The record of a slot of readings; RUNNING unless a reading says otherwise. */
function score(...readings: readonly Named[]) {
  const all = readings.map((named, index) =>
    readingOf(start_ms + index, { PROCESS_STATE: "RUNNING", ...named }),
  );
  return scoreSlot({ start_ms, readings: all }, limits);
}

const components = (...readings: readonly Named[]) => score(...readings)?.components ?? null;
const nothing = {
  uv_health: null,
  lamp_health: null,
  power_efficiency: null,
  thermal_health: null,
};

describe("water is treated", () => {
  test.each<[Named, boolean]>([
    [{ PROCESS_STATE: "RUNNING" }, true],
    [{ PROCESS_STATE: " running " }, true],
    [{ PROCESS_STATE: "BACKFLUSH", SYS_FLOW_RATE: 0 }, true],
    [{ PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 900 }, false],
    [{ PROCESS_STATE: "WARMUP", SYS_FLOW_RATE: 900 }, false],
    [{ PROCESS_STATE: "CIP", SYS_FLOW_RATE: 900 }, false],
    [{ PROCESS_STATE: "NOT RUNNING", SYS_FLOW_RATE: 900 }, false],
    [{ SYS_FLOW_RATE: 50.001 }, true],
    [{ SYS_FLOW_RATE: 50 }, false],
    [{}, false],
  ])("%j: %s", (named, isTreated) => {
    expect(isTreating(readingOf(start_ms, named), limits)).toBe(isTreated);
  });

  test("only its readings are scored, and a slot without any has no record", () => {
    const idle = { PROCESS_STATE: "IDLE", UVR_INTENSITY: 0 };
    expect(score(idle, idle)).toBeNull();
    expect(score()).toBeNull();
    expect(components(idle, { UVR_INTENSITY: 650 }, idle)?.uv_health).toBe(100);
  });

  test("but nothing to score is known: no record", () => {
    expect(score({ location: "Kiel" })).toBeNull();
  });
});

describe("a component", () => {
  const failed = { LAMP_01_STATUS: "FAILED", LAMP_01_EFFICIENCY: 80 };
  const good = { LAMP_02_STATUS: "ACTIVE", LAMP_02_EFFICIENCY: 90 };

  test.each<[string, readonly Named[], object]>([
    ["intensity at its target", [{ UVR_INTENSITY: 650 }], { uv_health: 100 }],
    ["intensity above it", [{ UVR_INTENSITY: 700 }], { uv_health: 100 }],
    ["intensity below it", [{ UVR_INTENSITY: 520 }], { uv_health: 80 }],
    ["intensity below zero", [{ UVR_INTENSITY: -5 }], { uv_health: 0 }],
    ["the mean of two", [{ UVR_INTENSITY: 600 }, { UVR_INTENSITY: 500 }], { uv_health: 84.6154 }],
    ["one that isn't known", [{ UVR_INTENSITY: 520 }, { N: 1 }], { uv_health: 80 }],
    ["lamps", [{ ...good, LAMP_16_EFFICIENCY: 80 }], { lamp_health: 85 }],
    ["a failed lamp", [{ ...failed, ...good }], { lamp_health: 45 }],
    ["a failed lamp, in any case", [{ ...good, LAMP_03_STATUS: " failed" }], { lamp_health: 45 }],
    ["a lamp better than new", [{ LAMP_01_EFFICIENCY: 102 }], { lamp_health: 100 }],
    ["only the lamps' average", [{ AVG_LAMP_EFFICIENCY: 88 }], { lamp_health: 88 }],
    ["lamps before their average", [{ ...good, AVG_LAMP_EFFICIENCY: 1 }], { lamp_health: 90 }],
    ["no compensation", [{ POWER_COMPENSATION_PCT: 0 }], { power_efficiency: 100 }],
    ["a compensation", [{ POWER_COMPENSATION_PCT: 12.5 }], { power_efficiency: 75 }],
    ["a compensation of half", [{ POWER_COMPENSATION_PCT: 60 }], { power_efficiency: 0 }],
    ["a cool cabinet", [{ LDC_AIR_TEMP: 45 }], { thermal_health: 100 }],
    ["a warm cabinet", [{ LDC_AIR_TEMP: 54 }], { thermal_health: 40 }],
    ["a hot cabinet", [{ LDC_AIR_TEMP: 60 }], { thermal_health: 0 }],
    ["tropical seawater", [{ UVR_WATER_TEMP: 36 }], { thermal_health: 100 }],
    ["warm water", [{ UVR_WATER_TEMP: 42 }], { thermal_health: 60 }],
    ["hot water", [{ UVR_WATER_TEMP: 46 }], { thermal_health: 0 }],
    ["the lower of both", [{ UVR_WATER_TEMP: 42, LDC_AIR_TEMP: 48 }], { thermal_health: 60 }],
  ])("of %s", (_what, readings, expected) => {
    expect(components(...readings)).toEqual({ ...nothing, ...expected });
  });
});

describe("the overall score", () => {
  const whole = { uv_health: 80, lamp_health: 90, power_efficiency: 70, thermal_health: 100 };

  test.each([
    [whole, 85],
    [{ ...whole, uv_health: null }, (0.35 * 90 + 0.15 * 70 + 0.15 * 100) / 0.65],
    [{ ...whole, thermal_health: null, power_efficiency: null }, 85],
    [{ ...nothing, thermal_health: 33.33 }, 33.3],
    [{ ...nothing, uv_health: 79.95 }, 80],
    [{ uv_health: 0, lamp_health: 0, power_efficiency: 0, thermal_health: 0 }, 0],
    [{ uv_health: 100, lamp_health: 100, power_efficiency: 100, thermal_health: 100 }, 100],
  ])("of %j is %d to one decimal", (parts, expected) => {
    expect(overallScore(parts)).toBe(Math.round(expected * 10) / 10);
  });

  test("of nothing is none", () => {
    expect(overallScore(nothing)).toBeNull();
  });

  test("halfway between two decimals is rounded up, never by chance", () => {
    const tenths = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(tenths, tenths, tenths, tenths, (uv, lamp, power, thermal) => {
        const overall = overallScore({
          uv_health: uv / 10,
          lamp_health: lamp / 10,
          power_efficiency: power / 10,
          thermal_health: thermal / 10,
        });
        const hundredfold = 35 * (uv + lamp) + 15 * (power + thermal);
        expect(overall).toBe(Math.floor((hundredfold + 50) / 100) / 10);
      }),
      { seed: 52, numRuns: 2000 },
    );
  });

  test("lies within its components, whichever of them are known", () => {
    const part = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));
    const parts = { uv_health: part, lamp_health: part, power_efficiency: part };
    fc.assert(
      fc.property(fc.record({ ...parts, thermal_health: part }), (all) => {
        const known = Object.values(all).filter((value) => value !== null);
        const overall = overallScore(all);
        if (overall === null) expect(known).toEqual([]);
        else {
          expect(overall).toBeGreaterThanOrEqual(Math.min(...known) - 0.0501);
          expect(overall).toBeLessThanOrEqual(Math.max(...known) + 0.0501);
        }
      }),
      { seed: 51 },
    );
  });

  test.each([
    [100, "LOW"],
    [80, "LOW"],
    [79.9, "MEDIUM"],
    [60, "MEDIUM"],
    [59.9, "HIGH"],
    [40, "HIGH"],
    [39.9, "CRITICAL"],
    [0, "CRITICAL"],
  ])("%d is a %s risk", (overall, risk) => {
    expect(riskLevel(overall)).toBe(risk);
  });

  test("gives its risk as printed: 79.96 prints as 80 and is LOW", () => {
    const record = score({ UVR_INTENSITY: 0.7996 * 650, AVG_LAMP_EFFICIENCY: 79.96 });
    expect(record).toMatchObject({ overall_score: 80, risk_level: "LOW" });
    expect(record?.components.uv_health).toBe(79.96);
  });

  test("isn't LOW while the sensor of UV or the lamps tell nothing, whatever else is good", () => {
    const lamps = { AVG_LAMP_EFFICIENCY: 95, POWER_COMPENSATION_PCT: 0 };
    expect(score(lamps)).toMatchObject({ overall_score: 96.5, risk_level: null });
    expect(score({ UVR_INTENSITY: 650 })).toMatchObject({ overall_score: 100, risk_level: null });
    const worn = { AVG_LAMP_EFFICIENCY: 50, POWER_COMPENSATION_PCT: 40 };
    expect(score(worn)).toMatchObject({ risk_level: "HIGH" });
  });
});

test("a record is of the slot's start, its UTC month, and made aboard", () => {
  expect(score({ UVR_INTENSITY: 650, AVG_LAMP_EFFICIENCY: 80 })).toEqual({
    at_ms: start_ms,
    source: "ballastd",
    overall_score: 90,
    risk_level: "LOW",
    month: 5,
    components: { ...nothing, uv_health: 100, lamp_health: 80 },
  });
});
