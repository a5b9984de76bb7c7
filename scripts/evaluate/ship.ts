// One simulated ship: sixteen lamps, replaced as they end, over 9,000 operating hours, with what
// blurs the view of them aboard. Time is the ship's operating hours: at a duty of 10 % that is ten
// years; the harbour days between operations and the steps of the PLC's clock are gone when
// readings are put into bins. The same seed and number give the same ship.

import { scaleOfB10 } from "../../src/bwts/lamps/forecast.ts";
import type { LampBin } from "../../src/bwts/lamps/ship-lamps.ts";
import { createRandom, type Random } from "../../src/simulator/random.ts";
import { type Ageing, ageing, FAMILY_NAMES } from "./ageing.ts";

export const RATED_H = 3_000;
export const END_EFFICIENCY = 0.7;
/** The ship's operating hours in a bin. */
export const BIN_H = 10;
export const SHIP_H = 9_000;
export const POSITIONS = 16;
/** The first lamps have burnt up to so long when recording starts. */
const HEAD_START_H = 1_500;

/** A lamp from its first hour to its end, and what was seen of it. */
export interface TrueLife {
  readonly position: number;
  /** The ship's operating hours when it was new: below 0 before recording started. */
  readonly fitted_h: number;
  /** Hours burnt at its end. */
  readonly end_h: number;
  readonly cause: "failed" | "worn" | "replaced";
  /** The ship's bin that `bins[0]` is. */
  readonly first: number;
  readonly bins: readonly (LampBin | null)[];
}

/** Conditions that all lamps of a ship share. */
interface Conditions {
  readonly random: Random;
  readonly family: string;
  readonly bend: number;
  readonly failure_shape: number;
  readonly noise: number;
  /** The factor that the ship's state leaves of each lamp's light, by bin; null is not steady. */
  readonly seen: readonly (number | null)[];
  readonly fouling: readonly number[];
}

/** The lives of ship `number`, of lamps that burnt after recording started. */
export function simulateShip(seed: number, number: number): readonly TrueLife[] {
  const random = createRandom(seed * 1_000_003 + number);
  const conditions: Conditions = {
    random,
    family: FAMILY_NAMES[number % FAMILY_NAMES.length],
    bend: random.between(0.55, 1.3, "bend"),
    failure_shape: random.between(2.5, 4.5, "failure shape"),
    noise: random.between(0.002, 0.008, "noise"),
    seen: sensorAndTrim(random),
    fouling: foulings(random),
  };
  return Array.from({ length: POSITIONS }, (_, i) => livesOf(conditions, i + 1)).flat();
}

function livesOf(conditions: Conditions, position: number): readonly TrueLife[] {
  const { random } = conditions;
  const lives: TrueLife[] = [];
  let fitted_h = -random.between(0, HEAD_START_H, "head start", position);
  for (let ordinal = 0; fitted_h < SHIP_H; ordinal++) {
    const life = lifeOf(conditions, { position, ordinal, fitted_h });
    fitted_h += life.end_h;
    if (fitted_h > 0) lives.push(life);
  }
  return lives;
}

function lifeOf(
  conditions: Conditions,
  { position, ordinal, fitted_h }: { position: number; ordinal: number; fitted_h: number },
): TrueLife {
  const { random, family, failure_shape } = conditions;
  const keys = [position, ordinal];
  const worn_h = RATED_H * random.between(0.7, 2, "worn", ...keys);
  const chance = -Math.log(1 - random.unit("failure", ...keys));
  const failed_h = scaleOfB10(RATED_H, failure_shape) * chance ** (1 / failure_shape);
  // One lamp in thirty is replaced before its time, with its neighbour or by mistake.
  const early = random.unit("early", ...keys) < 1 / 30;
  const replaced_h = early ? worn_h * random.between(0.2, 1, "early at", ...keys) : worn_h;
  const end_h = Math.min(worn_h, failed_h, replaced_h);
  const cause = end_h === failed_h ? "failed" : end_h === worn_h ? "worn" : "replaced";
  const course = {
    start: 1 + 0.015 * random.bell("start", ...keys),
    end: END_EFFICIENCY,
    end_h: worn_h,
    bend: conditions.bend * Math.exp(0.08 * random.bell("own bend", ...keys)),
  };
  const light = ageing(family, course);
  const bins = seenBins(conditions, { light, keys, fitted_h, end_h });
  return {
    position,
    fitted_h,
    end_h,
    cause,
    first: Math.max(0, Math.ceil(fitted_h / BIN_H)),
    bins,
  };
}

function seenBins(
  { random, noise, seen, fouling }: Conditions,
  life: { light: Ageing; keys: readonly number[]; fitted_h: number; end_h: number },
): readonly (LampBin | null)[] {
  const { light, keys, fitted_h, end_h } = life;
  const first = Math.max(0, Math.ceil(fitted_h / BIN_H));
  const last = Math.min(seen.length, Math.floor((fitted_h + end_h) / BIN_H));
  // Each lamp's sleeve fouls a little differently.
  const fouls = random.between(0.75, 1.25, "fouls", ...keys);
  return Array.from({ length: Math.max(0, last - first) }, (_, i) => {
    const at = first + i;
    const state = seen[at];
    if (state === null) return null;
    const hours = at * BIN_H - fitted_h;
    const burn_in = 1 + 0.015 * Math.exp(-hours / 40);
    // A bin is the median of some readings: half a reading's noise, and outliers that got through.
    const off = 1 + (noise / 2) * random.bell("noise", ...keys, i);
    const isOutlier = random.unit("outlier", ...keys, i) < 0.02;
    const outlier = isOutlier ? 1 - random.between(0, 0.15, "outlier by", ...keys, i) : 1;
    const share = light(hours) * burn_in * state * (1 - fouls * fouling[at]) * off * outlier;
    return { hours: Math.round(hours * 10) / 10, efficiency: Math.round(share * 1_000) / 10 };
  });
}

/** Fouling by bin: up to 3 %, until a cleaning that leaves up to a fifth of it. */
function foulings(random: Random): readonly number[] {
  const rate = random.between(0, 0.03, "fouling") / random.between(150, 400, "fouls in");
  let fouled = 0;
  let cleaning_h = 0;
  return Array.from({ length: SHIP_H / BIN_H }, (_, bin) => {
    if (bin * BIN_H >= cleaning_h) {
      fouled *= random.between(0, 0.2, "left by cleaning", bin);
      cleaning_h = bin * BIN_H + random.between(150, 400, "cleaned", bin);
    }
    fouled += rate * BIN_H * random.between(0.5, 1.5, "fouling of bin", bin);
    return fouled;
  });
}

/** A sensor that drifts by up to 1 %, and stretches in which the power is trimmed down. */
function sensorAndTrim(random: Random): readonly (number | null)[] {
  const drift = random.between(0, 0.01, "drift");
  return Array.from({ length: SHIP_H / BIN_H }, (_, bin) => {
    const isTrimmed = random.wave("trim", bin * BIN_H, 120) > 0.75;
    const trim = 1 - 0.003 * random.unit("trim by", bin);
    return isTrimmed ? null : trim * (1 + drift * random.wave("sensor", bin * BIN_H, 1_500));
  });
}
