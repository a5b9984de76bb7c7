// The track record of a young ship, whose lamps that lived long still burn: forecasts that are
// right by construction must look right long before the last lamp has ended. Lives are drawn from a
// known distribution, and the record is held against what all of them will show in the end.

import { expect, test } from "vitest";
import { MODEL_VERSION } from "../../../../src/bwts/lamps/model-version.ts";
import { scoredLives } from "../../../../src/bwts/lamps/outlook.ts";
import { type LampLife, newLife, newState } from "../../../../src/bwts/lamps/state.ts";
import type { TrackRecord } from "../../../../src/bwts/lamps/track-record.ts";
import { LAMP_COUNT, LAMP_NUMBERS } from "../../../../src/bwts/tags.ts";
import { HOUR_MS, printTime } from "../../../../src/ground/clock.ts";
import { trackRecordNow } from "../../../../src/sqlite/derived/lamp-record.ts";
import { putForecasts } from "../../../../src/sqlite/derived/lamp-rows.ts";
import { putScores, scoreLives } from "../../../../src/sqlite/derived/lamp-scores.ts";
import type { Connection } from "../../../../src/sqlite/file/open.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import { type Random, seededRandom } from "../../../rig/random.ts";

const rigOf = rigsOfTests();
const limits = LAMP_CONFIG.lamps;
const HORIZON_H = limits.horizon_hours;

/** Lives are Weibull distributed, with a median of 3,000 h. */
const SHAPE = 2.5;
const MEDIAN_H = 3_000;
const SCALE_H = MEDIAN_H / Math.log(2) ** (1 / SHAPE);

const hazard = (age_h: number) => (age_h / SCALE_H) ** SHAPE;
/** The hours left at an age, of which the lamp has fewer with a probability. */
const leftAt = (age_h: number, probability: number) =>
  SCALE_H * (hazard(age_h) - Math.log(1 - probability)) ** (1 / SHAPE) - age_h;

/** Hours since the ship's first reading; all lamps burn in each. */
const timeOf = (hours: number) => AT_MS + hours * HOUR_MS;

/** A life; `end_h` counts as `start_h` does, which is below 0 for lamps that were aboard. */
interface Drawn {
  readonly position: number;
  readonly start_h: number;
  readonly end_h: number;
}

/** The lives of a ship's lamps until `now_h`: each that ends is followed by a new one. */
function drawLives(random: Random, now_h: number): readonly Drawn[] {
  return Array.from({ length: LAMP_COUNT }, (_, position) => {
    const lives: Drawn[] = [];
    let start_h = -600 * random.next();
    do {
      const age_h = Math.max(0, -start_h);
      const end_h = start_h + age_h + leftAt(age_h, random.next());
      lives.push({ position, start_h, end_h });
      start_h = end_h;
    } while (start_h < now_h);
    return lives;
  }).flat();
}

/** The life as the tracker knows it at `now_h`. */
function trackedLife({ position, start_h, end_h }: Drawn, now_h: number): LampLife {
  const hasEnded = end_h <= now_h;
  const ended_ms = hasEnded ? Math.ceil(timeOf(end_h)) : null;
  const first = { began: start_h < 0 ? "first_seen" : "counter_fell", counter_base_h: 0 } as const;
  return {
    ...newLife(Math.ceil(timeOf(Math.max(0, start_h))), {
      ...{ ...first, position, hours: Math.max(0, -start_h) },
    }),
    hours: Math.min(end_h, now_h) - start_h,
    light: { pct: 80, at_ms: timeOf(Math.min(end_h, now_h)), hours_ago: 0 },
    ...{ ended_ms, failed_ms: ended_ms },
  };
}

/** The forecast of a lamp by the distribution of its life. */
function forecastAt(hours: number, { position, start_h }: Drawn) {
  const age_h = hours - start_h;
  const at_ms = timeOf(hours);
  return {
    ...{ at_ms, component_id: `LAMP_${LAMP_NUMBERS[position]}` },
    predictions: {
      remaining_useful_life_hours: leftAt(age_h, 0.5),
      failure_probability: 1 - Math.exp(hazard(age_h) - hazard(age_h + HORIZON_H)),
      efficiency_percent: null,
      remaining_useful_life_hours_p05: leftAt(age_h, 0.05),
      remaining_useful_life_hours_p95: leftAt(age_h, 0.95),
      ...{ horizon_hours: HORIZON_H, basis: "fit", model_version: MODEL_VERSION },
      ...{ expected_end: null, remaining_operations: null, remaining_days: null },
      ...{ end_date_p05: null, end_date_p50: null, end_date_p95: null },
      ...{ counter_divisor: null, profile: null, data_through: printTime(at_ms) },
    },
    current_state: {
      ...{ runtime_hours: age_h, efficiency_percent: null, status: "OPERATIONAL" },
      fitted: printTime(Math.ceil(timeOf(Math.max(0, start_h)))),
    },
  };
}

/** Forecasts every `every_h` operating hours until `now_h`. */
function foretell(db: Connection, lives: readonly Drawn[], now_h: number, every_h: number): void {
  db.transaction(() => {
    for (let hours = every_h; hours < now_h; hours += every_h) {
      const fitted = lives.filter(({ start_h, end_h }) => start_h < hours && hours < end_h);
      putForecasts(
        db,
        fitted.map((life) => forecastAt(hours, life)),
      );
    }
  })();
}

/** The record at `now_h`, after all scores were made, of lives that the tracker knows so. */
function recordAt(
  db: Connection,
  lives: readonly Drawn[],
  now_h: number,
  known: (life: LampLife) => LampLife = (life) => life,
): TrackRecord {
  const state = newState();
  for (const life of lives)
    state.positions[life.position].lives.push(known(trackedLife(life, now_h)));
  for (;;) {
    const changes = scoreLives(db, state, { limits, replaced_ms: null });
    putScores(db, changes);
    if (!changes.isMore) break;
  }
  return trackRecordNow(db, scoredLives(state, limits), limits.rated_hours);
}

test.each([
  ["a third", 1_000],
  ["half", 1_500],
])("after %s of a life right forecasts look as right as they are", (_, now_h) => {
  const found = { ships: 0, coverage: 0, brier: 0, truth: 0 };
  for (let seed = 1; seed <= 24; seed += 1) {
    const { db } = rigOf();
    const lives = drawLives(seededRandom(seed), now_h);
    foretell(db, lives, now_h, 50);
    const { coverage, brier } = recordAt(db, lives, now_h);
    // Nothing is known yet of a ship on which no lamp has ended.
    if (coverage === null) continue;
    found.ships += 1;
    found.coverage += coverage;
    found.brier += brier ?? Number.NaN;
    found.truth += recordAt(db, lives, Number.MAX_SAFE_INTEGER).brier ?? Number.NaN;
  }
  const { ships, coverage, brier, truth } = found;
  expect(ships).toBeGreaterThan(12);
  expect(Math.abs(coverage / ships - 0.9)).toBeLessThan(0.03);
  expect(Math.abs(brier - truth) / ships).toBeLessThan(0.02);
});

/** Forecasts whose lamps ended, or burnt on for longer than the horizon. */
function countDecided(lives: readonly Drawn[], now_h: number, every_h: number): number {
  let count = 0;
  for (const { start_h, end_h } of lives)
    for (let hours = every_h; hours < Math.min(end_h, now_h); hours += every_h)
      if (hours > start_h && (end_h <= now_h || now_h - hours > HORIZON_H)) count += 1;
  return count;
}

test("each forecast of a lamp that burns counts once, also if few of many are read", () => {
  const lives = drawLives(seededRandom(1), 1_500);
  const scoredEvery = (every_h: number) => {
    const { db } = rigOf();
    foretell(db, lives, 1_500, every_h);
    return recordAt(db, lives, 1_500);
  };
  const all = scoredEvery(20);
  expect(all.forecasts_scored).toBe(countDecided(lives, 1_500, 20));
  const many = scoredEvery(4);
  const off = many.forecasts_scored / countDecided(lives, 1_500, 4) - 1;
  expect(Math.abs(off)).toBeLessThan(0.01);
  expect(Math.abs((many.coverage ?? 0) - (all.coverage ?? 1))).toBeLessThan(0.02);
});

test("forecasts of the lamp before, until a late word on its replacement, aren't counted", () => {
  const { db } = rigOf();
  const lives = drawLives(seededRandom(2), 1_000).map((life) => ({ ...life, end_h: 9_000 }));
  const fitted = lives.filter(({ start_h }) => start_h < 0);
  foretell(db, fitted, 1_000, 25);
  expect(recordAt(db, fitted, 1_000)).toMatchObject({
    ...{ lamps_ended: { failed: 0 }, coverage: null },
    forecasts_scored: countDecided(fitted, 1_000, 25),
  });
  const replaced = { began: "confirmed", began_ms: timeOf(1) } as const;
  const record = recordAt(db, fitted, 1_000, (life) => ({ ...life, ...replaced }));
  expect(record.forecasts_scored).toBe(0);
});

test("a lamp without light outlives nothing", () => {
  const { db } = rigOf();
  const lives = drawLives(seededRandom(3), 1_500)
    .filter(({ start_h }) => start_h < 0)
    .map((life) => ({ ...life, end_h: 9_000 }));
  foretell(db, lives, 1_500, 25);
  const dark = recordAt(db, lives, 1_500, (life) => ({
    ...life,
    light: { pct: 80, at_ms: timeOf(700), hours_ago: 800 },
  }));
  expect(dark.forecasts_scored).toBe(countDecided(lives, 700, 25));
  const unseen = recordAt(db, lives, 1_500, ({ light: _, ...life }) => life);
  expect(unseen.forecasts_scored).toBe(0);
});
