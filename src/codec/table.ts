// A table by columns: the format of sealed readings and of blocks of buckets. The directory gives
// the coding of each column and lets a reader find any of them; the payload is zstd frames. Columns
// are split first and coded afterwards, because a column may be coded relative to any other.

import { ByteWriter } from "./bytes.ts";
import { type Column, KIND, KINDS, pick, rowsOf } from "./column.ts";
import { type Decimal, FACTORS } from "./decimal.ts";
import { compressShort, FRAME, FrameWriter } from "./frame.ts";
import { type Integers, type Reference, writeIntegers, writePlan } from "./integers.ts";
import { multipliersOf } from "./reference.ts";
import { writeWords } from "./words.ts";

/** Columns that may explain others. Writer and reader must use the same. */
export interface Relations {
  /** Columns that may explain `column`, likeliest first; used in writing only. */
  explaining(column: number): readonly number[];
  /** The column that `computed` explains, or null; used in writing only. */
  readonly computedColumn: number | null;
  /** The computed values of that column, in units of `decimal`. */
  computed(columns: (column: number) => Column, count: number, decimal: Decimal): Integers;
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
export function writeColumns(split: readonly Column[], relations: Relations): TableBytes {
  const frames = new FrameWriter();
  const codes = new ByteWriter();
  const amounts = new ByteWriter();
  for (const [index, column] of split.entries()) {
    writeKinds(column, { codes, amounts, frames });
    const rows = rowsOf(column, KIND.decimal);
    if (column.integers.length > 0) {
      codes.byte(column.decimal.scale + (column.decimal.single ? SINGLE_FLAG : 0));
      const references = referencesOf({ index, split, relations, rows });
      const integers = pick(column.integers, rows);
      const plan = writeIntegers(integers, { references, frame: null, to: frames });
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
  frames.append(FRAME.codes, column.kinds);
}

function writeCodes(column: Column, { codes, amounts, frames }: Target): void {
  const words = writeWords(column.words);
  amounts.varint(column.words.length);
  amounts.varint(words.length);
  frames.append(FRAME.words, words);
  const integers = pick(column.codes, rowsOf(column, KIND.word));
  const plan = writeIntegers(integers, { references: () => [], frame: FRAME.codes, to: frames });
  writePlan(plan, codes, amounts);
}

interface Place {
  readonly index: number;
  readonly split: readonly Column[];
  readonly relations: Relations;
  readonly rows: Int32Array | null;
}

function referencesOf({ index, split, relations, rows }: Place) {
  const { decimal, count } = split[index];
  return (target: Float64Array): Reference[] => {
    const references: Reference[] = [];
    if (relations.computedColumn === index) {
      const computed = relations.computed((other) => split[other], count, decimal);
      const integers = new Float64Array(pick(computed, rows));
      references.push({ id: REFERENCE.computed, multiplier: 1, integers });
    }
    for (const other of relations.explaining(index)) {
      if (split[other].integers.length === 0) continue;
      const integers = new Float64Array(pick(split[other].integers, rows));
      const ratio = FACTORS[decimal.scale] / FACTORS[split[other].decimal.scale];
      for (const multiplier of multipliersOf(target, integers, ratio))
        references.push({ id: REFERENCE.column + other, multiplier, integers });
    }
    return references;
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
