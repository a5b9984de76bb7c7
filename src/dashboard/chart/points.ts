// Reads the API's answer of a field's points: hours, days, or readings. The result names field and
// level, because an earlier answer stays until the next one has come.

import { silenceLimit, usualCadence } from "../../bwts/idle-plant.ts";
import { instant, isLike, pageOfReadings, type Read } from "../store/checks.ts";
import type { CurvePoint } from "./curve.ts";
import { type Fineness, POINT_WIDTH_MS, type Stretch } from "./level.ts";
import { type CurveLine, linesThrough } from "./small-curve.tsx";

export interface Points {
  readonly field: string;
  readonly level: Fineness;
  readonly points: readonly CurvePoint[];
  /** False if there are more readings than asked for; then hours are shown. */
  readonly isWhole: boolean;
}

/** Maximum time that a line may cross between two of the points; 0 for buckets. */
export function joinOf({ level, points }: Points): number {
  if (level !== "reading") return 0;
  return silenceLimit(usualCadence(points.slice(-100).map(({ at_ms }) => at_ms)));
}

/** Number of earlier points from which the cadence at a point follows. */
const CADENCE_POINTS = 10;

/** Lines through the points of a stretch, broken where time is missing. */
export function joinedLines(
  { level, points }: Points,
  { from_ms, to_ms }: Stretch,
): readonly CurveLine[] {
  const shown = points.filter(({ at_ms }) => at_ms >= from_ms && at_ms <= to_ms);
  return linesThrough(shown, (index) => {
    if (level !== "reading") return POINT_WIDTH_MS[level];
    const times = shown.slice(Math.max(0, index - CADENCE_POINTS), index).map((one) => one.at_ms);
    return silenceLimit(usualCadence(times));
  });
}

const readers = new Map<string, Read<Points>>();

/**
 * The reader of a field's points: always the same function, because a new one would cause a new
 * request.
 */
export function pointsReader(field: string, level: Fineness): Read<Points> {
  const name = `${field} ${level}`;
  const known = readers.get(name);
  if (known !== undefined) return known;
  const made: Read<Points> = (body) => {
    const page = level === "reading" ? pageOfReadings(body) : { rows: body, isWhole: true };
    if (page === null || !Array.isArray(page.rows)) return null;
    const points: CurvePoint[] = [];
    for (const row of page.rows) {
      const point = pointOf(row, field, level);
      if (point === null || point.at_ms < (points[points.length - 1]?.at_ms ?? 0)) return null;
      points.push(point);
    }
    return { value: { field, level, points, isWhole: page.isWhole } };
  };
  readers.set(name, made);
  return made;
}

function pointOf(row: unknown, field: string, level: Fineness): CurvePoint | null {
  if (!isLike<Record<string, unknown>>(row)) return null;
  const at_ms = instant(row.timestamp);
  const value = row[field];
  const [min, max] =
    level === "reading" ? [null, null] : [row[`${field}_min`], row[`${field}_max`]];
  if (at_ms === null) return null;
  if (!isValue(value) || !isValue(min) || !isValue(max)) return null;
  return { at_ms, end_ms: at_ms + POINT_WIDTH_MS[level], value, min, max };
}

function isValue(given: unknown): given is number | null {
  return given === null || typeof given === "number";
}
