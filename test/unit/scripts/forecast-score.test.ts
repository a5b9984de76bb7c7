// Scores of forecasts whose outcomes are known, small enough to be worked out by hand.

import { describe, expect, test } from "vitest";
import type { Case } from "../../../scripts/evaluate/forecasts.ts";
import {
  alphaLambda,
  lastHours,
  reliability,
  scoresOf,
  shareBelow,
} from "../../../scripts/evaluate/scores.ts";
import {
  addForecast,
  newTally,
  type ScoredForecast,
  scoresOf as trackRecordScores,
} from "../../../src/bwts/lamps/track-record.ts";
import { createRandom } from "../../../src/simulator/random.ts";

const RATED_H = 3_000;

function recordOf(forecasts: readonly ScoredForecast[]) {
  const tally = newTally();
  for (const each of forecasts) addForecast(tally, each, RATED_H);
  return trackRecordScores(tally);
}

function scored(changes: Partial<ScoredForecast>): ScoredForecast {
  return {
    age_h: 2_000,
    median_h: 900,
    p05_h: 500,
    p95_h: 1_500,
    failure_probability: 0.2,
    horizon_h: 500,
    left_h: 1_000,
    ended: true,
    isSaidEnded: false,
    ...changes,
  };
}

const cases = [
  scored({}),
  scored({ left_h: 400, failure_probability: 0.9, median_h: 300, p05_h: 100, p95_h: 390 }),
  scored({ left_h: 50, failure_probability: 0.6, median_h: 450, p05_h: 60 }),
  scored({ left_h: 3_000, age_h: 2_800, median_h: 2_500, p05_h: 2_000, p95_h: 4_000 }),
];

describe("the scores of the track record", () => {
  test("are those worked out by hand", () => {
    const scores = recordOf(cases);
    expect(scores).toMatchObject({ ended: 4, decided: 4, coverage: 0.5 });
    expect(scores).toMatchObject({ before_p05: 0.25, after_p95: 0.25 });
    // Errors 100, 100, 400, 500; of rated minus run-hours 0, 600, 950, 2800.
    expect(scores.error_h).toBe(250);
    expect(scores.rated_error_h).toBe(775);
    // Without the lamp that had 50 h left.
    expect(scores.error_share).toBeCloseTo((0.1 + 0.25 + 500 / 3_000) / 3, 10);
    expect(scores.brier).toBeCloseTo((0.2 ** 2 + 0.1 ** 2 + 0.4 ** 2 + 0.2 ** 2) / 4, 10);
    // Only of the last lamp 200 rated hours are left: said to end within 500 h, and wrongly.
    expect(scores.rated_brier).toBeCloseTo(3 / 4, 10);
    expect(scores.base_rate_brier).toBeCloseTo(0.25, 10);
  });

  test("count a lamp that was replaced early where its end doesn't matter", () => {
    const early = [scored({ ended: false, left_h: 600 }), scored({ ended: false, left_h: 400 })];
    const scores = recordOf([...cases, ...early]);
    expect(scores).toMatchObject({ ended: 4, decided: 5 });
    // In the order of their own probability: an end and a replacement below p05 (1 of 5.5), another
    // replacement, two ends within (1 of 3, 1 of 2), one after p95.
    expect(scores.before_p05).toBeCloseTo(1 / 5.5, 10);
    expect(scores.after_p95).toBeCloseTo(((4.5 / 5.5) * 2) / 3 / 2, 10);
    // One of 4.5 left in the ninth tenth of the horizon, one ended halfway in it: of the weights of
    // the others, 1 is of the first end, and three outlived it.
    const last = 1 / Math.sqrt(3.5 / 4.5);
    const rate = (1 + last) / (1 + last + 3 * last ** 2);
    expect(scores.base_rate_brier).toBeCloseTo(rate * (1 - rate), 10);
  });

  /** Lamps that end at about 3,000 h, forecast with intervals of `width` of what they are. */
  function calendarCrew(width: number) {
    const random = createRandom(33);
    const sd = 800;
    const all = Array.from({ length: 6_000 }, (_, i) => {
      const age_h = random.between(0, 2_300, "age", i);
      const end_h = 3_000 + sd * random.bell("end", i);
      const off_h = 1.645 * sd * width;
      const told = { age_h, median_h: 3_000 - age_h, p05_h: 3_000 - age_h - off_h };
      return { ...scored({ ...told, p95_h: 3_000 - age_h + off_h }), end_h };
    }).filter(({ age_h, end_h, p05_h }) => end_h > age_h && p05_h > 0);
    const until = (calendar_h: number) =>
      recordOf(
        all.map(({ end_h, ...one }) => ({
          ...one,
          left_h: Math.min(end_h, calendar_h) - one.age_h,
          ended: end_h <= calendar_h,
        })),
      ).coverage ?? 0;
    return { truth: until(9_000), seen: until(2_600) };
  }

  test("of intervals are within 2 points of the truth if a crew replaces by the calendar", () => {
    for (const width of [1, 0.5, 1.4]) {
      const { truth, seen } = calendarCrew(width);
      if (width === 1) expect(Math.abs(seen - truth)).toBeLessThan(0.02);
      else expect(Math.abs(seen - truth)).toBeLessThan(Math.abs(0.9 - truth));
    }
  });

  test("count an end told wrongly as wrong, also of a lamp that was replaced early", () => {
    const said = { median_h: 0, p05_h: 0, p95_h: 0, failure_probability: 1, isSaidEnded: true };
    const early = scored({ ...said, ended: false, left_h: 300 });
    const late = scored({ ...said, ended: false, left_h: 700 });
    const failed = scored({ ...said, left_h: 200 });
    const scores = recordOf([early, late, failed]);
    expect(scores).toMatchObject({ ended: 3, decided: 3, coverage: 0, after_p95: 1 });
    // Nobody knows that rated minus run-hours, 1,000, was wrong for the first two.
    expect(scores).toMatchObject({ error_h: 300, rated_error_h: 0 });
    expect(scores.brier).toBeCloseTo(2 / 3, 10);
    // 1,000 rated hours are left, so it isn't said to end within 500 h; the last one did.
    expect(scores.rated_brier).toBeCloseTo(1 / 3, 10);
  });

  test("punish an end outside of a 90 % interval by twenty times its distance", () => {
    const [early, late] = [lamp({ left_h: 400 }), lamp({ left_h: 1_600 })].map((one) => ({
      ...{ ...one, p05_h: 500, p95_h: 1_500, rated_h: RATED_H, told_h: RATED_H },
    }));
    expect(scoresOf([early], []).interval_h).toBe(1_000 + 20 * 100);
    expect(scoresOf([late], []).interval_h).toBe(1_000 + 20 * 100);
  });

  test("are null while nothing is known", () => {
    const scores = recordOf([]);
    expect(scores).toMatchObject({ ended: 0, decided: 0, coverage: null, brier: null });
    expect(scores).toMatchObject({ error_h: null, error_share: null, base_rate_brier: null });
  });
});

function lamp(changes: Partial<Case>): Case {
  const rated = { rated_h: 3_000, told_h: 3_000, months: 6 };
  const told = { isWrongLamp: false, isDim: false, known: null };
  return { ...scored({}), ...rated, ...told, cause: "worn", ...changes };
}

describe("the scores of the evaluation", () => {
  test("count lamps near their end that are told, and told ones that live on", () => {
    const near = { left_h: 80, median_h: 90 };
    const far = { left_h: 400, median_h: 90 };
    const all = [near, { ...near, median_h: 110 }, { ...near, cause: "failed" as const }, far];
    expect(lastHours([...all, { ...far, isDim: true }].map(lamp))).toEqual({
      ...{ near: 2, told: 1, said: 4, live_on: 2, live_on_bright: 1 },
    });
  });

  const left = [100, 400, 900, 1_600, 2_500, 4_000];

  test("are best for a forecaster that knows", () => {
    const known = left.map((left_h) => {
      const failure_probability = +(left_h <= 500);
      return lamp({ left_h, median_h: left_h, p05_h: left_h, p95_h: left_h, failure_probability });
    });
    const best = { coverage: 1, width_h: 0, brier: 1, error: 1, half_life: 1, gap: 0 };
    expect(scoresOf(known, known)).toEqual({ ...best, interval_h: 0 });
  });

  test("show a forecaster that says nothing as wide, and no better than the base rate", () => {
    const wide = left.map((left_h) =>
      lamp({ left_h, median_h: 1_000, p05_h: 0, p95_h: 20_000, failure_probability: 1 / 3 }),
    );
    const scores = scoresOf(wide, []);
    expect(scores).toMatchObject({ coverage: 1, width_h: 20_000, error: 0, half_life: null });
    expect(scores.interval_h).toBe(20_000);
    expect(scores.brier).toBeCloseTo(0, 10);
    expect(scores.gap).toBeCloseTo(0, 10);
  });

  test("scale hours to the rated life, and leave lamps said to have ended out of intervals", () => {
    const long = lamp({ rated_h: 12_000, told_h: 12_000, p05_h: 500, p95_h: 4_500, left_h: 400 });
    const ended = lamp({ isSaidEnded: true, p05_h: 0, median_h: 0, p95_h: 0 });
    expect(scoresOf([long, ended], [])).toMatchObject({ coverage: 0, width_h: 1_000 });
  });

  test("are null while nothing is known", () => {
    const none = { coverage: null, width_h: null, brier: null, error: null, half_life: null };
    expect(scoresOf([], [])).toEqual({ ...none, gap: null, interval_h: null });
    expect(alphaLambda([], 0.2)).toBeNull();
    expect(reliability([])).toEqual([]);
    expect(shareBelow(null, 1)).toBeNull();
    expect(shareBelow(1, null)).toBeNull();
  });
});

test("a score is compared with a baseline", () => {
  expect(shareBelow(0.03, 0.1)).toBeCloseTo(0.7, 10);
  expect(shareBelow(0.2, 0.1)).toBeCloseTo(-1, 10);
});

test("within 20 % is judged by the hours that were left", () => {
  expect(alphaLambda(cases, 0.2)).toBe(0.5);
});

test("reliability tells what was said from what happened, by tenths", () => {
  const [low, ...high] = reliability(cases);
  expect(low).toMatchObject({ from: 0.2, count: 2, was: 0 });
  expect(low.said).toBeCloseTo(0.2, 10);
  expect(high.map(({ from, count, was }) => [from, count, was])).toEqual([
    [0.6, 1, 1],
    [0.9, 1, 1],
  ]);
  expect(reliability([scored({ failure_probability: 1, left_h: 1 })])[0].from).toBe(0.9);
});
