// One aggregated field of a block of buckets as columns of integers. A sum of decimals is nearly a
// decimal: its mean as a scaled integer, what the division leaves, and by how many steps of a
// double the running sum missed the exact one. Least, greatest and last value are told from the
// mean. A row that can't be said so (negative zero, 17 digits, huge numbers) is kept as five
// doubles beside it.

import type { FieldSum } from "../../bwts/bucket.ts";
import type { ColumnReader, ColumnWriter } from "./bucket-column.ts";
import { DamagedError } from "./bytes.ts";
import { PLAIN } from "./column.ts";
import { type Decimal, decimalFor, FACTORS, SCALE_MAX, SCALED_MAX, scaledOf } from "./decimal.ts";
import { addUlps, ulpsBetween } from "./double-bits.ts";

/** A field's columns by row; `least` to `last` are distances from the mean. */
export interface FieldColumns {
  /** Readings of the bucket that don't have the field. */
  readonly missing: Float64Array;
  readonly mean: Float64Array;
  readonly rest: Float64Array;
  readonly ulps: Float64Array;
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  readonly last: Float64Array;
}

/** Counts stay below: 32-bit integers. */
const COUNT_MAX = 2 ** 31;
/** In place of a decimal's scale: no row is said in integers. */
const NO_DECIMAL = 255;
/** Added to the scale when the decimals are rounded to single precision. */
const SINGLE = 16;
const PLAIN_DOUBLES = 5;

/**
 * A field of all buckets of a block: `fields[row]` is that of bucket `row`, out of `counts[row]`.
 */
export interface FieldRows {
  readonly fields: readonly Readonly<FieldSum>[];
  readonly counts: Float64Array;
}

/** Writes a field; `like`: another one's columns, with which it may go. */
export function writeField(
  to: ColumnWriter,
  { fields, counts }: FieldRows,
  like: FieldColumns | null,
): FieldColumns {
  const decimal = decimalOf(fields);
  const columns = emptyColumns(fields.length);
  const plainRows: number[] = [];
  for (const [row, field] of fields.entries()) {
    const isSplit = decimal !== null && splitField(columns, { row, field, decimal });
    if (!isSplit) repeatRow(columns, row);
    if (isSplit || isEmpty(field)) columns.missing[row] = counts[row] - field.n;
    else plainRows.push(row);
  }
  const scale = decimal === null ? NO_DECIMAL : decimal.scale + (decimal.single ? SINGLE : 0);
  to.notes.byte(scale);
  writePlainRows(to, plainRows, fields);
  to.integers(columns.missing, like === null ? [] : [like.missing]);
  to.integers(columns.mean, like === null ? [] : [like.mean]);
  to.integers(columns.rest, []);
  to.integers(columns.ulps, []);
  to.integers(columns.least, like === null ? [] : [like.least]);
  to.integers(columns.greatest, [columns.least, ...(like === null ? [] : [like.greatest])]);
  to.integers(columns.last, [columns.greatest, ...(like === null ? [] : [like.last])]);
  return columns;
}

function emptyColumns(count: number): FieldColumns {
  return {
    missing: new Float64Array(count),
    mean: new Float64Array(count),
    rest: new Float64Array(count),
    ulps: new Float64Array(count),
    least: new Float64Array(count),
    greatest: new Float64Array(count),
    last: new Float64Array(count),
  };
}

// The decimal of a field's values, which is that of their sum.
function decimalOf(fields: FieldRows["fields"]): Decimal | null {
  const values = new Float64Array(3 * fields.length);
  let found = 0;
  for (const { n, min, max, last } of fields) {
    if (n === 0) continue;
    values[found] = min;
    values[found + 1] = max;
    values[found + 2] = last;
    found += 3;
  }
  return decimalFor(values.subarray(0, found));
}

function isEmpty({ n, sum, min, max, last }: Readonly<FieldSum>): boolean {
  const isUnset = min === Number.POSITIVE_INFINITY && max === Number.NEGATIVE_INFINITY;
  return Object.is(n, 0) && Object.is(sum, 0) && isUnset && Object.is(last, 0);
}

interface Split {
  readonly row: number;
  readonly field: Readonly<FieldSum>;
  readonly decimal: Decimal;
}

// Fills a row in, or says that it can't be: the same doubles wouldn't come back.
function splitField(columns: FieldColumns, { row, field, decimal }: Split): boolean {
  const { n, sum } = field;
  const { scale, single } = decimal;
  const min = scaledOf(field.min, scale, single);
  const max = scaledOf(field.max, scale, single);
  const last = scaledOf(field.last, scale, single);
  if (min === null || max === null || last === null) return false;
  if (!Number.isInteger(n) || n < 1 || n >= COUNT_MAX) return false;
  const scaled = Math.round(sum * FACTORS[scale]);
  const ulps = ulpsBetween(scaled / FACTORS[scale], sum);
  if (!(Math.abs(scaled) < SCALED_MAX) || ulps === null) return false;
  const mean = Math.round(scaled / n);
  const rest = scaled - mean * n;
  if (!Object.is(joinedSum(mean * n + rest, ulps, FACTORS[scale]), sum)) return false;
  columns.mean[row] = mean;
  columns.rest[row] = rest;
  columns.ulps[row] = ulps;
  columns.least[row] = min - mean;
  columns.greatest[row] = max - mean;
  columns.last[row] = last - mean;
  return true;
}

// A row that stands elsewhere costs least as a repetition.
function repeatRow(columns: FieldColumns, row: number): void {
  if (row === 0) return;
  for (const column of Object.values(columns)) column[row] = column[row - 1];
}

function joinedSum(scaled: number, ulps: number, factor: number): number {
  return ulps === 0 ? scaled / factor : addUlps(scaled / factor, ulps);
}

function writePlainRows(to: ColumnWriter, rows: readonly number[], fields: FieldRows["fields"]) {
  to.notes.varint(rows.length);
  const doubles = new Float64Array(PLAIN_DOUBLES * rows.length);
  for (const [i, row] of rows.entries()) {
    to.notes.varint(i === 0 ? row : row - rows[i - 1]);
    const { n, sum, min, max, last } = fields[row];
    doubles.set([n, sum, min, max, last], PLAIN_DOUBLES * i);
  }
  to.doubles(doubles);
}

/** A field that was read: its columns for the next one, and the field of each bucket. */
export interface ReadField {
  readonly columns: FieldColumns;
  readonly fields: readonly FieldSum[];
}

/** Reads what `writeField` wrote, beside the same. Throws a DamagedError. */
export function readField(
  from: ColumnReader,
  counts: Float64Array,
  like: FieldColumns | null,
): ReadField {
  const decimal = decimalOn(from.notes.byte());
  const plain = readPlainRows(from, counts.length);
  const missing = from.integers(like === null ? [] : [like.missing]);
  const mean = from.integers(like === null ? [] : [like.mean]);
  const rest = from.integers([]);
  const ulps = from.integers([]);
  const least = from.integers(like === null ? [] : [like.least]);
  const greatest = from.integers([least, ...(like === null ? [] : [like.greatest])]);
  const last = from.integers([greatest, ...(like === null ? [] : [like.last])]);
  const columns = { missing, mean, rest, ulps, least, greatest, last };
  const fields = joinedFields(columns, counts, decimal);
  for (const [row, field] of plain) fields[row] = field;
  return { columns, fields };
}

function decimalOn(code: number): Decimal {
  if (code === NO_DECIMAL) return PLAIN;
  const scale = code % SINGLE;
  if (code >= 2 * SINGLE || scale > SCALE_MAX) throw new DamagedError(`scale ${code}: unknown`);
  return { scale, single: code >= SINGLE };
}

function joinedFields(
  { missing, mean, rest, ulps, least, greatest, last }: FieldColumns,
  counts: Float64Array,
  { scale, single }: Decimal,
): FieldSum[] {
  const factor = FACTORS[scale];
  const fields: FieldSum[] = [];
  for (let row = 0; row < counts.length; row += 1) {
    // A small integer to the engine, which a double from an array isn't.
    const n = (counts[row] - missing[row]) | 0;
    const middle = mean[row];
    const min = (middle + least[row]) / factor;
    const max = (middle + greatest[row]) / factor;
    const newest = (middle + last[row]) / factor;
    if (n === 0)
      fields.push({
        n,
        sum: 0,
        min: Number.POSITIVE_INFINITY,
        max: Number.NEGATIVE_INFINITY,
        last: 0,
      });
    else
      fields.push({
        n,
        sum: joinedSum(middle * n + rest[row], ulps[row], factor),
        min: single ? Math.fround(min) : min,
        max: single ? Math.fround(max) : max,
        last: single ? Math.fround(newest) : newest,
      });
  }
  return fields;
}

function readPlainRows(from: ColumnReader, count: number): Map<number, FieldSum> {
  const found = from.notes.varint();
  if (found > count) throw new DamagedError(`${found} plain rows: expected at most ${count}`);
  const rows: number[] = [];
  for (let i = 0; i < found; i += 1) {
    const row = from.notes.varint() + (i === 0 ? 0 : rows[i - 1]);
    if (row >= count) throw new DamagedError(`row ${row}: expected less than ${count}`);
    rows.push(row);
  }
  if (found === 0) return new Map();
  const doubles = from.doubles(PLAIN_DOUBLES * found);
  return new Map(
    rows.map((row, i) => {
      const [n, sum, min, max, last] = doubles.subarray(PLAIN_DOUBLES * i, PLAIN_DOUBLES * (i + 1));
      return [row, { n, sum, min, max, last }];
    }),
  );
}
