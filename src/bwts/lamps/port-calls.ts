// The port calls of a ship, estimated from its operations: water is treated in port, and no
// schedule is entered. The next calls are expected at the usual distance.

import { DAY_MS } from "../../ground/clock.ts";
import { median } from "../ranks.ts";
import type { ShipOperation } from "./state.ts";

/** Maximum time between two operations of the same call. */
const SAME_CALL_MS = 2 * DAY_MS;
/** Number of newest calls whose distances give the usual one. */
const CALLS = 13;
/** Minimum number of distances for a usual one. */
const DISTANCES_MIN = 3;

export interface PortCalls {
  /** Usual distance of two calls, the median of the newest 12; null before the fourth call. */
  readonly apart_days: number | null;
  /** Times of the next call and of the one after it; null if they aren't known. */
  readonly next_ms: number | null;
  readonly after_ms: number | null;
}

const UNKNOWN: PortCalls = { apart_days: null, next_ms: null, after_ms: null };

export function portCalls(operations: readonly ShipOperation[], now_ms: number): PortCalls {
  const starts: number[] = [];
  let end_ms = Number.NEGATIVE_INFINITY;
  for (const operation of operations) {
    if (operation.start_ms - end_ms > SAME_CALL_MS) starts.push(operation.start_ms);
    end_ms = operation.end_ms;
  }
  const newest = starts.slice(-CALLS);
  const distances = newest.slice(1).map((start, index) => start - newest[index]);
  if (distances.length < DISTANCES_MIN) return UNKNOWN;
  const apart_ms = median(distances);
  // A ship that is late may be in port any day.
  const next_ms = Math.max(now_ms, newest[newest.length - 1] + apart_ms);
  const apart_days = Math.round(apart_ms / DAY_MS);
  return { apart_days, next_ms, after_ms: next_ms + apart_ms };
}
