// Guesses the predictor with the smallest residuals. All are tried on a sample of rows, and only
// the best is computed in full. A wrong guess costs bits, never correctness.

import { MEANS_MAX, PREDICTORS, type Predictor } from "./predictor.ts";

/** Approximate number of sampled rows, evenly spread. */
const SAMPLES = 512;
/** Sizes below this have their bits in a table. */
const TABLED = 4096;

const BITS = Float64Array.from({ length: TABLED }, (_, size) => Math.log2(size + 1));

export interface Guess {
  readonly predictor: Predictor;
  /** Estimated bits of the residuals of all rows. */
  readonly bits: number;
}

/** The distance between sampled rows out of `count`. */
export function strideOf(count: number): number {
  // Odd, so that periodic values aren't always hit or always missed.
  return 2 * Math.floor(count / SAMPLES / 2) + 1;
}

/**
 * The best predictor for `integers`, which isn't empty. `sums` is scratch space, one element
 * longer.
 */
export function guessPredictor(integers: Float64Array, sums: Float64Array): Guess {
  const largest = sumUp(integers, sums);
  const [first, delta, slope] = costsOfSteps(integers);
  const means = largest < MEANS_MAX ? costsOfMeans(integers, sums) : [];
  const costs = [first, delta, slope, ...means];
  let best = 0;
  for (let code = 1; code < costs.length; code += 1) if (costs[code] < costs[best]) best = code;
  return { predictor: PREDICTORS[best], bits: costs[best] * strideOf(integers.length) };
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

function costsOfSteps(integers: Float64Array): [number, number, number] {
  const [first] = integers;
  const stride = strideOf(integers.length);
  let bits = 0;
  let delta_bits = 0;
  let slope_bits = 0;
  for (let i = 2; i < integers.length; i += stride) {
    const step = integers[i] - integers[i - 1];
    bits += bitsOf(integers[i] - first);
    delta_bits += bitsOf(step);
    slope_bits += bitsOf(step - integers[i - 1] + integers[i - 2]);
  }
  return [bits, delta_bits, slope_bits];
}

function costsOfMeans(integers: Float64Array, sums: Float64Array) {
  const stride = strideOf(integers.length);
  let bits4 = 0;
  let bits16 = 0;
  let bits32 = 0;
  let bits128 = 0;
  for (let i = 2; i < integers.length; i += stride) {
    const integer = integers[i];
    const sum = sums[i];
    bits4 += bitsOf(integer - (i < 4 ? sum / i : (sum - sums[i - 4]) / 4));
    bits16 += bitsOf(integer - (i < 16 ? sum / i : (sum - sums[i - 16]) / 16));
    bits32 += bitsOf(integer - (i < 32 ? sum / i : (sum - sums[i - 32]) / 32));
    bits128 += bitsOf(integer - (i < 128 ? sum / i : (sum - sums[i - 128]) / 128));
  }
  return [bits4, bits16, bits32, bits128];
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
