// The losses of a salvage, as printed and as kept in the audit log: the links of a chain, the
// number of readings, and their times. Unknown facts are null.

import { printTime } from "../../ground/clock.ts";

type Lost =
  | "segment"
  | "readings"
  | "day"
  | "event"
  | "audit"
  | "ledger"
  | "table"
  | "buckets"
  | "log";

/** A stretch of one kind of data that couldn't be taken over. */
export interface Loss {
  readonly what: Lost;
  /** The link's number in its chain, or the table's name; null for unsealed readings. */
  readonly name: string | null;
  readonly readings: number | null;
  /** Times of the first and last lost reading, or limits of these times. */
  readonly from: string | null;
  readonly to: string | null;
  readonly why: string;
}

/** Prints the times of a loss; an unknown end is null. */
export function between(from_ms: number | null, to_ms: number | null): Pick<Loss, "from" | "to"> {
  return { from: printed(from_ms), to: printed(to_ms) };
}

function printed(at_ms: number | null): string | null {
  // A damaged row may hold any number, also one that is no time.
  if (at_ms === null || Math.abs(at_ms) > 8.64e15) return null;
  return printTime(at_ms);
}
