// Hour counters whose unit isn't hours, or changes: lamps keep their hours, whatever the PLC and
// the map say.

import { describe, expect, test } from "vitest";
import { countersProblem } from "../../../../src/bwts/lamps/pace.ts";
import { newState, type TrackerState } from "../../../../src/bwts/lamps/state.ts";
import { type Fleet, newLamp, openFleet } from "../../../rig/fleet.ts";
import { book, present } from "../../../rig/lamp-tracking.ts";
import { printedRandom } from "../../../rig/random.ts";

const random = printedRandom("lamp units");

/** Alters every hour counter of a reading. */
function counters(change: (counter_h: number) => number) {
  return (reading: Record<string, string | number>) => {
    for (const name of Object.keys(reading))
      if (/_RUNTIME$/.test(name)) reading[name] = change(Number(reading[name]));
  };
}

const inMinutes = counters((counter_h) => Math.round(counter_h * 60));

/** Three operations of a ship, by counters in hours or in minutes. */
function trackedShip(alter: (reading: Record<string, string | number>) => void = () => {}) {
  const fleet = openFleet(random, (lamp) => 1000 + 10 * lamp);
  const state = newState();
  for (let operation = 0; operation < 3; operation += 1) book(state, fleet.operate({ alter }));
  return { fleet, state };
}

/** All lives are those of `before`, with all their light, and their hours are the true ones. */
function expectSameLives(state: TrackerState, before: TrackerState, fleet: Fleet): void {
  for (const [position, { lives }] of state.positions.entries()) {
    expect(lives).toHaveLength(1);
    const { began_ms, bins } = present(before, position);
    expect(present(state, position)).toMatchObject({ began_ms, notes: [] });
    expect(present(state, position).bins.slice(0, bins.length)).toEqual(bins);
    const off_h = present(state, position).hours - fleet.lamps[position].hours;
    expect(Math.abs(off_h)).toBeLessThan(3);
  }
}

test("counters in minutes are divided by 60, and lives go on when a map mends them", () => {
  const { fleet, state } = trackedShip(inMinutes);
  expect(state).toMatchObject({ counters_fast: true, counter_factor: 60 });
  expect(present(state, 0).hours).toBeCloseTo(fleet.lamps[0].hours, -0.5);
  expect(countersProblem(state)).toContain('factor = "1/60"');
  expect(present(state, 0).bins).not.toEqual([]);
  const before = structuredClone(state);
  book(state, fleet.operate());
  expect(state).toMatchObject({ counters_fast: false, counter_factor: 1 });
  expect(countersProblem(state)).toBeNull();
  expectSameLives(state, before, fleet);
});

test.each([10, 60, 100, 1_000, 3_600])("counters %s times too fast are divided", (factor) => {
  const { fleet, state } = trackedShip(counters((counter_h) => Math.round(counter_h * factor)));
  expect(state).toMatchObject({ counters_fast: true, counter_factor: factor });
  for (const [position, { hours }] of fleet.lamps.entries())
    expect(present(state, position).hours).toBeCloseTo(hours, -0.5);
});

test.each([9_999_999, 2_147_483_647])("a counter of %s says nothing", (nothing) => {
  const { fleet, state } = trackedShip(counters(() => nothing));
  expect(countersProblem(state)).toBeNull();
  const burnt_h = fleet.lamps[7].hours - 1070;
  expect(present(state, 7).hours).toBeCloseTo(burnt_h, -0.5);
});

describe("lives go on when counters", () => {
  test("change from hours to minutes, and back", () => {
    const { fleet, state } = trackedShip();
    const before = structuredClone(state);
    const readings = fleet.operate({ alter: inMinutes });
    book(state, readings.slice(0, 2));
    expect(state).toMatchObject({ counters_fast: true, counter_factor: 60 });
    book(state, readings.slice(2));
    expect(state).toMatchObject({ counters_fast: true, counter_factor: 60 });
    expectSameLives(state, before, fleet);
    book(state, fleet.operate());
    expect(state).toMatchObject({ counters_fast: false, counter_factor: 1 });
    expectSameLives(state, before, fleet);
  });

  for (const [name, [usual, odd, factor]] of Object.entries({
    "in minutes": [inMinutes, () => {}, 60],
    "in hours": [() => {}, inMinutes, 1],
  } as const))
    test(`${name} have another unit in one reading of forty`, () => {
      const { fleet, state } = trackedShip(usual);
      const before = structuredClone(state);
      let count = 0;
      const alter = (reading: Record<string, string | number>) => {
        count += 1;
        (count % 40 === 20 ? odd : usual)(reading);
      };
      book(state, fleet.operate({ alter }));
      expect(state.counter_factor).toBe(factor);
      expectSameLives(state, before, fleet);
    });

  test("in minutes rest while water is treated", () => {
    const { fleet, state } = trackedShip(inMinutes);
    const before = structuredClone(state);
    const rested = fleet.lamps.map(({ hours }) => Math.round(hours * 60));
    const alter = (reading: Record<string, string | number>) => {
      for (const [lamp, minutes] of rested.entries())
        reading[`LAMP_${String(lamp + 1).padStart(2, "0")}_RUNTIME`] = minutes;
    };
    book(state, fleet.operate({ alter, hours: 6 }));
    for (const lamp of fleet.lamps) lamp.hours -= 6 + 1 / 6;
    book(state, fleet.operate({ alter: inMinutes }));
    expect(state.counter_factor).toBe(60);
    expectSameLives(state, before, fleet);
  });

  test("run at no plain pace for a day, and are mended", () => {
    const { fleet, state } = trackedShip();
    const before = structuredClone(state);
    book(state, fleet.operate({ alter: counters((counter_h) => 37 * counter_h) }));
    expect(countersProblem(state)).toContain("forecasts are suspended");
    book(state, fleet.operate());
    expect(countersProblem(state)).toBeNull();
    for (const [position, { hours }] of fleet.lamps.entries()) {
      const { began_ms, bins } = present(before, position);
      expect(present(state, position).began_ms).toBe(began_ms);
      expect(present(state, position).bins.slice(0, bins.length)).toEqual(bins);
      expect(present(state, position).hours).toBeCloseTo(hours, -0.5);
    }
  });

  test("of another PLC begin at 0 in minutes", () => {
    const { fleet, state } = trackedShip();
    const before = structuredClone(state);
    const start_h = fleet.lamps.map(({ hours }) => hours);
    const alter = (reading: Record<string, string | number>) => {
      for (const [lamp, { hours }] of fleet.lamps.entries())
        reading[`LAMP_${String(lamp + 1).padStart(2, "0")}_RUNTIME`] = Math.round(
          (hours - start_h[lamp]) * 60,
        );
    };
    book(state, fleet.operate({ alter }));
    expect(state.counter_factor).toBe(60);
    for (const position of [0, 15]) {
      expect(present(state, position).began_ms).toBe(present(before, position).began_ms);
      expect(present(state, position).hours).toBeCloseTo(fleet.lamps[position].hours, -0.5);
    }
  });
});

const CHANGES = [
  { name: "minutes to hours", usual: inMinutes, changed: () => {}, factor: 1 },
  { name: "hours to minutes", usual: () => {}, changed: inMinutes, factor: 60 },
];

describe.each(CHANGES)("as the unit changes from $name", ({ usual, changed, factor }) => {
  test.each([1, 24, 48])("lives and hours outlast %i h of burning that wasn't seen", (hours) => {
    const { fleet, state } = trackedShip(usual);
    const before = structuredClone(state);
    fleet.operate({ hours });
    book(state, fleet.operate({ alter: changed }));
    expect(state.counter_factor).toBe(factor);
    expectSameLives(state, before, fleet);
  });

  test.each([2, 20])("they outlast %i h without counters", (hours) => {
    const { fleet, state } = trackedShip(usual);
    const before = structuredClone(state);
    const alter = (reading: Record<string, string | number>) => {
      for (const name of Object.keys(reading)) if (/_RUNTIME$/.test(name)) delete reading[name];
    };
    book(state, fleet.operate({ hours, alter }));
    book(state, fleet.operate({ alter: changed }));
    expect(state.counter_factor).toBe(factor);
    expectSameLives(state, before, fleet);
  });

  test("fourteen lamps that are replaced are told, and the others live on", () => {
    const { fleet, state } = trackedShip(usual);
    const lived = structuredClone(state.positions.map(({ lives }) => lives[0].bins));
    for (let lamp = 0; lamp < 14; lamp += 1) fleet.lamps[lamp] = newLamp(random);
    book(state, fleet.operate({ alter: changed }));
    expect(state.counter_factor).toBe(factor);
    for (const [position, { lives }] of state.positions.entries()) {
      expect(lives).toHaveLength(position < 14 ? 2 : 1);
      expect(lives[0].bins).toEqual(expect.arrayContaining(lived[position]));
      expect(present(state, position).hours).toBeCloseTo(fleet.lamps[position].hours, -0.5);
    }
  });
});

test("a lamp that is replaced as the unit changes is told, and the others live on", () => {
  const { fleet, state } = trackedShip(inMinutes);
  const began_ms = present(state, 5).began_ms;
  fleet.lamps[4] = newLamp(random);
  book(state, fleet.operate());
  expect(state.counter_factor).toBe(1);
  expect(state.positions[4].lives).toHaveLength(2);
  expect(present(state, 4).hours).toBeCloseTo(fleet.lamps[4].hours, -0.5);
  expect(present(state, 5)).toMatchObject({ began_ms, notes: [] });
  expect(present(state, 5).hours).toBeCloseTo(fleet.lamps[5].hours, -0.5);
});

test("a change that young lamps can't show comes by their pace, and past lives stay", () => {
  const { fleet, state } = trackedShip(inMinutes);
  for (let lamp = 0; lamp < 16; lamp += 1) fleet.lamps[lamp] = newLamp(random);
  book(state, fleet.operate({ alter: inMinutes, hours: 2 }));
  expect(state.positions.map(({ lives }) => lives.length)).toEqual(new Array(16).fill(2));
  const past = structuredClone(state.positions.map(({ lives }) => lives[0]));
  book(state, fleet.operate());
  expect(state).toMatchObject({ counters_fast: false, counter_factor: 1 });
  expect(state.positions.map(({ lives }) => lives[0])).toEqual(past);
  for (const [position, { hours }] of fleet.lamps.entries())
    expect(present(state, position).hours).toBeCloseTo(hours, -0.5);
});

test("counters that were full for an operation, and are right again, make no new lamps", () => {
  const { fleet, state } = trackedShip();
  book(state, fleet.operate({ alter: counters(() => 99_999) }));
  book(state, fleet.operate());
  for (const [position, { lives }] of state.positions.entries()) {
    expect(lives).toHaveLength(1);
    const { hours, notes } = present(state, position);
    expect(notes.map(({ code }) => code)).toEqual(["counter_jumped", "counter_set_back"]);
    expect(Math.abs(hours - fleet.lamps[position].hours)).toBeLessThan(0.2);
  }
});
