// Properties of every forecast of a lamp, whatever its points, over random ships; the printed seed
// finds a failing one again.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ENDED, lampForecast } from "../../../../src/bwts/lamps/forecast.ts";
import { type LampPrior, unseenEndHours } from "../../../../src/bwts/light/curve.ts";
import { endHours } from "../../../../src/bwts/light/end-hours.ts";
import { lampEvidence } from "../../../../src/bwts/light/evidence.ts";
import type { LampPoint } from "../../../../src/bwts/light/likelihood.ts";
import { sharedCurves } from "../../../../src/bwts/light/shared-curves.ts";
import { suddenFailure } from "../../../../src/bwts/light/sudden-failure.ts";
import { createRandom } from "../../../../src/simulator/random.ts";
import { sized } from "../../../rig/scale.ts";

const PRIOR: LampPrior = { rated_h: 3_000, end_efficiency: 0.7 };

interface Ship {
  readonly lamps: readonly (readonly LampPoint[])[];
  readonly ages: readonly { readonly hours: number; readonly failed: boolean }[];
}

const ship = fc
  .record({
    seed: fc.nat(),
    lamps: fc.integer({ min: 1, max: 4 }),
    points: fc.integer({ min: 1, max: 40 }),
    end_h: fc.double({ min: 200, max: 20_000, noNaN: true }),
    noise: fc.constantFrom(0, 0.001, 0.02, 0.5),
    failures: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ seed, lamps, points, end_h, noise, failures }): Ship => {
    const random = createRandom(seed);
    const pointsOf = (lamp: number) =>
      Array.from({ length: points }, (_, i) => {
        const hours = random.between(0, 4_000, "hours", lamp, i);
        const fallen = (Math.log(0.7) * hours) / end_h;
        return { hours, log_efficiency: fallen + noise * random.bell("noise", lamp, i) };
      });
    return {
      lamps: Array.from({ length: lamps }, (_, lamp) => pointsOf(lamp)),
      ages: Array.from({ length: failures }, (_, i) => ({
        hours: random.between(0, 5_000, "age", i),
        failed: random.unit("failed", i) < 0.8,
      })),
    };
  });

/** Forecasts of all lamps of a ship, at the age of their last point, within `horizon_h`. */
function forecasts({ lamps, ages }: Ship, horizon_h: number, prior = PRIOR) {
  const evidence = lamps.map((points) => lampEvidence(points, prior));
  const curves = sharedCurves(evidence, prior);
  const sudden = suddenFailure(ages, prior);
  return evidence.map((lamp, i) => {
    const age_h = Math.max(...lamps[i].map(({ hours }) => hours));
    const end = endHours(lamp, { ship: curves, prior });
    return lampForecast({ age_h, end, sudden }, { horizon_h });
  });
}

const horizon = fc.double({ min: 0, max: 10_000, noNaN: true });

describe("a forecast of any lamp", () => {
  test("is finite, not negative, and in order", () => {
    fc.assert(
      fc.property(ship, horizon, (any, horizon_h) => {
        for (const { p05_h, median_h, p95_h, ...chances } of forecasts(any, horizon_h)) {
          expect(p05_h).toBeGreaterThanOrEqual(0);
          expect(median_h).toBeGreaterThanOrEqual(p05_h);
          expect(p95_h).toBeGreaterThanOrEqual(median_h);
          expect(p95_h).toBeLessThan(7 * PRIOR.rated_h);
          for (const chance of Object.values(chances)) {
            expect(chance).toBeGreaterThanOrEqual(0);
            expect(chance).toBeLessThanOrEqual(1 + 1e-9);
          }
        }
      }),
      { seed: 51, numRuns: sized(25, 60) },
    );
  });

  test("says at least 0.5 exactly when the median is within the horizon", () => {
    fc.assert(
      fc.property(ship, horizon, fc.integer({ min: -2, max: 2 }), (any, horizon_h, off_h) => {
        const near = forecasts(any, horizon_h).map(({ median_h }) => Math.max(0, median_h + off_h));
        for (const each_h of [horizon_h, Math.round(horizon_h), ...near, ...near.map(Math.round)])
          for (const forecast of forecasts(any, each_h))
            expect(forecast.failure_probability >= 0.5).toBe(forecast.median_h <= each_h);
      }),
      { seed: 52, numRuns: sized(10, 25) },
    );
  });

  test("never becomes less likely to end within a longer horizon", () => {
    fc.assert(
      fc.property(ship, horizon, horizon, (any, one_h, other_h) => {
        const sooner = forecasts(any, Math.min(one_h, other_h));
        const later = forecasts(any, Math.max(one_h, other_h));
        for (const [i, { failure_probability }] of later.entries())
          expect(failure_probability).toBeGreaterThanOrEqual(sooner[i].failure_probability - 1e-12);
      }),
      { seed: 53, numRuns: sized(25, 60) },
    );
  });

  test("is the same for points, lamps and ages in any order", () => {
    fc.assert(
      fc.property(ship, (any) => {
        const turned = {
          lamps: any.lamps.map((points) => points.toReversed()).toReversed(),
          ages: any.ages.toReversed(),
        };
        const again = forecasts(turned, 500).toReversed();
        for (const [i, { median_h, failure_probability }] of forecasts(any, 500).entries()) {
          expect(again[i].median_h).toBeCloseTo(median_h, 2);
          // Curves below 1e-5 of the mass are left out, and sums differ by their order.
          expect(again[i].failure_probability).toBeCloseTo(failure_probability, 5);
        }
      }),
      { seed: 54, numRuns: sized(15, 40) },
    );
  });

  test("scales with the hours: in minutes it says the same in minutes", () => {
    const times = 60;
    fc.assert(
      fc.property(ship, horizon, (any, horizon_h) => {
        const inMinutes = {
          lamps: any.lamps.map((points) =>
            points.map((point) => ({ ...point, hours: point.hours * times })),
          ),
          ages: any.ages.map(({ hours, failed }) => ({ hours: hours * times, failed })),
        };
        const prior = { ...PRIOR, rated_h: PRIOR.rated_h * times };
        const scaled = forecasts(inMinutes, horizon_h * times, prior);
        for (const [i, forecast] of forecasts(any, horizon_h).entries()) {
          for (const name of ["p05_h", "median_h", "p95_h"] as const)
            expect(scaled[i][name] / times).toBeCloseTo(forecast[name], 1);
          expect(scaled[i].failure_probability).toBeCloseTo(forecast.failure_probability, 6);
        }
      }),
      { seed: 55, numRuns: sized(15, 40) },
    );
  });
});

test("a lamp that has ended has no hours left and has failed for sure", () => {
  expect(ENDED).toMatchObject({ median_h: 0, p05_h: 0, p95_h: 0, failure_probability: 1 });
});

test("of a new lamp nobody knows anything of, one in ten fails before the rated hours", () => {
  const sudden = suddenFailure([], PRIOR);
  const never = unseenEndHours({ ...PRIOR, rated_h: 3e6 });
  const { failure_probability } = lampForecast(
    { age_h: 0, end: never, sudden },
    { horizon_h: PRIOR.rated_h },
  );
  expect(failure_probability).toBeCloseTo(0.1, 2);
  expect(sudden.shape_held).toBe(true);
});

test("of lamps nobody knows anything of, half are worn by 1.2 times the rated hours", () => {
  const { hours, mass } = unseenEndHours(PRIOR);
  const wornBy = (share: number) =>
    mass.reduce((sum, each, i) => (hours[i] <= share * PRIOR.rated_h ? sum + each : sum), 0);
  expect(wornBy(1.2)).toBeCloseTo(0.53, 1);
  expect(wornBy(0.6)).toBeLessThan(0.05);
  // Rated hours may be told a third too few.
  expect(wornBy(2)).toBeGreaterThan(0.9);
  expect(wornBy(2)).toBeLessThan(0.96);
});

test("lamps that last make sudden failure less likely, failures make it more", () => {
  const within = (ages: Parameters<typeof suddenFailure>[0]) =>
    -Math.expm1(suddenFailure(ages, PRIOR).logSurvival({ from_h: 2_000, hours: 2_500 }));
  const alive = Array.from({ length: 16 }, () => ({ hours: 5_000, failed: false }));
  const failed = Array.from({ length: 6 }, () => ({ hours: 1_500, failed: true }));
  expect(within(alive)).toBeLessThan(0.6 * within([]));
  expect(within(failed)).toBeGreaterThan(1.6 * within([]));
});
