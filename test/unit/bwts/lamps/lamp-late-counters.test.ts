// Hour counters that come long after the first light of their lamps: once a day, or since a map has
// them. They tell the hours of the lamps, and at which hours their light was seen.

import { expect, test } from "vitest";
import { newState } from "../../../../src/bwts/lamps/state.ts";
import { openFleet } from "../../../rig/fleet.ts";
import { book, present } from "../../../rig/lamp-tracking.ts";
import { printedRandom } from "../../../rig/random.ts";

const random = printedRandom("late counters");

function withoutCounters(reading: Record<string, string | number>): void {
  for (const name of Object.keys(reading)) if (/_RUNTIME$/.test(name)) delete reading[name];
}

test("counters that come once a day tell the lamps' hours", () => {
  const state = newState();
  const fleet = openFleet(random, (lamp) => 1500 + 20 * lamp);
  let day = "";
  const alter = (reading: Record<string, string | number>) => {
    const now = new Date(Date.parse(String(reading.timestamp)) - 43_200_000).toISOString();
    if (now.slice(0, 10) === day || day === "") withoutCounters(reading);
    day = now.slice(0, 10);
  };
  for (let operation = 0; operation < 6; operation += 1) book(state, fleet.operate({ alter }));
  for (const [position, { hours }] of fleet.lamps.entries())
    expect(Math.abs(present(state, position).hours - hours)).toBeLessThan(1);
});

test("counters that come after weeks put the light seen before to the lamps' hours", () => {
  const state = newState();
  const fleet = openFleet(random, (lamp) => 1500 + 20 * lamp);
  for (let operation = 0; operation < 5; operation += 1)
    book(state, fleet.operate({ alter: withoutCounters }));
  book(state, fleet.operate());
  for (const [position, { hours }] of fleet.lamps.entries()) {
    const life = present(state, position);
    expect(Math.abs(life.hours - hours)).toBeLessThan(1);
    expect(life.bins.length).toBeGreaterThan(3);
    for (const bin of life.bins) expect(bin.hours).toBeGreaterThan(1499 + 20 * position);
  }
});

test("a single counter in weeks without any tells nothing", () => {
  const state = newState();
  const fleet = openFleet(random, () => 0);
  for (let operation = 0; operation < 5; operation += 1)
    book(
      state,
      fleet.operate({
        alter(reading) {
          const isOdd = operation === 2 && String(reading.timestamp).includes("T11:30");
          withoutCounters(reading);
          if (isOdd) reading.LAMP_03_RUNTIME = 65_535;
        },
      }),
    );
  expect(Math.abs(present(state, 2).hours - fleet.lamps[2].hours)).toBeLessThan(2);
});
