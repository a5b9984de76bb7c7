// The coefficients of the effects that all lamps share, as the API answers them: learned from the
// readings (docs/lamps.md has the formula), each in percent and with its standard deviation.

import * as z from "zod";
import type { Effects } from "./common-effects.ts";
import type { Estimate } from "./robust-fit.ts";

const coefficient = (about: string) =>
  z
    .object({ percent: z.number(), sd: z.number() })
    .nullable()
    .meta({ description: `${about}; sd: its standard deviation` });

export const LampEffects = z
  .object({
    steps: z.number().int().meta({ description: "steps between stretches that it rests on" }),
    power: coefficient("light for 10 points of set power more; null: it never moved"),
    water: coefficient("light for 10 degC of water more; null: it isn't told"),
    fouling: coefficient("light for 100 operating hours since a cleaning; null: none was seen"),
    sensor: coefficient("of the sleeves' loss that the sensor sees, the lamps' share; null: none"),
    sensor_drift: coefficient("the UV sensor's own drift in 1,000 operating hours; null: none"),
  })
  .meta({ description: "what all lamps' figures have in common, and forecasts leave out" });

export function lampEffects(effects: Effects): z.output<typeof LampEffects> {
  const { steps, power, water, fouling, sensor, drift } = effects;
  return {
    steps,
    power: answered(power, 1),
    water: answered(water, 1),
    fouling: answered(fouling, -1),
    sensor: answered(sensor, 1),
    sensor_drift: answered(drift, 1),
  };
}

function answered(estimate: Estimate | null, sign: 1 | -1): { percent: number; sd: number } | null {
  if (estimate === null) return null;
  const hundredths = (value: number) => Math.round(value * 1e4) / 100;
  return { percent: hundredths(sign * estimate.mean), sd: hundredths(estimate.sd) };
}
