// Proves from an event's row alone that the event is unchanged: its identity is a hash over its
// content. The hash is compared whenever an answer uses the event, because a text with a flipped
// bit looks like any other text.

import { DamagedError } from "../../codec/bytes.ts";
import { exactJson, parseExact } from "../../ground/exact-json.ts";
import { isBytes, isSameSegment, printedTime } from "../sealed/segment-proof.ts";
import { eventIdentity } from "./records.ts";

/** The columns that the identity covers, and the identity. */
export interface EventRow {
  readonly at_ms: number;
  readonly event_type: string;
  readonly description: string;
  readonly data: string;
  readonly identity: unknown;
}

/** The event's data, parsed. Throws a DamagedError if the event was altered. */
export function provenData(row: EventRow) {
  const name = `the event of ${printedTime(row.at_ms)}`;
  const data = withName(name, () => eventData(row.data));
  if (!isBytes(row.identity) || !isSameSegment(eventIdentity({ ...row, data }), row.identity))
    throw new DamagedError(`${name} isn't what was stored`);
  return data;
}

/**
 * An event's data, parsed. Throws an Error if it isn't printed as ballastd prints it: of a member
 * that stands twice SQLite reads the first, and the identity covers the last.
 */
export function eventData(text: string) {
  const data = parseExact(text);
  if (exactJson(data) !== text) throw new Error("it was printed by another program");
  return data;
}

/** Throws a DamagedError if the text isn't JSON, because only JSON is ever stored. */
export function storedJson(text: string, name: string) {
  return withName(name, () => parseExact(text));
}

function withName<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch {
    throw new DamagedError(`${name} isn't what was stored`);
  }
}
