// The plant's newest values. PLCs that send each lamp with a time of its own make many readings a
// cycle: so each field's newest value of the last minutes counts, not the newest reading alone. A
// field that none of them has is null. A value is of now only if no newer reading of the same kind
// came without it, and if it is plausible.

import { gatheredValues } from "../../bwts/merge.ts";
import type { Told } from "../../bwts/overview/present.ts";
import { isPlausible, type Spans } from "../../bwts/plausible.ts";
import type { Reading, Value } from "../../bwts/reading.ts";
import { indexOfTag } from "../../bwts/tags.ts";
import { MINUTE_MS } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { timeline, UNDAMAGED } from "../sealed/timeline.ts";

/** A field's newest value is looked for this far back, in at most so many readings. */
const BACK_MS = 15 * MINUTE_MS;
const READINGS_MAX = 64;

/** Readings are of the same kind if they share one of these. */
const KINDS = ["PROCESS_STATE", "SYS_FLOW_RATE", "UVR_INTENSITY"].map((name) => indexOfTag(name));

/** The newest value of each field, and its time; null where none has one. */
export interface NewestValues {
  /** Time of the newest reading. */
  readonly at_ms: number;
  readonly values: readonly Value[];
  readonly times: readonly (number | null)[];
  /** The readings that they are of, newest first. */
  readonly readings: readonly Reading[];
}

/** A number of now: in the newest reading of its kind, at most a silence before the newest. */
export function toldNumber(
  found: NewestValues,
  index: number,
  { silence_ms, spans }: { readonly silence_ms: number; readonly spans: Spans },
): Told {
  const value = found.values[index];
  const isOfNow = isFresh(found, index, silence_ms) && !isLeftOut(found, index);
  if (typeof value !== "number" || !isOfNow) return { value: null, isDoubted: false };
  return isPlausible(value, spans[index])
    ? { value, isDoubted: false }
    : { value: null, isDoubted: true };
}

/** True if a newer reading of the same kind came without the field. */
function isLeftOut({ readings }: NewestValues, index: number): boolean {
  const place = readings.findIndex(({ values }) => values[index] !== null);
  const kinds = KINDS.filter((kind) => kind !== index && readings[place]?.values[kind] !== null);
  return readings
    .slice(0, Math.max(0, place))
    .some(({ values }) => kinds.some((kind) => values[kind] !== null));
}

/** True if a value is as new as the newest reading, but for a silence. */
function isFresh({ at_ms, times }: NewestValues, index: number, silence_ms: number): boolean {
  const time_ms = times[index];
  return time_ms !== null && at_ms - time_ms <= silence_ms;
}

/** Names the fields with a number that isn't plausible. */
export function doubtedFields({ values }: NewestValues, spans: Spans): readonly number[] {
  return values.flatMap((value, index) => (isPlausible(value, spans[index]) ? [] : [index]));
}

/** The newest values up to the reading at `at_ms`. */
export function newestValues(db: Connection, at_ms: number): NewestValues {
  const all: Reading[] = [];
  for (const { block, from, to } of timeline(
    db,
    { start_ms: at_ms - BACK_MS, end_ms: at_ms },
    UNDAMAGED,
  ))
    for (let index = Math.max(from, to - READINGS_MAX); index < to; index += 1)
      all.push(block.reading(index));
  const readings = all.slice(-READINGS_MAX).reverse();
  const newest = gatheredValues(readings);
  return {
    at_ms,
    values: newest.map(({ value }) => value),
    times: newest.map(({ reading }) => reading?.at_ms ?? null),
    readings,
  };
}
