// Ship's time (`system.utc_offset`), printed for people beside UTC, always with its name. It never
// replaces UTC, is never stored, and is in no timestamp of the API. The page and the commands print
// it with this module.

const OFFSET = /^([+-])(\d{2}):(\d{2})$/;
const MINUTE_MS = 60_000;

/** Minutes ahead of UTC of an offset such as `+05:30`; null if it isn't one. */
function offsetMinutes(offset: string): number | null {
  const [, sign, hours, minutes] = OFFSET.exec(offset) ?? [];
  if (sign === undefined) return null;
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
}

/** Milliseconds ahead of UTC of an offset such as `+05:30`; 0 for none. */
export const offsetMs = (offset: string): number => (offsetMinutes(offset) ?? 0) * MINUTE_MS;

/** The instant by the ship's clock, such as `2026-05-01T19:35:09.000`; null without an offset. */
export function shipClock(at_ms: number, offset: string): string | null {
  const ahead = offsetMinutes(offset);
  if (ahead === null || !Number.isFinite(at_ms)) return null;
  return new Date(at_ms + ahead * MINUTE_MS).toISOString().slice(0, -1);
}

/** The name of ship's time: `ship's time UTC+05:30`. */
const shipTimeName = (offset: string): string => `ship's time UTC${offset}`;

/**
 * A time as ballastd prints it, followed by ship's time if an offset is configured:
 * `2026-05-01T14:05:09.000Z (2026-05-01 19:35:09 ship's time UTC+05:30)`.
 */
export function withShipTime(printed: string, offset: string): string {
  const clock = shipClock(Date.parse(printed), offset);
  if (clock === null) return printed;
  return `${printed} (${clock.slice(0, 19).replace("T", " ")} ${shipTimeName(offset)})`;
}
