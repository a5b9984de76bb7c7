// Folds readings of a segment into a bucket, column by column. Only the frames of the 55 aggregated
// fields are opened. Each field is added in the order of the readings, so that the bucket equals
// one made by addReading bit for bit.

import { type Bucket, type FieldSum, KEEPS_LAST } from "../bwts/bucket.ts";
import { AGGREGATED } from "../bwts/tags.ts";
import { type Column, KIND, valueAt } from "./column.ts";
import { FACTORS } from "./decimal.ts";
import type { Segment } from "./segment-reader.ts";

/** Adds readings `from` to `to` (excluded), all later than those already in `bucket`. */
export function foldReadings(
  segment: Segment,
  { from, to }: { from: number; to: number },
  bucket: Bucket,
): void {
  if (to <= from) return;
  bucket.count += to - from;
  for (const [position, index] of AGGREGATED.entries()) {
    const column = segment.column(index);
    const field = bucket.fields[position];
    if (KEEPS_LAST[position]) foldCounter(column, from, to, field);
    else if (column.kind === KIND.decimal && !column.decimal.single)
      foldDecimals(column, from, to, field);
    else foldValues(column, from, to, field);
  }
}

function foldCounter(column: Column, from: number, to: number, field: FieldSum): void {
  for (let row = from; row < to; row += 1) {
    const value = valueAt(column, row);
    if (typeof value !== "number") continue;
    field.n += 1;
    field.last = value + 0;
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

function foldValues(column: Column, from: number, to: number, field: FieldSum): void {
  for (let row = from; row < to; row += 1) {
    const value = valueAt(column, row);
    if (typeof value !== "number") continue;
    field.n += 1;
    field.sum += value;
    if (value < field.min) field.min = value + 0;
    if (value > field.max) field.max = value + 0;
  }
}
