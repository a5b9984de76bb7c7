// A telemetry reading: the plant's state at one instant. Inside, its values are an array in the
// catalogue's order, because rows, buckets and answers all follow the catalogue. The form with 101
// named members is made only for an answer.

import { MINUTE_MS } from "../ground/clock.ts";

/** A bigint is an integer that a double would round; it occurs in unknown tags only. */
export type Scalar = number | bigint | string | boolean;
export type Value = Scalar | null;

/** `given` if it is a number, else null. */
export const asNumber = (given: unknown) => (typeof given === "number" ? given : null);

/** `given` if it is a text, else null. */
export const asText = (given: unknown) => (typeof given === "string" ? given : null);

/**
 * A code or a parameter as text; many PLCs send them as numbers. Null if it is neither text nor
 * number.
 */
export function nameIn(given: unknown): string | null {
  if (typeof given === "number" || typeof given === "bigint") return String(given);
  return asText(given);
}

/** Maximum number of unknown tags kept of a reading; a PLC that sends more is misconfigured. */
export const EXTRA_TAGS_MAX = 256;

/** Name of the added unknown tag which marks a reading whose time is that of its receipt. */
export const TIME_SOURCE = "timestamp_source";

/**
 * Earliest valid time of a reading. A PLC that has lost its clock sends 1970; UV treatment at sea
 * began after 2000.
 */
export const OLDEST_MS = Date.UTC(2000, 0, 1);
/** Maximum time by which a reading may be ahead of a trusted clock. */
export const AHEAD_MAX_MS = 5 * MINUTE_MS;

/** A stored reading, merged from every message with its timestamp. */
export interface Reading {
  readonly at_ms: number;
  /** Receipt of its first message, by the box's clock. */
  readonly received_ms: number;
  /** True if the box's clock was trusted then. */
  readonly clock_trusted: boolean;
  /** By index into `TAGS`; entry 0 (the timestamp) is always null, since `at_ms` holds it. */
  readonly values: readonly Value[];
  /** Bit i is set if `DERIVED[i]` was computed here, and gives way to a sent value. */
  readonly derived: number;
  /** Tags that the catalogue doesn't know, under their own names. */
  readonly extra: ReadonlyMap<string, Scalar>;
}

/** The part of the reading at `at_ms` that one message brings. */
export interface ReadingPart {
  readonly at_ms: number;
  /** By index into `TAGS`; null for fields that the message lacks. */
  readonly values: readonly Value[];
  readonly extra: ReadonlyMap<string, Scalar>;
  /** True if the message had no time, so that `at_ms` is that of receipt. */
  readonly timed_by_receipt: boolean;
}
