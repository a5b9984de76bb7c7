// Effects that all lamps of a ship share are told from their ageing: simulated ships of known set
// power, fouling and sensor, whose lamps' light is known without them.

import { describe, expect, test } from "vitest";
import { commonEffects } from "../../../../src/bwts/light/common-effects.ts";
import type { LifeLogs } from "../../../../src/bwts/light/common-steps.ts";
import { robustFit } from "../../../../src/bwts/light/robust-fit.ts";
import type { OperatingStretch } from "../../../../src/bwts/light/stretch.ts";
import { createRandom } from "../../../../src/simulator/random.ts";

const random = createRandom(15);
const STRETCHES = 160;
const STRETCH_H = 25;
const CLEANED = [14, 33, 50, 78, 95, 120, 141];

interface Plan {
  /** Log of light for each 10 points of set power. */
  readonly power?: number;
  /** Log of light lost in 100 hours. */
  readonly fouling?: number;
  /** The sensor's drift in 1,000 hours; null is no sensor. */
  readonly drift?: number | null;
  readonly isTold?: boolean;
  /** True if every other cleaning takes nothing off. */
  readonly isHalfInVain?: boolean;
  readonly lamps?: number;
  /** Log of light that the sleeves had lost when the record began. */
  readonly before?: number;
  /** The stretches that cleanings precede. */
  readonly cleaned?: readonly number[];
}

/** Lamps that age by 0.2 % a stretch, and what they share. */
function ship(plan: Plan) {
  const { power = 0, fouling = 0, drift = null, lamps = 16 } = plan;
  const { isTold = true, isHalfInVain = false, before = 0, cleaned = CLEANED } = plan;
  const powers = Array.from({ length: STRETCHES }, (_, i) =>
    Math.round(random.between(70, 90, "set power", Math.floor(i / 3))),
  );
  let fouled = 2 * before;
  const sleeves = Array.from({ length: STRETCHES }, (_, i) => {
    const cleaning = cleaned.indexOf(i);
    if (cleaning >= 0 && !(isHalfInVain && cleaning % 2 === 1)) fouled = 0;
    fouled += ((fouling * STRETCH_H) / 100) * random.between(0.6, 1.4, "fouling", i);
    return fouled;
  });
  const truth = powers.map((each, i) => (power * (each - 80)) / 10 - 0.5 * sleeves[i]);
  const lives: LifeLogs[] = Array.from({ length: lamps }, (_, lamp) => ({
    first: lamp % 5,
    values: truth.slice(lamp % 5).map((each, i) => {
      return each - 0.002 * i + 0.002 * random.bell("noise", lamp, i);
    }),
  }));
  const stretches: OperatingStretch[] = powers.map((power_pct, i) => ({
    hours: (i + 1) * STRETCH_H,
    power_pct,
    water_c: null,
    cleanings: isTold ? cleaned.filter((at) => at <= i).length : null,
    sensor_yield:
      drift === null
        ? null
        : 0.09 * power_pct -
          sleeves[i] +
          (drift * i * STRETCH_H) / 1_000 +
          0.004 * random.bell("sensor", i),
  }));
  return { lives, stretches, truth };
}

/** The trend and the scatter of what is left of the shared effects. */
function left({ off }: { off: readonly number[] }, truth: readonly number[]) {
  const rests = truth.map((each, i) => each - off[i]);
  const { length } = rests;
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const all = mean(rests);
  const trend = mean(rests.slice(length / 2)) - mean(rests.slice(0, length / 2));
  return { trend, scatter: Math.sqrt(mean(rests.map((rest) => (rest - all) ** 2))) };
}

describe("effects common to all lamps", () => {
  test("of set power and of sleeves are taken out, told cleanings or not, sensor or not", () => {
    for (const isTold of [true, false])
      for (const drift of [null, 0, -0.05, 0.15]) {
        const plan = { power: 0.05, fouling: 0.008, drift, isTold };
        const { lives, stretches, truth } = ship(plan);
        const effects = commonEffects(lives, stretches);
        const { trend, scatter } = left(effects, truth);
        const said = JSON.stringify({ plan, trend, scatter });
        expect(Math.abs(trend), said).toBeLessThan(0.004);
        expect(scatter, said).toBeLessThan(0.004);
        expect(Math.abs((effects.power?.mean ?? 0) - 0.05)).toBeLessThan(0.004);
        expect(effects.power?.sd).toBeLessThan(0.004);
        expect(effects.fouling?.mean).toBeGreaterThan(0);
        if (drift !== null)
          expect(Math.abs((effects.drift?.mean ?? 9) - drift)).toBeLessThan(0.025);
      }
  });

  test("aren't corrected for cleanings that are told and take nothing off", () => {
    const { lives, stretches, truth } = ship({ fouling: 0.008, isHalfInVain: true });
    const { trend, scatter } = left(commonEffects(lives, stretches), truth);
    expect(Math.abs(trend)).toBeLessThan(0.006);
    expect(scatter).toBeLessThan(0.007);
  });

  test("aren't fouling that goes on where sleeves were foul when the record began", () => {
    for (const before of [0.02, 0.05])
      for (const cleaned of [[8], CLEANED]) {
        const { lives, stretches, truth } = ship({ before, cleaned });
        const { trend } = left(commonEffects(lives, stretches), truth);
        expect(Math.abs(trend), JSON.stringify({ before, cleaned })).toBeLessThan(0.006);
      }
  });

  test("are none where lamps only age, in too few lamps, and in one that gets better", () => {
    const { lives, stretches } = ship({});
    const better = lives.map((life, lamp) =>
      lamp === 0
        ? { ...life, values: life.values.map((each, i) => (each ?? 0) + (i > 90 ? 0.1 : 0)) }
        : life,
    );
    const few = ship({ power: 0.05, fouling: 0.01, lamps: 3 });
    expect(commonEffects(few.lives, few.stretches).steps).toBe(0);
    for (const given of [lives, better]) {
      const { off } = commonEffects(given, stretches);
      expect(Math.max(...off) - Math.min(...off)).toBeLessThan(0.008);
    }
    expect(commonEffects([], []).off).toEqual([]);
  });

  test("are found through stretches without light", () => {
    const { lives, stretches, truth } = ship({ power: 0.05, fouling: 0.008 });
    const gaps = lives.map(({ first, values }) => ({
      first,
      values: values.map((value, i) => ((first + i) % 5 === 0 ? null : value)),
    }));
    expect(left(commonEffects(gaps, stretches), truth).scatter).toBeLessThan(0.005);
  });
});

test("a robust fit is that of the sound rows, and without rows that of the priors", () => {
  const priors = [
    { mean: 0, sd: 10 },
    { mean: 1, sd: 10 },
  ];
  const rows = Array.from({ length: 60 }, (_, i) => ({
    value: i % 10 === 0 ? 50 : 2 + 0.5 * i + 0.05 * random.bell("row", i),
    terms: [
      [0, 1],
      [1, i],
    ] as const,
  }));
  const [start, slope] = robustFit(rows, { priors, scale_min: 1e-6 });
  expect(Math.abs(start.mean - 2)).toBeLessThan(0.1);
  expect(Math.abs(slope.mean - 0.5)).toBeLessThan(0.003);
  expect(Math.abs(start.mean - 2)).toBeLessThan(5 * start.sd);
  expect(robustFit([], { priors, scale_min: 1 })).toEqual(priors);
});

describe("a ship that usually runs dimmed", () => {
  /** Lamps of which half are replaced at the 80th stretch, and lose `lost` for 35 points less. */
  function dimmed({ lost, usual = 65 }: { lost: number; usual?: number }) {
    const powers = Array.from({ length: STRETCHES }, (_, i) =>
      usual === 65 && i % 9 === 4 ? 100 : usual,
    );
    const lamp = (first: number, count: number, key: number): LifeLogs => ({
      first,
      values: Array.from({ length: count }, (_, i) => {
        const noise = 0.002 * random.bell("dimmed", key, first, i);
        return -0.002 * i - (lost * (100 - powers[first + i])) / 35 + noise;
      }),
      hours: Array.from({ length: count }, (_, i) => (i + 0.5) * STRETCH_H),
    });
    const lives = Array.from({ length: 16 }, (_, key) =>
      key % 2 === 0 ? [lamp(0, STRETCHES, key)] : [lamp(0, 80, key), lamp(80, 80, key)],
    ).flat();
    const stretches = powers.map((power_pct, i): OperatingStretch => {
      const hours = (i + 1) * STRETCH_H;
      return { hours, power_pct, water_c: null, cleanings: 0, sensor_yield: null };
    });
    return { lives, stretches };
  }
  /** The light of a lamp in its 6th stretch as it is judged, as a log. */
  const judged = ({ lives, stretches }: ReturnType<typeof dimmed>) =>
    (lives[1].values[5] ?? 0) - commonEffects(lives, stretches).off[5];
  const withoutHours = (ship: ReturnType<typeof dimmed>) => ({
    ...ship,
    lives: ship.lives.map(({ first, values }) => ({ first, values })),
  });

  test("has new lamps near 100 %, whether their hours are known or not", () => {
    const ship = dimmed({ lost: 0.14 });
    for (const one of [ship, withoutHours(ship)]) {
      expect(judged(one)).toBeGreaterThan(-0.035);
      expect(judged(one)).toBeLessThan(0.01);
    }
  });

  test("has no light added where new lamps are bright at the usual power", () => {
    const ship = dimmed({ lost: 0.14 });
    const lives = ship.lives.map((life) => ({
      ...life,
      values: life.values.map((value) => (value === null ? null : value + 0.14)),
    }));
    expect(judged({ ...ship, lives })).toBeLessThan(0.01);
  });

  test("is corrected by nothing if the power never moves", () => {
    const ship = dimmed({ lost: 0.14, usual: 80 });
    const { power, off } = commonEffects(ship.lives, ship.stretches);
    expect(power).toBeNull();
    expect(off).toEqual(commonEffects(withoutHours(ship).lives, ship.stretches).off);
    expect(Math.abs(judged(ship) - (ship.lives[1].values[5] ?? 0))).toBeLessThan(1e-9);
  });
});
