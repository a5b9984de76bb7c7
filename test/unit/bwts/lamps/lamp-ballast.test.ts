// Light that misleads: a ballast that gives its lamp less and less power, and is mended, so that
// the lamp gets better, and stays the same lamp; and figures that no lamp can give.

import { expect, test } from "vitest";
import { newState } from "../../../../src/bwts/lamps/state.ts";
import { openFleet } from "../../../rig/fleet.ts";
import { book } from "../../../rig/lamp-tracking.ts";
import { printedRandom } from "../../../rig/random.ts";

const random = printedRandom("lamp ballast");

/** Less power, and light, for lamps of these numbers. */
const weak = (lamps: readonly string[]) => (reading: Record<string, string | number>) => {
  for (const lamp of lamps)
    for (const name of [`LAMP_${lamp}_EFFICIENCY`, `LAMP_${lamp}_POWER`])
      reading[name] = Number(reading[name]) * 0.9;
};

test("a mended ballast makes no new lamp of its old one", () => {
  const fleet = openFleet(random, (lamp) => 100 + 10 * lamp);
  for (const lamp of fleet.lamps) Object.assign(lamp, { worn_h: 3000, bend: 1 });
  const state = newState();
  const alter = weak(["10"]);
  for (const given of [{}, { alter }, { alter }, {}]) book(state, fleet.operate(given));
  const { lives } = state.positions[9];
  expect(lives).toHaveLength(1);
  const atFullPower = lives[0].bins.map(({ efficiency, supply }) => efficiency / supply);
  expect(Math.min(...atFullPower)).toBeGreaterThan(94);
});

test("weak ballasts and their mending leave the other lamps' light as it is", () => {
  const fleet = openFleet(random, (lamp) => 100 + 10 * lamp);
  const state = newState();
  const alter = weak(["03", "07", "10", "15"]);
  for (const given of [{}, { alter }, { alter }, {}]) book(state, fleet.operate(given));
  for (const [position, { lives }] of state.positions.entries()) {
    const isWeak = [2, 6, 9, 14].includes(position);
    const supplies = lives[0].bins.map(({ supply }) => supply);
    if (isWeak) expect(Math.min(...supplies)).toBeCloseTo(0.9, 2);
    else expect(supplies).toEqual(supplies.map(() => 1));
  }
});

test("light that no lamp can give is unknown", () => {
  const fleet = openFleet(random, (lamp) => 100 + 10 * lamp);
  const state = newState();
  const alter = (reading: Record<string, string | number>) => {
    reading.LAMP_07_EFFICIENCY = 1e300;
  };
  for (const given of [{}, { alter }, {}]) book(state, fleet.operate(given));
  const { lives } = state.positions[6];
  expect(lives).toHaveLength(1);
  expect(Math.max(...lives[0].bins.map(({ efficiency }) => efficiency))).toBeLessThan(110);
});
