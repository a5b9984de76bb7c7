// A lamp as it is: its own light over its hours, the hours at which that reaches the end of life,
// and those at which it fails if it isn't replaced before. The first of both is the truth that
// forecasts are scored by, also when the crew takes the lamp out earlier.

import { type Course, type Draw, OWN } from "./families.ts";
import type { Plant } from "./plant.ts";

export interface Lamp {
  /** Its number among all lamps of the ship. */
  readonly number: number;
  readonly worn_h: number;
  readonly failed_h: number;
  /** Median life by decay of lamps like this, and the spread of the logarithm. */
  readonly typical_h: number;
  readonly life_sd: number;
  /** Its own light as a share of an average new lamp, without burn-in. */
  readonly light: (hours: number) => number;
  hours: number;
}

/** Lamps are bought by so many; a batch has properties in common. */
const BATCH = 12;
/** Parts of the spread of lives that are the batch's and the position's. */
const BATCH_SHARE = 0.6;
const POSITION_SHARE = 0.4;
/** Lives of mixed lamps over those of their ship, and the standard deviation of the logarithm. */
const MIXED_LIFE = [0.75, 1.5] as const;
const MIXED_SD = 0.2;
const START_SD = 0.012;
/** Deviation of a lamp's curve from its ship's, as a share of the range. */
const OWN_SD = 0.08;

/** Lamp `number` of a ship, new; `position` counts from 0. */
export function newLamp(plant: Plant, number: number, position: number): Lamp {
  const { random, rated_h, spread, failures_h, first_failure } = plant;
  if (failures_h !== null) {
    const failed_h = failures_h[(first_failure + number) % failures_h.length];
    const worn_h = Number.POSITIVE_INFINITY;
    return { number, worn_h, failed_h, typical_h: worn_h, life_sd: 0, light: () => 1, hours: 0 };
  }
  const bell = (name: string, ...keys: number[]) => random.bell(name, ...keys);
  const off =
    spread *
    (bell("own life", number) +
      BATCH_SHARE * bell("batch life", Math.floor(number / BATCH)) +
      POSITION_SHARE * bell("position life", position));
  const isMixed = plant.family === null;
  const own = isMixed ? random.between(...MIXED_LIFE, "mixed life", number) : 1;
  const typical_h = rated_h * plant.life;
  const worn_h = typical_h * own * Math.exp(off);
  const start = 1 + START_SD * bell("start", number);
  const course = courseOf(plant, number);
  const end = plant.end_pct / 100 / start;
  return {
    number,
    worn_h,
    typical_h,
    life_sd: Math.hypot(
      isMixed ? MIXED_SD : 0,
      spread * Math.hypot(1, BATCH_SHARE, POSITION_SHARE),
    ),
    failed_h: failureOf(plant, number),
    light: (hours) => start * course(hours / worn_h, end),
    hours: 0,
  };
}

/** A lamp that burns when the record begins. */
export function usedLamp(plant: Plant, number: number, position: number): Lamp {
  const { random, rated_h, start } = plant;
  for (let tried = 0; ; tried += 1) {
    // Lamps that had ended by then were replaced: others are drawn for them.
    const lamp = newLamp(plant, number + 1_000 * tried, position);
    const end_h = Math.min(lamp.worn_h, lamp.failed_h);
    const share = start === "one age" ? random.unit("age") : random.unit("age", position);
    const typical_h = start === "one age" ? 0.8 * rated_h * plant.life : end_h;
    const hours = start === "new" ? random.between(0, 40, "run in") : 0.95 * share * typical_h;
    if (hours < end_h) return { ...lamp, hours };
  }
}

function failureOf({ random, failure_shape, failure_b10_h, infant, plan }: Plant, number: number) {
  const chance = -Math.log(1 - random.unit("failure", number));
  const scale_h = failure_b10_h / (-Math.log(0.9)) ** (1 / failure_shape);
  const failed_h = scale_h * chance ** (1 / failure_shape);
  if (random.unit("infant", number) >= infant) return failed_h;
  const early_h = -Math.log(1 - random.unit("infant at", number)) * plan.constants.infant_h;
  return Math.min(failed_h, early_h);
}

function courseOf({ random, family, families }: Plant, number: number): Course {
  const isMixed = family === null;
  const draw: Draw = (name, low, high) => {
    if (isMixed || name.startsWith(OWN)) return random.between(low, high, name, number);
    const own = OWN_SD * (high - low) * random.bell(`own ${name}`, number);
    return Math.min(high, Math.max(low, random.between(low, high, name) + own));
  };
  const of = family ?? families[Math.floor(random.unit("family", number) * families.length)];
  return of.course(draw);
}
