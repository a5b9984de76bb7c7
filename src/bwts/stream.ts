// The events of GET /stream: their names, and those data that no other answer has. Without zod: it
// is part of the page.

import type { EventAnswer } from "./event.ts";
import type { DataState } from "./idle-plant.ts";

/** Types of events that bring news; each event has an id. */
export const NEWS_TYPES = [
  ...["reading", "event", "operation", "alert", "health", "forecast", "note"],
] as const;
export type NewsType = (typeof NEWS_TYPES)[number];

/** The heartbeat event, sent every few seconds, also while nothing happens; it has no id. */
export interface Beat {
  /** The server's time. */
  readonly now: string;
  /** Id of the newest event; a client that resumes after it misses nothing. */
  readonly last_id: string;
  /** Age of the newest reading by its own time, null before the first. */
  readonly reading_age_s: number | null;
  /** Time since readings were received, null before the first. */
  readonly received_age_s: number | null;
  /** Freshness of the data, as in /api/overview; null until the database was read. */
  readonly data: DataState | null;
  /** Maximum age of a reading that counts as the present; null until the database was read. */
  readonly silence_s: number | null;
}

/** An operation that has started or stopped. */
export interface OperationNews {
  readonly state: "started" | "stopped";
  readonly timestamp: string;
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly target_flow: number | null;
}

/** The operation that the newest start or stop belongs to. */
export function operationNews({
  timestamp,
  event_type,
  data,
}: Pick<EventAnswer, "timestamp" | "data"> & { readonly event_type: string }): OperationNews {
  const { operation_type, location, target_flow } = data;
  const state = event_type === "PROCESS_START" ? "started" : "stopped";
  return { state, timestamp, operation_type, location, target_flow };
}
