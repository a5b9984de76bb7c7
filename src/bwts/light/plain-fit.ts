// The plain exponential that a superintendent can check with a spreadsheet: a least-squares line
// through the log of the efficiency, as in IES TM-21, and its hour of end of life. It is printed
// beside each life and used for nothing else: real lamps follow bent curves, and its interval
// covers only the scatter about its own curve.

/** `start * exp(-rate_per_h * hours)`, with the hour at which it reaches the end of life. */
export interface PlainFit {
  readonly points: number;
  /** The efficiency at 0 h, as a share. */
  readonly start: number;
  readonly rate_per_h: number;
  /** Residual standard deviation of the logs, with two degrees of freedom less than points. */
  readonly scatter: number;
  readonly end_h: number;
  /** Standard error of `end_h` by the delta method. */
  readonly end_error_h: number;
  /** The interval by Fieller's theorem; null where the fall is within the scatter. */
  readonly end_range_h: { readonly from: number; readonly to: number } | null;
}

/**
 * The fit to `points` (`efficiency` as a share of new, above 0), with a two-sided interval of
 * `confidence`; null for fewer than three different hours or for light that doesn't fall.
 */
export function plainFit(
  points: readonly { readonly hours: number; readonly efficiency: number }[],
  { end_efficiency, confidence }: { end_efficiency: number; confidence: number },
): PlainFit | null {
  const count = points.length;
  if (new Set(points.map(({ hours }) => hours)).size < 3) return null;
  const logs = points.map(({ efficiency }) => Math.log(efficiency));
  const mean_h = points.reduce((sum, { hours }) => sum + hours, 0) / count;
  const mean_log = logs.reduce((sum, log) => sum + log, 0) / count;
  const squares = points.reduce((sum, { hours }) => sum + (hours - mean_h) ** 2, 0);
  const products = points.reduce((sum, { hours }, i) => sum + (hours - mean_h) * logs[i], 0);
  const slope = products / squares;
  if (!(slope < 0)) return null;
  const misfit = points.reduce(
    (sum, { hours }, i) => sum + (logs[i] - mean_log - slope * (hours - mean_h)) ** 2,
    0,
  );
  const variance = misfit / (count - 2);
  // Relative to the mean hour and mean log, where level and slope are independent.
  const fall = mean_log - Math.log(end_efficiency);
  const after_mean_h = -fall / slope;
  const times = studentQuantile((1 + confidence) / 2, count - 2) ** 2 * variance;
  const curvature = slope ** 2 - times / squares;
  const root = times * (fall ** 2 / squares + curvature / count);
  const centre_h = (-fall * slope) / curvature;
  const half_h = Math.sqrt(Math.max(0, root)) / curvature;
  return {
    points: count,
    start: Math.exp(mean_log - slope * mean_h),
    rate_per_h: -slope,
    scatter: Math.sqrt(variance),
    end_h: mean_h + after_mean_h,
    end_error_h: Math.sqrt(variance * (1 / count + after_mean_h ** 2 / squares)) / -slope,
    end_range_h:
      curvature > 0 ? { from: mean_h + centre_h - half_h, to: mean_h + centre_h + half_h } : null,
  };
}

/**
 * The value below which `share` (0.5 to below 1) of Student's t distribution with `degrees` of
 * freedom lies. Whole degrees have a finite sum (Abramowitz and Stegun 26.7.3 and 26.7.4), which
 * bisection inverts: exact to the last digits.
 */
export function studentQuantile(share: number, degrees: number): number {
  let low = 0;
  let high = Math.PI / 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (centralShare(middle, degrees) < 2 * share - 1) low = middle;
    else high = middle;
  }
  return Math.sqrt(degrees) * Math.tan((low + high) / 2);
}

/** The share between -t and t, where t is the root of `degrees` times the tangent of `angle`. */
function centralShare(angle: number, degrees: number): number {
  const sine = Math.sin(angle);
  const cosine = Math.cos(angle);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = 0;
  for (let k = isOdd ? 1 : 0; k <= degrees - 2; k += 2) {
    sum += term;
    term *= (cosine ** 2 * (k + 1)) / (k + 2);
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}
