// The sum of a bucket's field in integers. A sum of decimals is nearly a decimal: the scaled
// integer, and by how many steps of a double the running sum missed it.

import { SCALED_MAX } from "./decimal.ts";
import { addUlps, ulpsBetween } from "./double-bits.ts";

export interface SplitSum {
  readonly scaled: number;
  readonly ulps: number;
}

/** Splits `sum` by the factor of a decimal; null when the same double wouldn't come back. */
export function splitSum(sum: number, factor: number): SplitSum | null {
  // Positive zero for negative: the last check finds the difference.
  const scaled = Math.round(sum * factor) + 0;
  const ulps = ulpsBetween(scaled / factor, sum);
  if (!(Math.abs(scaled) < SCALED_MAX) || ulps === null) return null;
  return Object.is(joinedSum({ scaled, ulps }, factor), sum) ? { scaled, ulps } : null;
}

/** The sum that `splitSum` split. */
export function joinedSum({ scaled, ulps }: SplitSum, factor: number): number {
  return ulps === 0 ? scaled / factor : addUlps(scaled / factor, ulps);
}
