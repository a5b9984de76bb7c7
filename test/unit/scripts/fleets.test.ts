// The simulated ships of `npm run evaluate` do what docs/evaluation.md says of them.

import { describe, expect, test } from "vitest";
import { type Aboard, board } from "../../../scripts/evaluate/aboard.ts";
import { DEVELOPMENT, type Draw, type FleetPlan } from "../../../scripts/evaluate/families.ts";
import { HOLD_OUT } from "../../../scripts/evaluate/hold-out.ts";
import { newLamp } from "../../../scripts/evaluate/lamp.ts";
import type { Oddity } from "../../../scripts/evaluate/oddities.ts";
import { labelsOf, type Plant, plantOf } from "../../../scripts/evaluate/plant.ts";
import { callAtPort } from "../../../scripts/evaluate/port-call.ts";
import { operate } from "../../../scripts/evaluate/readings.ts";
import type { Value } from "../../../src/bwts/reading.ts";
import { indexOfTag } from "../../../src/bwts/tags.ts";

const POWER = indexOfTag("UVR_POWER_SETPOINT");
const INTENSITY = indexOfTag("UVR_INTENSITY");
const RUNTIME = indexOfTag("LAMP_01_RUNTIME");
const EFFICIENCY = indexOfTag("LAMP_01_EFFICIENCY");

function plant(number: number, changes: Partial<Plant> = {}, odd: Oddity = "nothing odd"): Plant {
  return { ...plantOf(DEVELOPMENT, { seed: 5, number, odd }), duty: 0.1, ...changes };
}

/** The readings of some operations. */
function sailed(ship: Aboard, operations: number): readonly (readonly Value[])[] {
  const readings: (readonly Value[])[] = [];
  for (let i = 0; i < operations; i += 1)
    operate(ship, (at_ms, values) => readings.push([at_ms, ...values]));
  return readings.map((values) => values.slice(1));
}

describe("families", () => {
  const middle: Draw = (name, low, high) =>
    name.startsWith("own ")
      ? ((name.length * 7 + name.charCodeAt(name.length - 1)) % 10) / 10
      : (low + high) / 2;
  const all = [DEVELOPMENT, HOLD_OUT].flatMap(({ families }) => Object.entries(families));

  test("begin at 1, and reach the end of life at the end of life", () => {
    for (const [name, family] of all) {
      const course = family.course(middle);
      expect([name, course(0, 0.7)]).toEqual([name, expect.closeTo(1, 9)]);
      expect([name, course(1, 0.7)]).toEqual([name, expect.closeTo(0.7, 9)]);
      expect(course(0.9, 0.7), name).toBeGreaterThanOrEqual(0.7);
      expect(course(1.2, 0.7), name).toBeLessThan(0.7);
    }
  });

  test("differ from each other by more than noise", () => {
    const curves = all.map(([name, family]) => {
      const course = family.course(middle);
      return { name, points: [0.05, 0.2, 0.4, 0.6, 0.8].map((share) => course(share, 0.7)) };
    });
    const alike = curves.flatMap((one, at) =>
      curves.slice(at + 1).flatMap((other) => {
        const off = Math.max(...one.points.map((point, i) => Math.abs(point - other.points[i])));
        return off < 0.003 ? [`${one.name} and ${other.name}`] : [];
      }),
    );
    expect(alike).toEqual([]);
  });

  test("are known to the model for at most half, and of the hold-out fleets for a quarter", () => {
    const knownOf = (plan: FleetPlan) =>
      Object.values(plan.families).filter(({ isKnown }) => isKnown).length;
    expect(knownOf(DEVELOPMENT)).toBeLessThanOrEqual(labelsOf(DEVELOPMENT).length / 2);
    expect(knownOf(HOLD_OUT)).toBeLessThanOrEqual(labelsOf(HOLD_OUT).length / 4);
    const shared = Object.keys(HOLD_OUT.families).filter((name) => name in DEVELOPMENT.families);
    expect(shared).toEqual([]);
  });
});

test("the same seed and number give the same readings, others don't", () => {
  const print = (number: number) => JSON.stringify(sailed(board(plant(number)), 4));
  expect(print(3)).toBe(print(3));
  expect(print(3)).not.toBe(print(15));
});

test("a lamp's own light is at the end of life when its life by decay is over", () => {
  for (const number of [0, 4, 9, 11]) {
    const of = plant(number);
    for (let lamp = 0; lamp < 20; lamp += 1) {
      const { light, worn_h } = newLamp(of, lamp, lamp % 16);
      expect(light(worn_h)).toBeCloseTo(of.end_pct / 100, 9);
      expect(light(0.5 * worn_h)).toBeGreaterThan(of.end_pct / 100);
    }
  }
});

describe("cleaning", () => {
  function depths(in_vain: number): readonly number[] {
    const { odds } = plant(1);
    const ship = board(plant(1, { fouling: 1e-9, odds: { ...odds, in_vain } }));
    for (const position of ship.positions) {
      position.depth = 0.1;
      Object.assign(position, { isMissed: position === ship.positions[0] });
    }
    ship.hours = 10_000;
    callAtPort(ship);
    return ship.positions.map(({ depth }) => depth);
  }

  test("takes most off the sleeves, never all, and nothing off a sleeve that it misses", () => {
    const [missed, ...others] = depths(0);
    expect(missed).toBeCloseTo(0.09, 6);
    for (const depth of others) expect(depth).toBeLessThan(0.08);
    for (const depth of others) expect(depth).toBeGreaterThan(0.002);
    expect(new Set(others.map((depth) => depth.toFixed(5))).size).toBeGreaterThan(5);
  });

  test("without effect leaves all", () => {
    for (const depth of depths(1)) expect(depth).toBeCloseTo(0.1, 6);
  });
});

test("a trimmed plant gives more power to dim lamps, and their figures follow it", () => {
  const of = plant(1, {
    isTrimmed: true,
    power_pct: 80,
    power_effect: 0.1,
    start: "new",
    noise: 0,
  });
  const [bright, dim] = [0, 0.12].map((depth) => {
    const ship = board({ ...of, fouling: 1e-9, temperature_effect: 0, wander: 0 });
    for (const position of ship.positions) position.depth = depth;
    const readings = sailed(ship, 1).slice(20, 60);
    const mean = (tag: number) =>
      readings.reduce((sum, values) => sum + Number(values[tag]), 0) / readings.length;
    return { power: mean(POWER), intensity: mean(INTENSITY), efficiency: mean(EFFICIENCY) };
  });
  expect(dim.power).toBeGreaterThan(bright.power + 5);
  expect(dim.intensity / bright.intensity).toBeCloseTo(1, 1);
  const expected = -of.sleeve_share * 0.12 + 0.1 * Math.log(dim.power / bright.power);
  expect(Math.log(dim.efficiency / bright.efficiency)).toBeCloseTo(expected, 2);
});

test("odd ships lack what they are said to lack, and count what they are said to count", () => {
  const first = (odd: Oddity) => sailed(board(plant(2, {}, odd)), 1)[30];
  const usual = first("nothing odd");
  expect(usual[POWER]).toBeTypeOf("number");
  expect(usual[INTENSITY]).toBeTypeOf("number");
  expect(first("no sensor")[INTENSITY]).toBeNull();
  expect(first("set power never told")[POWER]).toBeNull();
  const minutes = Number(first("counters in minutes")[RUNTIME]);
  expect(minutes / Number(usual[RUNTIME])).toBeCloseTo(60, 0);
});
