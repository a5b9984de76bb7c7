// The time until the UV intensity falls to a limit, from its fall over the operation under way: the
// line through the readings by Theil and Sen, whose slope is the median of the slopes between all
// pairs, so that a backflush or a single odd value bends nothing. Pure, and without zod: it
// is part of the page.

import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import { median } from "../ranks.ts";

/** An intensity, and the power that the lamps had; null where it wasn't told. */
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
 * The reason why there is no time to a limit. `jumped`: the newest light is far below the line;
 * `at_limit`: the line is at the limit, the newest light isn't below it.
 */
export type NoTimeReason = (typeof NO_TIME_REASONS)[number];

/** Hours to a limit from the newest point, and the ends of their interval. */
export interface HoursToLimit {
  readonly hours: number;
  readonly low_h: number;
  readonly high_h: number;
}

/** A line through the points, `x` in hours before the newest. */
export interface IntensityLine {
  readonly start_ms: number;
  readonly end_ms: number;
  /** Medians of even spans of time that the line goes through. */
  readonly points: number;
  /** W/m2 an hour: negative for a fall; the ends of its interval. */
  readonly slope: number;
  readonly slope_low: number;
  readonly slope_high: number;
  readonly x_h: readonly number[];
  readonly y: readonly number[];
}

/** The share of intervals that hold the true slope, if the points scatter independently. */
export const FALL_CONFIDENCE = 0.9;
/** Quantile of the standard normal distribution for it, two-sided. */
const Z = 1.6449;
/** Points are medians of so many even spans at most, of a minute at least. */
const SPANS_MAX = 60;
const SPAN_MIN_MS = MINUTE_MS;
/** Fewer points, or points over less time, tell no fall. */
const POINTS_MIN = 8;
const OVER_MIN_MS = 30 * MINUTE_MS;
/** Points of a lamp power that differs by more from the newest, in % of rated, don't compare. */
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

/** The line through points in order, of which there is one at least. */
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

/** The intensity at the newest point by a line of this slope: the median by each point. */
function levelNow({ x_h, y }: IntensityLine, slope: number): number {
  return median(y.map((value, index) => value - slope * x_h[index]));
}

/** Light that is below the line by more than this many median deviations has left it. */
const JUMP_DEVIATIONS = 6;
/** At least this share of the line's level: the light of a steady plant scatters by less. */
const JUMP_SHARE = 0.03;

/** True if the newest light has left the line, downwards: then the line tells nothing of now. */
function hasJumped(line: IntensityLine, light_w_m2: number): boolean {
  const level = levelNow(line, line.slope);
  const off = median(line.y.map((y, index) => Math.abs(y - level - line.slope * line.x_h[index])));
  return level - light_w_m2 > Math.max(JUMP_DEVIATIONS * off, JUMP_SHARE * level);
}

interface LightNow {
  readonly line: IntensityLine | null;
  readonly limit: number | null;
  /** The newest light; null if it isn't known. */
  readonly light: number | null;
  /** During a backflush the light isn't that of the line. */
  readonly isFlushing: boolean;
}

/** Hours to a limit by the line, which the newest light must agree with. */
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
 * Hours until the line falls to `limit`: (level - limit) / fall, with the steepest and the flattest
 * slope of the interval as its ends. It says where the present fall leads, not that it goes on. An
 * interval of the slope that holds 0 is no fall.
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

/** The newest points whose lamp power is about the present one. */
function alikeInPower(points: readonly IntensityPoint[]): readonly IntensityPoint[] {
  const power = points.findLast(({ power_pct }) => power_pct !== null)?.power_pct ?? null;
  if (power === null) return points;
  const other = points.findLastIndex(
    ({ power_pct }) => power_pct !== null && Math.abs(power_pct - power) > POWER_WITHIN_PCT,
  );
  return points.slice(other + 1);
}

/** Medians of even spans of time: readings a second apart scatter together. */
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
