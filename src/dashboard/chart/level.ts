// Decides how finely a stretch is asked for: in days, in hours, or as readings if it is short. The
// stretch asked for is wider than the one shown, and its ends are rounded, so that a small step of
// panning needs no new request.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type Fineness = "day" | "hour" | "reading";

export const POINT_WIDTH_MS: Readonly<Record<Fineness, number>> = {
  day: DAY_MS,
  hour: HOUR_MS,
  reading: 0,
};

/** Maximum length shown in hours and, below it, as readings; longer stretches are shown in days. */
const HOURS_MAX_MS = 62 * DAY_MS;
const READINGS_MAX_MS = 36 * HOUR_MS;
/** Maximum number of readings asked for; if there are more, hours are shown. */
export const READINGS_MAX = 10_000;

/** A stretch of time, both ends included. */
export interface Stretch {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** The level for a stretch. Days have no place on an axis of operating hours. */
export function levelOf({ from_ms, to_ms }: Stretch, isFolded: boolean): Fineness {
  const length_ms = to_ms - from_ms;
  if (length_ms <= READINGS_MAX_MS) return "reading";
  return length_ms <= HOURS_MAX_MS || isFolded ? "hour" : "day";
}

/** Latest instant that the API's dates allow. */
const LAST_MS = Date.UTC(10_000, 0) - 1;

/** The stretch to ask for: its ends rounded outwards, at most three times as long. */
export function askedStretch({ from_ms, to_ms }: Stretch, level: Fineness): Stretch {
  const length_ms = Math.max(60_000, to_ms - from_ms);
  const even_ms = 60_000 * 2 ** Math.floor(Math.log2(length_ms / 60_000));
  const step_ms = level === "reading" ? even_ms : Math.max(DAY_MS, even_ms);
  const low_ms = Math.min(LAST_MS, Math.max(0, Math.floor(from_ms / step_ms) * step_ms));
  const high_ms = Math.min(LAST_MS, Math.ceil(to_ms / step_ms) * step_ms - 1);
  return { from_ms: low_ms, to_ms: Math.max(low_ms, high_ms) };
}

/**
 * End of a request for live readings, rounded up so that it changes after about a hundredth of the
 * stretch.
 */
function horizon({ from_ms, to_ms }: Stretch, newest_ms: number): number {
  const hundredth_ms = Math.max(10_000, (to_ms - from_ms) / 100);
  const step_ms = 1000 * 2 ** Math.floor(Math.log2(hundredth_ms / 1000));
  return Math.ceil((newest_ms + 1) / step_ms) * step_ms;
}

/**
 * The path of a field's points; doubtful values are gaps. The end moves with the newest reading,
 * because an unchanged path would not be asked for again.
 */
export function pointsPath(
  field: string,
  level: Fineness,
  { stretch, newest_ms }: { readonly stretch: Stretch; readonly newest_ms: number | null },
): string {
  const { from_ms, to_ms } = askedStretch(stretch, level);
  const end_ms = newest_ms === null ? to_ms : Math.min(to_ms, horizon(stretch, newest_ms));
  const until = written(Math.max(from_ms, end_ms));
  const range = `startDate=${written(from_ms)}&endDate=${until}&fields=${field}`;
  return level === "reading"
    ? `/api/telemetry/chunked?${range}&believed=true&limit=${READINGS_MAX}`
    : `/api/telemetry/aggregated?interval=${level}&${range}`;
}

export function written(at_ms: number): string {
  return new Date(at_ms).toISOString();
}
