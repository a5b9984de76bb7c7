// Ships whose lamps' figures aren't measurements of each lamp: one UV sensor for all, figures that
// are measured by hand now and then, a bank that dims at once, figures on another scale.

import { expect, test } from "vitest";
import { predictionsOf } from "../../../../src/bwts/lamps/outlook.ts";
import { newState, type TrackerState } from "../../../../src/bwts/lamps/state.ts";
import { LAMP_NUMBERS } from "../../../../src/bwts/tags.ts";
import { type Fleet, LAMP_CONFIG, newLamp, openFleet } from "../../../rig/fleet.ts";
import { book, present } from "../../../rig/lamp-tracking.ts";
import { printedRandom } from "../../../rig/random.ts";

const random = printedRandom("lamp figures");

type Altered = Record<string, string | number>;
const EFFICIENCIES = LAMP_NUMBERS.map((number) => `LAMP_${number}_EFFICIENCY`);

function sail(
  state: TrackerState,
  fleet: Fleet,
  { operations, alter }: { operations: number; alter?: (reading: Altered) => void },
): void {
  for (let operation = 0; operation < operations; operation += 1)
    book(state, fleet.operate({ hours: 48, alter }));
}

const basesOf = (state: TrackerState) => [
  ...new Set(predictionsOf(state, LAMP_CONFIG.lamps).map(({ predictions }) => predictions.basis)),
];

/** Sends the mean of the lamps' figures as the figure of each. */
function toOne(reading: Altered): void {
  const mean = EFFICIENCIES.reduce((sum, name) => sum + Number(reading[name]), 0) / 16;
  for (const name of EFFICIENCIES) reading[name] = Math.round(mean * 10) / 10;
}

test("one figure for all lamps is of no lamp: forecasts rest on the rated hours", () => {
  const state = newState();
  const fleet = openFleet(random, (lamp) => 400 + 90 * lamp);
  sail(state, fleet, { operations: 8, alter: toOne });
  expect(basesOf(state)).toEqual(["one_figure"]);
  // A lamp that is fitted has the figure of the others, and is another lamp all the same.
  const before = present(state, 4);
  fleet.lamps[4] = newLamp(random);
  sail(state, fleet, { operations: 2, alter: toOne });
  expect(present(state, 4)).not.toBe(before);
  expect(present(state, 4).hours).toBeLessThan(100);
  expect(present(state, 4).hours).toBeGreaterThan(90);
  const known = openFleet(random, (lamp) => 400 + 90 * lamp);
  const own = newState();
  sail(own, known, { operations: 8 });
  expect(basesOf(own)).toEqual(["fit"]);
});

test("a figure that stands for 20 h is one measurement, and shows no new lamp as the old one", () => {
  const state = newState();
  const fleet = openFleet(random, () => 1200);
  let held: Altered = {};
  let readings = 0;
  const byHand = (reading: Altered) => {
    if (readings % (6 * 240) === 0)
      held = Object.fromEntries(EFFICIENCIES.map((name) => [name, reading[name]]));
    readings += 1;
    Object.assign(reading, held);
  };
  sail(state, fleet, { operations: 10, alter: byHand });
  // 480 h of operation hold two measurements of at most 20 h each; a stretch may end within them.
  for (let lamp = 0; lamp < 16; lamp += 1)
    expect(present(state, lamp).bins.length, `lamp ${lamp + 1}`).toBeLessThanOrEqual(4);
  fleet.lamps[4] = newLamp(random);
  sail(state, fleet, { operations: 1, alter: byHand });
  expect(present(state, 4).hours).toBeLessThan(60);
});
