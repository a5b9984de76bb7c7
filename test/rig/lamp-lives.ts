// Lamp lives as the lamp science takes them, of known truth: a straight or bent fall of the light
// with noise, in bins of ten operating hours. Everything follows from the seed.

import type { LampBin, LifeInBins } from "../../src/bwts/lamps/ship-lamps.ts";
import { createRandom } from "../../src/simulator/random.ts";

export const BIN_H = 10;

export interface LifePlan {
  readonly seed: number;
  readonly age_h: number;
  /** Percent after some hours. */
  readonly efficiency: (hours: number) => number;
  /** Standard deviation of a bin, in percent. */
  readonly noise?: number;
  /** Steps that the PLC rounds to, in percent. */
  readonly step?: number;
  readonly first?: number;
  readonly ended?: LifeInBins["ended"];
}

/** A life of `age_h`, its efficiency in whole steps. */
export function lampLife(plan: LifePlan): LifeInBins {
  const { seed, age_h, efficiency, noise = 0.3, step = 0.1, first = 0, ended = null } = plan;
  const random = createRandom(seed);
  const bins: LampBin[] = Array.from({ length: Math.floor(age_h / BIN_H) }, (_, bin) => {
    const hours = (bin + 0.5) * BIN_H;
    const seen = efficiency(hours) + noise * random.bell("noise", bin);
    return { hours, efficiency: Math.round(seen / step) * step };
  });
  return { first, bins, age_h, ended };
}

/** An exponential fall that reaches 70 % at `end_h`. */
export function fallTo70At(end_h: number): (hours: number) => number {
  return (hours) => 100 * 0.7 ** (hours / end_h);
}
