// What a salvage lost, as it is said to a person and kept in the audit log: which links of which
// chain, how many readings, and from when to when. What isn't known is null.

import { printTime } from "../../clock.ts";

/** A stretch of one kind of thing that couldn't be taken over. */
export interface Loss {
  readonly what: "segment" | "readings" | "day" | "event" | "audit" | "table" | "buckets";
  /** Its number in the chain, or the table's name; null for readings that weren't sealed. */
  readonly name: string | null;
  readonly readings: number | null;
  /** The times of its readings, or between which they must have been. */
  readonly from: string | null;
  readonly to: string | null;
  readonly why: string;
}

/** Times of a loss, printed; an end that isn't known is null. */
export function between(from_ms: number | null, to_ms: number | null): Pick<Loss, "from" | "to"> {
  return { from: printed(from_ms), to: printed(to_ms) };
}

function printed(at_ms: number | null): string | null {
  // A damaged row may say any number.
  if (at_ms === null || Math.abs(at_ms) > 8.64e15) return null;
  return printTime(at_ms);
}
