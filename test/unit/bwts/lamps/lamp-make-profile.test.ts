// The make's profile as a prior: what it gives where it is right, that lamps outvote it where it is
// wrong, and that without one nothing changes. Lives are of known truth (test/rig/lamp-lives.ts).

import { describe, expect, test } from "vitest";
import { type LifeInBins, shipForecasts } from "../../../../src/bwts/lamps/ship-lamps.ts";
import { END_SHARES } from "../../../../src/bwts/light/curve.ts";
import { makeProfile, makersTable } from "../../../../src/bwts/light/make-profile.ts";
import { fallTo70At, lampLife } from "../../../rig/lamp-lives.ts";

const KNOWN = { rated_h: 3_000, end_efficiency: 0.7 };

/** Output that falls slowly until .7 of the life, then thrice as fast to 70 % and on. */
const lateFallTo70At = (end_h: number) => (hours: number) => {
  const share = hours / end_h;
  return share < 0.7 ? 100 - 17.5 * share : 87.75 - (17.75 / 0.3) * (share - 0.7);
};
const LATE = makersTable(["0 100", "750 95.6", "1500 91.2", "2100 87.7", "2600 77.9", "3000 70"]);
const TOO_LONG = LATE.map(({ hours, percent }) => ({ hours: hours * (4 / 3), percent }));
const EARLY = makersTable(["0 100", "300 89", "900 81", "1800 75", "3000 70"]);

const ends_h = Array.from({ length: 16 }, (_, i) => 2_700 + 60 * i);
const aged = (share: number, ended: LifeInBins["ended"] = null) =>
  ends_h.map((end_h, seed) =>
    lampLife({ seed, age_h: share * end_h, efficiency: lateFallTo70At(end_h), ended }),
  );
const young = aged(0.4);
const ended = aged(1, "worn");

const ask = (lives: readonly LifeInBins[], profile?: typeof LATE) =>
  shipForecasts(lives, {
    prior: profile === undefined ? KNOWN : { ...KNOWN, profile },
    horizon_h: 500,
  });

/** The median over young lamps of the error of the median, and of the interval's width. */
function youngScores({ forecasts }: ReturnType<typeof ask>) {
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[8];
  const own = forecasts.slice(0, 16);
  const errors = own.map(({ median_h }, i) => Math.abs(median_h - 0.6 * ends_h[i]));
  return {
    error_h: middle(errors),
    width_h: middle(own.map(({ p05_h, p95_h }) => p95_h - p05_h)),
    held: own.filter((one, i) => one.p05_h < 0.6 * ends_h[i] && one.p95_h > 0.6 * ends_h[i]).length,
  };
}

describe("a right profile", () => {
  test("gives young lamps that bend late a third of the interval, and their own end", () => {
    const without = youngScores(ask(young));
    const { error_h, width_h, held } = youngScores(ask(young, LATE));
    expect(without.error_h).toBeGreaterThan(1_000);
    expect(error_h).toBeLessThan(200);
    expect(width_h).toBeLessThan(without.width_h / 3);
    expect(held).toBeGreaterThanOrEqual(14);
  });

  test("is believed, and its hours fit", () => {
    const { fit } = ask(young, LATE);
    expect(fit?.weight).toBeGreaterThan(0.9);
    expect(fit?.stretch).toBeCloseTo(1.05, 1);
  });

  test("whose hours are a third too many is believed by its course, and stretched back", () => {
    const { fit, forecasts } = ask(young, TOO_LONG);
    expect(fit?.stretch).toBeCloseTo(0.8, 1);
    expect(youngScores({ forecasts, fit }).error_h).toBeLessThan(200);
  });

  test("of lamps without light has its prior weight, and no stretch", () => {
    const [lamp] = ask([{ first: 0, bins: [], age_h: 0, ended: null }], LATE).forecasts;
    const [unknown] = ask([{ first: 0, bins: [], age_h: 0, ended: null }]).forecasts;
    expect(ask([], LATE).fit?.weight).toBeCloseTo(0.5, 9);
    expect(ask([], LATE).fit?.stretch).toBeNull();
    expect(lamp.p95_h - lamp.p05_h).toBeLessThan(unknown.p95_h - unknown.p05_h);
  });
});

describe("a wrong profile", () => {
  test("bent the other way is outvoted by young lamps, and changes no forecast", () => {
    const { fit, forecasts } = ask(young, EARLY);
    expect(fit?.weight).toBeLessThan(0.001);
    for (const [i, { median_h }] of ask(young).forecasts.entries())
      expect(forecasts[i].median_h / median_h).toBeCloseTo(1, 3);
  });

  test.each([
    ["bent the other way", EARLY],
    ["straight", makersTable(["0 100", "3000 70"])],
  ])("that is %s is outvoted once the ship's own lamps have ended", (_, table) => {
    const all = [...young, ...ended];
    const { fit, forecasts } = ask(all, table);
    expect(fit?.weight).toBeLessThan(0.01);
    for (const [i, { median_h, p95_h }] of ask(all).forecasts.slice(0, 16).entries()) {
      expect(forecasts[i].median_h / median_h).toBeCloseTo(1, 1);
      expect(forecasts[i].p95_h / p95_h).toBeCloseTo(1, 1);
    }
  });
});

test("without a profile forecasts are to the last digit those of before there were any", () => {
  const four = Array.from({ length: 4 }, (_, seed) => {
    const efficiency = fallTo70At(2_600 + 200 * seed);
    return lampLife({ seed, age_h: 1_200 + 300 * seed, efficiency });
  });
  const { fit, forecasts } = ask(four);
  expect(fit).toBeNull();
  expect(forecasts.map(({ basis, ...figures }) => Object.values(figures))).toEqual([
    [1390.5529975891113, 1134.1474771499634, 1518.326711654663, 0.009790435360465422],
    [1279.3473601341248, 1056.653505563736, 1405.9764504432678, 0.015510941513661836],
    [1241.2351369857788, 874.7681379318237, 1332.4388265609741, 0.022833082100290336],
    [1100.8853137493134, 709.514307975769, 1186.060917377472, 0.03183860391016735],
  ]);
});

describe("the shapes of a table", () => {
  const profile = makeProfile({ ...KNOWN, profile: LATE });

  test("have every end from half the table's hours to twice", () => {
    const shapes = profile?.shapes ?? [];
    expect(profile?.end_share).toBeCloseTo(1, 9);
    expect(shapes).toHaveLength(18);
    for (const [i, { from }] of shapes.slice(1).entries()) expect(from).toBe(shapes[i].to);
    expect(END_SHARES[shapes[0].from]).toBeLessThan(0.53);
    expect(END_SHARES[shapes[17].to - 1]).toBeGreaterThan(1.9);
  });

  test("go through the table's points, stretched, and begin at 100 % if it begins later", () => {
    for (const { shape } of profile?.shapes ?? []) {
      const { rise } = shape;
      for (const { hours, percent } of LATE) {
        const share = (rise.parameter * hours) / KNOWN.rated_h;
        expect(Math.exp(-rise.at(share))).toBeCloseTo(percent / 100, 9);
        const slope = (rise.at(share + 1e-6) - rise.at(share)) / 1e-6;
        expect(rise.slope(share)).toBeCloseTo(slope, 3);
      }
    }
    const later = makeProfile({ ...KNOWN, profile: LATE.slice(1) });
    const [one, other] = [profile, later].map((each) => each?.shapes[9].shape.rise.at(0.4));
    expect(other).toBeCloseTo(one ?? 0, 9);
  });

  test("never rise between points that fall, however uneven these are", () => {
    const table = makersTable(["0 100", "10 97", "1000 96.9", "1100 80", "3000 70", "9000 20"]);
    const shape = makeProfile({ ...KNOWN, profile: table })?.shapes[9].shape;
    for (let share = 0; share < 5; share += 0.01)
      expect(shape?.rise.slope(share)).toBeGreaterThanOrEqual(0);
  });
});
