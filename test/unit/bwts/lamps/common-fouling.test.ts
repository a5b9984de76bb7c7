// Fouling, which sleeves lose and regain together, is told from ageing, and from one lamp's own
// rise.

import { describe, expect, test } from "vitest";
import { commonFouling, type LifeBins } from "../../../../src/bwts/lamps/common-fouling.ts";
import { createRandom } from "../../../../src/simulator/random.ts";

const BINS = 200;
const CLEANED = [60, 110, 150];

/** Lamps that age by 0.1 % a bin; `fouling` is taken from all. */
function lamps(count: number, fouling: (bin: number) => number): readonly LifeBins[] {
  return Array.from({ length: count }, (_, lamp) => {
    const random = createRandom(lamp);
    const first = 5 * lamp;
    const values = Array.from({ length: BINS - first }, (_each, i) => {
      const age = -0.001 * i;
      return age - fouling(first + i) + 0.002 * random.bell("noise", i);
    });
    return { first, values };
  });
}

/** Grows by 0.05 % a bin since the last cleaning. */
const sawtooth = (bin: number) => {
  const since = CLEANED.findLast((cleaned) => cleaned <= bin) ?? 0;
  return 0.0005 * (bin - since);
};

describe("common fouling", () => {
  test("is found with its cleanings, before the first and after the last one too", () => {
    const fouling = commonFouling(lamps(12, sawtooth));
    expect(fouling.cleaned).toHaveLength(CLEANED.length);
    for (const [i, cleaned] of CLEANED.entries())
      expect(Math.abs(fouling.cleaned[i] - cleaned)).toBeLessThanOrEqual(1);
    for (const bin of [10, 50, 58, 70, 105, 130, 160, 190])
      expect(Math.abs(fouling.at(bin) - sawtooth(bin))).toBeLessThan(0.006);
    expect(fouling.given_back).toBeCloseTo(0.025, 2);
  });

  test("is never negative, and nothing where no reading ever was", () => {
    const fouling = commonFouling(lamps(12, sawtooth));
    for (let bin = -50; bin < 400; bin++) expect(fouling.at(bin)).toBeGreaterThanOrEqual(0);
    expect(commonFouling([]).at(7)).toBe(0);
  });

  test("is none in lamps that only age, in too few lamps, and in one lamp that gets better", () => {
    const better = lamps(12, () => 0).map((life, lamp) =>
      lamp === 0
        ? { ...life, values: life.values.map((value, i) => (value ?? 0) + (i > 90 ? 0.1 : 0)) }
        : life,
    );
    for (const lives of [lamps(12, () => 0), lamps(3, sawtooth), better]) {
      const fouling = commonFouling(lives);
      expect(fouling.cleaned).toEqual([]);
      expect(fouling.at(100)).toBe(0);
    }
  });

  test("is found through bins without steady readings", () => {
    const gaps = lamps(12, sawtooth).map(({ first, values }) => ({
      first,
      values: values.map((value, i) => ((first + i) % 5 === 0 ? null : value)),
    }));
    expect(commonFouling(gaps).cleaned).toHaveLength(CLEANED.length);
  });
});
