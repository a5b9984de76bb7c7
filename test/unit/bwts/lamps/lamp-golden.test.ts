// Numbers of the lamp science that were worked out elsewhere: each says where it comes from. "R" is
// R 4.2 with its packages stats and survival 3.5: lm() and vcov() for lines, survreg() for Weibull
// distributions, qt() for Student's t.

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { plainFit, studentQuantile } from "../../../../src/bwts/light/plain-fit.ts";
import { fitWeibull, scaleOfB10 } from "../../../../src/bwts/light/sudden-failure.ts";
import { median } from "../../../../src/bwts/ranks.ts";

const davis_h = readFileSync(
  path.join(import.meta.dirname, "..", "..", "..", "oracle", "davis-lamps.csv"),
  "utf8",
)
  .split("\n")
  .filter((line) => /^\d+,\d+$/.test(line))
  .map((line) => Number(line.split(",")[1]));

function fitOf(efficiencies: readonly number[], hours: (i: number) => number) {
  const points = efficiencies.map((efficiency, i) => ({ hours: hours(i), efficiency }));
  const fit = plainFit(points, { end_efficiency: 0.7, confidence: 0.9 });
  if (fit === null) throw new Error("expected a fit");
  return fit;
}

describe("the plain fit", () => {
  test("of six TM-21 points is that of R", () => {
    const fit = fitOf([0.9935, 0.9861, 0.979, 0.9717, 0.9648, 0.9571], (i) => 1_000 * (i + 1));
    expect(fit.rate_per_h).toBeCloseTo(7.41789347804e-6, 15);
    expect(fit.start).toBeCloseTo(1.00094100631, 10);
    expect(fit.scatter).toBeCloseTo(2.22785947319e-4, 13);
    expect(fit.end_h).toBeCloseTo(48_209.846749, 4);
    expect(fit.end_error_h).toBeCloseTo(321.223983, 4);
    expect(fit.end_range_h?.from).toBeCloseTo(47_535.362041, 4);
    expect(fit.end_range_h?.to).toBeCloseTo(48_905.28335, 4);
  });

  test("of a lamp is that of R, Fieller's interval by its quadratic", () => {
    const lamp = [1, 0.985, 0.964, 0.951, 0.929, 0.917, 0.896, 0.884, 0.865, 0.85, 0.834];
    const fit = fitOf(lamp, (i) => 250 * i);
    expect(fit.rate_per_h).toBeCloseTo(7.28944814021e-5, 14);
    expect(fit.start).toBeCloseTo(1.001620063, 9);
    expect(fit.scatter).toBeCloseTo(2.18128053282e-3, 12);
    expect(fit.end_h).toBeCloseTo(4_915.2376032, 5);
    expect(fit.end_error_h).toBeCloseTo(42.791471642, 6);
    expect(fit.end_error_h * studentQuantile(0.95, 9)).toBeCloseTo(78.4416000743, 6);
    expect(fit.end_range_h?.from).toBeCloseTo(4_838.36726, 4);
    expect(fit.end_range_h?.to).toBeCloseTo(4_995.31763, 4);
  });

  test("has no interval where the fall is within the scatter; without a fall there is none", () => {
    expect(fitOf([0.99, 0.95, 0.985, 0.951, 0.98], (i) => 100 * i).end_range_h).toBeNull();
    const rising = [0.9, 0.92, 0.94].map((efficiency, i) => ({ efficiency, hours: 100 * i }));
    const still = rising.map(({ hours }) => ({ hours, efficiency: 0.9 }));
    for (const points of [rising, still, rising.slice(0, 2), []])
      expect(plainFit(points, { end_efficiency: 0.7, confidence: 0.9 })).toBeNull();
  });
});

test("Student's t has the quantiles of R", () => {
  const quantiles = [
    [0.95, 1, 6.313751515],
    [0.975, 1, 12.70620474],
    [0.95, 2, 2.91998558],
    [0.95, 5, 2.015048373],
    [0.95, 9, 1.833112933],
    [0.975, 9, 2.262157163],
    [0.95, 30, 1.697260887],
    [0.975, 30, 2.042272456],
  ] as const;
  for (const [share, degrees, expected] of quantiles)
    expect(studentQuantile(share, degrees)).toBeCloseTo(expected, 6);
});

describe("200 incandescent lamps that burnt until they failed (Davis 1952)", () => {
  const all = davis_h.map((hours) => ({ hours, failed: true }));

  test("are the lamps of the source", () => {
    const mean = davis_h.reduce((sum, hours) => sum + hours, 0) / davis_h.length;
    const squares = davis_h.reduce((sum, hours) => sum + (hours - mean) ** 2, 0);
    expect(davis_h).toHaveLength(200);
    expect(mean).toBeCloseTo(998.13, 8);
    expect(Math.sqrt(squares / 199)).toBeCloseTo(157.8625, 4);
    expect(median(davis_h)).toBe(997);
    expect([Math.min(...davis_h), Math.max(...davis_h)]).toEqual([521, 1_425]);
  });

  test("have the Weibull distribution that R finds", () => {
    const fit = fitWeibull(all);
    expect(fit.shape).toBeCloseTo(7.0777, 4);
    expect(fit.scale_h).toBeCloseTo(1_064.3299, 2);
    expect(fit.log_likelihood).toBeCloseTo(-1_296.918264, 5);
  });

  test("have the Weibull distribution that R finds when the test is stopped at 1,000 h", () => {
    const fit = fitWeibull(
      davis_h.map((hours) => ({ hours: Math.min(hours, 1_000), failed: hours <= 1_000 })),
    );
    expect(fit.shape).toBeCloseTo(8.5559, 4);
    expect(fit.scale_h).toBeCloseTo(1_038.7998, 2);
    expect(fit.log_likelihood).toBeCloseTo(-735.06849, 4);
  });

  test("fail in the next 100 h about as often as the fitted distribution says", () => {
    const fit = fitWeibull(all);
    const ages = [
      [500, 0.0125, 0.01],
      [800, 0.1585, 0.1436],
      [1_000, 0.4618, 0.4124],
    ] as const;
    for (const [from_h, expected, observed] of ages) {
      const alive = davis_h.filter((hours) => hours > from_h);
      const failed = alive.filter((hours) => hours <= from_h + 100);
      expect(conditionalFailure(fit, { from_h, horizon_h: 100 })).toBeCloseTo(expected, 4);
      expect(failed.length / alive.length).toBeCloseTo(observed, 4);
    }
  });
});

test("lamps of which one in ten fails before 3,000 h fail as computed in R, by shape", () => {
  const ages_h = [0, 1_000, 2_500, 3_000];
  const table = [
    [2, 9_242.348, [0.0001170604, 0.002455393, 0.005952642, 0.007115665], 0.0316808],
    [3.5, 5_706.32, [7.124483e-7, 0.0008916946, 0.008156412, 0.01273107], 0.04848561],
    [5, 4_705.282, [4.335824e-9, 0.0002646713, 0.009131575, 0.01859537], 0.06107388],
  ] as const;
  for (const [shape, expected_h, next_100, next_500_at_2500] of table) {
    const scale_h = scaleOfB10(3_000, shape);
    const chances = ages_h.map((from_h) =>
      conditionalFailure({ shape, scale_h }, { from_h, horizon_h: 100 }),
    );
    expect(scale_h).toBeCloseTo(expected_h, 2);
    for (const [i, chance] of chances.entries()) expect(chance).toBeCloseTo(next_100[i], 8);
    expect(conditionalFailure({ shape, scale_h }, { from_h: 2_500, horizon_h: 500 })).toBeCloseTo(
      next_500_at_2500,
      7,
    );
  }
});

/** P(fails by `from_h` + `horizon_h` | alive at `from_h`) of a Weibull distribution. */
function conditionalFailure(
  { shape, scale_h }: { shape: number; scale_h: number },
  { from_h, horizon_h }: { from_h: number; horizon_h: number },
): number {
  const hazard = (hours: number) => (hours / scale_h) ** shape;
  return -Math.expm1(hazard(from_h) - hazard(from_h + horizon_h));
}
