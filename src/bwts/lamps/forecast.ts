// The forecast for a lamp: its hours left, with an interval, and the probability that it ends
// within a horizon. Two risks compete: wear to the end-of-life efficiency, and sudden failure; the
// first ends it. All figures come from one survival curve, so that they can't contradict each
// other.

import type { SuddenFailure } from "./failure.ts";
import type { Hours } from "./hours.ts";

/** Hours left are operating hours from now: finite, 0 or more, p05 <= median <= p95. */
export interface Forecast {
  readonly median_h: number;
  readonly p05_h: number;
  readonly p95_h: number;
  /** P(ends within the horizon): at least 0.5 exactly when the median is within the horizon. */
  readonly failure_probability: number;
  /** P(the end is wear); otherwise it is sudden failure. */
  readonly wear_probability: number;
}

/** The forecast of a lamp that has ended. */
export const ENDED: Forecast = {
  median_h: 0,
  p05_h: 0,
  p95_h: 0,
  failure_probability: 1,
  wear_probability: 0,
};

/** Remaining probability of a lamp older than all its likely ends, so that it ends soon. */
const ALIVE_MIN = 1e-9;
/** Hours left are found to within this share of a step of the grid. */
const PRECISION = 1e-4;

/** The forecast of a lamp that is alive at `age_h`. */
export function lampForecast(
  { age_h, end, sudden }: { age_h: number; end: Hours; sudden: SuddenFailure },
  { horizon_h }: { horizon_h: number },
): Forecast {
  const step = end.hours[1] - end.hours[0];
  const worn = sharesWorn(end);
  const alive = Math.max(ALIVE_MIN, 1 - shareAt(worn, age_h / step));
  const unworn = (left_h: number) =>
    Math.min(1, Math.max(0, 1 - shareAt(worn, (age_h + left_h) / step)) / alive);
  const unfailed = (left_h: number) =>
    Math.exp(sudden.logSurvival({ from_h: age_h, hours: age_h + left_h }));
  const survival = (left_h: number) => unworn(left_h) * unfailed(left_h);
  const most_h = Math.max(step, end.hours[end.hours.length - 1] + step / 2 - age_h);
  const leftUntil = (share: number) => {
    let low = 0;
    let high = most_h;
    while (high - low > PRECISION * step) {
      const middle = (low + high) / 2;
      if (survival(middle) > 1 - share) low = middle;
      else high = middle;
    }
    return high;
  };
  const failure_probability = 1 - survival(horizon_h);
  // The search ends just after the median, but before the horizon if the median is.
  const nearest_h = failure_probability >= 0.5 ? horizon_h : most_h;
  const median_h = Math.min(nearest_h, leftUntil(0.5));
  let wear_probability = 0;
  for (let left_h = 0; left_h < most_h; left_h += step)
    wear_probability += (unworn(left_h) - unworn(left_h + step)) * unfailed(left_h + step / 2);
  return {
    median_h,
    p05_h: Math.min(median_h, leftUntil(0.05)),
    p95_h: leftUntil(0.95),
    failure_probability,
    wear_probability,
  };
}

/**
 * A forecast as printed: whole hours and three decimals. Rounding keeps the median and the
 * probability consistent: at least 0.5 exactly when the hours left are within the horizon.
 */
export function printedForecast(forecast: Forecast, horizon_h: number): Forecast {
  const isWithin = forecast.failure_probability >= 0.5;
  const chance = Math.round(forecast.failure_probability * 1_000) / 1_000;
  const hours = Math.round(forecast.median_h);
  const median_h = isWithin
    ? Math.min(hours, Math.floor(horizon_h))
    : Math.max(hours, Math.floor(horizon_h) + 1);
  return {
    median_h,
    p05_h: Math.min(median_h, Math.round(forecast.p05_h)),
    p95_h: Math.max(median_h, Math.round(forecast.p95_h)),
    failure_probability: isWithin ? Math.max(0.5, chance) : Math.min(0.499, chance),
    wear_probability: Math.round(forecast.wear_probability * 1_000) / 1_000,
  };
}

/** The share of mass below each boundary between two hours. */
function sharesWorn({ mass }: Hours): Float64Array {
  const shares = new Float64Array(mass.length + 1);
  for (let i = 0; i < mass.length; i++) shares[i + 1] = shares[i] + mass[i];
  return shares;
}

function shareAt(shares: Float64Array, boundary: number): number {
  const last = shares.length - 1;
  if (boundary >= last) return 1;
  const i = Math.max(0, Math.floor(boundary));
  return shares[i] + (shares[i + 1] - shares[i]) * (boundary - i);
}
