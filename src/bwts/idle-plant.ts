// Detects by the steady clock that the plant has stopped sending: the plant's clock may be off by
// hours, and its readings, compared with the box's clock, would look old as soon as they come.
// Readings that come much faster than their own times are from a file or a buffer: they are
// complete when they end.

import { HOUR_MS, MINUTE_MS } from "../ground/clock.ts";
import { CADENCE_READINGS, silenceLimit, usualCadence } from "./silence.ts";

/** A plant that is silent for this long has stopped, at least for now. */
const SILENT_MIN_MS = 10 * MINUTE_MS;
/** The same for a plant of unknown cadence. */
const SILENT_UNKNOWN_MS = HOUR_MS;
/** Live readings come at most this much faster than their own times. */
const PACE_MAX = 3;

/** Counts since the start, and the time of the newest reading. */
export interface Seen {
  readonly commits: number;
  readonly corrections: number;
  readonly last_reading_ms: number | null;
}

/** Takes the present counts; true once for each silence. */
export function openIdleWatch(steady_ms: () => number): (now: Seen) => boolean {
  let before: Seen | null = null;
  let arrivals_ms: readonly number[] = [];
  let changed_ms = steady_ms();
  let isTold = false;
  let told: { readonly at_ms: number; readonly last_reading_ms: number } | null = null;

  const isSilent = (): boolean => {
    const cadence_ms = usualCadence(arrivals_ms);
    const limit_ms =
      cadence_ms === null ? SILENT_UNKNOWN_MS : Math.max(SILENT_MIN_MS, silenceLimit(cadence_ms));
    return steady_ms() - changed_ms > limit_ms;
  };
  const hasEnded = (last_reading_ms: number): boolean => {
    if (told === null) return true;
    const moved_ms = last_reading_ms - told.last_reading_ms;
    return moved_ms > SILENT_MIN_MS && moved_ms > PACE_MAX * (steady_ms() - told.at_ms);
  };

  return (now) => {
    if (!isSame(now, before)) {
      if (before !== null) arrivals_ms = [...arrivals_ms, steady_ms()].slice(-CADENCE_READINGS);
      before = now;
      changed_ms = steady_ms();
      isTold = false;
      return false;
    }
    const { last_reading_ms } = now;
    if (isTold || last_reading_ms === null || !(hasEnded(last_reading_ms) || isSilent()))
      return false;
    isTold = true;
    told = { at_ms: steady_ms(), last_reading_ms };
    return true;
  };
}

function isSame(now: Seen, other: Seen | null): boolean {
  return (
    other !== null &&
    now.commits === other.commits &&
    now.corrections === other.corrections &&
    now.last_reading_ms === other.last_reading_ms
  );
}
