// The time until the UV intensity falls to a limit, from its fall over the operation under way: the
// line through the readings by Theil and Sen, whose slope is the median of the slopes between all
// pairs, so that a backflush or a single odd value bends nothing. Pure, and without zod: it
// is part of the page.

import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import { median } from "../ranks.ts";

/** A UV intensity, and the lamps' power; null if it wasn't sent. */
export interface IntensityPoint {
  readonly at_ms: number;
  readonly intensity_w_m2: number;
  readonly power_pct: number | null;
}

export const NO_TIME_REASONS = [
  "unknown",
  "not_treating",
  "old",
  "no_light",
  "too_few",
  "jumped",
  "no_fall",
  "at_limit",
  "below_limit",
  "no_limit",
] as const;
/**
 * Reasons why there is no time to a limit. `jumped`: the newest intensity is far below the line;
 * `at_limit`: the line is at the limit, but the newest intensity isn't below it.
 */
export type NoTimeReason = (typeof NO_TIME_REASONS)[number];

/** Hours to a limit from the newest point, and the ends of their interval. */
export interface HoursToLimit {
  readonly hours: number;
  readonly low_h: number;
  readonly high_h: number;
}

/** A line through the points; `x` is in hours before the newest. */
export interface IntensityLine {
  readonly start_ms: number;
  readonly end_ms: number;
  /** Number of points of the line, each the median of a span of time. */
  readonly points: number;
  /** Slope in W/m2 per hour, negative for a fall; then the ends of its interval. */
  readonly slope: number;
  readonly slope_low: number;
  readonly slope_high: number;
  readonly x_h: readonly number[];
  readonly y: readonly number[];
}

/** Probability that the interval holds the true slope, if the points scatter independently. */
export const FALL_CONFIDENCE = 0.9;
/** Two-sided quantile of the standard normal distribution for that probability. */
const Z = 1.6449;
/** Maximum number of spans of time, and their minimum length. */
const SPANS_MAX = 60;
const SPAN_MIN_MS = MINUTE_MS;
/** Minimum number of points for a fall, and the minimum time that they cover. */
const POINTS_MIN = 8;
const OVER_MIN_MS = 30 * MINUTE_MS;
/** Maximum difference from the newest lamp power, in % of rated, at which points are comparable. */
const POWER_WITHIN_PCT = 3;

/**
 * The line by Theil (1950), and the interval of its slope by Sen (1968), "Estimates of the
 * regression coefficient based on Kendall's tau", J. Am. Stat. Assoc. 63: of the N = n(n-1)/2
 * slopes in order, those of ranks (N - C)/2 and (N + C)/2 + 1, with C = z sqrt(n(n-1)(2n+5)/18).
 * `points` ascend in time. Null if they are too few.
 */
export function intensityLine(points: readonly IntensityPoint[]): IntensityLine | null {
  const spans = mediansOf(alikeInPower(points));
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined || spans.length < POINTS_MIN) return null;
  if (last.at_ms - first.at_ms < OVER_MIN_MS) return null;
  return fallLine(
    spans.map(({ at_ms, intensity_w_m2 }) => ({
      ...{ at_ms, x: (at_ms - last.at_ms) / HOUR_MS, y: intensity_w_m2 },
    })),
  );
}

/** The line through ordered points, of which there must be at least one. */
export function fallLine(
  points: readonly { readonly at_ms: number; readonly x: number; readonly y: number }[],
): IntensityLine {
  const [x_h, y] = [points.map(({ x }) => x), points.map((point) => point.y)];
  const slopes = slopesOf(x_h, y);
  const [n, pairs] = [y.length, slopes.length];
  const spread = Z * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const low = Math.max(0, Math.floor((pairs - spread) / 2) - 1);
  const high = Math.min(pairs - 1, Math.ceil((pairs + spread) / 2));
  return {
    ...{ start_ms: points[0].at_ms, end_ms: points[n - 1].at_ms, points: n, x_h, y },
    ...{ slope: median(slopes), slope_low: slopes[low], slope_high: slopes[high] },
  };
}

/**
 * The intensity at the newest point by a line of this slope: the median of the values by each
 * point.
 */
function levelNow({ x_h, y }: IntensityLine, slope: number): number {
  return median(y.map((value, index) => value - slope * x_h[index]));
}

/** Distance below the line, in median deviations, from which the newest intensity has left it. */
const JUMP_DEVIATIONS = 6;
/** Minimum of that distance, as a share of the line's level: a steady plant scatters by less. */
const JUMP_SHARE = 0.03;

/**
 * True if the newest intensity has left the line downwards: then the line doesn't describe the
 * present.
 */
function hasJumped(line: IntensityLine, light_w_m2: number): boolean {
  const level = levelNow(line, line.slope);
  const off = median(line.y.map((y, index) => Math.abs(y - level - line.slope * line.x_h[index])));
  return level - light_w_m2 > Math.max(JUMP_DEVIATIONS * off, JUMP_SHARE * level);
}

interface LightNow {
  readonly line: IntensityLine | null;
  readonly limit: number | null;
  /** The newest intensity; null if it isn't known. */
  readonly light: number | null;
  /** True during a backflush, when the intensity doesn't follow the line. */
  readonly isFlushing: boolean;
}

/** Hours to a limit by the line, if the newest intensity agrees with it; else the reason. */
export function timeToLimit({
  line,
  limit,
  light,
  isFlushing,
}: LightNow): HoursToLimit | NoTimeReason {
  if (limit === null) return "no_limit";
  if (light === null) return "no_light";
  if (light < limit) return "below_limit";
  if (line === null) return "too_few";
  if (!isFlushing && hasJumped(line, light)) return "jumped";
  return hoursToLimit(line, limit);
}

/**
 * Hours until the line falls to the limit: (level - limit) / fall; the steepest and the flattest
 * slope of the interval give the ends. It extends the present fall, and doesn't predict that it
 * goes on. If the slope's interval contains 0, there is no fall.
 */
export function hoursToLimit(
  line: IntensityLine,
  limit_w_m2: number,
): HoursToLimit | "no_fall" | "at_limit" {
  if (levelNow(line, line.slope) <= limit_w_m2) return "at_limit";
  if (line.slope_high >= 0) return "no_fall";
  const hoursAt = (slope: number) => Math.max(0, (levelNow(line, slope) - limit_w_m2) / -slope);
  const hours = hoursAt(line.slope);
  return {
    hours,
    low_h: Math.min(hours, hoursAt(line.slope_low)),
    high_h: Math.max(hours, hoursAt(line.slope_high)),
  };
}

/** The points since the lamp power was last different from the present one. */
function alikeInPower(points: readonly IntensityPoint[]): readonly IntensityPoint[] {
  const power = points.findLast(({ power_pct }) => power_pct !== null)?.power_pct ?? null;
  if (power === null) return points;
  const other = points.findLastIndex(
    ({ power_pct }) => power_pct !== null && Math.abs(power_pct - power) > POWER_WITHIN_PCT,
  );
  return points.slice(other + 1);
}

/** Medians of equal spans of time, since readings a second apart scatter together. */
function mediansOf(points: readonly IntensityPoint[]) {
  const [first_ms, last_ms] = [points[0]?.at_ms ?? 0, points.at(-1)?.at_ms ?? 0];
  const span_ms = Math.max(SPAN_MIN_MS, (last_ms - first_ms) / SPANS_MAX);
  const spans = new Map<number, IntensityPoint[]>();
  for (const point of points) {
    const span = Math.ceil((last_ms - point.at_ms) / span_ms);
    const known = spans.get(span);
    if (known === undefined) spans.set(span, [point]);
    else known.push(point);
  }
  return [...spans.values()].map((inside) => ({
    at_ms: median(inside.map(({ at_ms }) => at_ms)),
    intensity_w_m2: median(inside.map(({ intensity_w_m2 }) => intensity_w_m2)),
  }));
}

/** Slopes between all pairs, ascending. */
function slopesOf(x: readonly number[], y: readonly number[]): readonly number[] {
  const slopes: number[] = [];
  for (let one = 0; one < x.length; one += 1)
    for (let other = one + 1; other < x.length; other += 1)
      slopes.push((y[other] - y[one]) / (x[other] - x[one]));
  return slopes.sort((a, b) => a - b);
}
