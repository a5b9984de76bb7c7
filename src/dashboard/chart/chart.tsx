// A chart: the values at the cursor, the drawing, and on demand the table of its points. A drawing
// stays until the next one is ready.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { chartWords as t } from "../lang/words.ts";
import { LongText } from "../parts/long-text.tsx";
import { printDay, printSecond } from "../parts/moments.ts";
import type { ChartAxis } from "./axis.ts";
import type { ChartLimit } from "./limit-chart.tsx";
import "./chart.css";
import {
  type ChartMark,
  type Curve,
  nextValueOf,
  type PlacedPoint,
  placed,
  pointAt,
} from "./curve.ts";
import { CurveTable } from "./curve-table.tsx";
import { DASHES } from "./draw.ts";
import { type Drawing, type OpenPlot, openPlot } from "./plot.ts";
import { PointValue } from "./point-value.tsx";
import type { SharedView } from "./shared-view.ts";
import { useSharedView } from "./use-shared-view.ts";

export interface ChartProps {
  /** Name of the chart for screen readers and tests. */
  readonly label: string;
  readonly curves: readonly Curve[];
  readonly marks: readonly ChartMark[];
  readonly limits?: readonly ChartLimit[];
  readonly axis: ChartAxis;
  /** True for an axis of operating hours. */
  readonly isFolded: boolean;
  readonly shared: SharedView;
  readonly withTable: boolean;
  /** Title and level, shown in one line with the values at the cursor. */
  readonly head?: ComponentChildren;
  /** False if the marks are drawn elsewhere; the cursor still shows them here. */
  readonly drawsMarks?: boolean;
}

const NO_LIMITS: readonly ChartLimit[] = [];

const NO_MARKS: readonly ChartMark[] = [];

export function Chart(props: ChartProps) {
  const { curves, marks, limits = NO_LIMITS, axis, isFolded, shared } = props;
  const drawn = props.drawsMarks === false ? NO_MARKS : marks;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<OpenPlot | null>(null);
  const drawing = useMemo<Drawing>(
    () => ({
      curves: curves.map(placed),
      series: curves.map(({ series }, index) => series ?? index),
      marks: drawn.map((mark) => ({
        ...mark,
        from: axis.placeNear(mark.at_ms),
        to: axis.placeNear(mark.end_ms ?? mark.at_ms),
      })),
      ...{ limits, axis, isFolded },
    }),
    [curves, drawn, limits, axis, isFolded],
  );
  useLayoutEffect(() => {
    if (place.current === null) return;
    const opened = openPlot(place.current, shared, drawing);
    plot.current = opened;
    const watcher = new ResizeObserver(() => opened.resize());
    watcher.observe(place.current);
    return () => {
      watcher.disconnect();
      opened.close();
      plot.current = null;
    };
    // The next effect passes each new drawing to the plot.
  }, [shared]);
  useLayoutEffect(() => plot.current?.draw(drawing), [drawing]);
  useEffect(() => {
    const ends = drawing.curves.map((points) => shared.offer(nextValueOf(points)));
    return () => {
      for (const end of ends) end();
    };
  }, [shared, drawing]);
  const points = drawing.curves.reduce((sum, one) => sum + one.length, 0);
  return (
    <>
      <div class={props.head === undefined ? undefined : "chart-head"}>
        {props.head}
        <Readout {...{ curves, axis, shared, marks }} drawn={drawing.curves} />
      </div>
      <div class="chart" ref={place} role="img" aria-label={props.label} data-points={points} />
      {props.withTable &&
        curves.map((curve) => <CurveTable key={curve.label} curve={curve} shared={shared} />)}
    </>
  );
}

interface ReadoutProps {
  readonly curves: readonly Curve[];
  readonly drawn: readonly (readonly PlacedPoint[])[];
  readonly marks: readonly ChartMark[];
  readonly axis: ChartAxis;
  readonly shared: SharedView;
}

/** Maximum distance from the cursor at which a point is shown, as a share of the stretch. */
const REACH = 0.01;

/** The legend, with time and values at the cursor. */
function Readout({ curves, drawn, marks, axis, shared }: ReadoutProps) {
  useSharedView(shared);
  const cursor = shared.cursor();
  const { from, to } = shared.view();
  const reach = (to - from) * REACH;
  const found = drawn.map((points) => (cursor === null ? null : pointAt(points, cursor, reach)));
  const at_ms = cursor === null ? null : axis.instantAt(cursor);
  return (
    <div class="readout">
      <p class="quiet">
        {at_ms === null ? t("no_cursor") : printSecond(at_ms, Number.NaN)}
        {cursor !== null && <MarksNear marks={marks} at={{ cursor, reach }} axis={axis} />}
      </p>
      <ul class={curves.length === 1 ? "only" : undefined}>
        {curves.map((curve, position) => (
          <li key={curve.label}>
            <CurveSample position={curve.series ?? position} /> <span>{curve.label}</span>{" "}
            <b>
              <PointValue curve={curve} point={found[position] ?? null} test="at-cursor">
                {valueText(curve, found[position])}
              </PointValue>
            </b>
            {timeOf(found[position], at_ms)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function valueText({ print }: Curve, point: PlacedPoint | null | undefined): string {
  if (point === null || point === undefined) return "";
  if (point.min === null || point.max === null || point.value === null) return print(point.value);
  return t("band", { value: print(point.value), min: print(point.min), max: print(point.max) });
}

/**
 * The time of a value, if it isn't about that of the cursor: it belongs to a range compared with.
 */
function timeOf(point: PlacedPoint | null | undefined, at_ms: number | null): string {
  if (point === null || point === undefined || at_ms === null) return "";
  const isNear = Math.abs(point.at_ms - at_ms) < 2 * (point.end_ms - point.at_ms) + 86_400_000;
  return isNear ? "" : ` (${printSecond(point.at_ms, Number.NaN)})`;
}

const MARKS_READ = 3;

function MarksNear({
  marks,
  at,
  axis,
}: {
  readonly marks: readonly ChartMark[];
  readonly at: { readonly cursor: number; readonly reach: number };
  readonly axis: ChartAxis;
}) {
  const near = marks.filter(
    ({ at_ms, end_ms }) =>
      axis.placeNear(at_ms) <= at.cursor + at.reach &&
      axis.placeNear(end_ms ?? at_ms) >= at.cursor - at.reach,
  );
  return (
    <>
      {near.slice(0, MARKS_READ).map((mark) => (
        <span key={`${mark.kind} ${mark.at_ms}`}>
          {" · "}
          {t(mark.kind)}: <LongText text={mark.text} /> ({printDay(mark.at_ms)})
        </span>
      ))}
    </>
  );
}

/** Sample of a curve's line: its colour and its dashes. */
export function CurveSample({ position }: { readonly position: number }) {
  const dashes = DASHES[position % DASHES.length].join(" ");
  return (
    <svg
      class={`sample series-${(position % DASHES.length) + 1}`}
      viewBox="0 0 30 6"
      aria-hidden="true"
    >
      <path d="M1 3H29" stroke-dasharray={dashes === "" ? "none" : dashes} />
    </svg>
  );
}
