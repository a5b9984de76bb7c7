// Predicts the next integer of a column of buckets from those before it. There are few predictors,
// each undone by one cheap pass, since they dominate the time to read a block. The running means
// are doubles, but writer and reader compute them by the same operations, so nothing is lost.

/** The indices are codes on disk: only append. */
export const PREDICTORS = ["fixed", "previous", "smooth", "smoother"] as const;
export type Predictor = (typeof PREDICTORS)[number];

/** Share of the distance by which a running mean moves towards each integer. */
const RATES = { smooth: 1 / 4, smoother: 1 / 16 } as const;

/** The prediction for the first integer of `column`, which isn't empty. */
export function startOf(column: Float64Array, predictor: Predictor): number {
  if (predictor !== "fixed") return column[0];
  let sum = 0;
  for (let row = 0; row < column.length; row += 1) sum += column[row];
  return Math.round(sum / column.length);
}

/** Writes the residual of each integer of `column` to `residuals`. */
export function predict(
  column: Float64Array,
  { predictor, start }: { predictor: Predictor; start: number },
  residuals: Float64Array,
): void {
  const count = column.length;
  let told = start;
  switch (predictor) {
    case "fixed":
      for (let row = 0; row < count; row += 1) residuals[row] = column[row] - start;
      return;
    case "previous":
      for (let row = 0; row < count; row += 1) {
        residuals[row] = column[row] - told;
        told = column[row];
      }
      return;
    default: {
      const rate = RATES[predictor];
      for (let row = 0; row < count; row += 1) {
        residuals[row] = column[row] - Math.floor(told + 0.5);
        told += (column[row] - told) * rate;
      }
    }
  }
}

/** Undoes `predict` in place. */
export function restore(column: Float64Array, predictor: Predictor, start: number): void {
  const count = column.length;
  let told = start;
  switch (predictor) {
    case "fixed":
      for (let row = 0; row < count; row += 1) column[row] += start;
      return;
    case "previous":
      for (let row = 0; row < count; row += 1) {
        told += column[row];
        column[row] = told;
      }
      return;
    default: {
      const rate = RATES[predictor];
      for (let row = 0; row < count; row += 1) {
        const integer = column[row] + Math.floor(told + 0.5);
        column[row] = integer;
        told += (integer - told) * rate;
      }
    }
  }
}

/** Bits of a residual by its size, as if their sizes were spread like 1 / size^2. */
const BITS = Float64Array.from({ length: 1024 }, (_, size) => 2 * Math.log2(1 + size));

/** Estimated bits of the residuals; 0 if all are zero. */
export function costOf(residuals: Float64Array): number {
  let bits = 0;
  for (let row = 0; row < residuals.length; row += 1) {
    const size = Math.abs(residuals[row]);
    bits += size < BITS.length ? BITS[size] : 2 * Math.log2(1 + size);
  }
  return bits;
}
