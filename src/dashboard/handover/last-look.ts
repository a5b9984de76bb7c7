// The last time that somebody looked at this page in this browser. Looks less than half an hour
// apart are one: a reload, or a second glance, doesn't make everything known.

import { remember, remembered } from "../store/remembered.ts";

const BEFORE = "handover.before";
const NOW = "handover.now";
const SAME_LOOK_MS = 30 * 60_000;
/** Between two notes of the present look. */
const NOTE_MS = 60_000;

/** Notes the look of now; answers the one before, null if there was none. */
export function lookBefore(now_ms: number): number | null {
  const noted_ms = timeIn(NOW, now_ms);
  if (noted_ms !== null && now_ms - noted_ms > SAME_LOOK_MS) remember(BEFORE, String(noted_ms));
  if (noted_ms === null || now_ms - noted_ms > NOTE_MS) remember(NOW, String(now_ms));
  return timeIn(BEFORE, now_ms);
}

/** A time of the future is of a clock that was set back since. */
function timeIn(name: string, now_ms: number): number | null {
  const at_ms = Number(remembered(name) ?? Number.NaN);
  return at_ms > 0 && at_ms <= now_ms ? at_ms : null;
}
