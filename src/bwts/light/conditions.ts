// The conditions of stretches as factors of a regression, in units that make the coefficients small
// numbers. A condition that the plant doesn't send has its usual value.

import { median } from "../ranks.ts";
import type { OperatingStretch } from "./stretch.ts";

/** A stretch without known conditions and length. */
const UNKNOWN: { readonly [Name in keyof OperatingStretch]: null } = {
  hours: null,
  power_pct: null,
  water_c: null,
  cleanings: null,
  sensor_yield: null,
};
const UNTOLD_H = 10;

/** The conditions of a stretch as factors. */
export interface Conditions {
  /** The ship's operating hours in the middle of the stretch, in hundreds. */
  readonly time: number;
  /** Set power above the usual, in tens of points. */
  readonly power: number;
  /** Temperature of the water above the usual, in tens of degrees. */
  readonly water: number;
  /** Number of the interval between cleanings. */
  readonly interval: number;
  /** Operating hours since the cleaning, in hundreds. */
  readonly since: number;
  readonly sensor_yield: number | null;
}

/** The conditions of `count` stretches; unknown ones have their usual value. */
export function conditionsOf(
  stretches: readonly OperatingStretch[],
  count: number,
): readonly Conditions[] {
  const usual = usualOf(stretches.flatMap(({ power_pct }) => power_pct ?? []));
  const usual_c = usualOf(stretches.flatMap(({ water_c }) => water_c ?? []));
  let interval = 0;
  let start = 0;
  let power_pct = usual;
  let water_c = usual_c;
  return Array.from({ length: count }, (_, i) => {
    const here = stretches[i] ?? UNKNOWN;
    const before = stretches[i - 1] ?? UNKNOWN;
    const begin = (before.hours ?? UNTOLD_H * i) / 100;
    const end = (here.hours ?? UNTOLD_H * (i + 1)) / 100;
    const isKnown = here.cleanings !== null && before.cleanings !== null;
    if (isKnown && here.cleanings !== before.cleanings) {
      interval += 1;
      start = begin;
    }
    power_pct = here.power_pct ?? power_pct;
    water_c = here.water_c ?? water_c;
    const time = (begin + end) / 2;
    const power = (power_pct - usual) / 10;
    const water = (water_c - usual_c) / 10;
    return { time, power, water, interval, since: time - start, sensor_yield: here.sensor_yield };
  });
}

function usualOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : median(values);
}
