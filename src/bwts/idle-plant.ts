// Detects by the steady clock that the plant has stopped sending: the plant's clock may be off by
// hours, so that its readings look old by the box's clock on arrival. Readings that arrive much
// faster than their own times are from a file or a buffer: they are complete when they end. The
// usual cadence, for gaps, alerts and curves too, and the rule of freshness are also here. Without
// zod: it is part of the page.

import { HOUR_MS, MINUTE_MS } from "../ground/clock.ts";
import { AHEAD_MAX_MS } from "./reading.ts";

/** Number of readings whose distances give the plant's usual cadence. */
export const CADENCE_READINGS = 21;
/** Minimum number of distances for a cadence. */
const DISTANCES_MIN = 4;
const CADENCES = 5;
const LIMIT_MIN_MS = 2 * MINUTE_MS;
/** Longest normal silence of a plant of unknown cadence, for which three minutes are assumed. */
const LIMIT_UNKNOWN_MS = CADENCES * 3 * MINUTE_MS;
/** Minimum silence after which a plant counts as stopped, at least for now. */
const SILENT_MIN_MS = 10 * MINUTE_MS;
/** Silence after which a plant of unknown cadence counts as stopped. */
const SILENT_UNKNOWN_MS = HOUR_MS;
/** Maximum ratio of the progress of live readings' own times to the time that has passed. */
const PACE_MAX = 3;

/** Counts since the start, and the time of the newest reading. */
export interface ReceivedCounts {
  readonly commits: number;
  readonly corrections: number;
  readonly last_reading_ms: number | null;
}

/** Opens a watch. It is called with the present counts, and returns true once for each silence. */
export function openIdleWatch(steady_ms: () => number): (now: ReceivedCounts) => boolean {
  let before: ReceivedCounts | null = null;
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

function isSame(now: ReceivedCounts, other: ReceivedCounts | null): boolean {
  return (
    other !== null &&
    now.commits === other.commits &&
    now.corrections === other.corrections &&
    now.last_reading_ms === other.last_reading_ms
  );
}

/** The median distance of the last CADENCE_READINGS times, ascending; null if they are too few. */
export function usualCadence(times: readonly number[]): number | null {
  const last = times.slice(-CADENCE_READINGS);
  const distances = last.slice(1).map((at_ms, index) => at_ms - last[index]);
  if (distances.length < DISTANCES_MIN) return null;
  return distances.sort((one, other) => one - other)[distances.length >> 1];
}

/** The longest normal silence: five times the usual cadence, at least two minutes. */
export function silenceLimit(cadence_ms: number | null): number {
  if (cadence_ms === null) return LIMIT_UNKNOWN_MS;
  return Math.max(LIMIT_MIN_MS, CADENCES * cadence_ms);
}

export const DATA_STATES = ["none", "fresh", "old", "silent", "ahead"] as const;

/**
 * State of the data. `none`: there is no reading; `old`: readings arrive, but the newest is older
 * than `silence_ms`; `silent`: the newest is old, and none was received for as long; `ahead`: the
 * newest is dated later than now.
 */
export type DataState = (typeof DATA_STATES)[number];

export interface DataAges {
  /** Age of the newest reading, corrected by the plant's clock; null without one. */
  readonly reading_ms: number | null;
  /** Time since readings were received; null if it isn't known, as for the past. */
  readonly received_ms: number | null;
  /** Maximum age of a reading that counts as the present; see silenceLimit(). */
  readonly silence_ms: number;
}

export function dataState({ reading_ms, received_ms, silence_ms }: DataAges): DataState {
  if (reading_ms === null) return "none";
  if (reading_ms < -AHEAD_MAX_MS) return "ahead";
  if (reading_ms <= silence_ms) return "fresh";
  return isSilent({ received_ms, silence_ms }) ? "silent" : "old";
}

/** True if no reading has come for longer than the plant's usual silence. */
export function isSilent({ received_ms, silence_ms }: Omit<DataAges, "reading_ms">): boolean {
  return received_ms !== null && received_ms > silence_ms;
}
