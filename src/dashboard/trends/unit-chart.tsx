// The fields of one unit in one chart: curves of another unit have their own chart, so that no
// curve is read by a wrong scale. A problem with an answer is shown here, and affects only this
// chart.

import { useMemo } from "preact/hooks";
import type { ChartAxis } from "../chart/axis.ts";
import { Chart } from "../chart/chart.tsx";
import type { ChartMark, Curve } from "../chart/curve.ts";
import type { Stretch } from "../chart/level.ts";
import { joinOf } from "../chart/points.ts";
import type { SharedView } from "../chart/shared-view.ts";
import { currentLanguage } from "../lang/area.ts";
import { chartWords, trendsWords as t } from "../lang/words.ts";
import { clockName, printDay } from "../parts/moments.ts";
import { printUnit, printValue } from "../parts/numbers.ts";
import { Guarded } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { saveCsv } from "./csv.ts";
import { fieldLabel, tagOf } from "./fields.ts";
import { useLimits } from "./limits.ts";
import type { Slot } from "./use-slots.ts";

export interface UnitChartProps {
  readonly slots: readonly Slot[];
  readonly stretch: Stretch;
  readonly marks: readonly ChartMark[];
  readonly axis: ChartAxis;
  readonly isFolded: boolean;
  readonly shared: SharedView;
  readonly hasTables: boolean;
}

export function UnitChart(props: UnitChartProps) {
  const { slots, stretch } = props;
  const unit = printUnit(tagOf(slots[0].field)) || t("no_unit");
  const fields = [...new Set(slots.map(({ field }) => fieldLabel(tagOf(field))))].join(", ");
  const days = { from: printDay(stretch.from_ms), to: printDay(stretch.to_ms) };
  return (
    <section class="unit-chart" aria-label={fields} data-test="unit-chart">
      {slots.map(({ field, beside_ms, part }) => (
        <ProblemBanner key={`${field} ${beside_ms}`} problem={part.problem} />
      ))}
      <Guarded>
        <Body {...props} title={fields} label={t("chart_label", { unit, fields, ...days })} />
      </Guarded>
    </section>
  );
}

interface BodyProps extends UnitChartProps {
  readonly title: string;
  readonly label: string;
}

/** A component of its own, so that its errors are caught by the one above. */
function Body({ slots, title, label, hasTables, ...props }: BodyProps) {
  const limits = useLimits([...new Set(slots.map(({ field }) => field))]);
  const curves = useMemo(
    () => slots.flatMap((slot) => curveOf(slot) ?? []),
    [
      ...slots.flatMap(({ field, series, part, place, beside_ms }) => [
        field,
        series,
        part.known,
        place,
        beside_ms,
      ]),
      currentLanguage(),
    ],
  );
  const unit = printUnit(tagOf(slots[0].field)) || t("no_unit");
  const isEmpty = slots.every(hasNoValue);
  const [empty] = slots.filter((slot) => slot.beside_ms !== null && hasNoValue(slot));
  const isAnswered = slots.some(({ part }) => part.known !== null);
  return (
    <>
      <Chart
        {...props}
        {...{ label, curves, limits, drawsMarks: false, withTable: hasTables }}
        head={
          <>
            <h3>{title}</h3>
            <p class="level" data-test="level">
              {[unit, levelText(slots), props.isFolded ? chartWords("hours") : clockName()].join(
                " · ",
              )}
            </p>
            <button
              type="button"
              class="save"
              aria-label={t("csv_about", { fields: title })}
              onClick={() => saveCsv(slots)}
            >
              {t("csv")}
            </button>
          </>
        }
      />
      {!isEmpty && empty?.part.known != null && empty.beside_ms !== null && (
        <p class="quiet small" role="status" data-test="beside-empty">
          {t("empty_beside", { day: printDay(empty.beside_ms) })}
        </p>
      )}
      {isAnswered && isEmpty && (
        <p class="nothing" data-test="empty">
          {t("empty")}
        </p>
      )}
    </>
  );
}

const hasNoValue = ({ part }: Slot) =>
  part.known === null || part.known.value.points.every(({ value }) => value === null);

function levelText(slots: readonly Slot[]): string {
  const known = slots.map(({ part }) => part.known?.value ?? null).find((one) => one !== null);
  if (known === undefined || known === null) return "";
  if (!known.isWhole) return t("too_many");
  if (known.level === "reading") return t("readings");
  return t(known.level === "hour" ? "whole_hours" : "whole_days");
}

function curveOf({ field, series, beside_ms, part, place }: Slot): Curve | null {
  if (part.known === null) return null;
  const tag = tagOf(field);
  const name = fieldLabel(tag);
  return {
    series,
    label: beside_ms === null ? name : t("earlier", { field: name, day: printDay(beside_ms) }),
    points: part.known.value.points,
    join_ms: joinOf(part.known.value),
    place,
    print: (value) => printValue(tag, value),
  };
}
