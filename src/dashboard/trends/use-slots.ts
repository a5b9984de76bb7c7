// The curves of Trends: each field over the range, and over the one to compare with. There are
// always as many requests as the maximum number of curves, because hooks must be called in the same
// order.

import type { Curve } from "../chart/curve.ts";
import type { Stretch } from "../chart/level.ts";
import type { Points } from "../chart/points.ts";
import { usePoints } from "../chart/use-points.ts";
import type { PagePart } from "../store/ask.ts";

/** A range of the page, with the places of its instants on the axis. */
export interface PlacedRange {
  readonly stretch: Stretch;
  /** Start of the range, if it is one to compare with; null for the range itself. */
  readonly beside_ms: number | null;
  readonly place: Curve["place"];
}

/** A curve that is asked for, and its answer. */
export interface Slot {
  readonly field: string;
  /** Number of the curve's colour and dashes. */
  readonly series: number;
  /** Start of the range, if it is one to compare with; null for the range itself. */
  readonly beside_ms: number | null;
  /** The curve's own range; `part` may contain more. */
  readonly stretch: Stretch;
  readonly part: PagePart<Points>;
  readonly place: Curve["place"];
}

export function useSlots(
  fields: readonly string[],
  ranges: readonly PlacedRange[],
  isFolded: boolean,
): readonly Slot[] {
  const asks = ranges.flatMap((range) => fields.map((field) => ({ ...range, field, isFolded })));
  const parts = [
    usePoints(asks[0] ?? null),
    usePoints(asks[1] ?? null),
    usePoints(asks[2] ?? null),
    usePoints(asks[3] ?? null),
  ];
  return asks.map(({ field, stretch, beside_ms, place }, index) => ({
    ...{ field, series: index, stretch, beside_ms, place, part: parts[index] },
  }));
}
