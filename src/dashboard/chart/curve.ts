// The data of a chart: curves of points, and marks. A point is a reading, or an hour or a day with
// its minimum and maximum. A line joins two points only if no time is missing between them, so that
// a gap stays a gap in every drawing.

import { firstIndex } from "../../bwts/ranks.ts";
import type { ChartLimit } from "./limit-chart.tsx";

/** A place on the axis: milliseconds on the calendar, operating hours on the other. */
export type AxisPlace = number;

export interface CurvePoint {
  readonly at_ms: number;
  /** End of the bucket; equal to `at_ms` for a reading. */
  readonly end_ms: number;
  /** The value; null for no data. */
  readonly value: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

export interface Curve {
  readonly label: string;
  /** Number of the curve's colour and dashes; by default its position in the chart. */
  readonly series?: number;
  /** Ascending by time. */
  readonly points: readonly CurvePoint[];
  /** Maximum time that a line may cross between two points; 0 for buckets. */
  readonly join_ms: number;
  /** Gives the place of an instant, in ascending order; null if the axis leaves it out. */
  readonly place: (at_ms: number) => AxisPlace | null;
  /** Prints a value with its unit. */
  readonly print: (value: number | null) => string;
}

const MARK_KINDS = [
  ...["operation", "alert", "cleaning", "replacement", "note"],
  ...["outside_limits", "cannot_tell", "left_out"],
] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** An occurrence: a span, or a moment if `end_ms` is null. */
export interface ChartMark {
  readonly kind: MarkKind;
  readonly at_ms: number;
  readonly end_ms: number | null;
  readonly text: string;
}

/** The part of the axis that is shown, from end to end. */
export interface AxisView {
  readonly from: AxisPlace;
  readonly to: AxisPlace;
}

/** A point with its ends on the axis. */
export interface PlacedPoint extends CurvePoint {
  readonly from: AxisPlace;
  readonly to: AxisPlace;
  /** True if a line joins this point to the previous one. */
  readonly isJoined: boolean;
}

/** The points that are on the axis, in its order. */
export function placed({ points, join_ms, place }: Curve): readonly PlacedPoint[] {
  const found: PlacedPoint[] = [];
  let before: CurvePoint | null = null;
  for (const point of points) {
    const from = place(point.at_ms);
    if (from === null) continue;
    // The end is the start of the next hour, which an axis of operating hours may leave out.
    const last = point.end_ms > point.at_ms ? place(point.end_ms - 1) : from;
    const isJoined =
      before !== null &&
      before.value !== null &&
      point.value !== null &&
      point.at_ms - before.end_ms <= join_ms;
    found.push({ ...point, from, to: last ?? from, isJoined });
    before = point;
  }
  return found;
}

/** The index of the first point that ends at `place` or later. */
export function indexFrom(points: readonly PlacedPoint[], place: AxisPlace): number {
  return firstIndex(points.length, (index) => points[index].to >= place);
}

/** The point at a place, or the nearest one within `reach`; null if there is none. */
export function pointAt(
  points: readonly PlacedPoint[],
  place: AxisPlace,
  reach: number,
): PlacedPoint | null {
  const index = indexFrom(points, place);
  const around = [points[index - 1], points[index]].filter((point) => point !== undefined);
  const distance = ({ from, to }: PlacedPoint) => Math.max(from - place, place - to, 0);
  const [nearest = null] = around.sort((one, other) => distance(one) - distance(other));
  return nearest !== null && distance(nearest) <= reach ? nearest : null;
}

/** Gives the place of the next known value from `place` on, backwards with -1; null for none. */
export type NextValue = (place: AxisPlace, direction: 1 | -1) => AxisPlace | null;

export function nextValueOf(points: readonly PlacedPoint[]): NextValue {
  return (place, direction) => {
    let index = indexFrom(points, place);
    if (direction < 0 && !(points[index]?.from <= place)) index -= 1;
    while (points[index] !== undefined && points[index].value === null) index += direction;
    const point = points[index];
    return point === undefined ? null : Math.min(point.to, Math.max(point.from, place));
  };
}

/**
 * Range of the value axis: minimum and maximum of the shown points and the limits, with a margin; 0
 * to 1 without any.
 */
export function valueRange(
  curves: readonly (readonly PlacedPoint[])[],
  view: AxisView,
  limits: readonly ChartLimit[],
): readonly [number, number] {
  const drawn = limits.map(({ value }) => value);
  let least = Math.min(...drawn);
  let most = Math.max(...drawn);
  for (const points of curves)
    for (let index = indexFrom(points, view.from); index < points.length; index += 1) {
      const { from, value, min, max } = points[index];
      if (from > view.to) break;
      if (value === null) continue;
      least = Math.min(least, min ?? value);
      most = Math.max(most, max ?? value);
    }
  if (least > most) return [0, 1];
  const air = (most - least) * 0.06 || Math.abs(most) * 0.1 || 1;
  return [least - air, most + air];
}
