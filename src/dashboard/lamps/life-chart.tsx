// Efficiency over operating hours, drawn as SVG: points are few, and lines on paper must be sharp.
// The band leads from the newest point to the interval in which the lamp reaches its end of life;
// only its ends are forecast. (The chart of Trends has an axis of time, which a life hasn't.)

import { useState } from "preact/hooks";
import { lampsWords as t } from "../lang/words.ts";
import type { LampOutlook, ShownCurve, ShownLife, ShownPoint } from "./lamp-answers.ts";
import { printPercent } from "./lamp-list.tsx";
import { lampName, printHours } from "./lamp-words.ts";
import { ReadingsNumber } from "./life-evidence.tsx";

export interface DrawnLife {
  /** 1 to 16. */
  readonly lamp: number;
  /** Null before the first reading. */
  readonly life: ShownLife | null;
  readonly outlook: LampOutlook | null;
}

interface LifeChartProps {
  readonly curve: ShownCurve;
  /** The lamp, and one to compare with. */
  readonly drawn: readonly DrawnLife[];
}

const WIDTH = 1000;
const HEIGHT = 400;
/** The axis ends at a multiple of this. */
const STEP_H = 500;
/** Room above a new lamp and below the end of life, in percent. */
const ROOM = 5;

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly hours: number;
  readonly place: (point: ShownPoint) => string;
}

export function LifeChart({ curve, drawn }: LifeChartProps) {
  const past = curve.lives.filter((life) => life !== drawn[0]?.life);
  const scale = scaleOf(curve, drawn);
  const { end_efficiency, rated_h } = curve;
  const line = (points: readonly ShownPoint[]) => points.map(scale.place).join(" ");
  const end = [
    { hours: 0, efficiency: end_efficiency },
    { hours: scale.hours, efficiency: end_efficiency },
  ];
  const rated = [
    { hours: rated_h, efficiency: scale.low },
    { hours: rated_h, efficiency: scale.high },
  ];
  return (
    <figure class="life">
      <p class="axis">
        <span>{printPercent(scale.high)}</span>
        <span>{printPercent(scale.low)}</span>
      </p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summaryOf(drawn)}
      >
        <polyline class="end" points={line(end)} />
        <polyline class="rated" points={line(rated)} />
        {past.map(({ began_ms, points }) => (
          <polyline key={began_ms} class="earlier" points={line(points)} />
        ))}
        {drawn.map(({ lamp, life, outlook }, index) => {
          const band = bandOf(life, outlook, end_efficiency);
          return (
            <g key={lamp} class={index === 0 ? "first" : "second"}>
              {band !== null && <polygon class="band" points={line(band.outline)} />}
              {band !== null && <polyline class="middle" points={line(band.middle)} />}
              {life !== null && <polyline points={line(life.points)} />}
            </g>
          );
        })}
      </svg>
      <p class="axis hours">
        <span>{printHours(0)}</span>
        <span>{printHours(scale.hours)}</span>
      </p>
      <figcaption>
        {drawn.map(({ lamp }, index) => (
          <Key key={lamp} kind={index === 0 ? "first" : "second"} text={lampName(lamp)} />
        ))}
        <Key kind="first band" text={t("band")} />
        <Key kind="end" text={t("end_of_life", { percent: printPercent(end_efficiency) })} />
        <Key kind="rated" text={t("rated_hours", { hours: printHours(rated_h) })} />
        {past.length > 0 && <Key kind="earlier" text={t("past_lives")} />}
      </figcaption>
      <PointTable drawn={drawn} />
    </figure>
  );
}

/** The sign of a line beside its meaning. */
function Key({ kind, text }: { kind: string; text: string }) {
  return (
    <span class="key">
      <svg viewBox="0 0 40 12" aria-hidden="true">
        <g class={kind}>
          {kind.includes("band") ? (
            <polygon class="band" points="0,6 40,0 40,12" />
          ) : (
            <polyline class={kind} points="0,6 40,6" />
          )}
        </g>
      </svg>{" "}
      {text}
    </span>
  );
}

function scaleOf(
  { end_efficiency, rated_h, lives }: ShownCurve,
  drawn: readonly DrawnLife[],
): Scale {
  const all = [...lives, ...drawn.flatMap(({ life }) => (life === null ? [] : [life]))];
  const efficiencies = all.flatMap(({ points }) => points.map(({ efficiency }) => efficiency));
  const low = Math.floor(Math.min(end_efficiency, ...efficiencies) / ROOM) * ROOM - ROOM;
  const high = Math.ceil(Math.max(100, low + ROOM, ...efficiencies) / ROOM) * ROOM;
  const ends = drawn.map(({ life, outlook }) => (life?.hours ?? 0) + (outlook?.p95_h ?? 0));
  const most = Math.max(rated_h, ...ends, ...all.map((life) => life.hours));
  const hours = Math.max(1, Math.ceil(most / STEP_H)) * STEP_H;
  const place = (point: ShownPoint) => {
    const x = (WIDTH * point.hours) / hours;
    const y = (HEIGHT * (high - point.efficiency)) / (high - low);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  return { low, high, hours, place };
}

/** From the newest point to the interval at the end of life; null without a forecast. */
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

/** The table behind the chart; its rows are made when it is opened. */
function PointTable({ drawn }: { drawn: readonly DrawnLife[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("table")}</summary>
      {isOpen &&
        drawn.map(({ lamp, life }) => (
          <table key={lamp}>
            <caption>{lampName(lamp)}</caption>
            <thead>
              <tr>
                <th scope="col">{t("run")}</th>
                <th scope="col">{t("efficiency")}</th>
              </tr>
            </thead>
            <tbody>
              {(life?.points ?? []).map(({ hours, efficiency, from_ms, to_ms }) => (
                <tr key={to_ms}>
                  <td>{printHours(hours)}</td>
                  <td>
                    <ReadingsNumber
                      name={t("efficiency")}
                      {...{ lamp, from_ms: from_ms + 1, to_ms }}
                    >
                      {printPercent(efficiency)}
                    </ReadingsNumber>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
    </details>
  );
}
