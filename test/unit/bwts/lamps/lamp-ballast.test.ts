// A ballast that gives its lamp less and less power, and is mended: the lamp gets better, and stays
// the same lamp.

import { expect, test } from "vitest";
import { sightOf } from "../../../../src/bwts/lamps/fields.ts";
import { newState } from "../../../../src/bwts/lamps/state.ts";
import { bookSight } from "../../../../src/bwts/lamps/tracker.ts";
import { TAGS } from "../../../../src/bwts/tags.ts";
import { LAMP_CONFIG, openFleet } from "../../../rig/fleet.ts";
import { printedRandom } from "../../../rig/random.ts";

const random = printedRandom("lamp ballast");

test("a mended ballast makes no new lamp of its old one", () => {
  const fleet = openFleet(random, (lamp) => 100 + 10 * lamp);
  for (const lamp of fleet.lamps) Object.assign(lamp, { worn_h: 3000, bend: 1 });
  const state = newState();
  const weak = (reading: Record<string, string | number>) => {
    for (const name of ["LAMP_10_EFFICIENCY", "LAMP_10_POWER"])
      reading[name] = Number(reading[name]) * 0.9;
  };
  for (const given of [{}, { alter: weak }, { alter: weak }, {}])
    for (const reading of fleet.operate(given)) {
      const at_ms = Date.parse(String(reading.timestamp));
      bookSight(
        state,
        sightOf(at_ms, (tag) => reading[TAGS[tag].name] ?? null, LAMP_CONFIG.limits),
      );
    }
  const { lives } = state.positions[9];
  expect(lives).toHaveLength(1);
  const atFullPower = lives[0].bins.map(({ efficiency, supply }) => efficiency / supply);
  expect(Math.min(...atFullPower)).toBeGreaterThan(94);
});
