// The UV intensity and the flow of an operation, as raw readings like in Trends, with the limits in
// force and the intervals of its reasons marked.

import { useMemo } from "preact/hooks";
import { type Tag, tagNamed } from "../../bwts/tags.ts";
import type { ChartMark } from "../chart/curve.ts";
import { type ChartsContext, FieldChart } from "../chart/field-chart.tsx";
import { type Stretch, written } from "../chart/level.ts";
import type { ChartLimit } from "../chart/limit-chart.tsx";
import { useMarks } from "../chart/marks.ts";
import { useSharedStretch } from "../chart/use-shared-stretch.ts";
import { currentLanguage } from "../lang/area.ts";
import { printLabel } from "../lang/fields.ts";
import { rulesWords } from "../lang/rules.ts";
import { operationsWords as t } from "../lang/words.ts";
import { printUnit, printValue } from "../parts/numbers.ts";
import type { PageProps } from "../parts/page.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import type { KnownOperation } from "../store/operations.ts";
import { useNewestTime } from "../store/use-store.ts";
import { leftOutInWords, useLeftOut } from "./left-out.ts";
import type { OPERATIONS_VIEW } from "./view.ts";

/** The fields with a curve, each with the beginning of its limits' keys; their end is the mode. */
const CURVES = [
  { field: "UVR_INTENSITY", begin: "limits.uv_" },
  { field: "SYS_FLOW_RATE", begin: "limits.flow_max_" },
] as const;

const MINUTE_MS = 60_000;
/** Margin on both sides of the operation, as a share of its length. */
const AIR = 0.02;

/** The time that the curves show. */
export function shownRange({ start_ms, end_ms }: KnownOperation, newest_ms: number): Stretch {
  // For a running operation, the end moves in steps, because each one needs a new request.
  const step_ms = 5 * MINUTE_MS;
  const last_ms = end_ms ?? Math.ceil(newest_ms / step_ms) * step_ms;
  // The end may be before the start if the plant's clock was set back in between.
  const until_ms = Math.max(last_ms, start_ms);
  const air_ms = Math.max(MINUTE_MS, Math.round((until_ms - start_ms) * AIR));
  return { from_ms: start_ms - air_ms, to_ms: until_ms + air_ms };
}

/**
 * The limits to draw: those of the operation's mode, or of both modes if it isn't known. `begin` is
 * the beginning of their keys.
 */
export function limitsDrawn(
  { limits, mode }: KnownOperation,
  tag: Tag,
  begin: string,
): readonly ChartLimit[] {
  return (limits ?? []).flatMap(({ key, value }, at, all): readonly ChartLimit[] => {
    if (!key.startsWith(begin)) return [];
    const of = key.slice(begin.length).toUpperCase();
    const isDrawn = of === mode || (mode === null && (of === "IMO" || of === "USCG"));
    // Drawn once: a limit that was changed and changed back appears twice.
    const isFirst = all.findIndex((one) => one.key === key && one.value === value) === at;
    return isDrawn && isFirst ? [{ value, text: `${printValue(tag, value)} ${of}` }] : [];
  });
}

interface CurvesProps extends PageProps<typeof OPERATIONS_VIEW> {
  readonly operation: KnownOperation;
}

export function OperationCurves({ operation, view, change }: CurvesProps) {
  const { id, start_ms, reasons } = operation;
  const newest_ms = useNewestTime() ?? start_ms;
  const range = shownRange(operation, newest_ms);
  const hasTables = view.tables === "on";
  const around = { ...useSharedStretch(range), hasTables };
  const { marks, problems } = useMarks(around.stretch);
  const leftOut = useLeftOut(operation, range);
  const leftOutWords = leftOutInWords(leftOut, operation);
  const language = currentLanguage();
  const all = useMemo(
    () => [
      ...marks,
      ...(reasons ?? []).map(
        ({ rule, verdict, ...span }): ChartMark => ({
          ...{ kind: verdict, at_ms: span.start_ms, end_ms: span.end_ms, text: rulesWords(rule) },
        }),
      ),
      ...(leftOut ?? []).map(
        ({ name, from_ms, to_ms }): ChartMark => ({
          ...{ kind: "left_out", at_ms: from_ms, end_ms: to_ms, text: t(name) },
        }),
      ),
    ],
    [marks, reasons, language, leftOutWords],
  );
  const fields = CURVES.map(({ field }) => field).join();
  const { from_ms, to_ms } = range;
  return (
    <section aria-labelledby="operation-curves" class="operation-curves">
      <h2 id="operation-curves">{t("curves")}</h2>
      {CURVES.map((curve) => (
        <OneCurve key={curve.field} {...curve} {...{ operation, around }} marks={all} />
      ))}
      {problems.map((one) => (
        <ProblemBanner key={one.path} problem={one} />
      ))}
      {leftOutWords !== null && <p data-test="left-out">{leftOutWords}</p>}
      <p class="quiet small">{t("curves_about")}</p>
      <label class="tick">
        <input
          type="checkbox"
          checked={hasTables}
          onChange={({ currentTarget }) => change({ tables: currentTarget.checked ? "on" : "off" })}
        />{" "}
        {t("tables")}
      </label>
      <a
        class="alone"
        href={`#/trends?fields=${fields}&from=${written(from_ms)}&to=${written(to_ms)}`}
        aria-label={`${t("in_trends")}: ${t("one", { id })}`}
      >
        {t("in_trends")}
      </a>
    </section>
  );
}

type OneCurveProps = (typeof CURVES)[number] & {
  readonly operation: KnownOperation;
  readonly around: ChartsContext;
  readonly marks: readonly ChartMark[];
};

function OneCurve({ field, begin, operation, around, marks }: OneCurveProps) {
  const { id, limits, mode } = operation;
  const tag = tagNamed(field);
  const language = currentLanguage();
  const drawn = useMemo(() => limitsDrawn(operation, tag, begin), [limits, mode, begin, language]);
  const name = printLabel(tag);
  return (
    <>
      <h3>
        {name} <small>{printUnit(tag)}</small>
      </h3>
      <FieldChart
        {...{ field, around, marks, limits: drawn }}
        label={`${name}: ${t("one", { id })}`}
      />
    </>
  );
}
