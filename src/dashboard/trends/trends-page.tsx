// The page Trends: any fields over any range, as curves with their marks. The view is in the
// address: the same address shows the same curves. Its script is loaded when it is first opened.

import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { AXES, AxisChoice } from "../chart/axis-choice.tsx";
import { useChartKeys } from "../chart/chart-keys.ts";
import type { Stretch } from "../chart/level.ts";
import { useMarks } from "../chart/marks.ts";
import { sharedView } from "../chart/shared-view.ts";
import { chartWords, partsWords, trendsWords as t } from "../lang/words.ts";
import { CountersNote } from "../parts/counters-note.tsx";
import { printUnit } from "../parts/numbers.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { addressOf, instantParameter } from "../parts/view.ts";
import { wordParameter, wordsParameter } from "../parts/view-parameters.ts";
import { readEvents, type ShownEvent } from "../store/events.ts";
import { useAnswer, useNewestTime, useNow, useSnapshot } from "../store/use-store.ts";
import { NotesPanel } from "../watch/notes-panel.tsx";
import { CompareChoice } from "./compare-choice.tsx";
import { FieldChoice } from "./field-choice.tsx";
import { CURVES_MAX, isDrawn, isState, tagOf } from "./fields.ts";
import { Lane } from "./lane.tsx";
import { Share } from "./share.tsx";
import { StretchChoice, upTo } from "./stretch-choice.tsx";
import "./trends.css";
import { StateCharts } from "./state-chart.tsx";
import { UnitChart } from "./unit-chart.tsx";
import { usePlaces } from "./use-places.ts";
import { useSlots } from "./use-slots.ts";
import { useStretch } from "./use-stretch.ts";

const PARAMETERS = {
  fields: wordsParameter(isDrawn, ["UVR_INTENSITY"]),
  from: instantParameter(),
  to: instantParameter({ day: "end" }),
  /** `on`: new readings are followed; `auto`: only if no range is given. */
  live: wordParameter(["auto", "on"], "auto"),
  /** Start of the range to compare with. */
  beside: instantParameter(),
  axis: wordParameter(AXES, "calendar"),
  tables: wordParameter(["off", "on"], "off"),
};

export const trendsPage = page(PARAMETERS, Trends);

type TrendsProps = PageProps<typeof PARAMETERS>;

function Trends({ view, change }: TrendsProps) {
  const { overview, reached } = useSnapshot();
  const now_ms = useNow();
  const newest_ms = useNewestTime() ?? now_ms;
  const latest_ms = latestOf(now_ms, newest_ms);
  const operation = useOperation(newest_ms);
  const { stretch, isLive, hold } = useStretch({
    ...{ from_ms: view.from, to_ms: view.to, isFollowed: view.live === "on", newest_ms, latest_ms },
    isKnown: overview.known !== null || overview.problem !== null || !reached,
  });
  if (stretch === null) return <p class="quiet">{partsWords("loading")}</p>;
  const fields = view.fields.slice(0, view.beside === null ? CURVES_MAX : CURVES_MAX / 2);
  const { from_ms: from, to_ms: to } = stretch;
  return (
    <div class="trends">
      <h2 class="unseen">{t("title")}</h2>
      <ProblemBanner problem={overview.problem} />
      <div class="trend-tools">
        <div class="trend-fields">
          <FieldChoice
            fields={fields}
            choose={(chosen) => change({ fields: chosen.slice(0, CURVES_MAX) })}
          />
        </div>
        <div class="trend-ranges">
          <StretchChoice
            {...{ stretch, newest_ms, latest_ms, isLive }}
            operation={operation?.stretch ?? null}
            choose={(chosen, history) =>
              change({ from: chosen.from_ms, to: chosen.to_ms, live: "auto" }, history)
            }
            follow={(chosen) => change({ from: chosen.from_ms, to: chosen.to_ms, live: "on" })}
          />
          <AxisChoice axis={view.axis} choose={(axis) => change({ axis })} />
          <CompareChoice
            {...{ stretch, beside_ms: view.beside, operation: operation?.start ?? null }}
            compare={(beside) => change({ beside, from, to, live: "auto" })}
          />
          <Share
            address={addressOf("trends", PARAMETERS, { ...view, from, to, live: "auto" })}
            hasTables={view.tables === "on"}
            chooseTables={(hasTables) => change({ tables: hasTables ? "on" : "off" })}
          />
        </div>
      </div>
      {fields.length === 0 ? (
        <p>{t("no_fields")}</p>
      ) : (
        <Charts {...{ view, change, stretch, fields, hold, latest_ms }} />
      )}
      <NotesPanel
        from_ms={from}
        to_ms={isLive ? latest_ms : to}
        of={{ from_ms: to, to_ms: null }}
      />
    </div>
  );
}

const MINUTE_MS = 60_000;

/** Latest end of a range: now, in whole minutes, or the newest reading if that is later. */
const latestOf = (now_ms: number, newest_ms: number) =>
  Math.max(newest_ms, Math.floor(now_ms / MINUTE_MS) * MINUTE_MS);

interface NewestOperation {
  readonly start: ShownEvent;
  /** The operation's range with a margin before it and, if it has ended, after it. */
  readonly stretch: Stretch;
}

/** The newest operation: from its start to its stop, or to the newest reading. */
function useOperation(newest_ms: number): NewestOperation | null {
  const starts = useAnswer("/api/events?limit=1&type=PROCESS_START", readEvents, ["operation"]);
  const stops = useAnswer("/api/events?limit=1&type=PROCESS_STOP", readEvents, ["operation"]);
  const start = starts.known?.value[0];
  const stop_ms = stops.known?.value[0]?.at_ms ?? 0;
  if (start === undefined) return null;
  const end_ms = stop_ms > start.at_ms ? stop_ms : newest_ms;
  const length_ms = end_ms - start.at_ms;
  if (length_ms <= 0) return null;
  const to_ms = Math.min(end_ms + length_ms / 50, Math.max(newest_ms, end_ms));
  return { start, stretch: upTo(to_ms, to_ms - start.at_ms + length_ms / 50) };
}

interface ChartsProps extends TrendsProps {
  readonly stretch: Stretch;
  readonly fields: readonly string[];
  readonly latest_ms: number;
  /** Called at each move of the cursor. */
  readonly hold: (hasCursor: boolean) => void;
}

function Charts({ view, change, stretch, fields, hold, latest_ms }: ChartsProps) {
  const isFolded = view.axis === "hours";
  const { axis, placeBeside, place, problem, isReady, hasHours } = usePlaces({
    isFolded,
    beside: view.beside,
    stretch,
  });
  const shift_ms = view.beside === null ? 0 : stretch.from_ms - view.beside;
  const state = { change, axis, shift_ms, hasBeside: view.beside !== null, latest_ms };
  const latest = useRef(state);
  latest.current = state;
  const from = axis.placeNear(stretch.from_ms);
  const to = Math.max(axis.placeNear(stretch.to_ms), from + axis.shortest);
  const shared = useMemo(
    () =>
      sharedView(
        { from, to },
        (rest) => {
          const now = latest.current;
          const from_ms = Math.round(now.axis.instantAt(rest.from));
          const to_ms = Math.round(now.axis.instantAt(rest.to));
          const beside = now.hasBeside ? { beside: from_ms - now.shift_ms } : {};
          now.change({ from: from_ms, to: to_ms, live: "auto", ...beside }, "none");
        },
        () => latest.current.axis.placeNear(latest.current.latest_ms),
      ),
    // A place has another meaning on the other axis.
    [isFolded, isReady],
  );
  useEffect(() => shared.follow({ from, to }), [shared, from, to]);
  // Otherwise a gesture that comes to rest after the page was left would bring its view back.
  useEffect(() => shared.end, [shared]);
  useLayoutEffect(() => shared.listen(() => hold(shared.cursor() !== null)), [shared]);
  useChartKeys(shared, axis);
  const { marks, problems } = useMarks(stretch);
  const earlier = { from_ms: stretch.from_ms - shift_ms, to_ms: stretch.to_ms - shift_ms };
  const other = { stretch: earlier, place: placeBeside, beside_ms: view.beside };
  const ranges = [{ stretch, place, beside_ms: null }, ...(view.beside === null ? [] : [other])];
  const numeric = fields.filter((field) => !isState(field));
  const slots = useSlots(numeric, ranges, isFolded);
  const units = [...new Set(numeric.map((field) => printUnit(tagOf(field))))];
  return (
    <>
      <ProblemBanner problem={problem} />
      {fields.some((field) => field.endsWith("_RUNTIME")) && <CountersNote />}
      {!isReady && <p class="quiet">{chartWords("reading_hours")}</p>}
      {isReady && isFolded && !hasHours && <p data-test="empty">{chartWords("no_hours")}</p>}
      {isReady && (!isFolded || hasHours) && (
        <div class={`unit-charts of-${Math.min(3, units.length)}`}>
          {units.map((unit) => (
            <UnitChart
              key={unit}
              slots={slots.filter(({ field }) => printUnit(tagOf(field)) === unit)}
              {...{ stretch, marks, axis, isFolded, shared, hasTables: view.tables === "on" }}
            />
          ))}
        </div>
      )}
      <StateCharts
        fields={fields.filter(isState)}
        {...{ ranges, axis, shared, hasTable: view.tables === "on" }}
      />
      {isReady && <Lane {...{ marks, stretch, axis, shared }} />}
      {problems.map((one) => (
        <ProblemBanner key={one.path} problem={one} />
      ))}
    </>
  );
}
