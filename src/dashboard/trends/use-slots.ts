// The curves of Trends: each field over the range, and over one to compare with. There are
// always as many questions as there may be curves, since hooks are called in one order.

import type { Curve } from "../chart/curve.ts";
import type { Stretch } from "../chart/level.ts";
import type { Points } from "../chart/points.ts";
import { usePoints } from "../chart/use-points.ts";
import type { PagePart } from "../store/ask.ts";

/** A range of the page, and where its instants are on the axis. */
export interface PlacedRange {
  readonly stretch: Stretch;
  /** The start of a range to compare with; null for the range itself. */
  readonly beside_ms: number | null;
  readonly place: Curve["place"];
}

/** One curve that is asked for, and its answer. */
export interface Slot {
  readonly field: string;
  /** The number of its colour and dashes. */
  readonly series: number;
  /** The start of a range to compare with; null for the range itself. */
  readonly beside_ms: number | null;
  /** Its own range, of which `part` may have more. */
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
