// The curves of a ship from the hours that it sent: the charts of the page aboard, one for each
// field of its system. A time without an hour is a gap; nothing is drawn up to the present.

import { useMemo, useState } from "preact/hooks";
import { SYSTEM_VALUES } from "../../bwts/documents/system-values.ts";
import { TAGS, type Tag } from "../../bwts/tags.ts";
import { Chart } from "../../dashboard/chart/chart.tsx";
import type { Curve, CurvePoint } from "../../dashboard/chart/curve.ts";
import {
  askedStretch,
  type Fineness,
  levelOf,
  POINT_WIDTH_MS,
  type Stretch,
} from "../../dashboard/chart/level.ts";
import { useSharedStretch } from "../../dashboard/chart/use-shared-stretch.ts";
import { currentLanguage } from "../../dashboard/lang/area.ts";
import { printLabel } from "../../dashboard/lang/fields.ts";
import { fleetWords as t, trendsWords } from "../../dashboard/lang/words.ts";
import { ChoiceInput } from "../../dashboard/parts/choice.tsx";
import { printMoment } from "../../dashboard/parts/moments.ts";
import { MISSING, printUnit, printValue } from "../../dashboard/parts/numbers.ts";
import { ProblemBanner } from "../../dashboard/parts/problem.tsx";
import { instant, isLike, listOf, numberOrNull, type Read } from "../../dashboard/store/checks.ts";
import type { ShownShip } from "./fleet-answers.ts";
import { usePolled } from "./polled.ts";

const DAY_MS = 86_400_000;
const RANGES = [
  { name: "week", length_ms: 7 * DAY_MS },
  { name: "month", length_ms: 30 * DAY_MS },
  { name: "year", length_ms: 365 * DAY_MS },
  { name: "two_years", length_ms: 731 * DAY_MS },
] as const;
type RangeName = (typeof RANGES)[number]["name"];

const FIELDS: readonly Tag[] = SYSTEM_VALUES.map((index) => TAGS[index]);

interface HourRow {
  readonly at_ms: number;
  readonly values: readonly (number | null)[];
}

const readHours: Read<readonly HourRow[]> = (body) => listOf(body, hourIn);

function hourIn(given: unknown): HourRow | null {
  if (!isLike<Record<string, unknown>>(given)) return null;
  const at_ms = instant(given.timestamp);
  if (at_ms === null) return null;
  return { at_ms, values: FIELDS.map(({ name }) => numberOrNull(given[name])) };
}

interface ShipCurvesProps {
  readonly ship: ShownShip;
  readonly now_ms: number;
}

export function ShipCurves({ ship, now_ms }: ShipCurvesProps) {
  const { data_ms, ship: imo } = ship;
  const [range, setRange] = useState<RangeName>("week");
  const length_ms = RANGES.find(({ name }) => name === range)?.length_ms ?? DAY_MS;
  // Moves on once a day, since each move redraws everything.
  const end_ms = Math.ceil(((data_ms ?? now_ms) + 1) / DAY_MS) * DAY_MS;
  const newest = data_ms === null ? MISSING : printMoment(data_ms, now_ms);
  return (
    <section aria-labelledby="curves">
      <h2 id="curves">{t("curves")}</h2>
      <p class="quiet">{t("curves_about", { moment: newest })}</p>
      <ChoiceInput
        label={t("range")}
        chosen={range}
        choices={RANGES.map(({ name }) => [name, trendsWords(name)] as const)}
        choose={setRange}
      />
      <Charts key={imo} imo={imo} from_ms={end_ms - length_ms} to_ms={end_ms} />
    </section>
  );
}

interface HourChartsProps {
  readonly imo: string;
  readonly from_ms: number;
  readonly to_ms: number;
}

function Charts({ imo, from_ms, to_ms }: HourChartsProps) {
  const { stretch, shared, axis } = useSharedStretch({ from_ms, to_ms });
  const level = levelOf(stretch, false) === "day" ? "day" : "hour";
  const hours = usePolled(hoursPath(imo, stretch, level), readHours);
  const rows = hours.known?.value ?? null;
  const language = currentLanguage();
  const curves = useMemo(
    () => FIELDS.map((tag, place) => [curveOf(tag, pointsOf(rows ?? [], place, level))]),
    [rows, level, language],
  );
  return (
    <>
      <ProblemBanner problem={hours.problem} />
      {rows === null && hours.problem === null && <p class="quiet">{t("asking")}</p>}
      {rows?.length === 0 && <p data-test="no-hours">{t("no_hours")}</p>}
      {FIELDS.map((tag, place) => (
        <section key={tag.name} aria-labelledby={`curve-${tag.name}`}>
          <h3 id={`curve-${tag.name}`}>
            {printLabel(tag)} <small>{printUnit(tag)}</small>
          </h3>
          <Chart
            label={printLabel(tag)}
            curves={curves[place]}
            marks={NO_MARKS}
            {...{ axis, shared, isFolded: false, withTable: false }}
          />
        </section>
      ))}
    </>
  );
}

/** Always the same array, because a new one would cause a redraw. */
const NO_MARKS: readonly never[] = [];

function hoursPath(imo: string, stretch: Stretch, level: Fineness): string {
  const { from_ms, to_ms } = askedStretch(stretch, level);
  const date = (at_ms: number) => new Date(at_ms).toISOString();
  const fields = FIELDS.map(({ name }) => name).join();
  const range = `startDate=${date(from_ms)}&endDate=${date(to_ms)}`;
  return `/api/ship/hours?ship=${imo}&${range}&interval=${level}&fields=${fields}`;
}

function pointsOf(rows: readonly HourRow[], place: number, level: Fineness): CurvePoint[] {
  return rows.map(({ at_ms, values }) => ({
    ...{ at_ms, end_ms: at_ms + POINT_WIDTH_MS[level] },
    ...{ value: values[place] ?? null, min: null, max: null },
  }));
}

function curveOf(tag: Tag, points: readonly CurvePoint[]): Curve {
  return {
    ...{ label: printLabel(tag), points, join_ms: 0 },
    place: (at_ms) => at_ms,
    print: (value) => printValue(tag, value),
  };
}
