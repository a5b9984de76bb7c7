// One aggregated field of a block of buckets as columns of integers. A sum of decimals is nearly a
// decimal: its mean as a scaled integer, the remainder of the division, and the distance in doubles
// between the running sum and the exact one. Least, greatest and last value are differences from
// the mean. A row that doesn't fit (negative zero, 17 digits, huge numbers) is kept as five
// doubles.

import { aggregateOf, emptyField, type FieldSum, NOTHING, roundedMean } from "../bwts/bucket.ts";
import type { Aggregate } from "../bwts/tags.ts";
import type { ColumnReader, ColumnWriter, StoredColumn } from "./bucket-column.ts";
import { joinedSum, splitSum } from "./bucket-sum.ts";
import { DamagedError } from "./bytes.ts";
import { PLAIN } from "./column.ts";
import { type Decimal, decimalFor, FACTORS, SCALE_MAX, scaledOf } from "./decimal.ts";

/** A field's columns. `least` to `last` are differences from the mean. */
interface Columns<Column> {
  /** Readings of the bucket that don't have the field. */
  readonly missing: Column;
  readonly mean: Column;
  readonly rest: Column;
  readonly ulps: Column;
  readonly least: Column;
  readonly greatest: Column;
  readonly last: Column;
}

/** A field's columns, decoded. */
export type FieldColumns = Columns<Float64Array>;

/** Counts must be below this, so that they are 32-bit integers. */
const COUNT_MAX = 2 ** 31;
/** Stored as the scale of a field without a decimal: all its rows are kept as doubles. */
const NO_DECIMAL = 31;
/** Added to the scale if the decimals are rounded to single precision. */
const SINGLE = 16;
/** Added if the last value is 0 in all rows, as in most fields: then it has no column. */
const WITHOUT_LAST = 32;
const PLAIN_DOUBLES = 5;

/**
 * One field of all buckets of a block: `fields[row]` belongs to bucket `row` with `counts[row]`
 * readings.
 */
export interface FieldRows {
  readonly fields: readonly Readonly<FieldSum>[];
  readonly counts: Float64Array;
}

/** Writes a field. `like` holds the columns of a similar field, if there is one. */
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
  const hasLast = fields.some(({ last }) => !Object.is(last, 0));
  const scale = decimal === null ? NO_DECIMAL : decimal.scale + (decimal.single ? SINGLE : 0);
  to.notes.byte(hasLast ? scale : scale + WITHOUT_LAST);
  writePlainRows(to, plainRows, fields);
  to.integers(columns.missing, like === null ? [] : [like.missing]);
  to.integers(columns.mean, like === null ? [] : [like.mean]);
  to.integers(columns.rest, []);
  to.integers(columns.ulps, []);
  to.integers(columns.least, like === null ? [] : [like.least]);
  to.integers(columns.greatest, [columns.least, ...(like === null ? [] : [like.greatest])]);
  if (hasLast) to.integers(columns.last, [columns.greatest, ...(like === null ? [] : [like.last])]);
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

// The decimal of a field's values, which is also that of their sum.
function decimalOf(fields: FieldRows["fields"]): Decimal | null {
  const values = new Float64Array(3 * fields.length);
  let found = 0;
  for (const { n, min, max, last } of fields) {
    if (n === 0) continue;
    values[found] = min;
    values[found + 1] = max;
    values[found + 2] = last;
    // Most fields keep no last value; their zeros say little about the decimal.
    found += last === 0 ? 2 : 3;
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

// Fills a row. False if the same doubles couldn't be restored from it.
function splitField(columns: FieldColumns, { row, field, decimal }: Split): boolean {
  const { n, sum } = field;
  const { scale, single } = decimal;
  const min = scaledOf(field.min, scale, single);
  const max = scaledOf(field.max, scale, single);
  const last = scaledOf(field.last, scale, single);
  if (min === null || max === null || last === null) return false;
  if (!Number.isInteger(n) || n < 1 || n >= COUNT_MAX) return false;
  const split = splitSum(sum, FACTORS[scale]);
  if (split === null) return false;
  const mean = Math.round(split.scaled / n);
  columns.mean[row] = mean;
  columns.rest[row] = split.scaled - mean * n;
  columns.ulps[row] = split.ulps;
  columns.least[row] = min - mean;
  columns.greatest[row] = max - mean;
  columns.last[row] = last - mean;
  return true;
}

// A row kept as doubles costs least as a repetition of the row before.
function repeatRow(columns: FieldColumns, row: number): void {
  if (row === 0) return;
  for (const column of Object.values(columns)) column[row] = column[row - 1];
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

/** A stored field. Its columns are decoded on demand. */
export interface StoredField {
  readonly columns: Columns<StoredColumn>;
  readonly decimal: Decimal;
  /** Rows that are kept as doubles. */
  readonly plain: ReadonlyMap<number, FieldSum>;
}

/**
 * Reads a field of `count` buckets, with the same `like` as when written. Throws a DamagedError.
 */
export function readField(
  from: ColumnReader,
  count: number,
  like: StoredField["columns"] | null,
): StoredField {
  const code = from.notes.byte();
  const decimal = decimalOn(code % WITHOUT_LAST);
  const hasLast = code < WITHOUT_LAST;
  const plain = readPlainRows(from, count);
  const missing = from.integers(like === null ? [] : [like.missing]);
  const mean = from.integers(like === null ? [] : [like.mean]);
  const rest = from.integers([]);
  const ulps = from.integers([]);
  const least = from.integers(like === null ? [] : [like.least]);
  const greatest = from.integers([least, ...(like === null ? [] : [like.greatest])]);
  const last = hasLast
    ? from.integers([greatest, ...(like === null ? [] : [like.last])])
    : once(() => mean().map((distance) => -distance));
  return { columns: { missing, mean, rest, ulps, least, greatest, last }, decimal, plain };
}

function once(make: () => Float64Array): StoredColumn {
  let made: Float64Array | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** The field of bucket `row` with `count` readings. */
export function fieldAt(
  { columns, decimal, plain }: StoredField,
  { row, count }: { readonly row: number; readonly count: number },
): FieldSum {
  const kept = plain.get(row);
  if (kept !== undefined) return { ...kept };
  // Converts a double from an array to the engine's small integer.
  const n = (count - columns.missing()[row]) | 0;
  if (n === 0) return emptyField();
  const { scale, single } = decimal;
  const factor = FACTORS[scale];
  const middle = columns.mean()[row];
  const value = (distance: number) =>
    single ? Math.fround((middle + distance) / factor) : (middle + distance) / factor;
  return {
    n,
    sum: joinedSum({ scaled: middle * n + columns.rest()[row], ulps: columns.ulps()[row] }, factor),
    min: value(columns.least()[row]),
    max: value(columns.greatest()[row]),
    last: value(columns.last()[row]),
  };
}

/** The place for a field's values: the element of bucket `row` is `first + row * stride`. */
export interface Aggregates {
  readonly values: Float64Array;
  readonly first: number;
  readonly stride: number;
}

/**
 * Writes each bucket's aggregate of the field, as `aggregateOf` gives it, without decoding the
 * rest.
 */
export function aggregateField(
  field: StoredField,
  { counts, how }: { readonly counts: Float64Array; readonly how: Aggregate },
  to: Aggregates,
): void {
  if (how === "mean") putMeans(field, counts, to);
  else putValues(field, { counts, distances: distancesOf(field, how) }, to);
  for (const [row, kept] of field.plain)
    to.values[to.first + row * to.stride] = aggregateOf(kept, how);
}

function distancesOf({ columns }: StoredField, how: "max" | "last"): Float64Array {
  return how === "max" ? columns.greatest() : columns.last();
}

function putMeans({ columns, decimal }: StoredField, counts: Float64Array, to: Aggregates): void {
  const { values, first, stride } = to;
  const factor = FACTORS[decimal.scale];
  const [missing, mean] = [columns.missing(), columns.mean()];
  const [rest, ulps] = [columns.rest(), columns.ulps()];
  for (let row = 0, at = first; row < counts.length; row += 1, at += stride) {
    const n = counts[row] - missing[row];
    const sum = joinedSum({ scaled: mean[row] * n + rest[row], ulps: ulps[row] }, factor);
    values[at] = n === 0 ? NOTHING : (roundedMean(sum, n) ?? NOTHING);
  }
}

function putValues(
  { columns, decimal }: StoredField,
  { counts, distances }: { readonly counts: Float64Array; readonly distances: Float64Array },
  { values, first, stride }: Aggregates,
): void {
  const factor = FACTORS[decimal.scale];
  const [missing, mean] = [columns.missing(), columns.mean()];
  for (let row = 0, at = first; row < counts.length; row += 1, at += stride) {
    const value = (mean[row] + distances[row]) / factor;
    if (counts[row] === missing[row]) values[at] = NOTHING;
    else values[at] = decimal.single ? Math.fround(value) : value;
  }
}

function decimalOn(code: number): Decimal {
  if (code === NO_DECIMAL) return PLAIN;
  const scale = code % SINGLE;
  if (scale > SCALE_MAX) throw new DamagedError(`scale ${code}: unknown`);
  return { scale, single: code >= SINGLE };
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
