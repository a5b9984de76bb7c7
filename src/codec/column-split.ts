// Splits the values of a column into decimals, doubles and words. Nearly all columns hold numbers
// of one decimal, or one word throughout, which is tested first. The others are sorted value by
// value.

import type { Scalar, Value } from "../bwts/reading.ts";
import { type Column, KIND, NO_DOUBLES, NO_INTEGERS, PLAIN } from "./column.ts";
import { type Decimal, decimalFor, FACTORS, scaledOf } from "./decimal.ts";
import type { Integers } from "./integers.ts";

/** Sample size for guessing the decimal of a column. */
const GUESSED_FROM = 64;

/** `scaled`: numbers as integers where possible; `plain`: all numbers as 64-bit doubles. */
export type Splitting = "scaled" | "plain";

/** The column that holds `values`. */
export function columnOf(values: readonly Value[], splitting: Splitting): Column {
  const splitter = new ColumnSplitter(values.length);
  for (let row = 0; row < values.length; row += 1) splitter.put(row, values[row]);
  return splitter.split(splitting);
}

/** Collects `count` values of a column in any order, then gives the column. */
export class ColumnSplitter {
  /** Numbers by row. NaN, which JSON can't express, marks a row without a number. */
  readonly #numbers: Float64Array;
  /** Other values by row, null for a number; null as a whole if there are only numbers. */
  #others: Value[] | null = null;
  #othersCount = 0;

  constructor(count: number) {
    this.#numbers = new Float64Array(count);
  }

  put(row: number, value: Value): void {
    if (typeof value === "number") this.#numbers[row] = value;
    else this.#putOther(row, value);
  }

  split(splitting: Splitting): Column {
    const numbers = this.#numbers;
    const others = this.#others;
    if (splitting === "plain") return ofAll(numbers, others, null);
    if (others === null) return ofNumbers(numbers) ?? ofAll(numbers, null, decimalFor(numbers));
    if (this.#othersCount === numbers.length && others.every((value) => value === others[0]))
      return ofSame(others[0], numbers.length);
    return ofAll(numbers, others, decimalFor(numbers.filter(isNumber)));
  }

  #putOther(row: number, value: Value): void {
    this.#others ??= new Array<Value>(this.#numbers.length).fill(null);
    this.#others[row] = value;
    this.#othersCount += 1;
    this.#numbers[row] = Number.NaN;
  }
}

// Null if the decimal guessed from a sample doesn't hold all numbers.
function ofNumbers(numbers: Float64Array): Column | null {
  const decimal = decimalFor(some(numbers));
  if (decimal === null) return null;
  const integers = scaledAll(numbers, decimal);
  if (integers === null) return null;
  return { ...blank(numbers.length, KIND.decimal), decimal, integers };
}

// An evenly spread sample of the numbers.
function some(numbers: Float64Array): Float64Array {
  if (numbers.length <= GUESSED_FROM) return numbers;
  const distance = numbers.length / GUESSED_FROM;
  return new Float64Array(GUESSED_FROM).map((_, i) => numbers[Math.floor(i * distance)]);
}

// The scaled integers of all numbers, or null if the decimal doesn't hold one of them.
function scaledAll(numbers: Float64Array, { scale, single }: Decimal): Integers | null {
  if (single) return null;
  const factor = FACTORS[scale];
  const narrow = new Int32Array(numbers.length);
  for (let row = 0; row < narrow.length; row += 1) {
    const value = numbers[row];
    const product = value * factor;
    const scaled = (product < 0 ? product - 0.5 : product + 0.5) | 0;
    // Negative zero equals zero; only its quotient tells them apart.
    if (scaled / factor !== value || (scaled === 0 && 1 / value < 0))
      return scaledWide(numbers, scale);
    narrow[row] = scaled;
  }
  return narrow;
}

function scaledWide(numbers: Float64Array, scale: number): Float64Array | null {
  const wide = new Float64Array(numbers.length);
  for (let row = 0; row < wide.length; row += 1) {
    const scaled = scaledOf(numbers[row], scale, false);
    if (scaled === null) return null;
    wide[row] = scaled;
  }
  return wide;
}

function ofSame(value: Value, count: number): Column {
  if (value === null) return blank(count, KIND.none);
  return { ...blank(count, KIND.word), codes: new Int32Array(count), words: [value] };
}

function blank(count: number, kind: number): Column {
  const empty = { integers: NO_INTEGERS, doubles: NO_DOUBLES, codes: NO_INTEGERS, words: [] };
  return { count, kind, kinds: null, decimal: PLAIN, ...empty };
}

// Any mixture of kinds; `others` holds the values that aren't numbers. Without a decimal all
// numbers are doubles.
function ofAll(
  numbers: Float64Array,
  others: readonly Value[] | null,
  decimal: Decimal | null,
): Column {
  const count = numbers.length;
  const { scale, single } = decimal ?? PLAIN;
  const kinds = new Uint8Array(count);
  const integers = decimal === null ? NO_INTEGERS : new Float64Array(count);
  let doubles = NO_DOUBLES;
  let codes: Integers = NO_INTEGERS;
  const codeByWord = new Map<Scalar, number>();
  let found = 0;
  for (let row = 0; row < count; row += 1) {
    const value = numbers[row];
    const other = others === null ? null : others[row];
    const scaled = decimal === null ? null : scaledOf(value, scale, single);
    if (other !== null) {
      if (codes.length === 0) codes = new Int32Array(count);
      const code = codeByWord.get(other) ?? codeByWord.size;
      if (code === codeByWord.size) codeByWord.set(other, code);
      kinds[row] = KIND.word;
      codes[row] = code;
    } else if (scaled !== null) {
      kinds[row] = KIND.decimal;
      integers[row] = scaled;
    } else if (!Number.isNaN(value)) {
      if (doubles.length === 0) doubles = new Float64Array(count);
      kinds[row] = KIND.double;
      doubles[row] = value;
    }
    found |= 1 << kinds[row];
  }
  const isMixed = (found & (found - 1)) !== 0;
  return {
    ...blank(count, KIND.none),
    kind: isMixed ? null : 31 - Math.clz32(found),
    kinds: isMixed ? kinds : null,
    decimal: decimal ?? PLAIN,
    integers: narrowed(integers),
    doubles,
    codes,
    words: [...codeByWord.keys()],
  };
}

function isNumber(value: number): boolean {
  return !Number.isNaN(value);
}

// As 32-bit integers, if all fit.
function narrowed(integers: Integers): Integers {
  const narrow = new Int32Array(integers);
  for (let row = 0; row < narrow.length; row += 1)
    if (narrow[row] !== integers[row]) return integers;
  return narrow;
}
