// Linear regression that is robust against outliers, with prior knowledge of each coefficient:
// iteratively reweighted least squares with Huber's weights (Huber 1964), and a normal prior for
// each coefficient (ridge regression is the case of mean 0). Rows are sparse, since most
// coefficients concern few rows.

import { median } from "../ranks.ts";

/** A row of the regression: `value` is the sum of `terms` (coefficient by factor) and noise. */
export interface FitRow {
  readonly value: number;
  readonly terms: readonly (readonly [coefficient: number, factor: number])[];
}

/** A coefficient and its standard deviation. */
export interface Estimate {
  readonly mean: number;
  readonly sd: number;
}

const PASSES = 6;
/** Multiple of their scale beyond which residuals count less. */
const HUBER = 2;
const SD_OF_MEDIAN = 1.4826;

/** The coefficients with their standard deviations; `scale_min` is the minimum noise of a row. */
export function robustFit(
  rows: readonly FitRow[],
  { priors, scale_min }: { priors: readonly Estimate[]; scale_min: number },
): readonly Estimate[] {
  let means: Float64Array = Float64Array.from(priors, ({ mean }) => mean);
  let inverse: readonly Float64Array[] = [];
  let weights = rows.map(() => 1);
  let scale = Math.max(scale_min, spread(rows.map(({ value }) => value)));
  for (let pass = 0; pass < PASSES; pass++) {
    const { matrix, right } = normalEquations(rows, { weights, scale, priors });
    inverse = inverted(matrix);
    means = inverse.reduce(
      (sum, column, at) => sum.map((each, i) => each + column[i] * right[at]),
      new Float64Array(priors.length),
    );
    const residuals = rows.map(({ value, terms }) => value - fitted(terms, means));
    scale = Math.max(scale_min, spread(residuals));
    weights = residuals.map((residual) => Math.min(1, (HUBER * scale) / Math.abs(residual)));
  }
  return priors.map((_, i) => ({ mean: means[i], sd: Math.sqrt(inverse[i][i]) }));
}

function spread(values: readonly number[]): number {
  return values.length === 0 ? 0 : SD_OF_MEDIAN * median(values.map(Math.abs));
}

function fitted(terms: FitRow["terms"], means: Float64Array): number {
  return terms.reduce((sum, [at, factor]) => sum + means[at] * factor, 0);
}

/** The weighted normal equations, in units of the noise, with the priors as rows of their own. */
function normalEquations(
  rows: readonly FitRow[],
  given: { weights: readonly number[]; scale: number; priors: readonly Estimate[] },
) {
  const { weights, scale, priors } = given;
  const matrix = priors.map(() => new Float64Array(priors.length));
  const right = new Float64Array(priors.length);
  for (const [i, { mean, sd }] of priors.entries()) {
    matrix[i][i] = 1 / sd ** 2;
    right[i] = mean / sd ** 2;
  }
  for (const [i, { value, terms }] of rows.entries()) {
    const weight = weights[i] / scale ** 2;
    for (const [one, factor] of terms) {
      right[one] += weight * factor * value;
      for (const [other, times] of terms) matrix[one][other] += weight * factor * times;
    }
  }
  return { matrix, right };
}

/** The inverse of a symmetric, positive definite matrix, by Gauss and Jordan. */
function inverted(matrix: readonly Float64Array[]): readonly Float64Array[] {
  const size = matrix.length;
  const left = matrix.map((row) => row.slice());
  const right = matrix.map((_, i) => Float64Array.from({ length: size }, (__, j) => +(i === j)));
  for (let at = 0; at < size; at++) {
    const pivot = left[at][at];
    for (let j = 0; j < size; j++) {
      left[at][j] /= pivot;
      right[at][j] /= pivot;
    }
    for (let i = 0; i < size; i++) {
      const times = left[i][at];
      if (i === at || times === 0) continue;
      for (let j = 0; j < size; j++) {
        left[i][j] -= times * left[at][j];
        right[i][j] -= times * right[at][j];
      }
    }
  }
  return right;
}
