// A run of integers as byte planes. Each is predicted from those before, perhaps after a multiple
// of another column is subtracted. Residuals are cut into digits of base 256 from -128 to 127, so
// that small ones of either sign have zeros above. Low digits share a frame with equally noisy
// columns: without that a segment is 9 % larger. Varints and bit packing were rejected: zstd
// compresses them worse and they read slower.

import { type ByteReader, type ByteWriter, DamagedError } from "./bytes.ts";
import { SCALED_MAX } from "./decimal.ts";
import { FRAME, type FrameReader, type FrameWriter, LOW_FRAMES, type Place } from "./frame.ts";
import {
  bitsOfAll,
  guessPrediction,
  type Predictor,
  predictNarrow,
  predictWide,
  restoreNarrow,
  restoreWide,
} from "./predictor.ts";

export type Integers = Int32Array | Float64Array;

/** Another column that may explain this one, row for row. */
export interface Reference {
  /** From 1; the table defines its meaning. */
  readonly id: number;
  /** Single precision, so that it is the same when read back. */
  readonly multiplier: number;
  readonly integers: Integers;
}

/** The coding of a run of integers: all that a reader needs beside the bytes. */
export interface IntegerPlan {
  readonly prediction: Predictor;
  /** Bytes of a residual; 0 if all are zero. */
  readonly width: number;
  /** True if all integers fit 32 bits: residuals are then taken modulo 2^32. */
  readonly narrow: boolean;
  /** Frame of the low bytes. */
  readonly frame: number;
  /** Id of the reference; 0 for none. */
  readonly reference: number;
  readonly multiplier: number;
}

/** Cost of a reference in the directory, in bits. */
const REFERENCE_BITS = 32;
/** Minimum bits a row of a column that is worth the search for a reference. */
const EXPLAINED_BITS_MIN = 1 / 32;
/** Minimum lengths of runs: below the first all use one frame, below the second they share. */
const CLASSED_MIN = 128;
const FINELY_CLASSED_MIN = 768;
const NARROW_WIDTH_MAX = 4;
const WIDTH_MAX = 7;
/** Limit of the residuals of a reference: larger ones don't fit the digits or a start. */
const LEFT_MAX = 2 ** 50;

interface Choice {
  readonly bits: number;
  readonly prediction: Predictor;
  readonly reference: Reference | null;
}

/**
 * Codes `integers` (not empty, all below `SCALED_MAX`). `references` gives columns that may explain
 * them, and is called only if that can pay. `frame` null: chosen by the size of the residuals.
 */
export function writeIntegers(
  integers: Integers,
  options: {
    references: () => readonly Reference[];
    frame: number | null;
    to: FrameWriter;
  },
): IntegerPlan {
  const narrow = integers instanceof Int32Array;
  const [first] = integers;
  const same = {
    prediction: { window: 0, bySteps: false, first, step: 0 },
    reference: 0,
    multiplier: 0,
  };
  if (isSame(integers)) return { ...same, narrow, width: 0, frame: FRAME.repeating };
  const wide = narrow ? new Float64Array(integers) : integers;
  const { prediction, reference } = choose(wide, narrow, options.references);
  const left = reference === null ? wide.slice() : without(wide, reference, wide.slice());
  const digits = narrow ? new Int32Array(left) : left;
  if (digits instanceof Int32Array) predictNarrow(digits, prediction);
  else predictWide(digits, prediction);
  const frame = options.frame ?? classOf(bitsOfAll(digits), integers.length);
  const planes = digits instanceof Int32Array ? planesOfNarrow(digits) : planesOfWide(digits);
  for (const [plane, bytes] of planes.entries())
    options.to.append(plane === 0 ? frame : FRAME.repeating, bytes);
  const { id, multiplier } = reference ?? { id: 0, multiplier: 0 };
  return { prediction, narrow, width: planes.length, frame, reference: id, multiplier };
}

/** True if all are equal. */
export function isSame(integers: Integers): boolean {
  const [first] = integers;
  for (let i = 1; i < integers.length; i += 1) if (integers[i] !== first) return false;
  return true;
}

function choose(
  integers: Float64Array,
  narrow: boolean,
  references: () => readonly Reference[],
): Choice {
  const space = { sums: new Float64Array(integers.length + 1), narrow };
  let best: Choice = { ...guessPrediction(integers, space), reference: null };
  if (best.bits <= REFERENCE_BITS + EXPLAINED_BITS_MIN * integers.length) return best;
  const left = new Float64Array(integers.length);
  for (const reference of references()) {
    const guess = guessPrediction(without(integers, reference, left), space);
    const bits = guess.bits + REFERENCE_BITS;
    if (bits < best.bits && isBelow(left, LEFT_MAX))
      best = { bits, prediction: guess.prediction, reference };
  }
  return best;
}

function isBelow(integers: Float64Array, limit: number): boolean {
  for (let i = 0; i < integers.length; i += 1) if (Math.abs(integers[i]) >= limit) return false;
  return true;
}

// Stores in `left` the residual after the reference is subtracted.
function without(
  integers: Float64Array,
  { integers: other, multiplier }: Reference,
  left: Float64Array,
): Float64Array {
  for (let i = 0; i < left.length; i += 1)
    left[i] = integers[i] - Math.floor(multiplier * other[i] + 0.5);
  return left;
}

// The digits of residuals modulo 2^32, lowest first; what remains is shifted in place.
function planesOfNarrow(residuals: Int32Array): Uint8Array[] {
  const planes: Uint8Array[] = [];
  let rest = residuals.some(isNotZero) ? 1 : 0;
  while (rest !== 0 && planes.length < NARROW_WIDTH_MAX) {
    const digits = new Int8Array(residuals.length);
    rest = 0;
    for (let i = 0; i < digits.length; i += 1) {
      const residual = residuals[i];
      // Adding half a digit rounds to the nearest: digits run from -128 to 127.
      const higher = (residual + 128) >> 8;
      digits[i] = residual;
      residuals[i] = higher;
      rest |= higher;
    }
    planes.push(new Uint8Array(digits.buffer));
  }
  return planes;
}

function planesOfWide(residuals: Float64Array): Uint8Array[] {
  const planes: Uint8Array[] = [];
  while (residuals.some(isNotZero)) planes.push(takeDigits(residuals));
  return planes;
}

function isNotZero(residual: number): boolean {
  return residual !== 0;
}

/** Takes the lowest signed base-256 digit off each residual, in place, and returns the digits. */
function takeDigits(residuals: Float64Array): Uint8Array {
  const digits = new Int8Array(residuals.length);
  for (let i = 0; i < digits.length; i += 1) {
    // The store keeps the lowest eight bits.
    digits[i] = residuals[i];
    residuals[i] = (residuals[i] - digits[i]) / 256;
  }
  return new Uint8Array(digits.buffer);
}

// The low frame for `count` residuals with `bits` in total: one frame for each half bit of noise.
function classOf(bits: number, count: number): number {
  if (count < CLASSED_MIN) return 0;
  const steps = count < FINELY_CLASSED_MIN ? 1 : 2;
  return Math.min(LOW_FRAMES - 1, Math.round((steps * bits) / count));
}

// The byte that holds the coding of a run: the window, two flags, and the width.
const BY_STEPS = 8;
const NARROW = 16;
const WIDTH = 32;

/** Writes a plan, which `readPlan` reads. */
export function writePlan(plan: IntegerPlan, codes: ByteWriter, amounts: ByteWriter): void {
  const { window, bySteps, first, step } = plan.prediction;
  codes.byte(window + (bySteps ? BY_STEPS : 0) + (plan.narrow ? NARROW : 0) + WIDTH * plan.width);
  codes.byte(plan.frame);
  codes.varint(plan.reference);
  if (plan.reference > 0) amounts.single(plan.multiplier);
  amounts.signed(first);
  if (bySteps) amounts.signed(step);
}

export function readPlan(codes: ByteReader, amounts: ByteReader): IntegerPlan {
  const coding = codes.byte();
  const window = coding & 7;
  const bySteps = (coding & BY_STEPS) !== 0;
  const narrow = (coding & NARROW) !== 0;
  const width = Math.floor(coding / WIDTH);
  if (width > (narrow ? NARROW_WIDTH_MAX : WIDTH_MAX) || (!narrow && window > 0))
    throw new DamagedError(`coding ${coding}: unknown`);
  const frame = codes.byte();
  const reference = codes.varint();
  const multiplier = reference > 0 ? amounts.single() : 0;
  const first = amounts.signed();
  const step = bySteps ? amounts.signed() : 0;
  const prediction = { window, bySteps, first, step };
  return { prediction, width, narrow, frame, reference, multiplier };
}

/** The places of the planes of `count` integers, requested in the order of writing. */
export function placesOf(plan: IntegerPlan, count: number, frames: FrameReader): Place[] {
  const places: Place[] = [];
  for (let plane = 0; plane < plan.width; plane += 1)
    places.push(frames.place(plane === 0 ? plan.frame : FRAME.repeating, count));
  return places;
}

/** The data that reading a run needs beside its plan. */
export interface Run {
  readonly count: number;
  readonly planes: readonly Int8Array[];
  /** Values of the plan's reference, cut to the rows that are read. */
  readonly reference: Integers | null;
  /** Allocates the result for most runs: `count` integers, not cleared. */
  allocate(count: number): Int32Array;
}

/**
 * Reads integers that `writeIntegers` wrote by `plan`. Throws a DamagedError for impossible values.
 */
export function readIntegers(plan: IntegerPlan, run: Run): Integers {
  const { count, reference } = run;
  const digits = run.planes;
  if (plan.narrow) {
    const integers = run.allocate(count);
    if (plan.width === 0 && !plan.prediction.bySteps && reference === null)
      return integers.fill(plan.prediction.first);
    joinNarrow(integers, digits);
    restoreNarrow(integers, plan.prediction);
    if (reference !== null) addNarrow(integers, reference, plan.multiplier);
    return integers;
  }
  const integers = new Float64Array(count);
  joinWide(integers, digits);
  restoreWide(integers, plan.prediction);
  if (reference !== null)
    for (let i = 0; i < count; i += 1)
      integers[i] += Math.floor(plan.multiplier * reference[i] + 0.5);
  for (const integer of integers)
    if (!Number.isInteger(integer) || Math.abs(integer) >= SCALED_MAX)
      throw new DamagedError(`an integer of ${integer}`);
  return integers;
}

function joinNarrow(integers: Int32Array, digits: readonly Int8Array[]): void {
  const [low, high] = digits;
  if (low === undefined) integers.fill(0);
  else integers.set(low);
  if (high !== undefined) for (let i = 0; i < integers.length; i += 1) integers[i] += high[i] << 8;
  for (let plane = 2; plane < digits.length; plane += 1) {
    const higher = digits[plane];
    for (let i = 0; i < integers.length; i += 1) integers[i] += higher[i] << (8 * plane);
  }
}

function joinWide(integers: Float64Array, digits: readonly Int8Array[]): void {
  for (const plane of digits.toReversed())
    for (let i = 0; i < integers.length; i += 1) integers[i] = integers[i] * 256 + plane[i];
}

function addNarrow(integers: Int32Array, reference: Integers, multiplier: number): void {
  const count = integers.length;
  if (multiplier === 1 && reference instanceof Int32Array)
    for (let i = 0; i < count; i += 1) integers[i] += reference[i];
  else if (reference instanceof Int32Array)
    for (let i = 0; i < count; i += 1)
      integers[i] += Math.floor(multiplier * reference[i] + 0.5) | 0;
  else
    for (let i = 0; i < count; i += 1)
      integers[i] += Math.floor(multiplier * reference[i] + 0.5) | 0;
}
