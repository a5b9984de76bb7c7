// The sums of an hour or a day of readings: for each of the 55 aggregated fields the number of
// readings with the field, their sum, minimum and maximum, and for counters the last value.
// Buckets are made only by folding readings (or whole buckets) in time order, so that a recomputed
// one is equal bit for bit. A running average was rejected because it can't be combined or
// corrected.

import type { Reading } from "./reading.ts";
import { AGGREGATED, AGGREGATES, type Aggregate } from "./tags.ts";

/**
 * One field over the readings of a bucket that have it; if `n` is 0 the other members are
 * meaningless. A counter, aggregated as `last`, has no sum, min and max: they would say nothing.
 */
export interface FieldSum {
  n: number;
  sum: number;
  min: number;
  max: number;
  /** Last value, for fields aggregated as `last`; 0 for all others, where it would be noise. */
  last: number;
}

/** A bucket: `count` readings, and a sum for each field of `AGGREGATED`, in its order. */
export interface Bucket {
  count: number;
  readonly fields: readonly FieldSum[];
}

/** By index in `AGGREGATED`: true if a bucket keeps the last value. */
export const KEEPS_LAST: readonly boolean[] = AGGREGATES.map((how) => how === "last");

export function emptyBucket(): Bucket {
  return { count: 0, fields: AGGREGATED.map(emptyField) };
}

/** The sums of a field over no readings. */
function emptyField(): FieldSum {
  return {
    n: 0,
    sum: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    last: 0,
  };
}

/** Adds a reading, which must be later than all others in the bucket. */
export function addReading(bucket: Bucket, reading: Pick<Reading, "values">): void {
  bucket.count += 1;
  for (let position = 0; position < AGGREGATED.length; position += 1) {
    const value = reading.values[AGGREGATED[position]];
    if (typeof value !== "number") continue;
    const field = bucket.fields[position];
    field.n += 1;
    // `+ 0` makes 0 of -0, which SQLite can't distinguish.
    if (KEEPS_LAST[position]) {
      field.last = value + 0;
      continue;
    }
    field.sum += value;
    if (value < field.min) field.min = value + 0;
    if (value > field.max) field.max = value + 0;
  }
}

/** Adds a bucket, whose readings must be later than all in `bucket`. */
export function addBucket(bucket: Bucket, later: Bucket): void {
  bucket.count += later.count;
  for (const [position, addend] of later.fields.entries()) {
    if (addend.n === 0) continue;
    const field = bucket.fields[position];
    field.n += addend.n;
    field.sum += addend.sum;
    if (addend.min < field.min) field.min = addend.min;
    if (addend.max > field.max) field.max = addend.max;
    field.last = addend.last;
  }
}

/** Marks null in an aggregated row: no reading has the field, or its sum isn't finite. */
export const NOTHING = Number.NaN;

/** A field of an aggregated row: mean to 4 decimals, maximum or last value; or NOTHING. */
export function aggregateOf(field: Readonly<FieldSum>, how: Aggregate): number {
  if (field.n === 0) return NOTHING;
  switch (how) {
    case "max":
      return field.max;
    case "last":
      return field.last;
    case "mean":
      return roundedMean(field.sum, field.n) ?? NOTHING;
  }
}

/** The values of an aggregated row, in the order of `AGGREGATED`. */
export function bucketRow({ fields }: Bucket): Float64Array {
  return Float64Array.from(fields, (field, position) => aggregateOf(field, AGGREGATES[position]));
}

/** Size from which a mean isn't rounded: a double has no fourth decimal there. */
const ROUNDABLE_MAX = 1e11;

/** `sum / n` to 4 decimals; null if the sum isn't finite. */
export function roundedMean(sum: number, n: number): number | null {
  const mean = sum / n;
  if (!Number.isFinite(mean)) return null;
  return Math.abs(mean) < ROUNDABLE_MAX ? Math.round(mean * 1e4) / 1e4 + 0 : mean;
}
