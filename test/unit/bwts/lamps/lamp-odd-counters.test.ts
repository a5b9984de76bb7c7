// Hour counters that stand, move in steps, are reset late, change their unit together with the
// lamps, or are odd for one alone: hours and lives are those of the lamps all the same.

import { describe, expect, test } from "vitest";
import { countersProblem } from "../../../../src/bwts/lamps/pace.ts";
import { newState, type TrackerState } from "../../../../src/bwts/lamps/state.ts";
import type { LampWord } from "../../../../src/bwts/lamps/word.ts";
import { type Fleet, newLamp, openFleet } from "../../../rig/fleet.ts";
import { book, present } from "../../../rig/lamp-tracking.ts";
import { printedRandom } from "../../../rig/random.ts";

const random = printedRandom("odd counters");

type Reading = Record<string, string | number>;

const nameOf = (lamp: number) => `LAMP_${String(lamp + 1).padStart(2, "0")}_RUNTIME`;

/** Alters every lamp's hour counter in a reading. */
function counters(change: (counter_h: number, lamp: number) => number) {
  return (reading: Reading) => {
    for (let lamp = 0; lamp < 16; lamp += 1)
      reading[nameOf(lamp)] = change(Number(reading[nameOf(lamp)]), lamp);
  };
}

function operate(
  { fleet, state }: { fleet: Fleet; state: TrackerState },
  alter: (reading: Reading) => void = () => {},
  operations = 1,
): void {
  for (let operation = 0; operation < operations; operation += 1)
    book(state, fleet.operate({ alter }));
}

function openShip(hours: (lamp: number) => number = (lamp) => 1000 + 10 * lamp) {
  return { fleet: openFleet(random, hours), state: newState() };
}

/** The fitted lamps have their hours, and each position as many lives. */
function expectHours({ fleet, state }: ReturnType<typeof openShip>, off_h: number): void {
  for (const [position, { hours }] of fleet.lamps.entries())
    expect(Math.abs(present(state, position).hours - hours)).toBeLessThan(off_h);
}

describe.each([1, 10, 100])("counters that show multiples of %i h", (step_h) => {
  test.each([0, 13.7])("lose no hour where lamps are %d h apart", (apart_h) => {
    const ship = openShip((lamp) => 1003.3 + apart_h * lamp);
    const steps = counters((counter_h) => step_h * Math.floor(counter_h / step_h));
    operate(ship, steps, 12);
    const { fleet, state } = ship;
    expect(countersProblem(state)).toBeNull();
    for (const { lives } of state.positions) expect(lives).toMatchObject([{ notes: [] }]);
    const missed_h = 1003.3 % step_h;
    for (const [position, { hours }] of fleet.lamps.entries())
      expect(Math.abs(present(state, position).hours - hours)).toBeLessThan(1);
    expect(present(state, 0).first_h).toBeCloseTo(1003.3 - missed_h);
    fleet.lamps[3] = newLamp(random);
    operate(ship, steps, 2);
    expect(state.positions.map(({ lives }) => lives.length).join("")).toBe("1112111111111111");
    expectHours(ship, 1);
  });
});

test("counters that stand for a day are late, and the hours lit count", () => {
  const ship = openShip();
  operate(ship, undefined, 2);
  const stood_h = ship.fleet.lamps.map(({ hours }) => hours);
  operate(
    ship,
    counters((_, lamp) => stood_h[lamp]),
  );
  expectHours(ship, 0.5);
  operate(ship);
  expectHours(ship, 0.5);
  for (const { lives } of ship.state.positions) expect(lives).toMatchObject([{ notes: [] }]);
});

test("a reset that comes late belongs to the replacement that the engineer told", () => {
  const ship = openShip((lamp) => 300 + 10 * lamp);
  operate(ship, undefined, 2);
  const { fleet, state } = ship;
  const at_ms = fleet.now_ms() - 3_600_000;
  const word = { position: 5, at_ms, hours: null, serial: null, note: null, replaced: true };
  // The lamp before was as bright as a new one.
  fleet.lamps[5] = { ...newLamp(random), counter_off_h: fleet.lamps[5].hours };
  for (let operation = 0; operation < 2; operation += 1) book(state, fleet.operate(), [word]);
  fleet.lamps[5].counter_off_h = -fleet.lamps[5].hours;
  book(state, fleet.operate(), [word]);
  expect(state.positions[5].lives).toHaveLength(2);
  expect(present(state, 5).notes).toMatchObject([{ code: "counter_reset_late" }]);
  expectHours(ship, 1);
  fleet.lamps[5] = newLamp(random);
  book(state, fleet.operate(), [word]);
  expect(state.positions[5].lives).toHaveLength(3);
  expectHours(ship, 1);
});

test("a lamp said to be replaced is new, although its counter moves in steps of 100 h", () => {
  const ship = openShip();
  const steps = counters((counter_h) => 100 * Math.floor(counter_h / 100));
  operate(ship, steps, 4);
  const { fleet, state } = ship;
  const at_ms = fleet.now_ms() - 3_600_000;
  const word = { position: 5, at_ms, hours: null, serial: null, note: null, replaced: true };
  fleet.lamps[5] = { ...newLamp(random), counter_off_h: fleet.lamps[5].hours };
  book(state, fleet.operate({ alter: steps }), [word]);
  expect(Math.abs(present(state, 5).hours - fleet.lamps[5].hours)).toBeLessThan(1);
});

const inMinutes = counters((counter_h) => Math.round(counter_h * 60));
const inHours = counters((counter_h) => counter_h);

describe.each([
  { name: "hours to minutes", usual: inHours, changed: inMinutes },
  { name: "minutes to hours", usual: inMinutes, changed: inHours },
])("as nearly all lamps are replaced and the unit changes from $name", ({ usual, changed }) => {
  /** The ship after that, with what the engineer said of the lamps. */
  function changedShip(replaced: number, words: (at_ms: number) => LampWord[] = () => []) {
    const ship = openShip();
    operate(ship, usual, 3);
    const { fleet, state } = ship;
    const before = structuredClone(state);
    for (let lamp = 0; lamp < replaced; lamp += 1) fleet.lamps[lamp] = newLamp(random);
    const said = words(fleet.now_ms() - 3_600_000);
    for (let operation = 0; operation < 2; operation += 1)
      book(state, fleet.operate({ alter: changed }), said);
    return { ...ship, before };
  }

  test("fifteen new lamps are told, and the sixteenth lives on", () => {
    const ship = changedShip(15);
    expectHours(ship, 1);
    for (const [position, { lives }] of ship.state.positions.entries()) {
      const { began_ms, bins, hours } = present(ship.before, position);
      expect(lives).toHaveLength(position < 15 ? 2 : 1);
      expect(lives[0]).toMatchObject({ began_ms, bins: expect.arrayContaining(bins) });
      if (position < 15) expect(Math.abs(lives[0].hours - hours)).toBeLessThan(1);
    }
  });

  test("sixteen are told by the engineer's word, and old lives are kept", () => {
    const ship = changedShip(16, (at_ms) =>
      Array.from({ length: 16 }, (_, position) => {
        const serial = `A-${position}`;
        return { position, at_ms, hours: null, serial, note: null, replaced: true };
      }),
    );
    expectHours(ship, 1);
    for (const [position, { lives }] of ship.state.positions.entries()) {
      const { began_ms, hours } = present(ship.before, position);
      expect(lives).toHaveLength(2);
      expect(lives[0].began_ms).toBe(began_ms);
      expect(Math.abs(lives[0].hours - hours)).toBeLessThan(1);
      expect(lives[1]).toMatchObject({ began: "confirmed", serial: `A-${position}` });
    }
  });
});

test("sixteen counters that begin at 0 in minutes are a PLC's or new lamps': that is noted", () => {
  const ship = openShip();
  operate(ship, undefined, 3);
  for (let lamp = 0; lamp < 16; lamp += 1) ship.fleet.lamps[lamp] = newLamp(random);
  operate(ship, inMinutes, 2);
  for (const { lives } of ship.state.positions)
    expect(lives).toMatchObject([{ notes: [{ code: "counter_set_back" }] }]);
});

test.each([1, 3, 8])(
  "a map rule that mends minutes after %i readings makes no new lamps",
  (odd) => {
    const ship = openShip();
    let count = 0;
    const alter = (reading: Reading) => {
      count += 1;
      if (count <= odd) inMinutes(reading);
    };
    operate(ship, alter, 2);
    for (const { lives } of ship.state.positions) expect(lives).toMatchObject([{ notes: [] }]);
    expectHours(ship, 1);
  },
);

test("one reading of the first hour in another unit makes no new lamps", () => {
  for (const [usual, odd] of [
    [inHours, inMinutes],
    [inMinutes, inHours],
  ] as const) {
    const ship = openShip();
    let count = 0;
    const alter = (reading: Reading) => {
      count += 1;
      (count === 4 ? odd : usual)(reading);
    };
    operate(ship, alter, 2);
    for (const { lives } of ship.state.positions) expect(lives).toMatchObject([{ notes: [] }]);
    expectHours(ship, 1);
  }
});

describe.each([
  { usual: "hours", odd: "minutes", factor: 1 },
  { usual: "minutes", odd: "hours", factor: 60 },
])("a single counter in $odd among others in $usual", ({ factor }) => {
  const mixed = (isOdd: boolean) =>
    counters((counter_h, lamp) =>
      (lamp === 4 && isOdd) === (factor === 1) ? Math.round(60 * counter_h) : counter_h,
    );

  test.each([0, 3])("is left out after %i operations, and used again when mended", (operations) => {
    const ship = openShip();
    operate(ship, mixed(false), operations);
    operate(ship, mixed(true), 3);
    const { state } = ship;
    expect(state.counter_factor).toBe(factor);
    expectHours(ship, 1);
    const { bins, notes } = present(state, 4);
    expect(notes).toMatchObject([{ code: "counter_jumped" }]);
    expect(bins).toHaveLength(present(state, 5).bins.length);
    operate(ship, mixed(false), 2);
    expectHours(ship, 1);
    for (const { lives } of state.positions) expect(lives).toHaveLength(1);
    ship.fleet.lamps[4] = newLamp(random);
    operate(ship, mixed(false));
    expect(state.positions[4].lives).toHaveLength(2);
    expectHours(ship, 1);
  });
});

describe.each([
  { begins: "without counters", hours: () => null },
  { begins: "with zeros", hours: () => 0 },
  { begins: "with a torn counter", hours: (h: number, lamp: number) => (lamp === 4 ? 0 : h) },
])("a record that begins $begins", ({ hours }) => {
  test.each([1, 3, 12])("for %i readings has the lamps' own hours", (readings) => {
    const ship = openShip();
    let count = 0;
    const begin = (reading: Reading) => {
      count += 1;
      if (count > readings) return;
      for (let lamp = 0; lamp < 16; lamp += 1) {
        const shown_h = hours(Number(reading[nameOf(lamp)]), lamp);
        if (shown_h === null) delete reading[nameOf(lamp)];
        else reading[nameOf(lamp)] = shown_h;
      }
    };
    // Cleaned after two hours.
    const clean = (reading: Reading) => {
      reading.CIP_HOURS_SINCE_LAST = count <= 12 ? 100 : count / 6;
      begin(reading);
    };
    operate(ship, clean, 3);
    expectHours(ship, 1);
    for (const [position, { lives }] of ship.state.positions.entries()) {
      expect(lives).toMatchObject([{ notes: [] }]);
      const [{ first_h, bins }] = lives;
      expect(Math.abs(first_h - 1000 - 10 * position)).toBeLessThan(2.1);
      expect(bins[0].hours).toBeGreaterThan(1000 + 10 * position);
    }
  });
});

test.each([
  [60, 3_600],
  [1, 60],
  [10, 3_600],
  [60, 10],
])(
  "young lamps whose counters change from %i to %i an hour after weeks keep their hours",
  (...units) => {
    const ship = openShip((lamp) => 20 + lamp);
    const [before, after] = units.map((unit) =>
      counters((counter_h) => Math.round(counter_h * unit)),
    );
    const { fleet, state } = ship;
    for (let operation = 0; operation < 4; operation += 1)
      book(state, fleet.operate({ hours: 3, alter: before }));
    for (let operation = 0; operation < 6; operation += 1)
      book(state, fleet.operate({ hours: 3, alter: after }));
    expect(state.counter_factor).toBe(units[1]);
    expectHours(ship, 1);
    for (const { lives } of state.positions) expect(lives).toHaveLength(1);
  },
);
