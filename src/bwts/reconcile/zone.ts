// The zone that times of a file without one are in: UTC, or an offset such as +09:00, since many
// books are kept in ship's time.

const OFFSET = /^([+-])(\d{2}):(\d{2})$/;
const AHEAD_MAX = 14 * 60;

export const ZONE_EXPECTED = "expected UTC, or an offset such as +09:00";

/** Minutes ahead of UTC; null for a text that is no zone. */
export function zoneMinutes(text: string): number | null {
  if (text === "UTC" || text === "Z") return 0;
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? [];
  if (sign === undefined || Number(minutes) > 59) return null;
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return Math.abs(ahead) > AHEAD_MAX ? null : ahead;
}
