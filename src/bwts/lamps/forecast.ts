// The forecast for a lamp: its hours left, with an interval, and the probability that it ends
// within a horizon. Two risks compete: wear to the end-of-life efficiency, and sudden failure; the
// first ends it. All figures come from one survival curve, so that they can't contradict each
// other.

import type { Hours } from "../light/curve.ts";
import type { SuddenFailure } from "../light/sudden-failure.ts";

/** Hours left are operating hours from now: finite, 0 or more, p05 <= median <= p95. */
export interface Forecast {
  readonly median_h: number;
  readonly p05_h: number;
  readonly p95_h: number;
  /** P(ends within the horizon): at least 0.5 exactly when the median is within the horizon. */
  readonly failure_probability: number;
}

/** The forecast of a lamp that has ended. */
export const ENDED: Forecast = {
  median_h: 0,
  p05_h: 0,
  p95_h: 0,
  failure_probability: 1,
};

/** Minimum survival probability, for a lamp older than all its likely ends: it ends soon. */
const ALIVE_MIN = 1e-9;
/** Precision of the hours left, as a share of a step of the grid. */
const PRECISION = 1e-4;

/** A lamp that is alive, and the distributions of its end. */
interface AliveLamp {
  readonly age_h: number;
  /** True if `age_h` counts from an unknown moment of its life. */
  readonly isAgeUnknown?: boolean;
  readonly end: Hours;
  readonly sudden: SuddenFailure;
}

/** The forecast of a lamp that is alive at `age_h`. */
export function lampForecast(
  { age_h, isAgeUnknown = false, end, sudden }: AliveLamp,
  { horizon_h }: { horizon_h: number },
): Forecast {
  const step = end.hours[1] - end.hours[0];
  const worn = sharesWorn(end);
  const from_h = isAgeUnknown ? 0 : age_h;
  const alive = Math.max(ALIVE_MIN, 1 - shareAt(worn, from_h / step));
  const unworn = (left_h: number) =>
    Math.min(1, Math.max(0, 1 - shareAt(worn, (from_h + left_h) / step)) / alive);
  const unfailed = (left_h: number) =>
    Math.exp(sudden.logSurvival({ from_h, hours: from_h + left_h }));
  const ofKnown = (left_h: number) => unworn(left_h) * unfailed(left_h);
  const most_h = Math.max(step, end.hours[end.hours.length - 1] + step / 2 - age_h);
  const survival = isAgeUnknown ? anyAge(ofKnown, { age_h, step, cells: worn.length }) : ofKnown;
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
  return {
    median_h,
    p05_h: Math.min(median_h, leftUntil(0.05)),
    p95_h: leftUntil(0.95),
    failure_probability,
  };
}

/**
 * The survival of a lamp first seen `age_h` hours ago at an unknown age, from the survival of a new
 * lamp. The first sight falls on a random moment of its life, and on a long life more often, in
 * proportion. So it is the integral of the new lamp's survival from `age_h` on (renewal theory).
 */
function anyAge(
  ofNew: (hours: number) => number,
  { age_h, step, cells }: { age_h: number; step: number; cells: number },
): (left_h: number) => number {
  const after = new Float64Array(cells);
  for (let i = cells - 2; i >= 0; i--) after[i] = after[i + 1] + ofNew((i + 0.5) * step);
  const from = (hours: number) => {
    const i = Math.min(cells - 1, Math.floor(hours / step));
    const next = after[Math.min(cells - 1, i + 1)];
    return after[i] + (next - after[i]) * Math.min(1, hours / step - i);
  };
  const alive = Math.max(ALIVE_MIN, from(age_h));
  return (left_h) => from(age_h + left_h) / alive;
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
