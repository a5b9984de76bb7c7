// A table by columns: the format of sealed readings and of blocks of buckets. The directory gives
// the coding of each column and lets a reader find any of them; the payload is zstd frames. Columns
// are split first and coded afterwards, because a column may be coded relative to any other.

import { ByteWriter } from "./bytes.ts";
import { type Column, KIND, KINDS, pick, rowsOf } from "./column.ts";
import type { Decimal } from "./decimal.ts";
import { compressShort, FRAME, FrameWriter } from "./frame.ts";
import { type Integers, isSame, type Reference, writeIntegers, writePlan } from "./integers.ts";
import { multiplesFor, type Trend, trendOf } from "./reference.ts";
import { writeWords } from "./words.ts";

/** A column that is computed from others, of which only the differences are stored. */
export interface ComputedColumn {
  readonly column: number;
  /** The columns that it is computed from; these have no reference, so that none is circular. */
  readonly from: readonly number[];
  /** The computed values of that column, in units of `decimal`. */
  values(columns: (column: number) => Column, count: number, decimal: Decimal): Integers;
}

/** References on disk: 0 none, 1 computed, from 2 on the columns. */
export const REFERENCE = { none: 0, computed: 1, column: 2 } as const;

export const SINGLE_FLAG = 16;

/** The two parts of a table as stored. */
export interface TableBytes {
  /** Compressed; its length before compression comes first. */
  readonly directory: Buffer;
  readonly payload: Buffer;
}

/** Codes the columns of `split`, which all have the same number of rows. */
export function writeColumns(
  split: readonly Column[],
  computed: ComputedColumn | null,
): TableBytes {
  const frames = new FrameWriter();
  const codes = new ByteWriter();
  const amounts = new ByteWriter();
  const references = openReferences(split, computed);
  for (const [index, column] of split.entries()) {
    writeKinds(column, { codes, amounts, frames });
    const rows = rowsOf(column, KIND.decimal);
    if (column.integers.length > 0) {
      codes.byte(column.decimal.scale + (column.decimal.single ? SINGLE_FLAG : 0));
      const plan = writeIntegers(pick(column.integers, rows), {
        references: () => references(index, rows),
        frame: null,
        to: frames,
      });
      writePlan(plan, codes, amounts);
    }
    if (column.doubles.length > 0)
      for (const plane of doublePlanes(pick(column.doubles, rowsOf(column, KIND.double))))
        frames.append(FRAME.doubles, plane);
    if (column.codes.length > 0) writeCodes(column, { codes, amounts, frames });
  }
  const ends = new ByteWriter();
  const payload = frames.finish(ends);
  const plans = codes.finish();
  ends.varint(plans.length);
  const plain = Buffer.concat([ends.finish(), plans, amounts.finish()]);
  const directory = new ByteWriter();
  directory.varint(plain.length);
  directory.bytes(compressShort(plain));
  return { directory: directory.finish(), payload };
}

interface Target {
  readonly codes: ByteWriter;
  readonly amounts: ByteWriter;
  readonly frames: FrameWriter;
}

// Writes the kinds that occur and, unless there is only one, the rows of each.
function writeKinds(column: Column, { codes, amounts, frames }: Target): void {
  if (column.kinds === null) {
    codes.byte(1 << (column.kind ?? KIND.none));
    return;
  }
  const counts = new Array<number>(KINDS).fill(0);
  for (const kind of column.kinds) counts[kind] += 1;
  codes.byte(counts.reduce((mask, count, kind) => mask | (count > 0 ? 1 << kind : 0), 0));
  for (const count of counts) if (count > 0) amounts.varint(count);
  frames.append(FRAME.repeating, column.kinds);
}

function writeCodes(column: Column, { codes, amounts, frames }: Target): void {
  const words = writeWords(column.words);
  amounts.varint(column.words.length);
  amounts.varint(words.length);
  frames.append(FRAME.repeating, words);
  const integers = pick(column.codes, rowsOf(column, KIND.word));
  const plan = writeIntegers(integers, {
    references: () => [],
    frame: FRAME.repeating,
    to: frames,
  });
  writePlan(plan, codes, amounts);
}

/** Maximum number of columns compared with another: unknown tags can be thousands. */
const CANDIDATES_MAX = 128;

// Gives the columns that may explain column `index` at `rows` (null: all).
function openReferences(split: readonly Column[], computed: ComputedColumn | null) {
  const candidates = split.flatMap(({ integers }, column) =>
    integers.length > 0 && !isSame(integers) ? [{ column, integers }] : [],
  );
  const trends = new Map<number, Trend>();
  const trendAt = (column: number, integers: Integers, rows: Int32Array | null): Trend => {
    const trend = (rows === null && trends.get(column)) || trendOf(integers, rows);
    if (rows === null) trends.set(column, trend);
    return trend;
  };
  return (index: number, rows: Int32Array | null): readonly Reference[] => {
    if (computed?.from.includes(index) === true) return [];
    const { integers, decimal, count } = split[index];
    const width = integers.BYTES_PER_ELEMENT;
    // Times explain every counter, but no multiple is exact enough.
    const others = candidates
      .slice(0, CANDIDATES_MAX)
      .filter((other) => other.column < index && other.integers.BYTES_PER_ELEMENT === width);
    const found = multiplesFor(
      trendAt(index, integers, rows),
      others.map((other) => ({ ...other, trend: trendAt(other.column, other.integers, rows) })),
    ).map(({ column, multiplier }) => {
      const id = REFERENCE.column + column;
      return { id, multiplier, integers: pick(split[column].integers, rows) };
    });
    if (computed?.column !== index) return found;
    const values = computed.values((other) => split[other], count, decimal);
    return [{ id: REFERENCE.computed, multiplier: 1, integers: pick(values, rows) }, ...found];
  };
}

// Eight planes; the bytes with sign and exponent come first.
function doublePlanes(doubles: Float64Array): Uint8Array[] {
  const view = new DataView(doubles.buffer, doubles.byteOffset, doubles.byteLength);
  return Array.from({ length: 8 }, (_, plane) => {
    const bytes = new Uint8Array(doubles.length);
    for (let i = 0; i < doubles.length; i += 1) bytes[i] = view.getUint8(i * 8 + 7 - plane);
    return bytes;
  });
}
