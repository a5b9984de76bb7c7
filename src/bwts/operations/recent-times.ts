// The plant's usual cadence by its last readings. How long a silence is depends on it: a slow plant
// is silent for longer than a quick one. Pure.

import { median } from "../ranks.ts";

/** A silence is longer than so many times the usual cadence. */
const CADENCES = 5;
const CADENCE_TIMES = 21;

/** The last times, in a ring, for the usual cadence; it is asked for at long distances only. */
export function recentTimes() {
  const ring = new Float64Array(CADENCE_TIMES);
  let added = 0;
  return {
    add(at_ms: number): void {
      ring[added % CADENCE_TIMES] = at_ms;
      added += 1;
    },
    isFull: () => added >= CADENCE_TIMES,
    /** True if a distance is longer than `least_ms`, and than CADENCES times the usual cadence. */
    isLonger(passed_ms: number, least_ms: number): boolean {
      if (passed_ms <= least_ms) return false;
      const times = Array.from(ring.subarray(0, Math.min(added, CADENCE_TIMES))).sort(
        (one, other) => one - other,
      );
      const distances = times.slice(1).map((time, index) => time - times[index]);
      return distances.length === 0 || passed_ms > CADENCES * median(distances);
    },
  };
}
