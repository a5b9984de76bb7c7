// Four hours of UV intensity with both limits: the area below the one that counts is tinted, gaps
// are empty, the axis starts where data and limits say. Its texts keep their size at any width.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { overviewWords as t } from "../lang/words.ts";
import { linePath } from "../parts/curve.tsx";
import { printMinute } from "../parts/moments.ts";
import { printNumber } from "../parts/numbers.ts";
import type { ShownIntensity } from "../store/overview-shapes.ts";
import type { Curves } from "./curves.ts";

interface UvChartProps {
  readonly curves: Curves | null;
  readonly shown: ShownIntensity;
}

const HOUR_MS = 3_600_000;
/** Room for the numbers of the axis, the hours below, and half of the last hour's text. */
const [LEFT, BELOW, RIGHT, TOP] = [40, 20, 20, 8];
/** Steps of the axis in W/m2: some three to six lines. */
const STEPS = [10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000];

export function UvChart({ curves, shown }: UvChartProps) {
  const [place, { width, height, text_px }] = useSize();
  const { uv_imo, uv_uscg, mode, intensity } = shown;
  const lines = curves?.linesOf("UVR_INTENSITY") ?? [];
  const values = lines.flatMap((line) => line.map(([, value]) => value));
  const all = [...values, uv_imo, uv_uscg, ...(intensity.value === null ? [] : [intensity.value])];
  const { low, high, ticks } = axisOf(Math.min(...all), Math.max(...all));
  const { from_ms, to_ms } = curves ?? { from_ms: 0, to_ms: 1 };
  const right = Math.max(LEFT + 1, width - RIGHT);
  const bottom = Math.max(TOP + 1, height - BELOW);
  const x = (at_ms: number) => LEFT + ((right - LEFT) * (at_ms - from_ms)) / (to_ms - from_ms);
  const y = (value: number) => TOP + ((bottom - TOP) * (high - value)) / (high - low);
  const last = lines[lines.length - 1];
  const newest = last?.[last.length - 1];
  const limits = [
    ["IMO", uv_imo],
    ["USCG", uv_uscg],
  ] as const;
  const counting = limits.find(([name]) => name === mode);
  return (
    <div class="uv-chart" ref={place}>
      <svg class="curve" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("uv_curve")}>
        {ticks.map((tick) => (
          <g key={tick}>
            <path class="grid" d={`M${LEFT} ${y(tick)}H${right}`} />
            <text class="axis end" x={LEFT - 8} y={y(tick) + text_px / 3}>
              {printNumber(tick)}
            </text>
          </g>
        ))}
        {counting !== undefined && (
          <path class="beyond" d={`M${LEFT} ${y(counting[1])}H${right}V${bottom}H${LEFT}z`} />
        )}
        {limits.map(([name, limit]) => (
          <g key={name} class={name === mode ? "counts" : ""}>
            <path
              class={name === mode ? "level counts" : "level"}
              d={`M${LEFT} ${y(limit)}H${right}`}
            />
            <text class="axis end limit" x={right - 4} y={y(limit) - text_px / 2.5}>
              {name} {printNumber(limit)}
            </text>
          </g>
        ))}
        {curves !== null &&
          hoursIn(curves).map((at_ms) => (
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

/** Whole hours, apart from the ends so far that their texts are whole. */
function hoursIn({ from_ms, to_ms }: Curves): readonly number[] {
  const first = Math.ceil(from_ms / HOUR_MS);
  const all = Array.from({ length: 5 }, (_, index) => (first + index) * HOUR_MS);
  return all.filter((at_ms) => at_ms <= to_ms);
}

function axisOf(least: number, most: number) {
  const span = Math.max(1, most - least);
  const step = STEPS.find((one) => span / one <= 5) ?? span;
  const low = Math.max(0, Math.floor((least - 0.08 * span) / step) * step);
  const high = Math.ceil((most + 0.04 * span) / step) * step;
  const count = Math.round((high - low) / step);
  const ticks = Array.from({ length: count }, (_, index) => low + (index + 1) * step);
  return { low, high, ticks };
}

/** The box in pixels, and the size of its text; a guess until it was measured. */
function useSize() {
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
