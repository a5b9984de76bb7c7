// A forecast by somebody who knows nearly all: the lamp's family and curve, the ship's lives and
// their spread, the law of failures, and the lamp's own light within 0.4 %. It knows neither how
// long this lamp will last nor if it will fail before. No model can be much better, so its scores
// say how far the goals are from what the fleets allow.

import type { Lamp } from "./lamp.ts";
import type { Plant } from "./plant.ts";

/** Error of the light that is known, as a logarithm. */
const LIGHT_SD = 0.004;
const LIVES = 241;
/** Lives are looked for within so many standard deviations. */
const REACH = 4;
const HALVINGS = 16;

export interface Known {
  readonly median_h: number;
  readonly p05_h: number;
  readonly p95_h: number;
  readonly failure_probability: number;
}

/** The forecast for a burning lamp; `drawn` is a standard normal draw for the light's error. */
export function knownForecast(
  plant: Plant,
  lamp: Lamp,
  { horizon_h, drawn }: { readonly horizon_h: number; readonly drawn: number },
): Known {
  const lives = livesOf(lamp, drawn);
  const failed = (hours: number) => (hours / scaleOf(plant)) ** plant.failure_shape;
  const survives = (left_h: number) => {
    const worn = lives.reduce(
      (sum, { life_h, weight }) => sum + (life_h > lamp.hours + left_h ? weight : 0),
      0,
    );
    return worn * Math.exp(failed(lamp.hours) - failed(lamp.hours + left_h));
  };
  const most_h = Math.max(...lives.map(({ life_h }) => life_h)) - lamp.hours;
  const until = (share: number) => {
    let [from, to] = [0, most_h];
    for (let i = 0; i < HALVINGS; i += 1) {
      const middle = (from + to) / 2;
      if (survives(middle) > 1 - share) from = middle;
      else to = middle;
    }
    return to;
  };
  return {
    median_h: until(0.5),
    p05_h: until(0.05),
    p95_h: until(0.95),
    failure_probability: 1 - survives(horizon_h),
  };
}

interface Life {
  readonly life_h: number;
  readonly weight: number;
}

/** Lives that agree with the light, by their probability. */
function livesOf(lamp: Lamp, drawn: number): readonly Life[] {
  const { typical_h, life_sd } = lamp;
  const seen = Math.log(lamp.light(lamp.hours)) + LIGHT_SD * drawn;
  const all = Array.from({ length: LIVES }, (_, i) => {
    const off = REACH * ((2 * i) / (LIVES - 1) - 1);
    const life_h = typical_h * Math.exp(life_sd * off);
    // A lamp of another life has its light at another share of it.
    const light = Math.log(lamp.light((lamp.hours * lamp.worn_h) / life_h));
    const weight = Math.exp(-0.5 * (off ** 2 + ((light - seen) / LIGHT_SD) ** 2));
    return { life_h, weight: life_h > lamp.hours ? weight : 0 };
  });
  const sum = all.reduce((total, { weight }) => total + weight, 0);
  return all.map(({ life_h, weight }) => ({ life_h, weight: weight / sum }));
}

function scaleOf({ failure_b10_h, failure_shape }: Plant): number {
  return failure_b10_h / (-Math.log(0.9)) ** (1 / failure_shape);
}
