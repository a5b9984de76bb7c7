// The integer columns of a block of buckets: what a predictor leaves, perhaps of the difference to
// a like column, cut into digits of base 256 from -128 to 127, so that small ones of either sign
// have zeros above. The planes of digits lie in a zstd frame with those that are as noisy. A column
// is decoded when it is asked for, and a frame opened with the first of its columns: most answers
// want a mean, and no least and greatest values.

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

/** Low digits are told apart by their noise, in bits: each frame has its own frequencies. */
const NOISES = 8;
const FRAME = { codes: 0, starts: 1, notes: 2, doubles: 3, high: 4, low: 5 } as const;
const FRAMES = FRAME.low + NOISES;

/** Digits of an integer: what is left of differences between scaled integers is below 2^55. */
const WIDTH_MAX = 7;
/** Bytes of a frame for each row of a block (high digits: some 400 columns of 6 at most), and for
 * what doesn't grow with the rows: beyond these something is damaged. */
const ROW_BYTES_MAX = 4096;
const FIXED_BYTES_MAX = 65_536;

/** zstd's level: 17 gives the same size here and takes a third longer. */
const LEVEL = 13;

/** Columns of a reader that share an array. */
const COLUMNS_TOGETHER = 32;

interface Choice {
  readonly cost: number;
  readonly predictor: Predictor;
  readonly start: number;
  /** 0: none, else from 1 which of the columns beside. */
  readonly beside: number;
}

/** Writes the columns of a block, all of `count` rows. */
export class ColumnWriter {
  /** For what isn't a column; a reader finds it in its own `notes`. */
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

  /** Writes integers below 2^49, which may be like one of the columns `besides` (3 at most). */
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

  /** Writes doubles of any kind and number, as eight planes. */
  doubles(doubles: Float64Array): void {
    const view = new DataView(doubles.buffer, doubles.byteOffset, doubles.byteLength);
    for (let plane = 0; plane < 8; plane += 1) {
      const bytes = new Uint8Array(doubles.length);
      for (let i = 0; i < doubles.length; i += 1) bytes[i] = view.getUint8(8 * i + plane);
      this.#planes[FRAME.doubles].push(bytes);
    }
  }

  /** All frames. */
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

  // What a column beside leaves of `column`.
  #left(column: Float64Array, besides: readonly Float64Array[], beside: number): Float64Array {
    if (beside === 0) return column;
    const other = besides[beside - 1];
    for (let row = 0; row < column.length; row += 1)
      this.#difference[row] = column[row] - other[row];
    return this.#difference;
  }
}

function isNotZero(residual: number): boolean {
  return residual !== 0;
}

// Takes the lowest digit off each residual.
function takeDigits(residuals: Float64Array): Uint8Array {
  const digits = new Int8Array(residuals.length);
  for (let row = 0; row < digits.length; row += 1) {
    // A store keeps the lowest eight bits.
    digits[row] = residuals[row];
    residuals[row] = (residuals[row] - digits[row]) / 256;
  }
  return new Uint8Array(digits.buffer);
}

/** A column of a block: decoded when it is first asked for, and kept. Throws a DamagedError. */
export type StoredColumn = () => Float64Array;

/** A frame as stored, and its bytes once they were asked for. */
interface Frame {
  readonly packed: Uint8Array;
  readonly length: number;
  opened: Int8Array | null;
  /** How much of it was given to columns. */
  end: number;
}

/** How a column was coded, and where its digits lie. */
interface ColumnPlan {
  readonly predictor: Predictor;
  readonly start: number;
  readonly beside: StoredColumn | null;
  readonly width: number;
  /** The frame of the low digits and the place in it; the higher ones follow `highAt`. */
  readonly low: Frame;
  readonly lowAt: number;
  readonly highAt: number;
}

/** Reads what a `ColumnWriter` wrote, in the same order. All throws are DamagedErrors. */
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

  /** The next column of integers; the same `besides` as when it was written. */
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
    // Many columns are nothing, or the one beside once more.
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

  // Columns are cut from larger arrays, for an array of its own costs more than to fill it.
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

// The bytes of a frame, decompressed the first time.
function bytesOf(frame: Frame): Int8Array {
  if (frame.opened !== null) return frame.opened;
  const { buffer, byteOffset, length } = decompress(frame.packed, frame.length);
  frame.opened = new Int8Array(buffer, byteOffset, length);
  return frame.opened;
}

// Takes the next `length` bytes of a frame, and says where they start.
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
