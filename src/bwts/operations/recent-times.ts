// The plant's usual cadence by its last readings. It decides how long a silence is: a slow plant is
// silent for longer than a quick one. Pure.

import { MINUTE_MS } from "../../ground/clock.ts";
import { median } from "../ranks.ts";

/** Minimum silence in which unseen water is searched for. */
export const BLIND_MS = 5 * MINUTE_MS;

/** Minimum length of a silence, as a multiple of the usual cadence. */
const CADENCES = 5;
/** Number of readings from which the usual cadence is computed. */
export const CADENCE_TIMES = 21;
/** Maximum length of a usual first distance, as a multiple of the cadence after it. */
const FIRST_CADENCES = 2;

/** The last times, in a ring, from which the usual cadence is computed; only for long distances. */
export function recentTimes() {
  const ring = new Float64Array(CADENCE_TIMES);
  let added = 0;
  return {
    add(at_ms: number): void {
      ring[added % CADENCE_TIMES] = at_ms;
      added += 1;
    },
    isFull: () => added >= CADENCE_TIMES,
    /** True if a distance exceeds both `least_ms` and `cadences` times the usual cadence. */
    isLonger(passed_ms: number, least_ms: number, cadences = CADENCES): boolean {
      if (passed_ms <= least_ms) return false;
      const times = Array.from(ring.subarray(0, Math.min(added, CADENCE_TIMES))).sort(
        (one, other) => one - other,
      );
      const distances = times.slice(1).map((time, index) => time - times[index]);
      return distances.length === 0 || passed_ms > cadences * median(distances);
    },
  };
}

export interface TimeBetween {
  readonly from_ms: number;
  readonly to_ms: number;
}

/**
 * Decides by the readings after them if the distance between the first two is a silence. Without
 * this the first data of a plant with a cadence of ten minutes began with a silence.
 */
export function firstDistance() {
  const after = recentTimes();
  const times: number[] = [];
  return {
    isNew: () => times.length === 0,
    /** Time from which a silence may be found by later readings; Infinity for none. */
    openFrom(): number {
      const [first_ms, second_ms = Number.POSITIVE_INFINITY] = times;
      const isOpen = !after.isFull() && second_ms - first_ms > BLIND_MS;
      return isOpen ? first_ms : Number.POSITIVE_INFINITY;
    },
    add(at_ms: number): void {
      if (times.length < 2) times.push(at_ms);
      if (times.length === 2 && !after.isFull()) after.add(at_ms);
    },
    /** True for that distance, if it isn't a silence. */
    isUsual({ from_ms, to_ms }: TimeBetween): boolean {
      const [first_ms, second_ms] = times;
      return (
        from_ms === first_ms &&
        to_ms === second_ms &&
        !after.isLonger(to_ms - from_ms, BLIND_MS, FIRST_CADENCES)
      );
    },
  };
}
