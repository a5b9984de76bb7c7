// A ship's state between two readings: in each position a lamp, its sleeve, its ballast and its
// counter; the UV sensor, the water, and the set power.

import { LAMP_COUNT } from "../../src/bwts/tags.ts";
import { type Lamp, usedLamp } from "./lamp.ts";
import { createNoise, type Noise } from "./noise.ts";
import type { Plant } from "./plant.ts";

/** Mutable: owned by the ship. */
export interface Position {
  lamp: Lamp;
  /** Optical depth of what lies on the sleeve. */
  depth: number;
  /** Speed at which this sleeve fouls, over the usual one. */
  readonly fouls: number;
  /** True if cleaning in place doesn't reach this sleeve. */
  isMissed: boolean;
  /** Share of the power that the ballast has lost, and loses an hour. */
  ballast_loss: number;
  ballast_rate: number;
  isBallastDead: boolean;
  /** Counter minus hours. */
  counter_off_h: number;
  /** Port calls until a counter that wasn't reset is; null: it was, or never will be. */
  reset_in: number | null;
  /** Hours below the end of life that the crew has seen. */
  dim_h: number;
  wander: number;
  operation_off: number;
}

export interface Aboard {
  readonly plant: Plant;
  readonly noise: Noise;
  readonly positions: readonly Position[];
  now_ms: number;
  operations: number;
  /** Lit hours of the ship since the record began. */
  hours: number;
  lamps: number;
  cleaned_ms: number;
  cleaned_h: number;
  /** Cleanings so far, with or without effect. */
  cleanings: number;
  power_pct: number;
  /** Share of its calibrated signal that the sensor gives, and optical depth on its window. */
  sensor: number;
  window: number;
  /** Transmission of the water relative to clear water. */
  water: number;
  temperature_c: number;
  common_wander: number;
  /** The figures of the newest measurement by hand, and the ship's hours until which they stand. */
  figures: number[];
  figures_until_h: number;
}

export const START_MS = Date.UTC(2020, 0, 1);

export function board(plant: Plant): Aboard {
  const { random } = plant;
  const noise = createNoise(Math.floor(random.unit("noise seed") * 2 ** 32));
  const positions = Array.from({ length: LAMP_COUNT }, (_, at) => positionOf(plant, at));
  const cleaned_h = random.between(-plant.cleaned_every_h, 0, "cleaned before");
  for (const position of positions) position.depth = plant.fouling * 4 * position.fouls;
  return {
    plant,
    noise,
    positions,
    now_ms: START_MS,
    operations: 0,
    hours: 0,
    lamps: LAMP_COUNT,
    cleaned_ms: START_MS + (cleaned_h / plant.duty) * 3_600_000,
    cleaned_h,
    cleanings: 0,
    power_pct: plant.dimmed_pct ?? plant.power_pct,
    sensor: random.between(0.95, 1.05, "sensor"),
    window: 0,
    water: 0.9,
    temperature_c: 20,
    common_wander: 0,
    figures: [],
    figures_until_h: 0,
  };
}

function positionOf(plant: Plant, at: number): Position {
  const { random } = plant;
  return {
    lamp: usedLamp(plant, at, at),
    depth: 0,
    fouls: Math.exp(0.3 * random.bell("fouls", at)),
    isMissed: random.unit("missed", at) < 0.04,
    ballast_loss: 0,
    ballast_rate: ballastRate(plant, at),
    isBallastDead: false,
    counter_off_h: 0,
    reset_in: null,
    dim_h: 0,
    wander: 0,
    operation_off: 0,
  };
}

/** Share of the power that a new ballast will lose in an hour. */
export function ballastRate({ random, odds }: Plant, ...keys: readonly number[]): number {
  const isBad = random.unit("bad ballast", ...keys) < odds.ballast_bad;
  return isBad
    ? random.between(0.05, 0.15, "bad", ...keys) / 400
    : random.between(0, 0.003, "ballast", ...keys) / 1_000;
}

/** True if the lamp gives no light. */
export function isDark({ lamp, isBallastDead }: Position): boolean {
  return isBallastDead || lamp.hours >= lamp.failed_h;
}
