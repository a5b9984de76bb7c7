// The curves of the overview: four hours of its fields, requested once the verdict is shown,
// renewed from time to time, and extended by each reading that arrives meanwhile. For a moment of
// the past they show the four hours before it.

import { useMemo, useRef } from "preact/hooks";
import { CADENCE_READINGS, silenceLimit, usualCadence } from "../../bwts/idle-plant.ts";
import { type CurveLine, linesThrough } from "../chart/small-curve.tsx";
import { instant, isLike, pageOfReadings, type Read } from "../store/checks.ts";
import type { ShownNumber, ShownOverview } from "../store/overview-shapes.ts";
import { useAnswer } from "../store/use-store.ts";

const FIELDS = [
  ...["UVR_INTENSITY", "SYS_FLOW_RATE", "FLT_DIFF_PRESSURE", "UVR_POWER_OUTPUT", "LDC_AIR_TEMP"],
];

/** Length of the curves: four hours, or one if four have more readings than an answer may have. */
const CURVE_MS = 4 * 3_600_000;
const SHORT_MS = 3_600_000;
/** Step by which the start advances, so that new answers are requested less often. */
const STEP_MS = 600_000;
/** Maximum number of readings in an answer: four hours with a reading each 1.5 s. */
const READINGS_MAX = 10_000;
/** Maximum number of points of a drawn curve; more can't be seen at its width. */
const DRAWN_MAX = 600;

/** The curves of a time; the newest point is at `to_ms` or before it. */
export interface Curves {
  readonly from_ms: number;
  readonly to_ms: number;
  /** The lines of a field; empty without any value. */
  linesOf(field: string): readonly CurveLine[];
}

interface CurveRow {
  readonly at_ms: number;
  readonly values: Readonly<Record<string, number | null>>;
}

/** The curves; null until the verdict is shown, and without rows until the answer arrives. */
export function useCurves(overview: ShownOverview | null, at_ms: number | null): Curves | null {
  const newest_ms = overview?.ages?.value.reading_ms ?? null;
  const end_ms = at_ms ?? newest_ms;
  const whole = useAnswer(end_ms === null ? null : pathOf(end_ms, at_ms, CURVE_MS), readRows);
  const isShort = whole.known?.value.isWhole === false;
  const path = end_ms === null || !isShort ? null : pathOf(end_ms, at_ms, SHORT_MS);
  const short = useAnswer(path, readRows);
  const rows = (isShort ? short : whole).known?.value.rows;
  const later = useLater(overview, at_ms === null);
  return useMemo(() => {
    if (end_ms === null) return null;
    const given = rows ?? [];
    const last_ms = given[given.length - 1]?.at_ms ?? 0;
    const all = [...given, ...later.filter((row) => row.at_ms > last_ms)];
    const from_ms = end_ms - (isShort ? SHORT_MS : CURVE_MS);
    const shown = all.filter((row) => row.at_ms >= from_ms && row.at_ms <= end_ms);
    const join_ms = joinOf(shown);
    const lines = new Map(FIELDS.map((field) => [field, linesIn(shown, field, join_ms)]));
    return { from_ms, to_ms: end_ms, linesOf: (field) => lines.get(field) ?? [] };
  }, [rows, later, end_ms, isShort]);
}

function pathOf(newest_ms: number, at_ms: number | null, length_ms: number): string {
  const begin_ms = STEP_MS * Math.floor((newest_ms - length_ms) / STEP_MS);
  // Later readings come with the overview.
  const end_ms = at_ms ?? begin_ms + length_ms + 2 * STEP_MS;
  const [begin, end] = [begin_ms, end_ms].map((at_ms) => new Date(at_ms).toISOString());
  const range = `startDate=${begin}&endDate=${end}`;
  const fields = `fields=${FIELDS.join(",")}`;
  return `/api/telemetry/chunked?${range}&${fields}&believed=true&limit=${READINGS_MAX}`;
}

/** The readings received with the overview since the page was opened. */
function useLater(overview: ShownOverview | null, isNow: boolean): readonly CurveRow[] {
  const kept = useRef<readonly CurveRow[]>([]);
  const row = useMemo(
    () => (overview === null || !isNow ? null : rowOf(overview)),
    [overview, isNow],
  );
  const last_ms = kept.current[kept.current.length - 1]?.at_ms ?? 0;
  if (row !== null && row.at_ms > last_ms)
    kept.current = [...kept.current.slice(1 - READINGS_MAX), row];
  return kept.current;
}

/**
 * The newest reading as a row; values of earlier readings are left out, because they have their
 * points already.
 */
function rowOf({ ages, intensity, measures }: ShownOverview): CurveRow | null {
  const at_ms = ages?.value.reading_ms ?? null;
  if (at_ms === null) return null;
  const ofIt = (one: ShownNumber | undefined) => (one?.at_ms === at_ms ? one.value : null);
  const values = (measures?.value ?? []).map((one) => [one.name, ofIt(one)] as const);
  return {
    at_ms,
    values: Object.fromEntries([...values, ["UVR_INTENSITY", ofIt(intensity?.value.intensity)]]),
  };
}

interface CurveRows {
  readonly rows: readonly CurveRow[];
  /** False if the answer has only the earliest readings. */
  readonly isWhole: boolean;
}

const readRows: Read<CurveRows> = (body) => {
  const page = pageOfReadings(body);
  if (page === null || !Array.isArray(page.rows)) return null;
  const rows: CurveRow[] = [];
  for (const given of page.rows) {
    if (!isLike<Record<string, unknown>>(given)) return null;
    const at_ms = instant(given.timestamp);
    if (at_ms === null || at_ms < (rows[rows.length - 1]?.at_ms ?? 0)) return null;
    const values = FIELDS.map((field) => [field, finite(given[field])] as const);
    rows.push({ at_ms, values: Object.fromEntries(values) });
  }
  return { value: { rows, isWhole: page.isWhole } };
};

const finite = (given: unknown) =>
  typeof given === "number" && Number.isFinite(given) ? given : null;

/**
 * Maximum time that a line may cross, in ms, by the cadence of the earliest or of the newest rows,
 * whichever gives more.
 */
function joinOf(rows: readonly CurveRow[]): number {
  const times = rows.map(({ at_ms }) => at_ms);
  const [early, late] = [times.slice(0, CADENCE_READINGS), times].map(usualCadence);
  return Math.max(silenceLimit(early), silenceLimit(late));
}

function linesIn(rows: readonly CurveRow[], field: string, join_ms: number): readonly CurveLine[] {
  const points = thinned(rows, field).map(({ at_ms, values }) => ({
    at_ms,
    value: values[field] ?? null,
  }));
  return linesThrough(points, () => join_ms);
}

/** The lowest and the highest row of each stretch; a stretch with missing values is kept whole. */
function thinned(rows: readonly CurveRow[], field: string): readonly CurveRow[] {
  const size = Math.ceil((2 * rows.length) / DRAWN_MAX);
  if (size <= 2) return rows;
  const left: CurveRow[] = [];
  for (let at = 0; at < rows.length; at += size) {
    const stretch = rows.slice(at, at + size);
    const known = (row: CurveRow) => row.values[field] ?? null;
    if (stretch.some((row) => known(row) === null)) left.push(...stretch);
    else {
      const byValue = [...stretch].sort((a, b) => (known(a) ?? 0) - (known(b) ?? 0));
      const ends = [byValue[0], byValue[byValue.length - 1]];
      left.push(...ends.sort((a, b) => a.at_ms - b.at_ms));
    }
  }
  return left;
}
