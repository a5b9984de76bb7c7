// The curves of Health: the score and its parts, and under each part the fields that it is computed
// from, with the limits that count. All share one stretch, so that a falling score stands above its
// cause. A time without a score is a gap.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { HEALTH_INPUTS, HEALTH_WEIGHTS, SCORED_LIMITS } from "../../bwts/health-parts.ts";
import { type TagName, tagNamed } from "../../bwts/tags.ts";
import type { OperatingHours } from "../chart/axis.ts";
import { Chart } from "../chart/chart.tsx";
import { type ChartsContext, FieldChart } from "../chart/field-chart.tsx";
import type { Stretch } from "../chart/level.ts";
import type { ChartLimit } from "../chart/limit-chart.tsx";
import { useSharedStretch } from "../chart/use-shared-stretch.ts";
import { currentLanguage } from "../lang/area.ts";
import { printLabel } from "../lang/fields.ts";
import { healthWords as t } from "../lang/words.ts";
import { printDay } from "../parts/moments.ts";
import { printNumber, printUnit, printValue } from "../parts/numbers.ts";
import { Guarded } from "../parts/panel.tsx";
import { useSnapshot } from "../store/use-store.ts";
import type { HealthLine, PartName } from "./health-answers.ts";

export const PARTS: readonly PartName[] = [
  "uv_health",
  "lamp_health",
  "power_efficiency",
  "thermal_health",
];

interface HealthChartsProps {
  /** Newest first, at least one. */
  readonly lines: readonly HealthLine[];
  /** Length of time that a line covers, in ms. */
  readonly width_ms: number;
  readonly hasTables: boolean;
  /** The operating hours; null for the calendar. */
  readonly hours: OperatingHours | null;
}

export function HealthCharts({ lines, width_ms, hasTables, hours }: HealthChartsProps) {
  const around = { ...useSharedStretch(stretchOf(lines, width_ms), hours), hasTables };
  const score = { lines, width_ms, around };
  return (
    <>
      <Part name="score">
        <ScoreChart {...score} name="overall_score" label={t("overall")} title={t("overall")} />
      </Part>
      {PARTS.map((name) => (
        <Part key={name} name={name}>
          <ScoreChart
            {...{ ...score, name, title: titleOf(name) }}
            label={t("score_of", { part: t(name) })}
          />
          {HEALTH_INPUTS[name].map((field) => (
            <InputChart key={field} field={field} around={around} />
          ))}
        </Part>
      ))}
    </>
  );
}

/** The whole time of the lines, which are newest first; there must be at least one. */
export function stretchOf(lines: readonly HealthLine[], width_ms: number): Stretch {
  return { from_ms: lines[lines.length - 1].at_ms, to_ms: lines[0].at_ms + width_ms };
}

const titleOf = (name: PartName) => `${t(name)} · ${t("weight", { weight: HEALTH_WEIGHTS[name] })}`;

/** The score's chart, which has the part's title, and those of its fields beside it. */
function Part({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <section aria-labelledby={`part-${name}`} data-test={`part-${name}`}>
      <Guarded>
        <div class="health-part">{children}</div>
      </Guarded>
    </section>
  );
}

interface ScoreChartProps {
  readonly name: PartName | "overall_score";
  readonly label: string;
  readonly title: string;
  readonly lines: readonly HealthLine[];
  readonly width_ms: number;
  readonly around: ChartsContext;
}

function ScoreChart({ name, label, title, lines, width_ms, around }: ScoreChartProps) {
  const curves = useMemo(() => {
    const points = lines.map((line) => {
      const { at_ms } = line;
      return { at_ms, end_ms: at_ms + width_ms, value: line[name], min: null, max: null };
    });
    // A day may begin in a break: its score is drawn at the day's next operating hours.
    const place = (at_ms: number) => around.axis.placeNear(at_ms);
    return [{ label, points: points.reverse(), join_ms: 0, place, print: printNumber }];
  }, [lines, name, width_ms, label, around.axis]);
  const { axis, shared, hours, hasTables } = around;
  return (
    <div>
      <Chart
        label={chartLabel(label, around)}
        head={<h3 id={name === "overall_score" ? "part-score" : `part-${name}`}>{title}</h3>}
        {...{ curves, axis, shared, marks: NO_MARKS, isFolded: hours !== null }}
        withTable={hasTables}
      />
    </div>
  );
}

interface InputChartProps {
  readonly field: TagName;
  readonly around: ChartsContext;
}

function InputChart({ field, around }: InputChartProps) {
  const tag = tagNamed(field);
  const configured = useSnapshot().readiness.known?.value.limits ?? null;
  const language = currentLanguage();
  const drawn = useMemo(
    () =>
      (SCORED_LIMITS[field] ?? []).flatMap((limit): readonly ChartLimit[] => {
        const value = typeof limit === "number" ? limit : (configured?.[limit] ?? null);
        return value === null ? [] : [{ value, text: printValue(tag, value) }];
      }),
    [configured, field, language],
  );
  return (
    <div>
      <FieldChart
        {...{ field, around, limits: drawn, marks: NO_MARKS }}
        label={chartLabel(printLabel(tag), around)}
        head={
          <>
            <h4>{printLabel(tag)}</h4>
            <span class="level">
              {printUnit(tag)}
              {drawn.length > 0 &&
                ` ${t("limits", { limits: drawn.map(({ text }) => text).join(" · ") })}`}
            </span>
          </>
        }
      />
    </div>
  );
}

function chartLabel(name: string, { stretch: { from_ms, to_ms } }: ChartsContext): string {
  return t("chart_label", { name, from: printDay(from_ms), to: printDay(to_ms) });
}

/** Always the same array: a new one would cause a new drawing. */
const NO_MARKS: readonly never[] = [];
