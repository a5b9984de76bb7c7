// Ships whose lamps' figures aren't measurements of each lamp: one UV sensor for all, figures that
// are measured by hand now and then, a bank that dims at once, figures on another scale.

import { expect, test } from "vitest";
import { lampsAnswer } from "../../../../src/bwts/lamps/answer.ts";
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

test("a figure that stands for 20 h is one measurement, and no new lamp is the old one", () => {
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

/** Lamps that have long to live, seen for 480 h before something happens to their figures. */
function seenShip() {
  const state = newState();
  const fleet = openFleet(random, () => 0);
  for (const [at] of fleet.lamps.entries())
    fleet.lamps[at] = { ...newLamp(random, 500), worn_h: 3600 + 10 * at, bend: 1 };
  sail(state, fleet, { operations: 10 });
  return { state, fleet };
}

const oddOf = (state: TrackerState) => {
  const { figures } = lampsAnswer(state, LAMP_CONFIG.lamps);
  return figures.map(({ code, lamps }) => ({ code, lamps }));
};

const leftOf = (state: TrackerState) =>
  predictionsOf(state, LAMP_CONFIG.lamps).map((one) => ({
    left_h: one.predictions.remaining_useful_life_hours,
    end: one.predictions.expected_end,
  }));

test("half of the lamps that dim at once aren't aged by it, and are named", () => {
  const { state, fleet } = seenShip();
  const stuck = (reading: Altered) => {
    for (const name of EFFICIENCIES.slice(0, 8)) reading[name] = 0.8 * Number(reading[name]);
  };
  sail(state, fleet, { operations: 3, alter: stuck });
  expect(oddOf(state)).toEqual([{ code: "dimmed_together", lamps: [1, 2, 3, 4, 5, 6, 7, 8] }]);
  for (const { left_h, end } of leftOf(state)) {
    expect(end).toBeNull();
    // 2,500 h are left; by the figures as they are sent the first eight would have some 600.
    expect(left_h).toBeGreaterThan(1200);
  }
  // A lamp that is fitted in the dimmed bank, or cleaned alone with it, shines as a new one.
  fleet.lamps[2] = newLamp(random);
  sail(state, fleet, { operations: 4 });
  const [newest] = predictionsOf(state, LAMP_CONFIG.lamps).filter(
    ({ component_id }) => component_id === "LAMP_03",
  );
  expect(newest.predictions.expected_end).toBeNull();
  expect(newest.current_state.efficiency_percent).toBeGreaterThan(94);
});

test("figures on another scale are told, and lamps go on from their figures before", () => {
  const { state, fleet } = seenShip();
  const rescale = (reading: Altered) => {
    for (const name of EFFICIENCIES) reading[name] = 0.86 * Number(reading[name]);
  };
  sail(state, fleet, { operations: 3, alter: rescale });
  expect(oddOf(state)).toEqual([
    { code: "rescaled", lamps: LAMP_NUMBERS.map((_, position) => position + 1) },
  ]);
  for (const { left_h, end } of leftOf(state)) {
    expect(end).toBeNull();
    expect(left_h).toBeGreaterThan(1200);
  }
});

test("lamps that age alike, and foul and are cleaned together, share no step", () => {
  const { state, fleet } = seenShip();
  let hours = 0;
  const foul = (reading: Altered) => {
    hours = (hours + 1 / 6) % 150;
    reading.CIP_HOURS_SINCE_LAST = hours;
    for (const name of EFFICIENCIES) {
      const fouled = Number(reading[name]) * Math.exp(-0.0003 * hours);
      reading[name] = Math.round(fouled * 10) / 10;
    }
  };
  sail(state, fleet, { operations: 8, alter: foul });
  expect(oddOf(state)).toEqual([]);
});
