// Finds late readings that are close together in time, to seal them together: a segment over years
// would be opened for every query. Scattered late readings wait for others, up to a bound.

import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import type { ReadingRow } from "./block.ts";
import { SEGMENT_READINGS } from "./seal-portion.ts";
import { DENSE_MS } from "./segments.ts";

/** So many late readings are sealed even if they are far apart. */
const LATE_MAX = 2 * SEGMENT_READINGS;
/** Scattered late readings are searched again after so many more. */
const LATE_STEP = 256;
/** The search for late readings that are close together. */
export interface Stretches {
  /** Time of the first of `count` late readings to seal; null if too few are close together. */
  from(range: ClosedRange, count: number): number | null;
  /** Notes that readings aren't hot any more. */
  sealed(): void;
}

export function openStretches(db: Connection): Stretches {
  const timesIn = prepare(db, "reading.times");
  let scattered = 0;
  return {
    from(range, count) {
      if (count < Math.max(SEGMENT_READINGS, scattered + LATE_STEP)) return null;
      const times = timesIn.all(range).map(timeOf);
      const dense_ms = times.find(
        (first_ms, at) => times[at + SEGMENT_READINGS - 1] - first_ms <= DENSE_MS,
      );
      if (dense_ms !== undefined || count >= LATE_MAX) return dense_ms ?? times[0];
      scattered = count;
      return null;
    },
    sealed() {
      scattered = 0;
    },
  };
}

const timeOf = ({ at_ms }: Pick<ReadingRow, "at_ms">): number => at_ms;
