// Forecasts for the lamps of a ship, from their lives: what an engineer can be told in the plain
// cases and in the odd ones. Lives are of known truth (test/rig/lamp-lives.ts).

import { describe, expect, test } from "vitest";
import { type LifeInBins, lifeFit, shipForecasts } from "../../../../src/bwts/lamps/ship-lamps.ts";
import type { LampPrior } from "../../../../src/bwts/light/curve.ts";
import { createRandom } from "../../../../src/simulator/random.ts";
import { BIN_H, fallTo70At, lampLife } from "../../../rig/lamp-lives.ts";

const PRIOR: LampPrior = { rated_h: 3_000, end_efficiency: 0.7 };
const ask = (lives: readonly LifeInBins[]) =>
  shipForecasts(lives, { prior: PRIOR, horizon_h: 500 }).forecasts;

/** Sixteen lamps of different ages that wear out at different hours. */
const ends_h = Array.from({ length: 16 }, (_, i) => 2_400 + 200 * i);
const sixteen = ends_h.map((end_h, i) =>
  lampLife({ seed: i, age_h: 1_200 + 40 * i, efficiency: fallTo70At(end_h) }),
);

/** Median distance of the forecasts from the hours of wear, as a share of the hours left. */
function typicalError(lives: readonly LifeInBins[]): number {
  const errors = ask(lives).map(({ median_h }, i) => {
    const left_h = ends_h[i] - lives[i].age_h;
    return Math.abs(median_h - left_h) / left_h;
  });
  return errors.sort((one, other) => one - other)[8];
}

describe("sixteen lamps that wear down", () => {
  test("are forecast to within a tenth of the hours left, with the truth in the interval", () => {
    expect(typicalError(sixteen)).toBeLessThan(0.1);
    for (const [i, { p05_h, p95_h, basis }] of ask(sixteen).entries()) {
      const left_h = ends_h[i] - sixteen[i].age_h;
      expect(basis).toBe("lamp_points");
      expect(p05_h).toBeLessThan(left_h);
      expect(p95_h).toBeGreaterThan(left_h);
    }
  });

  test("are forecast alike in any order", () => {
    const turned = ask(sixteen.toReversed()).toReversed();
    for (const [i, { median_h }] of ask(sixteen).entries())
      expect(turned[i].median_h).toBeCloseTo(median_h, 2);
  });

  test("are forecast nearly as well under outliers", () => {
    const spoilt = sixteen.map((life, lamp) => {
      const random = createRandom(lamp);
      const bins = life.bins.map((bin, i) =>
        bin === null || random.unit("spoilt", i) > 0.05 ? bin : { ...bin, efficiency: 40 },
      );
      return { ...life, bins };
    });
    expect(typicalError(spoilt)).toBeLessThan(0.12);
  });

  test("are forecast to within 30 % when sleeves foul by 4 % between cleanings", () => {
    const period = 30;
    const fouled = sixteen.map((life) => {
      const first = Math.round((2_000 - life.age_h) / BIN_H);
      const bins = life.bins.map((bin, i) => {
        const left = 1 - (0.04 * ((first + i) % period)) / period;
        return bin === null ? null : { ...bin, efficiency: bin.efficiency * left };
      });
      return { ...life, first, bins };
    });
    expect(typicalError(fouled)).toBeLessThan(0.3);
  });

  test("have plain fits whose interval holds the hour of wear, if the curve is plain", () => {
    const fits = sixteen.map((life) => lifeFit(life, PRIOR));
    const held = fits.filter((fit, i) => {
      const range = fit?.end_range_h ?? { from: 0, to: 0 };
      return range.from <= ends_h[i] && ends_h[i] <= range.to;
    });
    expect(held.length).toBeGreaterThanOrEqual(12);
  });
});

describe("lamps near their end", () => {
  const lamps = (left_h: number) =>
    ends_h.map((end_h, seed) => {
      const worn = seed % 2 === 0;
      const age_h = worn ? end_h - left_h : end_h - 700;
      return lampLife({ seed, age_h, efficiency: fallTo70At(end_h), noise: 0.2 });
    });
  const clean = { prior: PRIOR, horizon_h: 500, effects: { off: [] } };

  test("with at most 100 h left are told so, 8 of 10, and none with 700 h left", () => {
    const told = [10, 30, 50, 70, 90].flatMap((left_h) =>
      shipForecasts(lamps(left_h), clean).forecasts.map(({ median_h }) => median_h <= 100),
    );
    const near = told.filter((_, i) => i % 2 === 0);
    expect(near.filter((is) => is).length).toBeGreaterThanOrEqual(0.8 * near.length);
    expect(told.filter((is, i) => is && i % 2 === 1)).toEqual([]);
  });
});

describe("odd ships", () => {
  test("a slow wave in the light of all young lamps tells few ends that come too early", () => {
    const end_h = 3_900;
    const fall = fallTo70At(end_h);
    const told = [500, 600, 700].flatMap((age_h) =>
      Array.from({ length: 8 }, (_, phase) => {
        // 1 % of the light, over 800 h: at some phases it has made all lamps seem to fall faster.
        const efficiency = (hours: number) =>
          fall(hours) * Math.exp(0.01 * Math.sin(2 * Math.PI * (hours / 800 + phase / 8)));
        const lamps = Array.from({ length: 16 }, (__, seed) =>
          lampLife({ seed, age_h, efficiency }),
        );
        return ask(lamps).filter(({ p95_h }) => p95_h < end_h - age_h).length / lamps.length;
      }),
    );
    expect(told.reduce((sum, share) => sum + share, 0) / told.length).toBeLessThan(0.2);
  });

  test("a ship with one day of data is told the rated life, as a prior", () => {
    const lives = sixteen.map(() =>
      lampLife({ seed: 1, age_h: 24, efficiency: () => 100, noise: 1 }),
    );
    for (const { basis, p05_h, median_h, p95_h } of ask(lives)) {
      expect(basis).toBe("rated_life_prior");
      expect(p05_h).toBeGreaterThan(500);
      expect(median_h).toBeGreaterThan(2_000);
      expect(median_h).toBeLessThan(4_500);
      expect(p95_h).toBeLessThan(7_000);
    }
  });

  test("one lamp with data is forecast from it, the others from the rated life", () => {
    const bare = sixteen.slice(1).map((life) => ({ ...life, bins: [] }));
    const bases = ask([sixteen[0], ...bare]).map(({ basis }) => basis);
    expect(bases).toEqual(["lamp_points", ...bare.map(() => "rated_life_prior")]);
  });

  test("a ship without lamps has no forecasts", () => {
    expect(ask([])).toEqual([]);
  });

  test("lamps that all failed have nothing left, and those that follow are trusted less", () => {
    const failed = sixteen.map((life) => ({ ...life, ended: "failed" }) as const);
    const next = lampLife({ seed: 5, age_h: 1_000, efficiency: fallTo70At(4_000) });
    const forecasts = ask([...failed, next]);
    for (const { median_h, failure_probability, basis } of forecasts.slice(0, 16))
      expect([median_h, failure_probability, basis]).toEqual([0, 1, "ended"]);
    const after = forecasts[16];
    const [alone] = ask([next]);
    expect(after.failure_probability).toBeGreaterThan(3 * alone.failure_probability);
    expect(after.median_h).toBeLessThan(alone.median_h);
  });

  test("a new lamp is forecast by those before it, more closely than by rated hours", () => {
    const worn = (centre_h: number) =>
      Array.from({ length: 12 }, (_, i) => {
        const end_h = centre_h + 40 * i;
        const life = lampLife({ seed: 40 + i, age_h: end_h, efficiency: fallTo70At(end_h) });
        return { ...life, ended: "worn" } as const;
      });
    const fitted = { ...lampLife({ seed: 60, age_h: 20, efficiency: () => 100 }), bins: [] };
    const [alone] = ask([fitted]);
    const ofLate = ask([...worn(3_600), fitted])[12];
    const ofEarly = ask([...worn(1_900), fitted])[12];
    expect(alone.basis).toBe("rated_life_prior");
    expect(ofEarly.median_h).toBeGreaterThan(1_700);
    expect(ofEarly.median_h).toBeLessThan(2_500);
    expect(ofLate.median_h).toBeGreaterThan(3_000);
    for (const { p05_h, p95_h } of [ofLate, ofEarly])
      expect(p95_h - p05_h).toBeLessThan(0.75 * (alone.p95_h - alone.p05_h));
  });

  test("a lamp that gets better has finite hours left, by the prior", () => {
    const better = lampLife({ seed: 3, age_h: 1_500, efficiency: (hours) => 90 + hours / 150 });
    const [, forecast] = ask([sixteen[0], better]);
    expect(forecast.median_h).toBeGreaterThan(500);
    expect(forecast.p95_h).toBeLessThan(6 * PRIOR.rated_h);
  });

  test("a lamp that reads 0 % for a while, or always, gets a finite forecast", () => {
    for (const dark of [(hours: number) => (hours < 600 ? 0 : 90), () => 0]) {
      const [forecast] = ask([lampLife({ seed: 4, age_h: 1_200, efficiency: dark, noise: 0 })]);
      for (const value of [forecast.median_h, forecast.p95_h, forecast.failure_probability])
        expect(Number.isFinite(value)).toBe(true);
    }
  });

  test("a lamp far past the end-of-life efficiency has hardly any hours left", () => {
    const worn = lampLife({ seed: 6, age_h: 3_500, efficiency: fallTo70At(2_500) });
    const [{ median_h, failure_probability }] = ask([worn]);
    expect(median_h).toBeLessThan(50);
    expect(failure_probability).toBeGreaterThan(0.99);
  });

  test("an efficiency worked out from the counters leaves the forecast to the prior", () => {
    const formula = sixteen.map(({ age_h }, i) =>
      lampLife({ seed: i, age_h, efficiency: fallTo70At(4_000), noise: 0 }),
    );
    const blind = formula.map((life) => ({ ...life, bins: [] }));
    const without = ask(blind);
    for (const [i, { basis, ...said }] of ask(formula).entries()) {
      expect(basis).toBe("counter_derived");
      expect({ ...said, basis: "rated_life_prior" }).toEqual(without[i]);
    }
  });
});
