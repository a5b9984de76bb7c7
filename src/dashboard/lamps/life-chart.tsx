// A lamp's output over operating hours, drawn as SVG: points are few, and lines on paper must be
// sharp. The band leads from the newest point to the interval in which the lamp reaches its end of
// life; only its ends are forecast. Below the hours are the months in which the lamp had them,
// above them the cleanings. (A chart of Trends doesn't fit, since its axis is time.)

import { useChartSize } from "../chart/limit-chart.tsx";
import { lampsWords as t } from "../lang/words.ts";
import { printDay } from "../parts/moments.ts";
import type { LampOutlook, ShownCurve, ShownLife, ShownPoint } from "./lamp-answers.ts";
import { lampName, printHours, printPercent } from "./lamp-words.ts";
import { BELOW, LEFT, LifeAxes, percentAxis, RIGHT, TOP, tenthOf } from "./life-axes.tsx";
import { outcomeWords } from "./life-evidence.tsx";
import { hourSteps, hoursAt } from "./life-hours.ts";

export interface DrawnLife {
  /** Number of the lamp, 1 to 16. */
  readonly lamp: number;
  /** The life; null before the first reading. */
  readonly life: ShownLife | null;
  readonly outlook: LampOutlook | null;
}

interface LifeChartProps {
  readonly curve: ShownCurve;
  /** The lamp, and the one to compare with if there is one. */
  readonly drawn: readonly DrawnLife[];
  /** Times of cleanings; those within the lamp's life are marked. */
  readonly cleanings_ms: readonly number[];
}

/** Width of a label on the axis of hours with the space around it, in pixels. */
const LABEL_PX = 84;
/** Width of the text at the newest point, in pixels. */
const NOW_PX = 110;
/** Minimum distance in pixels between two cleanings that both have a word. */
const WORD_PX = 52;

export function LifeChart({ curve, drawn, cleanings_ms }: LifeChartProps) {
  const [place, { width, height, text_px }] = useChartSize();
  const { end_efficiency, rated_h } = curve;
  const [first] = drawn;
  const past = curve.lives.filter((life) => life !== first.life);
  const all = [...curve.lives, ...drawn.flatMap(({ life }) => life ?? [])];
  const outputs = all.flatMap(({ points }) => points.map(({ efficiency }) => efficiency));
  const { low, high, ticks } = percentAxis([end_efficiency, ...outputs]);
  const ends = drawn.map(({ life, outlook }) => (life?.hours ?? 0) + (outlook?.p95_h ?? 0));
  const longest = Math.max(rated_h, ...ends, ...all.map(({ hours }) => hours));
  const [right, bottom] = [Math.max(LEFT + 1, width - RIGHT), Math.max(TOP + 1, height - BELOW)];
  const steps = hourSteps(longest, (right - LEFT) / LABEL_PX);
  const x = (hours: number) => LEFT + ((right - LEFT) * hours) / steps[steps.length - 1];
  const y = (output: number) => TOP + ((bottom - TOP) * (high - output)) / (high - low);
  const scale = { x, y, right, bottom, ticks };
  const line = (points: readonly ShownPoint[]) =>
    points
      .map(({ hours, efficiency }) => `${tenthOf(x(hours))},${tenthOf(y(efficiency))}`)
      .join(" ");
  const newest = first.life?.points[first.life.points.length - 1];
  return (
    <div class="limit-chart life-curve" ref={place}>
      <svg
        class="curve"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={summaryOf(drawn)}
      >
        <LifeAxes {...{ scale, steps, curve, text_px }} life={first.life} />
        <Cleanings {...{ life: first.life, cleanings_ms, x, bottom, text_px }} />
        {past.map((life) => (
          <PastCurve key={life.began_ms} {...{ life, line, x, y }} />
        ))}
        {drawn.map(({ lamp, life, outlook }, index) => {
          const band = bandOf(life, outlook, end_efficiency);
          return (
            <g key={lamp} class={index === 0 ? "first" : "second"}>
              {band !== null && <polygon class="band" points={line(band.outline)} />}
              {band !== null && <polyline class="middle-line" points={line(band.middle)} />}
              {life !== null && <polyline class="line" points={line(life.points)} />}
            </g>
          );
        })}
        {newest !== undefined && (
          <g>
            <circle class="now" cx={x(newest.hours)} cy={y(newest.efficiency)} r="4" />
            <NowText
              {...{ x: x(newest.hours), y: y(newest.efficiency), width, text_px }}
              text={nowWords(first.outlook, newest.efficiency)}
            />
          </g>
        )}
      </svg>
    </div>
  );
}

function nowWords(outlook: LampOutlook | null, output: number): string {
  const left_h = outlook?.left_h ?? 0;
  if (outlook?.condition === "past_life" || left_h === 0) return printPercent(output);
  return t("now_left", { hours: printHours(left_h) });
}

interface NowTextProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly text_px: number;
  readonly text: string;
}

/**
 * The text at the newest point, above the falling curve: to its right if there is room, else to its
 * left and higher.
 */
function NowText({ x, y, width, text_px, text }: NowTextProps) {
  const isRight = x + NOW_PX < width;
  return (
    <text
      class={isRight ? "now-text" : "now-text end"}
      x={x + (isRight ? 6 : -6)}
      y={y - (isRight ? 0.6 : 2.2) * text_px}
    >
      {text}
    </text>
  );
}

interface CleaningsProps {
  readonly life: ShownLife | null;
  readonly cleanings_ms: readonly number[];
  readonly x: (hours: number) => number;
  readonly bottom: number;
  readonly text_px: number;
}

/** The cleanings: a tick for each, and a word where there is room. */
function Cleanings({ life, cleanings_ms, x, bottom, text_px }: CleaningsProps) {
  if (life === null) return null;
  let worded = Number.NEGATIVE_INFINITY;
  return (
    <g class="cleanings">
      {cleanings_ms.map((at_ms) => {
        const hours = hoursAt(life, at_ms);
        if (hours === null) return null;
        const place = x(hours);
        const hasRoom = place - worded >= WORD_PX;
        if (hasRoom) worded = place;
        return (
          <g key={at_ms}>
            <path d={`M${tenthOf(place)} ${bottom}V${bottom - 7}`}>
              <title>{t("cleaned_on", { day: printDay(at_ms) })}</title>
            </path>
            {hasRoom && (
              <text
                class="middle"
                x={Math.max(place, LEFT + WORD_PX / 2)}
                y={bottom - 7 - text_px / 3}
              >
                {t("cleaned")}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

interface PastCurveProps {
  readonly life: ShownLife;
  readonly line: (points: readonly ShownPoint[]) => string;
  readonly x: (hours: number) => number;
  readonly y: (output: number) => number;
}

/** The curve of an earlier lamp at this place, with its end. */
function PastCurve({ life, line, x, y }: PastCurveProps) {
  const last = life.points[life.points.length - 1];
  return (
    <g class="earlier">
      <polyline points={line(life.points)} />
      {last !== undefined && life.ended_ms !== null && (
        <text x={x(last.hours) + 5} y={y(last.efficiency) - 4}>
          {outcomeWords(life)} {printDay(life.ended_ms)}
        </text>
      )}
    </g>
  );
}

/**
 * Outline of the forecast's band, from the newest point to the interval at the end of life; null
 * without a forecast.
 */
function bandOf(life: ShownLife | null, outlook: LampOutlook | null, end_efficiency: number) {
  const from = life?.points[life.points.length - 1];
  if (life === null || from === undefined || outlook === null || life.ended_ms !== null)
    return null;
  const { left_h, p05_h, p95_h } = outlook;
  if (left_h === null || p05_h === null || p95_h === null || left_h === 0) return null;
  const at = (left: number) => ({ hours: life.hours + left, efficiency: end_efficiency });
  return { outline: [from, at(p05_h), at(p95_h)], middle: [from, at(left_h)] };
}

function summaryOf(drawn: readonly DrawnLife[]): string {
  return drawn
    .map(({ lamp, life, outlook }) => {
      const newest = life?.points[life.points.length - 1];
      return t("summary", {
        lamp: lampName(lamp),
        percent: printPercent(newest?.efficiency ?? null),
        hours: printHours(life?.hours ?? null),
        left: printHours(outlook?.left_h ?? null),
      });
    })
    .join(" ");
}
