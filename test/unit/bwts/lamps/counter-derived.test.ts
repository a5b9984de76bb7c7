// An efficiency that the PLC works out from the lamp's hours is told from one that is measured.

import { describe, expect, test } from "vitest";
import { isCounterDerived } from "../../../../src/bwts/lamps/ship-lamps.ts";
import { createRandom } from "../../../../src/simulator/random.ts";
import { fallTo70At, lampLife } from "../../../rig/lamp-lives.ts";

const FORMULAS: Readonly<Record<string, (hours: number) => number>> = {
  "a straight line": (hours) => 100 - hours / 100,
  "an exponential": fallTo70At(4_000),
  "steps of 5 % every 500 h": (hours) => 100 - 5 * Math.floor(hours / 500),
  "a table with a rise after burn-in": (hours) => 98 + 4 * Math.sin(hours / 150) - hours / 200,
};

/** The points of lamps of many ages, of `efficiency` for each. */
function fleet(
  efficiencyOf: (lamp: number) => (hours: number) => number,
  options: { lamps?: number; noise?: number; step?: number } = {},
) {
  const { lamps = 16, noise = 0, step = 0.1 } = options;
  const random = createRandom(7);
  return Array.from({ length: lamps }, (_, lamp) => {
    const age_h = random.between(700, 2_500, "age", lamp);
    const from_h = random.between(0, 10, "offset", lamp);
    const efficiency = (hours: number) => efficiencyOf(lamp)(hours + from_h);
    const { bins } = lampLife({ seed: lamp, age_h, efficiency, noise, step });
    return bins.flatMap((bin) => (bin === null ? [] : [{ ...bin, hours: bin.hours + from_h }]));
  });
}

describe("a formula is recognised", () => {
  for (const [name, formula] of Object.entries(FORMULAS))
    for (const step of [0.1, 1])
      test(`${name}, rounded to ${step} %`, () => {
        expect(isCounterDerived(fleet(() => formula, { step }))).toBe(true);
      });

  test("when nothing is rounded", () => {
    expect(isCounterDerived(fleet(() => fallTo70At(4_000), { step: 1e-9 }))).toBe(true);
  });
});

describe("lamps that were all fitted at once, with the same hours throughout,", () => {
  const fitted = (end_h: (lamp: number) => number) =>
    Array.from({ length: 16 }, (_, seed) => {
      const efficiency = fallTo70At(end_h(seed));
      const { bins } = lampLife({ seed, age_h: 600, efficiency, noise: 0 });
      return bins.filter((bin) => bin !== null);
    });

  test("show a formula when they have one", () => {
    expect(isCounterDerived(fitted(() => 4_000))).toBe(true);
  });

  test("show none when each has its own slope", () => {
    expect(isCounterDerived(fitted((lamp) => 3_600 + 60 * lamp))).toBe(false);
  });
});

describe("no formula is seen", () => {
  const random = createRandom(8);
  const slopeOf = (lamp: number) => fallTo70At(3_000 * random.between(0.7, 2, "end", lamp));

  test("in lamps that age at their own rates, however clean the numbers", () => {
    for (const step of [1e-9, 0.1, 1])
      expect(isCounterDerived(fleet(slopeOf, { step }))).toBe(false);
  });

  test("in lamps whose rates differ by a tenth, without noise", () => {
    const alike = (lamp: number) => fallTo70At(4_000 * random.between(0.95, 1.05, "end", lamp));
    expect(isCounterDerived(fleet(alike))).toBe(false);
  });

  test("in lamps of one curve that stray from it as measured light does", () => {
    for (const noise of [0.2, 0.5])
      expect(isCounterDerived(fleet(() => fallTo70At(4_000), { noise }))).toBe(false);
  });

  test("in real lamps that are sent in whole percents", () => {
    expect(isCounterDerived(fleet(slopeOf, { step: 1, noise: 0.3 }))).toBe(false);
  });

  test("in one lamp, in a few, in none, and in lamps too new to differ", () => {
    expect(isCounterDerived(fleet(slopeOf, { lamps: 1 }))).toBe(false);
    expect(isCounterDerived(fleet(() => fallTo70At(4_000), { lamps: 3 }))).toBe(false);
    expect(isCounterDerived([])).toBe(false);
    expect(isCounterDerived([[], []])).toBe(false);
    const still = fleet(() => () => 100);
    expect(isCounterDerived(still)).toBe(false);
  });
});
