// A telemetry reading: what the plant was at one instant. Inside, its values stand in an array in
// the catalogue's order, because rows, buckets and answers all walk the catalogue; the wire form
// with 101 named members is made only where an answer is written.

import * as z from "zod";
import { MINUTE_MS } from "../clock.ts";
import { TAGS, type Tag } from "./tags.ts";

/** A bigint is an integer that a double would round: of unknown tags only. */
export type Scalar = number | bigint | string | boolean;
export type Value = Scalar | null;

/** The most unknown tags that one reading keeps; a PLC that sends more is misconfigured. */
export const EXTRA_TAGS_MAX = 256;

/** Says, in the place of an unknown tag, that a reading's time is that of its receipt. */
export const TIME_SOURCE = "timestamp_source";

/** A PLC that has just lost its clock says 1970; UV treatment at sea is younger than 2000. */
export const OLDEST_MS = Date.UTC(2000, 0, 1);
/** How far a reading's time may run ahead of a clock that is trusted. */
export const AHEAD_MAX_MS = 5 * MINUTE_MS;

/** A reading as it is stored, merged from every message with its timestamp. */
export interface Reading {
  readonly at_ms: number;
  /** When the first message of it came, by the box's clock. */
  readonly received_ms: number;
  /** Whether the box's clock was trusted then. */
  readonly clock_trusted: boolean;
  /** By index into `TAGS`; entry 0 (the timestamp) is always null, `at_ms` says it. */
  readonly values: readonly Value[];
  /** Which of `DERIVED` were computed here and give way to a sent value: bit i for `DERIVED[i]`. */
  readonly derived: number;
  /** Tags that the catalogue doesn't know, under their own names. */
  readonly extra: ReadonlyMap<string, Scalar>;
}

/** What one message says of the reading at `at_ms`. */
export interface ReadingPart {
  readonly at_ms: number;
  /** By index into `TAGS`, null where the message says nothing. */
  readonly values: readonly Value[];
  readonly extra: ReadonlyMap<string, Scalar>;
  /** The message had no time of its own: `at_ms` is that of receipt. */
  readonly timed_by_receipt: boolean;
}

function schemaOf(tag: Tag): z.ZodType {
  const unit = tag.unit === null ? "" : ` (${tag.unit})`;
  const meta = { description: `${tag.about}${unit}` };
  switch (tag.type) {
    case "number":
      return z.number().nullable().meta(meta);
    case "integer":
      return z.number().int().nullable().meta(meta);
    case "boolean":
      return z.boolean().nullable().meta(meta);
    case "string":
      return tag.name === "timestamp"
        ? z.iso.datetime().meta(meta)
        : z.string().nullable().meta(meta);
  }
}

/** A reading on the wire: all catalogue members, null where unknown, then the unknown tags. */
export const TelemetryReading = z
  .object(Object.fromEntries(TAGS.map((tag) => [tag.name, schemaOf(tag)])))
  .catchall(z.union([z.number(), z.string(), z.boolean()]))
  .meta({
    id: "TelemetryReading",
    description:
      "One reading. Every catalogue field is present, null where nothing is known; tags that the " +
      "catalogue does not know follow under their own names.",
  });
