// A chart of some hours with limits: the area beyond the limit in force is tinted, gaps are empty,
// and the axis covers data and limits. Its texts keep their size at any width.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { printMinute } from "../parts/moments.ts";
import { printNumber } from "../parts/numbers.ts";
import { type CurveLine, linePath } from "./small-curve.tsx";

/** A limit of curves, drawn as a line. */
export interface ChartLimit {
  readonly value: number;
  /** The value as text, with its unit. */
  readonly text: string;
  /** The side on which a value is outside; it is tinted. Only for the limit in force. */
  readonly beyond?: "below" | "above";
}

interface LimitChartProps {
  readonly lines: readonly CurveLine[];
  readonly from_ms: number;
  readonly to_ms: number;
  readonly limits: readonly ChartLimit[];
  /** Times in which no limit counts; they are shaded. */
  readonly left_out?: readonly { readonly from_ms: number; readonly to_ms: number }[];
  /** False while the stretch isn't known. */
  readonly hasTimes?: boolean;
  /** Description for screen readers. */
  readonly label: string;
}

const HOUR_MS = 3_600_000;
/** Margins in pixels: for the axis's numbers, the hours below, and half of the last hour's text. */
const [LEFT, BELOW, RIGHT, TOP] = [44, 20, 20, 8];
/** Steps of the axis, each times a power of ten; they give three to six lines. */
const STEPS = [1, 2, 2.5, 5, 10];

export function LimitChart(props: LimitChartProps) {
  const { lines, from_ms, to_ms, limits, left_out = [], label, hasTimes = true } = props;
  const [place, { width, height, text_px }] = useChartSize();
  const values = lines.flatMap((line) => line.map(([, value]) => value));
  const all = [...values, ...limits.map(({ value }) => value)];
  const { low, high, ticks } = axisOf(Math.min(...all), Math.max(...all));
  const right = Math.max(LEFT + 1, width - RIGHT);
  const bottom = Math.max(TOP + 1, height - BELOW);
  const x = (at_ms: number) => LEFT + ((right - LEFT) * (at_ms - from_ms)) / (to_ms - from_ms);
  const y = (value: number) => TOP + ((bottom - TOP) * (high - value)) / (high - low);
  const last = lines[lines.length - 1];
  const newest = last?.[last.length - 1];
  return (
    <div class="limit-chart" ref={place}>
      <svg class="curve" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {/* Areas are drawn first, so that the grid is visible over them. */}
        {limits.map(({ value, beyond }) =>
          beyond === undefined ? null : (
            <path
              key={value}
              class="beyond"
              d={`M${LEFT} ${y(value)}H${right}V${beyond === "below" ? bottom : TOP}H${LEFT}z`}
            />
          ),
        )}
        {left_out.map((one) => (
          <path
            key={one.from_ms}
            class="left-out"
            d={`M${x(one.from_ms)} ${TOP}V${bottom}H${x(one.to_ms)}V${TOP}z`}
          />
        ))}
        {ticks.map((tick) => (
          <g key={tick}>
            <path class="grid" d={`M${LEFT} ${y(tick)}H${right}`} />
            <text class="axis end" x={LEFT - 8} y={y(tick) + text_px / 3}>
              {printNumber(tick)}
            </text>
          </g>
        ))}
        {limits.map(({ value, text, beyond }) => (
          <g key={text} class={beyond === undefined ? "" : "counts"}>
            <path
              class={beyond === undefined ? "level" : "level counts"}
              d={`M${LEFT} ${y(value)}H${right}`}
            />
            <text class="axis end limit" x={right - 4} y={y(value) - text_px / 2.5}>
              {text}
            </text>
          </g>
        ))}
        {(hasTimes ? timesIn(from_ms, to_ms) : []).map((at_ms) => (
          <text key={at_ms} class="axis middle" x={x(at_ms)} y={height - 4}>
            {printMinute(at_ms)}
          </text>
        ))}
        <path class="line" d={linePath(lines, x, y)} />
        {newest !== undefined && <circle class="now" cx={x(newest[0])} cy={y(newest[1])} r="4" />}
      </svg>
    </div>
  );
}

/** Steps of the hours below; the shortest that leaves room for their texts is used. */
const HOUR_STEPS = [0.5, 1, 2, 3, 6, 12, 24];
const TIMES_MAX = 6;

/** Times of the labels: whole hours, half hours for a short stretch, days for a long one. */
function timesIn(from_ms: number, to_ms: number): readonly number[] {
  const hours = (to_ms - from_ms) / HOUR_MS;
  const step = HOUR_STEPS.find((one) => hours / one <= TIMES_MAX) ?? Math.ceil(hours / TIMES_MAX);
  const step_ms = step * HOUR_MS;
  const first = Math.ceil(from_ms / step_ms);
  const all = Array.from({ length: 8 }, (_, index) => (first + index) * step_ms);
  return all.filter((at_ms) => at_ms <= to_ms);
}

/** Range and ticks of an axis for values from `least` to `most`; 0 to 1 without values. */
export function axisOf(least: number, most: number) {
  if (!(least <= most)) return { low: 0, high: 1, ticks: [0, 1] };
  const span = Math.max(most - least, Math.abs(most) * 0.1, 1e-6);
  const power = 10 ** Math.floor(Math.log10(span / 5));
  const step = power * (STEPS.find((one) => span / (one * power) <= 5) ?? 10);
  const start = least >= 0 ? Math.max(0, least - 0.08 * span) : least - 0.08 * span;
  const low = Math.floor(start / step) * step;
  const high = Math.ceil((most + 0.04 * span) / step) * step;
  const count = Math.round((high - low) / step);
  const ticks = Array.from({ length: count }, (_, index) => low + (index + 1) * step);
  return { low, high, ticks };
}

/** The box of a chart in pixels, and the size of its text; estimates until it is measured. */
export function useChartSize() {
  const place = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 620, height: 220, text_px: 11 });
  useLayoutEffect(() => {
    const box = place.current;
    if (box === null) return;
    const measure = () => {
      const text_px = Number.parseFloat(getComputedStyle(box).fontSize);
      setSize({ width: box.clientWidth, height: box.clientHeight, text_px });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return [place, size] as const;
}
