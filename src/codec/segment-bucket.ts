// Folds readings of a segment into a bucket, column by column. Only the frames of the 55 aggregated
// fields are opened. Values that aren't believed are left out. Each field is added in the order of
// the readings, so that the bucket equals one made by addReading bit for bit.

import { type Bucket, type FieldSum, KEEPS_LAST } from "../bwts/bucket.ts";
import type { Value } from "../bwts/reading.ts";
import { AGGREGATED } from "../bwts/tags.ts";
import { type Column, KIND, valuesOf } from "./column.ts";
import { FACTORS } from "./decimal.ts";
import type { BelievedValues } from "./segment-believed.ts";
import type { Segment } from "./segment-reader.ts";

/** Readings `from` to `to` (excluded) of a segment, and their believed values. */
export interface FoldedReadings {
  readonly from: number;
  readonly to: number;
  readonly believedOf: BelievedValues;
}

/** Adds readings, all later than those already in `bucket`. */
export function foldReadings(
  segment: Segment,
  { from, to, believedOf }: FoldedReadings,
  bucket: Bucket,
): void {
  if (to <= from) return;
  bucket.count += to - from;
  for (const [position, index] of AGGREGATED.entries()) {
    const column = segment.column(index);
    const field = bucket.fields[position];
    const believed = believedOf(index);
    if (believed === null && !KEEPS_LAST[position] && isPlain(column))
      foldDecimals(column, from, to, field);
    else
      (KEEPS_LAST[position] ? foldCounter : foldValues)(
        believed ?? valuesOf(column),
        from,
        to,
        field,
      );
  }
}

function isPlain({ kind, decimal }: Column): boolean {
  return kind === KIND.decimal && !decimal.single;
}

type ValueAt = (row: number) => Value;

function foldCounter(value: ValueAt, from: number, to: number, field: FieldSum): void {
  for (let row = from; row < to; row += 1) {
    const found = value(row);
    if (typeof found !== "number") continue;
    field.n += 1;
    field.last = found + 0;
  }
}

function foldDecimals(column: Column, from: number, to: number, field: FieldSum): void {
  const { integers } = column;
  const factor = FACTORS[column.decimal.scale];
  let { sum, min, max } = field;
  for (let row = from; row < to; row += 1) {
    const value = integers[row] / factor;
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  field.n += to - from;
  field.sum = sum;
  field.min = min;
  field.max = max;
}

function foldValues(value: ValueAt, from: number, to: number, field: FieldSum): void {
  for (let row = from; row < to; row += 1) {
    const found = value(row);
    if (typeof found !== "number") continue;
    field.n += 1;
    field.sum += found;
    if (found < field.min) field.min = found + 0;
    if (found > field.max) field.max = found + 0;
  }
}
