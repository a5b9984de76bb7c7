// The page Trends: any fields over any range, as curves with their marks. The view is in the
// address: the same address shows the same curves. Its script is loaded when it is opened first.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { useChartKeys } from "../chart/chart-keys.ts";
import type { Stretch } from "../chart/level.ts";
import { sharedView } from "../chart/shared-view.ts";
import { trendsWords as t } from "../language/en/trends.ts";
import { printUnit } from "../parts/numbers.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { instantParameter, wordParameter, wordsParameter } from "../parts/view.ts";
import { readEvents } from "../store/answers.ts";
import { useAnswer, useNewestTime, useNow, useSnapshot } from "../store/use-store.ts";
import {
  AXES,
  CURVES_MAX,
  FieldChoice,
  isDrawn,
  StretchChoice,
  tagOf,
  upTo,
  WayChoice,
} from "./choices.tsx";
import { useMarks } from "./marks.ts";
import "./trends.css";
import { usePoints } from "../chart/use-points.ts";
import { type Slot, UnitChart } from "./unit-chart.tsx";
import { usePlaces } from "./use-places.ts";

const PARAMETERS = {
  fields: wordsParameter(isDrawn, ["UVR_INTENSITY"]),
  from: instantParameter(),
  to: instantParameter(),
  /** The start of a range that is laid over. */
  beside: instantParameter(),
  axis: wordParameter(AXES, "calendar"),
  tables: wordParameter(["off", "on"], "off"),
};

export const trendsPage = page(PARAMETERS, Trends);

const DAY_MS = 86_400_000;
const START_MS = 30 * DAY_MS;

type TrendsProps = PageProps<typeof PARAMETERS>;

function Trends({ view, change }: TrendsProps) {
  const { overview } = useSnapshot();
  const now_ms = useNow();
  const newest_ms = useNewestTime() ?? now_ms;
  const operation = useOperation(newest_ms);
  const start = useRef<number | null>(null);
  if (overview.known !== null || overview.problem !== null) start.current ??= newest_ms;
  // Without a range in the address it ends at the newest reading, and stays there.
  if (start.current === null && (view.from === null || view.to === null))
    return <p class="quiet">{t("title")}</p>;
  const usual = upTo(start.current ?? newest_ms, START_MS);
  const [from_ms, end_ms] = [view.from ?? usual.from_ms, view.to ?? usual.to_ms];
  const stretch = { from_ms, to_ms: from_ms < end_ms ? end_ms : from_ms + DAY_MS };
  const fields = view.fields.slice(0, view.beside === null ? CURVES_MAX : CURVES_MAX / 2);
  return (
    <>
      <section aria-labelledby="trends" class="trends">
        <h2 id="trends">{t("title")}</h2>
        <FieldChoice
          fields={fields}
          choose={(chosen) => change({ fields: chosen.slice(0, CURVES_MAX) })}
        />
        <StretchChoice
          stretch={stretch}
          newest_ms={newest_ms}
          operation={operation}
          choose={({ from_ms: from, to_ms: to }) => change({ from, to })}
        />
        <WayChoice
          stretch={stretch}
          beside_ms={view.beside}
          axis={view.axis}
          hasTables={view.tables === "on"}
          compare={(beside) => change({ beside, from: from_ms, to: stretch.to_ms })}
          chooseAxis={(axis) => change({ axis })}
          chooseTables={(hasTables) => change({ tables: hasTables ? "on" : "off" })}
        />
      </section>
      {fields.length === 0 ? (
        <p>{t("no_fields")}</p>
      ) : (
        <Charts {...{ view, change, stretch, fields }} />
      )}
    </>
  );
}

/** The newest operation: from its start to its stop, or to the newest reading. */
function useOperation(newest_ms: number): Stretch | null {
  const starts = useAnswer("/api/events?limit=1&type=PROCESS_START", readEvents, ["operation"]);
  const stops = useAnswer("/api/events?limit=1&type=PROCESS_STOP", readEvents, ["operation"]);
  const from_ms = starts.known?.value[0]?.at_ms;
  const stop_ms = stops.known?.value[0]?.at_ms ?? 0;
  if (from_ms === undefined) return null;
  const to_ms = stop_ms > from_ms ? stop_ms : newest_ms;
  const length_ms = to_ms - from_ms;
  return length_ms > 0 ? { ...upTo(to_ms, length_ms * 1.02), to_ms: to_ms + length_ms / 50 } : null;
}

interface ChartsProps extends TrendsProps {
  readonly stretch: Stretch;
  readonly fields: readonly string[];
}

function Charts({ view, change, stretch, fields }: ChartsProps) {
  const isFolded = view.axis === "hours";
  const { axis, placeBeside, place, problem, isReady, hasHours } = usePlaces({
    isFolded,
    beside: view.beside,
    stretch,
  });
  const shift_ms = view.beside === null ? 0 : stretch.from_ms - view.beside;
  const latest = useRef({ change, axis, shift_ms, hasBeside: view.beside !== null });
  latest.current = { change, axis, shift_ms, hasBeside: view.beside !== null };
  const from = axis.placeNear(stretch.from_ms);
  const to = Math.max(axis.placeNear(stretch.to_ms), from + axis.shortest);
  const shared = useMemo(
    () =>
      sharedView({ from, to }, (rest) => {
        const now = latest.current;
        const from_ms = Math.round(now.axis.instantAt(rest.from));
        const to_ms = Math.round(now.axis.instantAt(rest.to));
        const beside = now.hasBeside ? { beside: from_ms - now.shift_ms } : {};
        now.change({ from: from_ms, to: to_ms, ...beside }, "none");
      }),
    // The places of one axis are none of another.
    [isFolded, isReady],
  );
  useEffect(() => shared.follow({ from, to }), [shared, from, to]);
  useChartKeys(shared, axis);
  const { marks, problems } = useMarks(stretch);
  const besideStretch = { from_ms: stretch.from_ms - shift_ms, to_ms: stretch.to_ms - shift_ms };
  const asked = fields.map((field) => ({ field, stretch, isFolded, beside_ms: null }));
  const others = fields.map((field) => ({
    ...{ field, stretch: besideStretch, isFolded, beside_ms: view.beside },
  }));
  const asks = view.beside === null ? asked : [...asked, ...others];
  const parts = [
    usePoints(asks[0] ?? null),
    usePoints(asks[1] ?? null),
    usePoints(asks[2] ?? null),
    usePoints(asks[3] ?? null),
  ];
  const slots = asks.map(
    ({ field, beside_ms }, index): Slot => ({
      ...{ field, beside_ms, part: parts[index] },
      place: beside_ms === null ? place : placeBeside,
    }),
  );
  const units = [...new Set(fields.map((field) => printUnit(tagOf(field))))];
  return (
    <>
      <ProblemBanner problem={problem} />
      {!isReady && <p class="quiet">{t("reading_hours")}</p>}
      {isReady && isFolded && !hasHours && <p data-test="empty">{t("no_hours")}</p>}
      {isReady &&
        (!isFolded || hasHours) &&
        units.map((unit) => (
          <UnitChart
            key={unit}
            slots={slots.filter(({ field }) => printUnit(tagOf(field)) === unit)}
            {...{ stretch, marks, axis, isFolded, shared, hasTables: view.tables === "on" }}
          />
        ))}
      <p class="quiet small">{t("marks_about")}</p>
      {problems.map((one) => (
        <ProblemBanner key={one.path} problem={one} />
      ))}
    </>
  );
}
