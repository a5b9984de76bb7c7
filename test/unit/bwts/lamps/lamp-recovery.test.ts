// Lamps that get better: a ballast is mended, a single sleeve wiped. They were never worn, and the
// dimness says nothing about their end. Other rises of the light take no point away.

import { describe, expect, test } from "vitest";
import { predictionsOf } from "../../../../src/bwts/lamps/outlook.ts";
import { type StretchPoint, withoutDimness } from "../../../../src/bwts/lamps/recovery.ts";
import { newState } from "../../../../src/bwts/lamps/state.ts";
import { LAMP_CONFIG, openFleet } from "../../../rig/fleet.ts";
import { book } from "../../../rig/lamp-tracking.ts";
import { seededRandom } from "../../../rig/random.ts";

/** Its light's share while it is dim, by the share of that time. */
const DIMNESS = [
  { name: "a ballast that gives 25 % less for 500 h", lasts_h: 500, light: () => 0.75 },
  {
    name: "a sleeve that fouls to -15 % in 1,000 h",
    lasts_h: 1_000,
    light: (share: number) => 1 - 0.15 * share,
  },
];

/** A ship whose tenth lamp, at 25 to 35 % of its life when it begins, is dim for a time. */
function dimShip(seed: number, { lasts_h, light }: (typeof DIMNESS)[number]) {
  const random = seededRandom(seed);
  const fleet = openFleet(random, (lamp) => 600 + 20 * lamp);
  const worn_h = 2800 + 800 * random.next();
  const lamp = { ...fleet.lamps[9], hours: 700, worn_h, bend: 0.9 + 0.2 * random.next() };
  fleet.lamps[9] = lamp;
  const from_h = 1000;
  const state = newState();
  const alter = (reading: Record<string, string | number>) => {
    const share = (lamp.hours - from_h) / lasts_h;
    if (share >= 0 && share < 1)
      reading.LAMP_10_EFFICIENCY = Number(reading.LAMP_10_EFFICIENCY) * light(share);
  };
  return {
    lamp,
    mended_h: from_h + lasts_h,
    sailTo(hours: number) {
      while (lamp.hours < hours) book(state, fleet.operate({ alter }));
      return predictionsOf(state, LAMP_CONFIG.lamps)[9].predictions;
    },
  };
}

describe.each(DIMNESS)("after $name", (dimness) => {
  test.each([1, 2, 3])("the lamp's end is told as before, on ship %i", (seed) => {
    const { lamp, mended_h, sailTo } = dimShip(seed, dimness);
    const dim = sailTo(mended_h - 26);
    expect(lamp.hours + dim.remaining_useful_life_hours).toBeLessThan(0.85 * lamp.worn_h);
    const better = sailTo(mended_h + 100);
    const left_h = lamp.worn_h - lamp.hours;
    expect(better).toMatchObject({ expected_end: null, basis: "fit" });
    const told_h = lamp.hours + better.remaining_useful_life_hours;
    expect(Math.abs(told_h / lamp.worn_h - 1)).toBeLessThan(0.12);
    expect(better.remaining_useful_life_hours_p05).toBeLessThan(left_h);
    expect(better.remaining_useful_life_hours_p95).toBeGreaterThan(left_h);
  });
});

/** A lamp that falls by 0.25 % a stretch, and what is added to its log. */
const lampOf = (added: (bin: number) => number): readonly StretchPoint[] =>
  Array.from({ length: 60 }, (_, bin) => ({
    ...{ bin, hours: 100 + 30 * bin },
    log_efficiency: -0.0025 * bin + added(bin),
  }));

const others = Array.from({ length: 15 }, () => lampOf(() => 0));
const binsOf = (points: readonly StretchPoint[]) => points.map(({ bin }) => bin);

test("of a lamp that recovered, only the points of its dimness go", () => {
  const dimmed = lampOf((bin) => (bin >= 30 && bin < 40 ? -0.2 : 0));
  const kept = withoutDimness([dimmed, ...others]);
  expect(kept.slice(1)).toEqual(others);
  expect(binsOf(kept[0])).toEqual([...binsOf(dimmed).slice(0, 30), ...binsOf(dimmed).slice(40)]);
  const always = lampOf((bin) => (bin < 40 ? -0.2 : 0));
  expect(binsOf(withoutDimness([always])[0])).toEqual(binsOf(always).slice(40));
});

test("of dimness that came slowly, its beginning goes too", () => {
  const slow = lampOf((bin) => (bin >= 20 && bin < 40 ? -0.0075 * (bin - 20) : 0));
  // From bin 26 on it is dimmer than after it, for 14 stretches.
  const [kept] = withoutDimness([slow, ...others]);
  expect(binsOf(kept)).toEqual([...binsOf(slow).slice(0, 12), ...binsOf(slow).slice(40)]);
});

test("two recoveries of a lamp are two", () => {
  const twice = lampOf((bin) => (bin >= 20 && bin < 22 ? -0.1 : bin >= 50 && bin < 53 ? -0.3 : 0));
  const gone = [20, 21, 50, 51, 52];
  const [kept] = withoutDimness([twice, ...others]);
  expect(binsOf(kept)).toEqual(binsOf(twice).filter((bin) => !gone.includes(bin)));
});

test.each([
  ["a cleaning that lifts all lamps", true, (bin: number) => (bin < 30 ? -0.1 : 0)],
  ["a single bright stretch", false, (bin: number) => (bin === 30 ? 0.1 : 0)],
  ["a single dim stretch", false, (bin: number) => (bin === 30 ? -0.1 : 0)],
  ["a lamp that fouls more than others", false, (bin: number) => -0.005 * (bin % 11)],
  ["an early rise of 3 %", false, (bin: number) => -0.03 * Math.exp(-bin / 5)],
  ["wander of 3 %", false, (bin: number) => 0.03 * Math.sin(bin / 2)],
  ["whole percents", false, (bin: number) => (bin % 2 === 0 ? 0.01 : -0.01)],
])("%s takes no point away", (_name, forAll, added) => {
  const lamp = lampOf(added);
  const lamps = [lamp, ...(forAll ? others.map(() => lampOf(added)) : others)];
  expect(withoutDimness(lamps)).toEqual(lamps);
});
