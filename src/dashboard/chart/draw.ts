// Draws curves and marks into a chart's canvas: a bucket as a step with its band, readings as a
// line, a point that stands alone as a dot. Each curve has a colour and a pattern of dashes, each
// kind of mark a letter, because colour alone is lost at night and on paper.

import type uPlot from "uplot";
import {
  type AxisView,
  type ChartMark,
  indexFrom,
  type MarkKind,
  type PlacedPoint,
} from "./curve.ts";
import type { ChartLimit } from "./limit-chart.tsx";

const LETTERS: Readonly<Record<MarkKind, string>> = {
  operation: "",
  alert: "!",
  cleaning: "C",
  replacement: "L",
  note: "N",
  outside_limits: "X",
  cannot_tell: "?",
  left_out: "–",
};

/** Patterns of dashes by the position of the curve, in CSS pixels. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 3], [9, 3, 2, 3]];

/** A colour of the current palette. */
export function paletteToken(name: string): string {
  return window.getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export const seriesToken = (position: number) => `--series-${(position % DASHES.length) + 1}`;

interface Pixels {
  readonly x: (place: number) => number;
  readonly y: (value: number) => number;
  readonly ratio: number;
}

function pixelsOf(plot: uPlot): Pixels {
  return {
    x: (place) => plot.valToPos(place, "x", true),
    y: (value) => plot.valToPos(value, "y", true),
    ratio: window.devicePixelRatio || 1,
  };
}

/** Calls `draw` with the canvas clipped to the drawing area. */
export function clipped(plot: uPlot, draw: (ctx: CanvasRenderingContext2D) => void): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

/** Minimum width of a bucket in pixels: in a chart of two years a day would be invisible. */
const NARROW = 2;

interface Shown {
  readonly points: readonly PlacedPoint[];
  readonly view: AxisView;
  readonly position: number;
}

export function drawCurve(plot: uPlot, { points, view, position }: Shown): void {
  const colour = paletteToken(seriesToken(position));
  const { x, y, ratio } = pixelsOf(plot);
  const band = new Path2D();
  const line = new Path2D();
  const dots = new Path2D();
  const start = Math.max(0, indexFrom(points, view.from) - 1);
  for (let index = start; index < points.length; index += 1) {
    const { from, to, value, min, max, isJoined } = points[index];
    if (value === null) continue;
    const left = x(from);
    const width = Math.max(NARROW * ratio, x(to) - left);
    if (min !== null && max !== null)
      band.rect(left, y(max), width, Math.max(ratio, y(min) - y(max)));
    if (isJoined) line.lineTo(left, y(value));
    else line.moveTo(left, y(value));
    if (to > from) line.lineTo(left + width, y(value));
    const isAlone = !isJoined && points[index + 1]?.isJoined !== true;
    if (isAlone && width <= 3 * ratio)
      dots.rect(left - 2 * ratio, y(value) - 2.5 * ratio, 5 * ratio, 5 * ratio);
    if (from > view.to) break;
  }
  clipped(plot, (ctx) => {
    ctx.fillStyle = colour;
    ctx.globalAlpha = 0.4;
    ctx.fill(band);
    ctx.globalAlpha = 1;
    ctx.fill(dots);
    ctx.strokeStyle = colour;
    ctx.lineWidth = 1.75 * ratio;
    ctx.lineJoin = "round";
    ctx.setLineDash(DASHES[position % DASHES.length].map((dash) => dash * ratio));
    ctx.stroke(line);
  });
}

export interface PlacedMark extends ChartMark {
  readonly from: number;
  readonly to: number;
}

/**
 * Draws operations as spans along the bottom, intervals of a verdict as shaded spans between two
 * lines, and other marks as a line. All but operations have a letter.
 */
export function drawMarks(plot: uPlot, marks: readonly PlacedMark[]): void {
  const { x, ratio } = pixelsOf(plot);
  const { top, height } = plot.bbox;
  clipped(plot, (ctx) => {
    ctx.font = `${12 * ratio * textScale()}px Inter, system-ui, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    for (const { kind, from, to } of marks) {
      const left = x(from);
      const span = Math.max(2 * ratio, x(to) - left);
      if (kind === "operation") {
        ctx.fillStyle = paletteToken("--control");
        ctx.fillRect(left, top + height - 5 * ratio, span, 5 * ratio);
        continue;
      }
      const isJudged = kind === "outside_limits" || kind === "cannot_tell";
      const isInterval = isJudged || kind === "left_out";
      const colour = paletteToken(isJudged || kind === "alert" ? "--warning-ink" : "--muted");
      ctx.strokeStyle = colour;
      ctx.fillStyle = colour;
      ctx.lineWidth = ratio;
      ctx.setLineDash([3 * ratio, 3 * ratio]);
      ctx.globalAlpha = 0.15;
      if (isInterval) ctx.fillRect(left, top, span, height);
      ctx.globalAlpha = 1;
      ctx.beginPath();
      for (const at of isInterval ? [left, left + span] : [left]) {
        ctx.moveTo(at, top + 16 * ratio * textScale());
        ctx.lineTo(at, top + height);
      }
      ctx.stroke();
      ctx.fillText(LETTERS[kind], isInterval ? left + span / 2 : left, top + 2 * ratio);
    }
  });
}

/** Tints the area beyond each limit that counts. */
export function drawLimitAreas(plot: uPlot, limits: readonly ChartLimit[]): void {
  const { y } = pixelsOf(plot);
  const { left, top, width, height } = plot.bbox;
  clipped(plot, (ctx) => {
    ctx.fillStyle = paletteToken("--alarm-tint");
    for (const { value, beyond } of limits) {
      if (beyond === "below") ctx.fillRect(left, y(value), width, top + height - y(value));
      if (beyond === "above") ctx.fillRect(left, top, width, y(value) - top);
    }
  });
}

/** Draws limits as lines over the whole width, with their values; dashed if they don't count. */
export function drawLimits(plot: uPlot, limits: readonly ChartLimit[]): void {
  const { y, ratio } = pixelsOf(plot);
  const { left, top, width } = plot.bbox;
  clipped(plot, (ctx) => {
    ctx.font = `${12 * ratio * textScale()}px Inter, system-ui, sans-serif`;
    ctx.textAlign = "right";
    ctx.lineWidth = 1.5 * ratio;
    for (const { value, text, beyond } of limits) {
      const colour = paletteToken(beyond === undefined ? "--muted" : "--alarm-ink");
      ctx.strokeStyle = colour;
      ctx.fillStyle = colour;
      ctx.setLineDash(beyond === undefined ? [4 * ratio, 3 * ratio] : []);
      ctx.beginPath();
      ctx.moveTo(left, y(value));
      ctx.lineTo(left + width, y(value));
      const isHigh = y(value) < top + 16 * ratio;
      ctx.textBaseline = isHigh ? "top" : "bottom";
      ctx.fillText(text, left + width - 4 * ratio, y(value) + (isHigh ? 3 : -2) * ratio);
      ctx.stroke();
    }
  });
}

/** Draws a line at each break that an axis of operating hours leaves out. */
export function drawFolds(plot: uPlot, points: readonly PlacedPoint[], view: AxisView): void {
  const { x, ratio } = pixelsOf(plot);
  clipped(plot, (ctx) => {
    ctx.strokeStyle = paletteToken("--line");
    ctx.lineWidth = ratio;
    ctx.beginPath();
    for (let index = Math.max(1, indexFrom(points, view.from)); index < points.length; index += 1) {
      const { from, at_ms } = points[index];
      if (from > view.to) break;
      if (at_ms === points[index - 1].end_ms) continue;
      ctx.moveTo(x(from), plot.bbox.top);
      ctx.lineTo(x(from), plot.bbox.top + plot.bbox.height);
    }
    ctx.stroke();
  });
}

/** Factor of the text size on this screen; a large panel has larger text. */
export function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
}
