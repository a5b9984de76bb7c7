// A stretch is asked for in days at once, in hours, and as readings when it is short enough.
// The stretch asked for is wider than the one shown, and its ends are rounded, so that a small step
// of panning asks for nothing.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type Fineness = "day" | "hour" | "reading";

export const POINT_WIDTH_MS: Readonly<Record<Fineness, number>> = {
  day: DAY_MS,
  hour: HOUR_MS,
  reading: 0,
};

/** Longer stretches are shown in days, shorter ones as readings. */
const HOURS_MAX_MS = 62 * DAY_MS;
const READINGS_MAX_MS = 36 * HOUR_MS;
/** The most readings that are asked for; where there are more, hours are shown. */
export const READINGS_MAX = 10_000;

/** A stretch of time, both ends included. */
export interface Stretch {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** On an axis of operating hours days can't be placed. */
export function levelOf({ from_ms, to_ms }: Stretch, isFolded: boolean): Fineness {
  const length_ms = to_ms - from_ms;
  if (length_ms <= READINGS_MAX_MS) return "reading";
  return length_ms <= HOURS_MAX_MS || isFolded ? "hour" : "day";
}

/** The stretch to ask for: at most three times as long. */
export function askedStretch({ from_ms, to_ms }: Stretch, level: Fineness): Stretch {
  const length_ms = Math.max(60_000, to_ms - from_ms);
  const even_ms = 60_000 * 2 ** Math.floor(Math.log2(length_ms / 60_000));
  const step_ms = level === "reading" ? even_ms : Math.max(DAY_MS, even_ms);
  // As the catalogue of times that the API takes: years of four digits.
  const low_ms = Math.max(0, Math.floor(from_ms / step_ms) * step_ms);
  return { from_ms: low_ms, to_ms: Math.max(low_ms, Math.ceil(to_ms / step_ms) * step_ms - 1) };
}

/** The path of a field's points. */
export function pointsPath(field: string, level: Fineness, stretch: Stretch): string {
  const { from_ms, to_ms } = askedStretch(stretch, level);
  const range = `startDate=${written(from_ms)}&endDate=${written(to_ms)}&fields=${field}`;
  return level === "reading"
    ? `/api/telemetry/chunked?${range}&limit=${READINGS_MAX}`
    : `/api/telemetry/aggregated?interval=${level}&${range}`;
}

export function written(at_ms: number): string {
  return new Date(at_ms).toISOString();
}
