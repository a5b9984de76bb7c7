// The axes of a life: percents, hours with the months in which the lamp had them, the limit with
// the area beyond it, and the rated hours.

import { lampsWords as t } from "../lang/words.ts";
import type { ShownCurve, ShownLife } from "./lamp-answers.ts";
import { printHours, printPercent } from "./lamp-words.ts";
import { monthAt } from "./life-hours.ts";

/**
 * Margins in pixels: for the percents, for two lines of hours and months, for half of the last
 * label, for half a line.
 */
export const [LEFT, BELOW, RIGHT, TOP] = [46, 36, 24, 10];

interface LifeAxesProps {
  readonly scale: {
    readonly x: (hours: number) => number;
    readonly y: (output: number) => number;
    readonly right: number;
    readonly bottom: number;
    /** Percents that have a line. */
    readonly ticks: readonly number[];
  };
  /** Hours that have a label. */
  readonly steps: readonly number[];
  readonly curve: ShownCurve;
  readonly life: ShownLife | null;
  readonly text_px: number;
}

export function LifeAxes({ scale, steps, curve, life, text_px }: LifeAxesProps) {
  const { x, y, right, bottom, ticks } = scale;
  const { end_efficiency, rated_h } = curve;
  const limit_y = tenthOf(y(end_efficiency));
  return (
    <>
      <path class="beyond" d={`M${LEFT} ${limit_y}H${right}V${bottom}H${LEFT}z`} />
      {ticks.map((tick) => (
        <g key={tick}>
          <path class="grid" d={`M${LEFT} ${tenthOf(y(tick))}H${right}`} />
          <text class="end" x={LEFT - 8} y={y(tick) + text_px / 3}>
            {printPercent(tick)}
          </text>
        </g>
      ))}
      {steps.map((hours) => (
        <text key={hours} class="middle" x={x(hours)} y={bottom + 1.4 * text_px}>
          {printHours(hours)}
          <tspan class="month" x={x(hours)} dy={1.25 * text_px}>
            {life === null ? "" : monthAt(life, hours)}
          </tspan>
        </text>
      ))}
      <path class="end-of-life" d={`M${LEFT} ${limit_y}H${right}`} />
      <text class="end-of-life" x={LEFT + 6} y={limit_y - 0.5 * text_px}>
        {t("end_of_life", { percent: printPercent(end_efficiency) })}
      </text>
      <path class="rated" d={`M${tenthOf(x(rated_h))} ${TOP}V${bottom}`} />
      <text class="end" x={x(rated_h) - 6} y={TOP + text_px}>
        {t("rated_hours", { hours: printHours(rated_h) })}
      </text>
    </>
  );
}

/**
 * Range and ticks of the percent axis: tens from below the lowest value up to at least a new lamp.
 */
export function percentAxis(values: readonly number[]) {
  const low = Math.floor((Math.min(...values) - 2) / 10) * 10;
  const high = Math.max(100, Math.ceil(Math.max(...values) / 10) * 10);
  const step = high - low > 60 ? 20 : 10;
  const ticks = Array.from(
    { length: Math.floor((high - low) / step) + 1 },
    (_, i) => low + i * step,
  );
  return { low, high, ticks };
}

/** A coordinate rounded to a tenth of a pixel, which is exact enough. */
export const tenthOf = (pixels: number) => Math.round(pixels * 10) / 10;
