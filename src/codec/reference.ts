// Estimates which multiple of another column explains a column. This decides only what is tried:
// the writer takes a reference only if its residuals are smaller.

import { strideOf } from "./predictor-choice.ts";

/** Larger multiples of the mean step (a start, a stop) would dominate all others. */
const STEP_MAX = 4;
/** References that explain a smaller share of the variance aren't tried. */
const EXPLAINED_MIN = 0.05;

/**
 * Multiples of `other` to subtract from `target`, in single precision: `ratio`, which makes their
 * units agree, if the two are correlated, and the slopes of regressions of their steps and of their
 * levels.
 */
export function multipliersOf(
  target: Float64Array,
  other: Float64Array,
  ratio: number,
): readonly number[] {
  const found = new Set<number>();
  for (const slope of [slopeOfSteps(target, other), slopeOfLevels(target, other)])
    if (slope !== null) found.add(slope);
  if (found.size === 0) return [];
  if (Math.fround(ratio) === ratio) found.add(ratio);
  return [...found];
}

function slopeOfSteps(target: Float64Array, other: Float64Array): number | null {
  const target_max = STEP_MAX * meanStep(target);
  const other_max = STEP_MAX * meanStep(other);
  const stride = strideOf(target.length);
  let both = 0;
  let targets = 0;
  let others = 0;
  for (let i = 1; i < target.length; i += stride) {
    const step = target[i] - target[i - 1];
    const other_step = other[i] - other[i - 1];
    if (Math.abs(step) > target_max || Math.abs(other_step) > other_max) continue;
    both += step * other_step;
    targets += step * step;
    others += other_step * other_step;
  }
  return slopeOf(both, targets, others);
}

function slopeOfLevels(target: Float64Array, other: Float64Array): number | null {
  const target_mean = meanOf(target);
  const other_mean = meanOf(other);
  const stride = strideOf(target.length);
  let both = 0;
  let targets = 0;
  let others = 0;
  for (let i = 0; i < target.length; i += stride) {
    const level = target[i] - target_mean;
    const other_level = other[i] - other_mean;
    both += level * other_level;
    targets += level * level;
    others += other_level * other_level;
  }
  return slopeOf(both, targets, others);
}

function slopeOf(both: number, targets: number, others: number): number | null {
  if (!(both * both > EXPLAINED_MIN * targets * others)) return null;
  return rounded(both / others);
}

// To ten significant bits: more aren't known, and zeros cost nothing in the directory.
function rounded(slope: number): number | null {
  if (!Number.isFinite(slope)) return null;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(slope))) - 9);
  return Math.fround(Math.round(slope / unit) * unit);
}

function meanOf(integers: Float64Array): number {
  const stride = strideOf(integers.length);
  let sum = 0;
  for (let i = 0; i < integers.length; i += stride) sum += integers[i];
  return sum / Math.ceil(integers.length / stride);
}

function meanStep(integers: Float64Array): number {
  const stride = strideOf(integers.length);
  let sum = 0;
  for (let i = 1; i < integers.length; i += stride) sum += Math.abs(integers[i] - integers[i - 1]);
  return sum / Math.max(1, Math.ceil((integers.length - 1) / stride));
}
