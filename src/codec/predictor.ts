// Predicts each integer of a column by the mean of the last 2^k of them (k = 0: the one before), or
// its step from the one before by the mean of the last 2^k steps. Only the residual is stored. The
// mean suits noisy measurements: without it a segment is 8 % larger. Steps suit counters: without
// them it is 1 % larger, more than was allowed. Twice as many values of k save 0.3 % and were left
// out. Writer and reader predict in integers, so nothing is lost.

/** The way a column is predicted. */
export interface Predictor {
  /** k: the mean is that of 2^k integers, or steps. 0 for integers beyond 32 bits. */
  readonly window: number;
  /** True if the steps are predicted. */
  readonly bySteps: boolean;
  /** Value in place of all integers before the first one. */
  readonly first: number;
  /** Value in place of all steps before the first one; 0 unless `bySteps`. */
  readonly step: number;
}

/** The values of k that the writer tries; a reader accepts 0 to 7. */
const WINDOWS = [0, 3, 6] as const;
/** Limit of integers for which means are tried: modulo 2^32 they predict larger ones badly. */
const MEANS_MAX = 2 ** 24;

/** Approximate number of sampled rows, evenly spread. */
const SAMPLES = 512;
/** Number of sizes whose bits are in a table. */
const TABLED = 4096;
const BITS = Float64Array.from({ length: TABLED }, (_, size) => Math.log2(size + 1));

export interface Guess {
  readonly prediction: Predictor;
  /** Estimated bits of the residuals of all rows. */
  readonly bits: number;
}

/**
 * The best prediction of `integers`, which isn't empty, judged by a sample of rows: a wrong guess
 * costs bits, never correctness. `sums` is scratch space, one element longer.
 */
export function guessPrediction(
  integers: Float64Array,
  { sums, narrow }: { readonly sums: Float64Array; readonly narrow: boolean },
): Guess {
  const largest = sumUp(integers, sums);
  const windows = narrow && largest < MEANS_MAX ? WINDOWS : [0];
  let best = { window: 0, bySteps: false, bits: Number.POSITIVE_INFINITY };
  for (const window of windows)
    for (const bySteps of [false, true]) {
      const bits = bySteps ? bitsBySteps(integers, window) : bitsByMean(integers, sums, window);
      if (bits < best.bits) best = { window, bySteps, bits };
    }
  const { window, bySteps, bits } = best;
  const width = Math.min(integers.length, 1 << window);
  const step =
    bySteps && width > 1 ? Math.round((integers[width - 1] - integers[0]) / (width - 1)) : 0;
  const first = bySteps ? integers[0] - step : Math.round(sums[width] / width);
  return { prediction: { window, bySteps, first, step }, bits: bits * strideOf(integers.length) };
}

/** The distance between sampled rows out of `count`. Odd: periodic values aren't always missed. */
function strideOf(count: number): number {
  return 2 * Math.floor(count / SAMPLES / 2) + 1;
}

// Sets sums[i] to the sum of all rows before i. Returns the largest magnitude.
function sumUp(integers: Float64Array, sums: Float64Array): number {
  let sum = 0;
  let largest = 0;
  for (let i = 0; i < integers.length; i += 1) {
    const integer = integers[i];
    sum += integer;
    sums[i + 1] = sum;
    if (integer > largest) largest = integer;
    else if (-integer > largest) largest = -integer;
  }
  return largest;
}

function bitsByMean(integers: Float64Array, sums: Float64Array, window: number): number {
  const width = 1 << window;
  const stride = strideOf(integers.length);
  let bits = 0;
  for (let i = 2; i < integers.length; i += stride) {
    const from = i < width ? 0 : i - width;
    bits += bitsOf(integers[i] - (sums[i] - sums[from]) / (i - from));
  }
  return bits;
}

function bitsBySteps(integers: Float64Array, window: number): number {
  const width = 1 << window;
  const stride = strideOf(integers.length);
  let bits = 0;
  for (let i = 2; i < integers.length; i += stride) {
    const last = i - 1;
    const from = last < width ? 0 : last - width;
    const step = (integers[last] - integers[from]) / (last - from);
    bits += bitsOf(integers[i] - integers[last] - step);
  }
  return bits;
}

function bitsOf(residual: number): number {
  const size = residual < 0 ? -residual : residual;
  return size < TABLED - 1 ? BITS[(size + 0.5) | 0] : Math.log2(size + 1);
}

/** Estimated bits of `residuals`. */
export function bitsOfAll(residuals: Float64Array | Int32Array): number {
  let bits = 0;
  for (let i = 0; i < residuals.length; i += 1) bits += bitsOf(residuals[i]);
  return bits;
}

/** Turns integers into residuals in place. All arithmetic is modulo 2^32, so nothing overflows. */
export function predictNarrow(values: Int32Array, { window, bySteps, first, step }: Predictor) {
  if (bySteps)
    for (let i = values.length - 1; i >= 0; i -= 1) values[i] -= i === 0 ? first : values[i - 1];
  const before = bySteps ? step : first;
  const width = 1 << window;
  const integers = values.slice();
  let sum = (Math.imul(before, width) + (width >> 1)) | 0;
  for (let i = 0; i < values.length; i += 1) {
    values[i] -= sum >> window;
    sum = (sum + integers[i] - (i < width ? before : integers[i - width])) | 0;
  }
}

/** Inverse of `predictNarrow`. */
export function restoreNarrow(values: Int32Array, { window, bySteps, first, step }: Predictor) {
  restoreMeans(values, window, bySteps ? step : first);
  if (!bySteps) return;
  let last = first;
  for (let i = 0; i < values.length; i += 1) {
    last = (last + values[i]) | 0;
    values[i] = last;
  }
}

// The half that rounds is in the sum from the start, so that one integer depends on the one before
// only through the shift and one addition.
function restoreMeans(values: Int32Array, window: number, before: number): void {
  const width = 1 << window;
  const count = values.length;
  const begun = Math.min(width, count);
  let sum = (Math.imul(before, width) + (width >> 1)) | 0;
  for (let i = 0; i < begun; i += 1) {
    const mean = sum >> window;
    const residual = values[i];
    values[i] = mean + residual;
    sum = (sum + mean + (residual - before)) | 0;
  }
  for (let i = begun; i < count; i += 1) {
    const mean = sum >> window;
    const residual = values[i];
    values[i] = mean + residual;
    sum = (sum + mean + (residual - values[i - width])) | 0;
  }
}

/** Turns integers beyond 32 bits into residuals in place; the window is 0. */
export function predictWide(values: Float64Array, { bySteps, first, step }: Predictor): void {
  let last = first;
  let expected = step;
  for (let i = 0; i < values.length; i += 1) {
    const taken = values[i] - last;
    last = values[i];
    values[i] = taken - expected;
    if (bySteps) expected = taken;
  }
}

/** Inverse of `predictWide`. */
export function restoreWide(values: Float64Array, { bySteps, first, step }: Predictor): void {
  let last = first;
  let expected = step;
  for (let i = 0; i < values.length; i += 1) {
    const taken = values[i] + expected;
    last += taken;
    values[i] = last;
    if (bySteps) expected = taken;
  }
}
