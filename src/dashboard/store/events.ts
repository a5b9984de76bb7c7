// Reads the API's answer of events: starts and stops of operations, and what the plant sent. The
// type of an event may be unknown to this page.

import type { EventAnswer } from "../../bwts/event.ts";
import { instant, isLike, listOf, type Read, textOrNull } from "./checks.ts";

export interface ShownEvent {
  readonly at_ms: number;
  /** Type of the event; it may be unknown to this page. */
  readonly event_type: string;
  readonly description: string;
  readonly operation_type: string | null;
  readonly location: string | null;
}

export const readEvents: Read<readonly ShownEvent[]> = (body) => listOf(body, plantEvent);

function plantEvent(given: unknown): ShownEvent | null {
  if (!isLike<EventAnswer>(given) || typeof given.event_type !== "string") return null;
  const at_ms = instant(given.timestamp);
  if (at_ms === null || typeof given.description !== "string") return null;
  const data = isLike<EventAnswer["data"]>(given.data) ? given.data : {};
  return {
    at_ms,
    event_type: given.event_type,
    description: given.description,
    operation_type: textOrNull(data.operation_type),
    location: textOrNull(data.location),
  };
}
