// Predicts each integer of a column from those before it; only the residual is stored. Delta or
// slope suit counters. The mean of the last 4, 16, 32 or 128 suits noisy measurements: it leaves
// less than a delta, which repeats the noise of the integer before. Writer and reader compute the
// same prediction in integers, so nothing is lost.

/** The indices are codes on disk: only append. */
export const PREDICTORS = [
  "first",
  "delta",
  "slope",
  "mean4",
  "mean16",
  "mean32",
  "mean128",
] as const;
export type Predictor = (typeof PREDICTORS)[number];

/** The values before the first integer: `first` throughout, or a line of `slope` towards it. */
export interface Start {
  readonly first: number;
  readonly slope: number;
}

/** Integers below this have exact means in 32-bit arithmetic, which adds up to 128 of them. */
export const MEANS_MAX = 2 ** 23;

/** Base-2 logarithm of the number of integers in the mean; null for the other predictors. */
function windowBits(predictor: Predictor): number | null {
  switch (predictor) {
    case "mean4":
      return 2;
    case "mean16":
      return 4;
    case "mean32":
      return 5;
    case "mean128":
      return 7;
    default:
      return null;
  }
}

/** The best start for `integers`, which isn't empty. */
export function startOf(integers: Float64Array, predictor: Predictor): Start {
  const [first] = integers;
  const bits = windowBits(predictor);
  if (bits !== null) return { first: meanOf(integers.subarray(0, 1 << bits)), slope: 0 };
  return { first, slope: predictor === "slope" && integers.length > 1 ? integers[1] - first : 0 };
}

function meanOf(integers: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < integers.length; i += 1) sum += integers[i];
  return Math.round(sum / integers.length);
}

/** Turns integers into residuals in place; for columns with larger integers. */
export function predictWide(
  values: Float64Array,
  predictor: Predictor,
  { first, slope }: Start,
): void {
  const count = values.length;
  switch (predictor) {
    case "first":
      for (let i = 0; i < count; i += 1) values[i] -= first;
      return;
    case "delta":
    case "slope": {
      const keep = predictor === "slope" ? 1 : 0;
      let last = first - slope;
      let step = slope;
      for (let i = 0; i < count; i += 1) {
        const next = values[i];
        values[i] = next - last - step;
        step = keep * (next - last);
        last = next;
      }
      return;
    }
    default: {
      const width = 1 << (windowBits(predictor) ?? 0);
      const integers = values.slice();
      let sum = first * width;
      for (let i = 0; i < count; i += 1) {
        values[i] -= Math.floor((sum + width / 2) / width);
        sum += integers[i] - (i < width ? first : integers[i - width]);
      }
    }
  }
}

/**
 * Turns integers into residuals in place. All arithmetic is modulo 2^32, here as in
 * `restoreNarrow`, so that an overflow loses nothing.
 */
export function predictNarrow(values: Int32Array, predictor: Predictor, start: Start): void {
  const count = values.length;
  const { first, slope } = start;
  switch (predictor) {
    case "first":
      for (let i = 0; i < count; i += 1) values[i] -= first;
      return;
    case "delta": {
      let last = first;
      for (let i = 0; i < count; i += 1) {
        const next = values[i];
        values[i] = next - last;
        last = next;
      }
      return;
    }
    case "slope": {
      let last = (first - slope) | 0;
      let step = slope | 0;
      for (let i = 0; i < count; i += 1) {
        const next = values[i];
        const taken = (next - last) | 0;
        values[i] = taken - step;
        step = taken;
        last = next;
      }
      return;
    }
    default:
      predictMeans(values, windowBits(predictor) ?? 0, first);
  }
}

function predictMeans(values: Int32Array, bits: number, first: number): void {
  const width = 1 << bits;
  const integers = values.slice();
  let sum = (first << bits) + (width >> 1);
  for (let i = 0; i < values.length; i += 1) {
    const mean = sum >> bits;
    const integer = integers[i];
    values[i] = integer - mean;
    sum = (sum + integer - (i < width ? first : integers[i - width])) | 0;
  }
}

/** Turns residuals into integers in place, modulo 2^32. */
export function restoreNarrow(values: Int32Array, predictor: Predictor, start: Start): void {
  const count = values.length;
  const { first, slope } = start;
  switch (predictor) {
    case "first":
      if (first !== 0) for (let i = 0; i < count; i += 1) values[i] += first;
      return;
    case "delta": {
      let last = first;
      for (let i = 0; i < count; i += 1) {
        last = (last + values[i]) | 0;
        values[i] = last;
      }
      return;
    }
    case "slope": {
      let last = (first - slope) | 0;
      let step = slope | 0;
      for (let i = 0; i < count; i += 1) {
        step = (step + values[i]) | 0;
        last = (last + step) | 0;
        values[i] = last;
      }
      return;
    }
    default:
      restoreMeans(values, windowBits(predictor) ?? 0, first);
  }
}

// The rounding half is in the sum from the start, so that one step depends on the one before only
// through the shift and one addition.
function restoreMeans(values: Int32Array, bits: number, first: number): void {
  const width = 1 << bits;
  const count = values.length;
  const begun = Math.min(width, count);
  let sum = (first << bits) + (width >> 1);
  for (let i = 0; i < begun; i += 1) {
    const mean = sum >> bits;
    const residual = values[i];
    values[i] = mean + residual;
    sum = (sum + mean + (residual - first)) | 0;
  }
  for (let i = begun; i < count; i += 1) {
    const mean = sum >> bits;
    const residual = values[i];
    values[i] = mean + residual;
    sum = (sum + mean + (residual - values[i - width])) | 0;
  }
}

/** Turns residuals into integers in place; for columns with larger integers. */
export function restoreWide(
  values: Float64Array,
  predictor: Predictor,
  { first, slope }: Start,
): void {
  const count = values.length;
  switch (predictor) {
    case "first":
      for (let i = 0; i < count; i += 1) values[i] += first;
      return;
    case "delta":
    case "slope": {
      const keep = predictor === "slope" ? 1 : 0;
      let last = first - slope;
      let step = slope;
      for (let i = 0; i < count; i += 1) {
        step += values[i];
        last += step;
        step *= keep;
        values[i] = last;
      }
      return;
    }
    default: {
      const width = 1 << (windowBits(predictor) ?? 0);
      let sum = first * width;
      for (let i = 0; i < count; i += 1) {
        values[i] += Math.floor((sum + width / 2) / width);
        sum += values[i] - (i < width ? first : values[i - width]);
      }
    }
  }
}
