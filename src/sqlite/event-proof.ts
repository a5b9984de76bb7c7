// Whether an event is the one that was stored, from its row alone: by its identity, a hash over
// what it says. Compared whenever an event is answered or told from, for a flipped bit in a text
// looks like any other text.

import { parseExact } from "../exact-json.ts";
import { eventIdentity } from "./records.ts";
import { DamagedError } from "./segment/bytes.ts";
import { isBytes, isSame, printedTime } from "./segment-proof.ts";

/** What of a row its identity covers, and the identity. */
export interface EventRow {
  readonly at_ms: number;
  readonly event_type: string;
  readonly description: string;
  readonly data: string;
  readonly identity: unknown;
}

/** What an event says beside its text. Throws a DamagedError where it isn't what was stored. */
export function provenData(row: EventRow) {
  const name = `the event of ${printedTime(row.at_ms)}`;
  const data = storedJson(row.data, name);
  if (!isBytes(row.identity) || !isSame(eventIdentity({ ...row, data }), row.identity))
    throw new DamagedError(`${name} isn't what was stored`);
  return data;
}

/** Throws a DamagedError for what isn't JSON: nothing else was stored. */
export function storedJson(text: string, name: string) {
  try {
    return parseExact(text);
  } catch {
    throw new DamagedError(`${name} isn't what was stored`);
  }
}
