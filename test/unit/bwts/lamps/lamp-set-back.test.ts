// Hour counters of all lamps that fall by the same hours, as a PLC's clock or memory is set back:
// the lamps are the same.

import { expect, test } from "vitest";
import { newState } from "../../../../src/bwts/lamps/state.ts";
import { newLamp, openFleet, type PlcReading } from "../../../rig/fleet.ts";
import { book, present } from "../../../rig/lamp-tracking.ts";
import { printedRandom } from "../../../rig/random.ts";

const random = printedRandom("set back");
const DAY_MS = 86_400_000;

/** Lamps of 3 h and more, so bright that their light can't tell them from new ones. */
function openShip() {
  const fleet = openFleet(random, (lamp) => 3 + 60 * lamp);
  for (const lamp of fleet.lamps) Object.assign(lamp, { worn_h: 20_000, bend: 1 });
  return { fleet, state: newState() };
}

const timeOf = ({ timestamp }: PlcReading) => Date.parse(String(timestamp));

test("a PLC's clock that is a day behind for some hours replaces no lamp", () => {
  const { fleet, state } = openShip();
  const readings = Array.from({ length: 10 }, (_, operation) =>
    fleet.operate().map((reading, at) => {
      const isBehind = operation === 5 && at >= 72 && at < 90;
      const at_ms = timeOf(reading) - (isBehind ? DAY_MS : 0);
      return { ...reading, timestamp: new Date(at_ms).toISOString() };
    }),
  );
  book(
    state,
    readings.flat().sort((one, other) => timeOf(one) - timeOf(other)),
  );
  for (const [position, { hours }] of fleet.lamps.entries()) {
    const { lives } = state.positions[position];
    expect(lives).toMatchObject([{ notes: [{ code: "counter_set_back" }] }]);
    // The hours from the clock's step to the beginning of the operation are counted twice.
    expect(Math.abs(present(state, position).hours - hours)).toBeLessThan(16);
  }
});

test("a PLC that has its counters of a week ago again has the same lamps", () => {
  const { fleet, state } = openShip();
  for (let operation = 0; operation < 8; operation += 1) book(state, fleet.operate());
  for (const lamp of fleet.lamps) lamp.counter_off_h = -80;
  // One is replaced at the same time.
  fleet.lamps[6] = newLamp(random);
  for (let operation = 0; operation < 4; operation += 1) book(state, fleet.operate());
  expect(state.positions.map(({ lives }) => lives.length).join("")).toBe("1111112111111111");
  for (const [position, { hours }] of fleet.lamps.entries())
    expect(Math.abs(present(state, position).hours - hours)).toBeLessThan(1);
});

test("counters of all lamps that are lost to 0 replace only the lamp whose light rises", () => {
  const state = newState();
  const fleet = openFleet(random, (lamp) => 700 + 60 * lamp);
  for (const lamp of fleet.lamps) Object.assign(lamp, { worn_h: 6_000, bend: 1 });
  for (let operation = 0; operation < 4; operation += 1) book(state, fleet.operate());
  for (const lamp of fleet.lamps) lamp.counter_off_h = -lamp.hours;
  fleet.lamps[6] = newLamp(random);
  for (let operation = 0; operation < 4; operation += 1) book(state, fleet.operate());
  expect(state.positions.map(({ lives }) => lives.length).join("")).toBe("1111112111111111");
  for (const [position, { hours }] of fleet.lamps.entries())
    expect(Math.abs(present(state, position).hours - hours)).toBeLessThan(1);
});

test("lamps of one age that are all replaced are new", () => {
  const state = newState();
  const fleet = openFleet(random, () => 1000);
  for (let operation = 0; operation < 4; operation += 1) book(state, fleet.operate());
  for (const index of fleet.lamps.keys()) fleet.lamps[index] = newLamp(random);
  for (let operation = 0; operation < 4; operation += 1) book(state, fleet.operate());
  for (const { lives } of state.positions) expect(lives).toHaveLength(2);
});

test("counters that are 0 as the plant stops, and back the next day, replace no lamp", () => {
  const { fleet, state } = openShip();
  for (let operation = 0; operation < 3; operation += 1) book(state, fleet.operate());
  const last = fleet.operate();
  const zeros = Object.fromEntries(
    Object.keys(last[0]).flatMap((name) => (/_RUNTIME$/.test(name) ? [[name, 0]] : [])),
  );
  book(state, [...last.slice(0, -3), ...last.slice(-3).map((one) => ({ ...one, ...zeros }))]);
  book(state, fleet.operate());
  for (const [position, { hours }] of fleet.lamps.entries()) {
    expect(state.positions[position].lives).toHaveLength(1);
    expect(Math.abs(present(state, position).hours - hours)).toBeLessThan(1);
  }
});
