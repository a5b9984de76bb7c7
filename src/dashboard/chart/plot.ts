// The only module that knows uPlot, which gives scales, axes and the cross hair, and sizes the
// canvas. The curves are drawn by draw.ts, because uPlot would join points over missing time, and
// needs all curves at the same places. uPlot sets styles through the CSSOM, which the pages' policy
// allows.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { printNumber } from "../parts/numbers.ts";
import type { ChartAxis } from "./axis.ts";
import { type AxisView, type PlacedPoint, valueRange } from "./curve.ts";
import {
  drawCurve,
  drawFolds,
  drawLimitAreas,
  drawLimits,
  drawMarks,
  type PlacedMark,
  paletteToken,
  textScale,
} from "./draw.ts";
import { listenToGestures } from "./gestures.ts";
import type { ChartLimit } from "./limit-chart.tsx";
import type { SharedView } from "./shared-view.ts";

/** Everything drawn in a chart at one moment. */
export interface Drawing {
  readonly curves: readonly (readonly PlacedPoint[])[];
  /** Number of the colour and dashes of each curve. */
  readonly series: readonly number[];
  readonly marks: readonly PlacedMark[];
  readonly limits: readonly ChartLimit[];
  readonly axis: ChartAxis;
  /** True if the axis leaves out breaks, which are then marked. */
  readonly isFolded: boolean;
}

export interface OpenPlot {
  readonly draw: (drawing: Drawing) => void;
  readonly resize: () => void;
  readonly close: () => void;
}

/** Width of one label of the axis in pixels, at the usual size of text. */
const LABEL_WIDTH = 96;

export function openPlot(place: HTMLElement, shared: SharedView, start: Drawing): OpenPlot {
  let drawing = start;
  const plot = new uPlot(
    options(place, shared, () => drawing),
    blank(shared.view()),
    place,
  );
  const show = () => {
    const view = shared.view();
    const [min, max] = valueRange(drawing.curves, view, drawing.limits);
    const cursor = shared.cursor();
    plot.batch(() => {
      plot.setScale("x", { min: view.from, max: view.to });
      plot.setScale("y", { min, max });
    });
    const left = cursor === null ? -10 : plot.valToPos(cursor, "x");
    plot.setCursor({ left, top: cursor === null ? -10 : 1 }, false);
  };
  const stopListening = shared.listen(show);
  const shortest = () => drawing.axis.shortest;
  const stopGestures = listenToGestures({ element: plot.over, shared, shortest });
  const redraw = () => plot.redraw(false, true);
  const palette = new MutationObserver(redraw);
  palette.observe(document.documentElement, { attributeFilter: ["data-palette"] });
  // Printing has its own colours, so it needs a new drawing. Safari of 2020 has only the older name
  // of the method.
  const paper = window.matchMedia("print");
  paper.addListener(redraw);
  show();
  return {
    draw(wanted) {
      drawing = wanted;
      show();
      plot.redraw(false, true);
    },
    resize: () => plot.setSize(sizeOf(place)),
    close() {
      palette.disconnect();
      paper.removeListener(redraw);
      stopGestures();
      stopListening();
      plot.destroy();
    },
  };
}

/** Data for uPlot: two points without values, which only set its scales. */
function blank({ from, to }: AxisView): uPlot.AlignedData {
  return [
    [from, to],
    [null, null],
  ];
}

function options(place: HTMLElement, shared: SharedView, drawing: () => Drawing): uPlot.Options {
  const lines = {
    stroke: () => paletteToken("--muted"),
    ticks: { stroke: () => paletteToken("--line") },
  };
  const grid = { stroke: () => paletteToken("--track"), width: 1 };
  const scale = textScale();
  const font = `${12 * scale}px Inter, system-ui, sans-serif`;
  const values = (_: uPlot, splits: number[]) => splits.map((value) => printNumber(value));
  return {
    ...sizeOf(place),
    legend: { show: false },
    // The last label extends by half beyond the end.
    padding: [8, 36 * scale, 0, 0],
    scales: { x: { time: false, auto: false }, y: { auto: false } },
    series: [{}, { points: { show: false }, paths: () => null }],
    axes: [
      {
        ...lines,
        grid,
        font,
        size: 28 * scale,
        splits: (plot, _axis, min, max) =>
          drawing().axis.splits(
            min,
            max,
            Math.floor(plot.bbox.width / ratio() / LABEL_WIDTH / scale),
          ),
        values: (_, splits) => {
          const { from, to } = shared.view();
          const step = splits.length > 1 ? splits[1] - splits[0] : to - from;
          return splits.map((split) => drawing().axis.label(split, step));
        },
      },
      { ...lines, grid, size: 64 * scale, font, values },
    ],
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: false, y: false, setScale: false },
    },
    hooks: {
      draw: [
        (plot) => {
          const { curves, series, marks, limits, isFolded } = drawing();
          const view = shared.view();
          drawLimitAreas(plot, limits);
          if (isFolded && curves.length > 0) drawFolds(plot, curves[0], view);
          for (const [index, points] of curves.entries())
            drawCurve(plot, { points, view, position: series[index] });
          drawLimits(plot, limits);
          drawMarks(plot, marks);
        },
      ],
    },
  };
}

/** Size of the chart's place in pixels; the style sheet sets the height. */
const sizeOf = (place: HTMLElement) => ({
  width: place.clientWidth,
  height: place.clientHeight,
});

const ratio = () => window.devicePixelRatio || 1;
