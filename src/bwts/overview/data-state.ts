// Data freshness: the one rule by which the overview, the stream's beat and the page call a
// reading the present, and a plant silent. Pure, and without zod: it is part of the page.

import { AHEAD_MAX_MS } from "../reading.ts";

export const DATA_STATES = ["none", "fresh", "old", "silent", "ahead"] as const;

/**
 * `none`: there is no reading; `old`: readings come, but the newest isn't of now; `silent`: it is
 * old, and none has come for as long; `ahead`: it is dated later than now.
 */
export type DataState = (typeof DATA_STATES)[number];

export interface DataAges {
  /** Age of the newest reading, corrected by the plant's clock; null without one. */
  readonly reading_ms: number | null;
  /** Time since readings were received; null if it isn't known, as for the past. */
  readonly received_ms: number | null;
  /** An older reading isn't the present: silenceLimit(). */
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
