// One field of the catalogue in one chart, beside others over the same stretch: its points, its
// limits and the marks of the page.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { type TagName, tagNamed } from "../../bwts/tags.ts";
import { currentLanguage } from "../lang/area.ts";
import { printLabel } from "../lang/fields.ts";
import { printValue } from "../parts/numbers.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import { type ChartAxis, hourPlace, type OperatingHours } from "./axis.ts";
import { Chart } from "./chart.tsx";
import type { ChartMark } from "./curve.ts";
import type { Stretch } from "./level.ts";
import type { ChartLimit } from "./limit-chart.tsx";
import { joinOf } from "./points.ts";
import type { SharedView } from "./shared-view.ts";
import { usePoints } from "./use-points.ts";

/** Everything that the charts of a page share. */
export interface ChartsContext {
  readonly stretch: Stretch;
  readonly shared: SharedView;
  readonly axis: ChartAxis;
  /** The operating hours; null on the calendar. */
  readonly hours: OperatingHours | null;
  readonly hasTables: boolean;
}

interface FieldChartProps {
  readonly field: TagName;
  readonly around: ChartsContext;
  /** Limits to draw. A new array, of these or of the marks, makes a new drawing. */
  readonly limits: readonly ChartLimit[];
  readonly marks: readonly ChartMark[];
  /** Name of the chart for screen readers and tests. */
  readonly label: string;
  /** Title and unit, shown in one line with the values at the cursor. */
  readonly head?: ComponentChildren;
}

export function FieldChart({ field, around, limits, marks, label, head }: FieldChartProps) {
  const { stretch, shared, axis, hours, hasTables } = around;
  const isFolded = hours !== null;
  const { known, problem } = usePoints({ field, stretch, isFolded });
  const points = known?.value ?? null;
  const language = currentLanguage();
  const curves = useMemo(() => {
    if (points === null) return [];
    const tag = tagNamed(field);
    const print = (value: number | null) => printValue(tag, value);
    const place = (at_ms: number) => (hours === null ? at_ms : hourPlace(hours, at_ms));
    const join_ms = joinOf(points);
    return [{ label: printLabel(tag), points: points.points, join_ms, place, print }];
  }, [points, field, language, hours]);
  return (
    <>
      <ProblemBanner problem={problem} />
      <Chart
        {...{ label, curves, limits, marks, axis, shared, isFolded, head }}
        withTable={hasTables}
      />
    </>
  );
}
