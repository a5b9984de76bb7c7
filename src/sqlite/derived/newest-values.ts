// The plant's newest values. PLCs that send each lamp with a time of its own make many readings a
// cycle: so each field's newest value of the last minutes counts, not the newest reading alone. A
// field that none of them has is null.

import { gatheredValues } from "../../bwts/merge.ts";
import type { Value } from "../../bwts/reading.ts";
import { MINUTE_MS } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { timeline, UNDAMAGED } from "../sealed/timeline.ts";

/** A field's newest value is looked for this far back, in at most so many readings. */
const BACK_MS = 15 * MINUTE_MS;
const READINGS_MAX = 64;

/** The newest value of each field, and its time; null where none has one. */
export interface NewestValues {
  /** Time of the newest reading. */
  readonly at_ms: number;
  readonly values: readonly Value[];
  readonly times: readonly (number | null)[];
}

/** A number that came with the newest reading, or at most a silence before it. */
export function freshNumber(found: NewestValues, index: number, silence_ms: number): number | null {
  const value = found.values[index];
  return typeof value === "number" && isFresh(found, index, silence_ms) ? value : null;
}

/** True if a value is as new as the newest reading, but for a silence. */
export function isFresh(
  { at_ms, times }: NewestValues,
  index: number,
  silence_ms: number,
): boolean {
  const time_ms = times[index];
  return time_ms !== null && at_ms - time_ms <= silence_ms;
}

/** The newest values up to the reading at `at_ms`. */
export function newestValues(db: Connection, at_ms: number): NewestValues {
  const readings = [];
  for (const { block, from, to } of timeline(
    db,
    { start_ms: at_ms - BACK_MS, end_ms: at_ms },
    UNDAMAGED,
  ))
    for (let index = Math.max(from, to - READINGS_MAX); index < to; index += 1)
      readings.push(block.reading(index));
  const newest = gatheredValues(readings.slice(-READINGS_MAX).reverse());
  return {
    at_ms,
    values: newest.map(({ value }) => value),
    times: newest.map(({ reading }) => reading?.at_ms ?? null),
  };
}
