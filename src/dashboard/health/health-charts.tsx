// The curves of Health: the score and its parts, and under each part the fields that it is scored
// from, with the limits that count. All share one stretch, so that a fall of a score is seen above
// what caused it. A time without a score is a gap.

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { HEALTH_INPUTS, HEALTH_WEIGHTS, SCORED_LIMITS } from "../../bwts/health-parts.ts";
import type { TagName } from "../../bwts/tags.ts";
import type { ChartAxis } from "../chart/axis.ts";
import { Chart } from "../chart/chart.tsx";
import type { ChartLimit, Curve } from "../chart/curve.ts";
import type { Stretch } from "../chart/level.ts";
import { joinOf } from "../chart/points.ts";
import type { SharedView } from "../chart/shared-view.ts";
import { usePoints } from "../chart/use-points.ts";
import { useSharedStretch } from "../chart/use-shared-stretch.ts";
import { currentLanguage } from "../language/area.ts";
import { healthWords as t } from "../language/en/health.ts";
import { printDay } from "../parts/moments.ts";
import { printLabel, printNumber, printUnit, printValue, tagNamed } from "../parts/numbers.ts";
import { Guarded } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
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
  /** The time that a line stands for, ms. */
  readonly width_ms: number;
  readonly hasTables: boolean;
}

/** All that the charts share. */
interface ChartsAround {
  readonly stretch: Stretch;
  readonly shared: SharedView;
  readonly axis: ChartAxis;
  readonly hasTables: boolean;
}

export function HealthCharts({ lines, width_ms, hasTables }: HealthChartsProps) {
  const from_ms = lines[lines.length - 1].at_ms;
  const to_ms = lines[0].at_ms + width_ms;
  const around = { ...useSharedStretch({ from_ms, to_ms }), hasTables };
  const score = { lines, width_ms, around };
  return (
    <>
      <Titled name="score" title={t("overall")}>
        <ScoreChart {...score} name="overall_score" label={t("overall")} />
      </Titled>
      {PARTS.map((name) => (
        <Titled key={name} name={name} title={titleOf(name)}>
          <ScoreChart {...score} name={name} label={t("score_of", { part: t(name) })} />
          {HEALTH_INPUTS[name].map((field) => (
            <InputChart key={field} field={field} around={around} />
          ))}
        </Titled>
      ))}
    </>
  );
}

const titleOf = (name: PartName) => `${t(name)} · ${t("weight", { weight: HEALTH_WEIGHTS[name] })}`;

function Titled(props: { name: string; title: string; children: ComponentChildren }) {
  const { name, title, children } = props;
  return (
    <section aria-labelledby={`part-${name}`} data-test={`part-${name}`}>
      <h3 id={`part-${name}`}>{title}</h3>
      <Guarded>{children}</Guarded>
    </section>
  );
}

interface ScoreChartProps {
  readonly name: PartName | "overall_score";
  readonly label: string;
  readonly lines: readonly HealthLine[];
  readonly width_ms: number;
  readonly around: ChartsAround;
}

function ScoreChart({ name, label, lines, width_ms, around }: ScoreChartProps) {
  const curves = useMemo(() => {
    const points = lines.map((line) => {
      const { at_ms } = line;
      return { at_ms, end_ms: at_ms + width_ms, value: line[name], min: null, max: null };
    });
    return [curveOf(label, points.reverse(), printNumber)];
  }, [lines, name, width_ms, label]);
  return <OneChart curves={curves} around={around} label={label} />;
}

interface InputChartProps {
  readonly field: TagName;
  readonly around: ChartsAround;
}

function InputChart({ field, around }: InputChartProps) {
  const tag = tagNamed(field);
  const configured = useSnapshot().readiness.known?.value.limits ?? null;
  const part = usePoints({ field, stretch: around.stretch, isFolded: false });
  const known = part.known?.value ?? null;
  const language = currentLanguage();
  const curves = useMemo(() => {
    if (known === null) return [];
    const print = (value: number | null) => printValue(tag, value);
    return [{ ...curveOf(printLabel(tag), known.points, print), join_ms: joinOf(known) }];
  }, [known, field, language]);
  const drawn = useMemo(
    () =>
      (SCORED_LIMITS[field] ?? []).flatMap((limit): readonly ChartLimit[] => {
        const value = typeof limit === "number" ? limit : (configured?.[limit] ?? null);
        return value === null ? [] : [{ value, text: printValue(tag, value) }];
      }),
    [configured, field, language],
  );
  return (
    <>
      <ProblemBanner problem={part.problem} />
      <OneChart curves={curves} limits={drawn} around={around} label={printLabel(tag)} />
      <p class="quiet small">
        {printUnit(tag)}
        {drawn.length > 0 &&
          ` ${t("limits", { limits: drawn.map(({ text }) => text).join(" · ") })}`}
      </p>
    </>
  );
}

const curveOf = (label: string, points: Curve["points"], print: Curve["print"]): Curve => ({
  label,
  points,
  join_ms: 0,
  place: (at_ms) => at_ms,
  print,
});

interface OneChartProps {
  readonly curves: readonly Curve[];
  readonly limits?: readonly ChartLimit[];
  readonly around: ChartsAround;
  readonly label: string;
}

function OneChart({ curves, limits = NO_LIMITS, around, label }: OneChartProps) {
  const { stretch, shared, axis, hasTables } = around;
  const range = { from: printDay(stretch.from_ms), to: printDay(stretch.to_ms) };
  return (
    <Chart
      label={t("chart_label", { name: label, ...range })}
      {...{ curves, limits, axis, shared, marks: NO_MARKS, isFolded: false }}
      withTable={hasTables}
    />
  );
}

/** Always the same ones: other ones would be drawn anew. */
const NO_MARKS: readonly never[] = [];
const NO_LIMITS: readonly ChartLimit[] = [];
