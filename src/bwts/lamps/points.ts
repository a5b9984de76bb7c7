// Prepares a lamp's points: sorted by hours, merged if they are many, with the noise of each. Noise
// is measured by the distance of points from the line between their two neighbours. The typical
// noise is a median, which ignores outliers; an outlier gets its own larger noise, which reduces
// its weight without dropping it.

import { median } from "../median.ts";
import type { LampPoint } from "./likelihood.ts";

/** More points are merged, since the deviation leaves them little to add. */
const POINTS_MAX = 100;
/** Efficiencies are sent with one decimal: 0.1 % of 70, evenly rounded. */
const NOISE_MIN = 0.0007;
/** Multiple of the typical distance beyond which a point is an outlier. */
const OUTLIER = 4;
/** The standard deviation of a normal distribution, by its median absolute deviation. */
const SD_OF_MEDIAN = 1.4826;

/** The points by rising hours; many are merged to medians of neighbours. */
export function mergedPoints(points: readonly LampPoint[]): readonly LampPoint[] {
  const rising = points.toSorted(
    (one, other) => one.hours - other.hours || one.log_efficiency - other.log_efficiency,
  );
  const each = Math.ceil(rising.length / POINTS_MAX);
  if (each <= 1) return rising;
  return Array.from({ length: Math.ceil(rising.length / each) }, (_, i) => {
    const group = rising.slice(i * each, (i + 1) * each);
    return {
      hours: median(group.map(({ hours }) => hours)),
      log_efficiency: median(group.map(({ log_efficiency }) => log_efficiency)),
    };
  });
}

/** The standard deviation of each point, as a log. Points by rising hours, at least one. */
export function pointNoise(points: readonly LampPoint[]): Float64Array {
  const offs = points.map(({ hours, log_efficiency }, i) => {
    const before = points[Math.max(0, Math.min(i - 1, points.length - 3))];
    const after = points[Math.min(points.length - 1, Math.max(i + 1, 2))];
    const span = after.hours - before.hours;
    const share = span === 0 ? 0.5 : (hours - before.hours) / span;
    const between = before.log_efficiency * (1 - share) + after.log_efficiency * share;
    return Math.abs(log_efficiency - between);
  });
  // A point minus the mean of two others has 1.5 times the variance of a point.
  const typical = Math.max(NOISE_MIN, (SD_OF_MEDIAN * median(offs)) / Math.sqrt(1.5));
  return Float64Array.from(offs, (off) => (off > OUTLIER * typical ? off : typical));
}
