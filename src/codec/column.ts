// A column of a table: each row is empty, a decimal, a double or a word. Nearly every column has
// one kind only. Where kinds mix (nulls, an unknown tag that changes its type, a number that the
// decimal doesn't hold), a byte a row gives the kind. All arrays are indexed by row, so that access
// needs no counting.

import type { Scalar, Value } from "../bwts/reading.ts";
import { type Decimal, FACTORS, unscaled } from "./decimal.ts";
import { type Integers, isSame } from "./integers.ts";

/** Kind of a row. The numbers are codes on disk. */
export const KIND = { none: 0, decimal: 1, double: 2, word: 3 } as const;
export const KINDS = 4;

export interface Column {
  readonly count: number;
  /** The kind of all rows; null if they differ. */
  readonly kind: number | null;
  /** Kind by row; null if all are of one kind. */
  readonly kinds: Uint8Array | null;
  readonly decimal: Decimal;
  /** Scaled decimals by row; empty if the column has none. */
  readonly integers: Integers;
  /** Doubles by row; empty if the column has none. */
  readonly doubles: Float64Array;
  /** Index into `words` by row; empty if the column has no words. */
  readonly codes: Integers;
  /** Texts and booleans, each once. */
  readonly words: readonly Scalar[];
}

export const PLAIN: Decimal = { scale: 0, single: false };
export const NO_INTEGERS: Integers = new Int32Array(0);
export const NO_DOUBLES: Float64Array = new Float64Array(0);

/** The value at `row`, bit for bit as it was written. */
export function valueAt(column: Column, row: number): Value {
  switch (column.kinds === null ? column.kind : column.kinds[row]) {
    case KIND.decimal:
      return unscaled(column.integers[row], column.decimal);
    case KIND.double:
      return column.doubles[row];
    case KIND.word:
      return column.words[column.codes[row]];
    default:
      return null;
  }
}

/** As `valueAt`, for many rows of one column: the kind is tested once if all rows share it. */
export function valuesOf(column: Column): (row: number) => Value {
  const { kind, kinds, integers, decimal, codes, words } = column;
  if (kinds !== null) return (row) => valueAt(column, row);
  if (kind === KIND.none) return () => null;
  if (kind === KIND.word) return (row) => words[codes[row]];
  if (kind !== KIND.decimal || decimal.single) return (row) => valueAt(column, row);
  const factor = FACTORS[decimal.scale];
  return (row) => integers[row] / factor;
}

/** True if every row holds the same value. False for doubles, which aren't compared. */
export function isConstant({ kind, integers, words }: Column): boolean {
  switch (kind) {
    case KIND.none:
      return true;
    case KIND.decimal:
      return isSame(integers);
    case KIND.word:
      return words.length === 1;
    default:
      return false;
  }
}

/** The rows that hold `kind`; null for all rows. */
export function rowsOf({ count, kinds }: Column, kind: number): Int32Array<ArrayBuffer> | null {
  if (kinds === null) return null;
  const rows = new Int32Array(count);
  let found = 0;
  for (let row = 0; row < count; row += 1) {
    if (kinds[row] !== kind) continue;
    rows[found] = row;
    found += 1;
  }
  return rows.subarray(0, found);
}

/** The entries of `values` at `rows`; all for null. */
export function pick<T extends Integers>(values: T, rows: Int32Array | null): T;
export function pick(values: Integers, rows: Int32Array | null): Integers {
  if (rows === null) return values;
  const picked =
    values instanceof Int32Array ? new Int32Array(rows.length) : new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) picked[i] = values[rows[i]];
  return picked;
}
