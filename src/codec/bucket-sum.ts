// The sum of a bucket's field in integers. A sum of decimals is nearly a decimal: it is kept as a
// scaled integer and the distance of the running sum from it, in doubles.

import { SCALED_MAX } from "./decimal.ts";
import { addUlps, ulpsBetween } from "./double-bits.ts";

export interface SplitSum {
  readonly scaled: number;
  readonly ulps: number;
}

/** Splits `sum` by the factor of a decimal; null if the same double couldn't be restored. */
export function splitSum(sum: number, factor: number): SplitSum | null {
  // Turns negative zero into positive; the last check then finds the difference.
  const scaled = Math.round(sum * factor) + 0;
  const ulps = ulpsBetween(scaled / factor, sum);
  if (!(Math.abs(scaled) < SCALED_MAX) || ulps === null) return null;
  return Object.is(joinedSum({ scaled, ulps }, factor), sum) ? { scaled, ulps } : null;
}

/** Restores a sum that `splitSum` split. */
export function joinedSum({ scaled, ulps }: SplitSum, factor: number): number {
  return ulps === 0 ? scaled / factor : addUlps(scaled / factor, ulps);
}
