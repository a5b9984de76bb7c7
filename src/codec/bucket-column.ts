// The integer columns of a block of buckets. Residuals of a predictor, perhaps after a similar
// column was subtracted, are cut into digits of base 256 from -128 to 127, so that small ones of
// either sign have zeros above. Digit planes of similar noise share a zstd frame. A column is
// decoded on demand, and a frame opened with its first column: most answers need means, not
// extremes.

import {
  costOf,
  PREDICTORS,
  type Predictor,
  predict,
  restore,
  startOf,
} from "./bucket-predictor.ts";
import { ByteReader, ByteWriter, DamagedError } from "./bytes.ts";
import { compress, decompress } from "./frame.ts";
import { isNotZero, takeDigits } from "./integers.ts";

/** Classes of low digits by noise, in bits. Each has a frame with its own frequencies. */
const NOISES = 8;
const FRAME = { codes: 0, starts: 1, notes: 2, doubles: 3, high: 4, low: 5 } as const;
const FRAMES = FRAME.low + NOISES;

/** Digits of an integer, at most: residuals of scaled integers are below 2^55. */
const WIDTH_MAX = 7;
/**
 * Largest size of a frame, in bytes a row (high digits: some 400 columns of at most 6) and in fixed
 * bytes. A larger one is damaged.
 */
const ROW_BYTES_MAX = 4096;
const FIXED_BYTES_MAX = 65_536;

/** zstd's level: 17 gives the same size here and takes a third longer. */
const LEVEL = 13;

/** Columns of a reader that share one array. */
const COLUMNS_TOGETHER = 32;

interface Choice {
  readonly cost: number;
  readonly predictor: Predictor;
  readonly start: number;
  /** 0: none. From 1: number of the column in `besides` that is subtracted. */
  readonly beside: number;
}

/** Writes the columns of a block. All have `count` rows. */
export class ColumnWriter {
  /** Bytes that belong to no column. A reader finds them in its own `notes`. */
  readonly notes = new ByteWriter();
  readonly #codes = new ByteWriter();
  readonly #starts = new ByteWriter();
  readonly #planes: Uint8Array[][] = Array.from({ length: FRAMES }, () => []);
  readonly #difference: Float64Array;
  readonly #residuals: Float64Array;

  constructor(count: number) {
    this.#difference = new Float64Array(count);
    this.#residuals = new Float64Array(count);
  }

  /** Writes integers below 2^49. At most 3 columns `besides` may resemble this one. */
  integers(column: Float64Array, besides: readonly Float64Array[]): void {
    const { cost, predictor, start, beside } = this.#choice(column, besides);
    const residuals = this.#residuals;
    predict(this.#left(column, besides, beside), { predictor, start }, residuals);
    const noise = Math.min(NOISES - 1, Math.round(cost / column.length));
    let width = 0;
    for (; residuals.some(isNotZero); width += 1)
      this.#planes[width === 0 ? FRAME.low + noise : FRAME.high].push(takeDigits(residuals));
    this.#codes.byte(PREDICTORS.indexOf(predictor) + 4 * beside + 16 * width);
    if (width > 0) this.#codes.byte(noise);
    this.#starts.signed(start);
  }

  /** Writes any doubles, as eight planes. */
  doubles(doubles: Float64Array): void {
    const view = new DataView(doubles.buffer, doubles.byteOffset, doubles.byteLength);
    for (let plane = 0; plane < 8; plane += 1) {
      const bytes = new Uint8Array(doubles.length);
      for (let i = 0; i < doubles.length; i += 1) bytes[i] = view.getUint8(8 * i + plane);
      this.#planes[FRAME.doubles].push(bytes);
    }
  }

  /** Returns all frames. */
  finish(): Uint8Array {
    this.#planes[FRAME.codes].push(this.#codes.finish());
    this.#planes[FRAME.starts].push(this.#starts.finish());
    this.#planes[FRAME.notes].push(this.notes.finish());
    const to = new ByteWriter();
    for (const planes of this.#planes) {
      const plain = Buffer.concat(planes);
      const packed = plain.length === 0 ? plain : compress(plain, LEVEL);
      to.varint(plain.length);
      if (plain.length === 0) continue;
      to.varint(packed.length);
      to.bytes(packed);
    }
    return to.finish();
  }

  #choice(column: Float64Array, besides: readonly Float64Array[]): Choice {
    let best: Choice = { cost: Number.POSITIVE_INFINITY, predictor: "fixed", start: 0, beside: 0 };
    for (let beside = 0; beside <= besides.length; beside += 1) {
      const left = this.#left(column, besides, beside);
      for (const predictor of PREDICTORS) {
        const start = startOf(left, predictor);
        predict(left, { predictor, start }, this.#residuals);
        const cost = costOf(this.#residuals);
        if (cost < best.cost) best = { cost, predictor, start, beside };
        if (cost === 0) return best;
      }
    }
    return best;
  }

  // The residual of `column` after a column of `besides` is subtracted.
  #left(column: Float64Array, besides: readonly Float64Array[], beside: number): Float64Array {
    if (beside === 0) return column;
    const other = besides[beside - 1];
    for (let row = 0; row < column.length; row += 1)
      this.#difference[row] = column[row] - other[row];
    return this.#difference;
  }
}

/** A column of a block, decoded on its first call and kept. Throws a DamagedError. */
export type StoredColumn = () => Float64Array;

/** A stored frame, and its decompressed bytes after the first use. */
interface Frame {
  readonly packed: Uint8Array;
  readonly length: number;
  opened: Int8Array | null;
  /** Bytes from its start that are assigned to columns. */
  end: number;
}

/** The coding of a column, and the place of its digits. */
interface ColumnPlan {
  readonly predictor: Predictor;
  readonly start: number;
  readonly beside: StoredColumn | null;
  readonly width: number;
  /** Frame and start of the low digits; the higher ones follow `highAt`. */
  readonly low: Frame;
  readonly lowAt: number;
  readonly highAt: number;
}

/** Reads columns in the order in which a `ColumnWriter` wrote them. Throws DamagedErrors only. */
export class ColumnReader {
  readonly notes: ByteReader;
  readonly #count: number;
  readonly #codes: ByteReader;
  readonly #starts: ByteReader;
  readonly #frames: readonly Frame[];
  readonly #nothing: Float64Array;
  #room = new Float64Array(0);
  #taken = 0;

  constructor(from: ByteReader, count: number) {
    const lengthMax = FIXED_BYTES_MAX + count * ROW_BYTES_MAX;
    this.#count = count;
    this.#nothing = new Float64Array(count);
    this.#frames = Array.from({ length: FRAMES }, () => {
      const length = from.varint();
      if (length > lengthMax)
        throw new DamagedError(`frame of ${length} bytes: expected at most ${lengthMax}`);
      const packed = from.bytes(length === 0 ? 0 : from.varint());
      return { packed, length, opened: null, end: 0 };
    });
    this.#codes = new ByteReader(bytesOf(this.#frames[FRAME.codes]));
    this.#starts = new ByteReader(bytesOf(this.#frames[FRAME.starts]));
    this.notes = new ByteReader(bytesOf(this.#frames[FRAME.notes]));
  }

  /** The next column of integers. `besides` must be the same as when it was written. */
  integers(besides: readonly StoredColumn[]): StoredColumn {
    const code = this.#codes.byte();
    const predictor = PREDICTORS[code & 3];
    const nth = (code >> 2) & 3;
    const width = code >> 4;
    if (width > WIDTH_MAX || nth > besides.length)
      throw new DamagedError(`coding ${code}: unknown`);
    const noise = width === 0 ? 0 : this.#codes.byte();
    if (noise >= NOISES) throw new DamagedError(`noise ${noise}: expected less than ${NOISES}`);
    const start = this.#starts.signed();
    const beside = nth === 0 ? null : besides[nth - 1];
    // Many columns are all zeros, or equal to the one beside.
    if (width === 0 && start === 0) return beside ?? (() => this.#nothing);
    const low = this.#frames[FRAME.low + noise];
    const lowAt = taken(low, width > 0 ? this.#count : 0);
    const highAt = taken(this.#frames[FRAME.high], width > 1 ? (width - 1) * this.#count : 0);
    const plan = { predictor, start, beside, width, low, lowAt, highAt };
    let column: Float64Array | null = null;
    return () => {
      column ??= this.#decoded(plan);
      return column;
    };
  }

  /** The next `count` doubles. */
  doubles(count: number): Float64Array {
    const doubles = new Float64Array(count);
    const view = new DataView(doubles.buffer);
    const frame = this.#frames[FRAME.doubles];
    const bytes = bytesOf(frame);
    for (let plane = 0; plane < 8; plane += 1) {
      const start = taken(frame, count);
      for (let i = 0; i < count; i += 1) view.setInt8(8 * i + plane, bytes[start + i]);
    }
    return doubles;
  }

  #decoded({ predictor, start, beside, width, low, lowAt, highAt }: ColumnPlan): Float64Array {
    const column = this.#zeros();
    if (width === 0) column.fill(start);
    else {
      column.set(bytesOf(low).subarray(lowAt, lowAt + column.length));
      for (let plane = 1; plane < width; plane += 1) {
        const at = highAt + (plane - 1) * column.length;
        addDigits(column, bytesOf(this.#frames[FRAME.high]), at, 256 ** plane);
      }
      restore(column, predictor, start);
    }
    if (beside !== null) add(column, beside());
    return column;
  }

  // Columns are cut from larger arrays: to allocate an array costs more than to fill it.
  #zeros(): Float64Array {
    if (this.#taken === this.#room.length) {
      this.#room = new Float64Array(this.#count * COLUMNS_TOGETHER);
      this.#taken = 0;
    }
    const start = this.#taken;
    this.#taken += this.#count;
    return this.#room.subarray(start, this.#taken);
  }
}

// The bytes of a frame, decompressed at the first call.
function bytesOf(frame: Frame): Int8Array {
  if (frame.opened !== null) return frame.opened;
  const { buffer, byteOffset, length } = decompress(frame.packed, frame.length);
  frame.opened = new Int8Array(buffer, byteOffset, length);
  return frame.opened;
}

// Assigns the next `length` bytes of a frame; returns their start.
function taken(frame: Frame, length: number): number {
  const start = frame.end;
  const left = frame.length - start;
  if (length > left) throw new DamagedError(`frame: ${left} bytes left, expected ${length}`);
  frame.end = start + length;
  return start;
}

function addDigits(column: Float64Array, digits: Int8Array, start: number, factor: number): void {
  for (let row = 0; row < column.length; row += 1) column[row] += digits[start + row] * factor;
}

function add(column: Float64Array, other: Float64Array): void {
  for (let row = 0; row < column.length; row += 1) column[row] += other[row];
}
