// The last time that somebody looked at this page in this browser. Looks less than half an hour
// apart count as one, so that a reload, or a second glance, doesn't hide the news.

import { remember, remembered } from "../store/remembered.ts";

const BEFORE = "handover.before";
const NOW = "handover.now";
const SAME_LOOK_MS = 30 * 60_000;
/** Minimum time between two notes of the present look. */
const NOTE_MS = 60_000;

/** Notes the present look; returns the time of the previous one, null for none. */
export function lookBefore(now_ms: number): number | null {
  const noted_ms = timeIn(NOW, now_ms);
  if (noted_ms !== null && now_ms - noted_ms > SAME_LOOK_MS) remember(BEFORE, String(noted_ms));
  if (noted_ms === null || now_ms - noted_ms > NOTE_MS) remember(NOW, String(now_ms));
  return timeIn(BEFORE, now_ms);
}

/** A remembered time; null for one in the future, from before the clock was set back. */
function timeIn(name: string, now_ms: number): number | null {
  const at_ms = Number(remembered(name) ?? Number.NaN);
  return at_ms > 0 && at_ms <= now_ms ? at_ms : null;
}
