// Lamp lives told from readings of ships whose lamps are known, with what happens to lamps and
// counters aboard: replaced, reset late or never, swapped, torn telegrams, failures.

import { describe, expect, test } from "vitest";
import { type LampLife, newState, type TrackerState } from "../../../../src/bwts/lamps/state.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/ground/clock.ts";
import { type Fleet, newLamp, openFleet } from "../../../rig/fleet.ts";
import { book, present } from "../../../rig/lamp-tracking.ts";
import { printedRandom } from "../../../rig/random.ts";

const random = printedRandom("lamp tracker");

/** A ship of used lamps, three operations in. */
function usedShip(hours = 2000): { fleet: Fleet; state: TrackerState } {
  const fleet = openFleet(random, (lamp) => hours + 10 * lamp);
  for (const lamp of fleet.lamps) Object.assign(lamp, { worn_h: 3000, bend: 1 });
  const state = newState();
  for (let operation = 0; operation < 3; operation += 1) book(state, fleet.operate());
  return { fleet, state };
}

function lives(state: TrackerState, position: number): readonly LampLife[] {
  return state.positions[position].lives;
}

function notes(life: LampLife): readonly string[] {
  return life.notes.map(({ code }) => code);
}

test("hours and light of a lamp are as they are, in bins that all lamps share", () => {
  const { fleet, state } = usedShip();
  expect(state.hours).toBeCloseTo(3 * 24, 0);
  for (const [position, lamp] of fleet.lamps.entries()) {
    const life = present(state, position);
    expect(life.hours).toBeCloseTo(lamp.hours, -0.5);
    expect(life.bins.map(({ bin }) => bin)).toEqual(present(state, 0).bins.map(({ bin }) => bin));
    expect(life.bins.length).toBeGreaterThanOrEqual(2);
    expect(life.notes).toEqual([]);
  }
});

test("a counter that falls is a new lamp, and the others live on", () => {
  const { fleet, state } = usedShip();
  const before = fleet.now_ms();
  fleet.lamps[4] = newLamp(random);
  book(state, fleet.operate());
  expect(lives(state, 4)).toHaveLength(2);
  expect(lives(state, 4)[0].ended_ms).toBe(before);
  expect(present(state, 4)).toMatchObject({ began: "counter_fell", began_ms: before });
  expect(present(state, 4).hours).toBeCloseTo(24, -0.5);
  expect(lives(state, 5)).toHaveLength(1);
});

test("a lamp replaced without its counter is told by its light, a late reset belongs to it", () => {
  const { fleet, state } = usedShip();
  const before = fleet.now_ms();
  const old = fleet.lamps[7];
  fleet.lamps[7] = { ...newLamp(random), counter_off_h: old.hours };
  book(state, fleet.operate());
  expect(present(state, 7)).toMatchObject({ began: "light_returned", began_ms: before });
  expect(present(state, 7).hours).toBeCloseTo(24, -0.5);
  expect(notes(present(state, 7))).toEqual(["counter_not_reset"]);
  fleet.lamps[7].counter_off_h = -fleet.lamps[7].hours;
  book(state, fleet.operate());
  expect(lives(state, 7)).toHaveLength(2);
  expect(notes(present(state, 7))).toEqual(["counter_not_reset", "counter_reset_late"]);
  expect(present(state, 7).hours).toBeCloseTo(48, -0.5);
});

test("lamps that change places take their lives along", () => {
  const { fleet, state } = usedShip();
  const [one, other] = [fleet.lamps[1], fleet.lamps[12]];
  fleet.lamps[1] = other;
  fleet.lamps[12] = one;
  book(state, fleet.operate());
  expect([lives(state, 1), lives(state, 12)].map((all) => all.length)).toEqual([1, 1]);
  expect(present(state, 12).places.map(({ position }) => position)).toEqual([1, 12]);
  expect(present(state, 12).hours).toBeCloseTo(one.hours, -0.5);
  expect(notes(present(state, 1))).toEqual(["swapped"]);
});

test("a used lamp moved to another place, with a new one in its own, leaves both known", () => {
  const { fleet, state } = usedShip();
  fleet.lamps[3] = fleet.lamps[9];
  fleet.lamps[9] = newLamp(random);
  book(state, fleet.operate());
  expect(lives(state, 3)).toHaveLength(2);
  expect(present(state, 3).places.map(({ position }) => position)).toEqual([9, 3]);
  expect(lives(state, 9)).toHaveLength(1);
  expect(present(state, 9).hours).toBeCloseTo(24, -0.5);
});

describe("no new lamp comes of", () => {
  test("a torn telegram", () => {
    const { fleet, state } = usedShip();
    let count = 0;
    const alter = (reading: Record<string, string | number>) => {
      count += 1;
      if (count % 20 === 0) reading.LAMP_03_RUNTIME = 0;
      if (count % 20 === 10) reading.LAMP_03_RUNTIME = 65_535;
      if (count % 20 === 5) reading.LAMP_03_STATUS = "FAILED";
    };
    book(state, fleet.operate({ alter }));
    expect(lives(state, 2)).toHaveLength(1);
    expect(present(state, 2)).toMatchObject({ failed_ms: null, notes: [] });
    expect(present(state, 2).hours).toBeCloseTo(fleet.lamps[2].hours, -0.5);
  });

  test("a cleaning, which lifts all lamps", () => {
    const { fleet, state } = usedShip(900);
    const dim = (reading: Record<string, string | number>) => {
      for (const name of Object.keys(reading))
        if (/_EFFICIENCY$/.test(name)) reading[name] = Number(reading[name]) * 0.86;
    };
    book(state, fleet.operate({ alter: dim }));
    book(state, fleet.operate());
    expect(state.positions.map((at) => at.lives.length)).toEqual(new Array(16).fill(1));
  });

  test.each([2, 30])("counters of 0 in %i readings of a PLC that starts", (zeros) => {
    const { fleet, state } = usedShip(200);
    let count = 0;
    const alter = (reading: Record<string, string | number>) => {
      count += 1;
      if (count > zeros) return;
      for (const name of Object.keys(reading)) if (/_RUNTIME$/.test(name)) reading[name] = 0;
    };
    book(state, fleet.operate({ alter }));
    for (const [position, { hours }] of fleet.lamps.entries()) {
      expect(lives(state, position)).toHaveLength(1);
      expect(notes(present(state, position))).toEqual(["counter_set_back"]);
      expect(present(state, position).hours).toBeCloseTo(hours, -0.5);
    }
  });

  test("a counter that was set back while the light stayed", () => {
    const { fleet, state } = usedShip();
    for (const lamp of fleet.lamps) lamp.counter_off_h = -lamp.hours;
    book(state, fleet.operate());
    expect(state.positions.map((at) => at.lives.length)).toEqual(new Array(16).fill(1));
    expect(notes(present(state, 6))).toEqual(["counter_set_back"]);
    expect(present(state, 6).hours).toBeCloseTo(fleet.lamps[6].hours, -0.5);
  });

  test("a supply that gives a group less power for a day", () => {
    const { fleet, state } = usedShip(100);
    const alter = (reading: Record<string, string | number>) => {
      for (const number of ["09", "10", "11", "12"]) {
        reading[`LAMP_${number}_EFFICIENCY`] = 58;
        reading[`LAMP_${number}_POWER`] = 2250;
      }
    };
    book(state, fleet.operate({ alter }));
    book(state, fleet.operate());
    expect(lives(state, 9)).toHaveLength(1);
    expect(Math.min(...present(state, 9).bins.map(({ efficiency }) => efficiency))).toBeGreaterThan(
      90,
    );
  });
});

test("a counter that jumps is said, and the hours go on from before", () => {
  const { fleet, state } = usedShip();
  fleet.lamps[10].counter_off_h = 700;
  book(state, fleet.operate());
  expect(lives(state, 10)).toHaveLength(1);
  expect(notes(present(state, 10))).toEqual(["counter_jumped"]);
  expect(present(state, 10).hours).toBeCloseTo(fleet.lamps[10].hours, -0.5);
});

test("a failed lamp has failed until it is replaced; a fault that is cleared is none", () => {
  const { fleet, state } = usedShip();
  const before = (elapsed_h: number) => {
    if (elapsed_h >= 6) fleet.lamps[0].failed = true;
    fleet.lamps[1].failed = elapsed_h >= 6 && elapsed_h < 8;
  };
  const start_ms = fleet.now_ms();
  book(state, fleet.operate({ before }));
  expect(present(state, 0).failed_ms).toBe(start_ms + 6 * HOUR_MS);
  expect(present(state, 1).failed_ms).toBeNull();
  expect(notes(present(state, 1))).toEqual(["failure_cleared"]);
  fleet.lamps[0] = newLamp(random);
  book(state, fleet.operate());
  expect(lives(state, 0).map(({ failed_ms }) => failed_ms === null)).toEqual([false, true]);
});

describe("a lamp that fails at an awkward moment is told with its hours", () => {
  const moments: Readonly<Record<string, (elapsed_h: number) => boolean>> = {
    "while it warms up": (elapsed_h) => elapsed_h > 0,
    "between operations": () => true,
    "while no readings come": (elapsed_h) => elapsed_h >= 6,
  };
  for (const [moment, isOver] of Object.entries(moments))
    test(moment, () => {
      const { fleet, state } = usedShip();
      const lamp = fleet.lamps[5];
      const before = (elapsed_h: number) => {
        lamp.failed = isOver(elapsed_h);
      };
      const all = fleet.operate({ before });
      // Readings come every ten minutes: none from the fifth hour to the fifteenth.
      book(
        state,
        moment === "while no readings come" ? [...all.slice(0, 30), ...all.slice(90)] : all,
      );
      const life = present(state, 5);
      expect(life.failed_ms).not.toBeNull();
      expect(life.hours).toBeCloseTo(lamp.hours, -0.5);
      fleet.lamps[5] = newLamp(random);
      book(state, fleet.operate());
      expect(lives(state, 5)).toHaveLength(2);
      expect(lives(state, 5)[0].hours).toBeCloseTo(lamp.hours, -0.5);
      expect(present(state, 5).failed_ms).toBeNull();
      expect(present(state, 5).hours).toBeCloseTo(24, -0.5);
    });
});

test("the engineer's word overrides what the readings look like, and can be taken back", () => {
  const { fleet, state } = usedShip();
  const fresh = structuredClone(state);
  const at_ms = fleet.now_ms() - DAY_MS;
  const said = { position: 5, at_ms, hours: 12, serial: "A-1", note: null };
  const old = fleet.lamps[5];
  // The counter was not reset, and the light is no help: the lamp before was young.
  fleet.lamps[5] = { ...newLamp(random), counter_off_h: old.hours };
  const readings = fleet.operate();
  book(state, readings, [{ ...said, replaced: true }]);
  expect(present(state, 5)).toMatchObject({ began: "confirmed", began_ms: at_ms, serial: "A-1" });
  expect(present(state, 5).hours).toBeCloseTo(36, -0.5);
  book(fresh, readings, [
    { ...said, replaced: true },
    { ...said, replaced: false },
  ]);
  expect(lives(fresh, 5)).toHaveLength(1);
});

test("a word on days in port, long before the next readings, is heard with them", () => {
  const { fleet, state } = usedShip();
  const fresh = structuredClone(state);
  const said = { position: 5, at_ms: fleet.now_ms() - 6 * DAY_MS, serial: "A-1", note: null };
  fleet.lamps[5] = { ...newLamp(random), counter_off_h: fleet.lamps[5].hours };
  const readings = fleet.operate();
  book(state, readings, [{ ...said, hours: null, replaced: true }]);
  expect(lives(state, 5)).toHaveLength(2);
  expect(present(state, 5)).toMatchObject({ began: "confirmed", serial: "A-1" });
  expect(present(state, 5).hours).toBeCloseTo(24, -0.5);
  book(fresh, readings, [{ ...said, hours: null, replaced: false }]);
  expect(lives(fresh, 5)).toHaveLength(1);
});

test("a word on when the lamp was fitted that is seen first makes no other of it", () => {
  const fleet = openFleet(random, () => 700);
  const state = newState();
  const at_ms = fleet.now_ms() - 90 * DAY_MS;
  const said = { position: 2, at_ms, hours: 0, serial: "A-2", note: null, replaced: true };
  book(state, fleet.operate(), [said]);
  book(state, fleet.operate(), [said]);
  expect(lives(state, 2)).toHaveLength(1);
  expect(present(state, 2)).toMatchObject({ began: "confirmed", began_ms: at_ms, serial: "A-2" });
  expect(present(state, 2).hours).toBeCloseTo(fleet.lamps[2].hours, -0.5);
});

test("a state that was stored and read goes on as if it hadn't been", () => {
  const { fleet, state } = usedShip();
  const stored: TrackerState = JSON.parse(JSON.stringify(state));
  const readings = fleet.operate();
  book(state, readings);
  book(stored, readings);
  expect(stored).toEqual(state);
});

test.each([
  ["two hours before the first reading", 2, 0, 24],
  ["a day before, by a used lamp", 24, 500, 524],
  ["as of the first reading", 0, 0, 24],
])(
  "a lamp whose counter wasn't reset is as old as was said: %s",
  (_title, ago_h, hours, after_h) => {
    const fleet = openFleet(random, () => 1400);
    const state = newState();
    const at_ms = fleet.now_ms() - ago_h * HOUR_MS;
    const said = { position: 3, at_ms, hours, serial: null, note: null, replaced: true };
    book(state, fleet.operate(), [said]);
    expect(lives(state, 3)).toHaveLength(1);
    expect(present(state, 3)).toMatchObject({ began: "confirmed", began_ms: at_ms });
    expect(present(state, 3).hours).toBeCloseTo(after_h, -0.5);
  },
);
