// Quarantined messages as /admin/quarantine answers them: the list without payloads, one entry with
// its payload, and the result of taking a message in again, unchanged or corrected.

import * as z from "zod";
import { asDouble } from "../ground/exact-json.ts";
import { REASONS } from "./message.ts";

const count = z.number().int().min(0);
const time = z.iso.datetime();

const EntryReplay = z
  .object({
    at: time,
    shift_seconds: z.number(),
    stored: count.nullable(),
    left: z.string().nullable().meta({ description: "why some of it is left; null: all taken" }),
    detail: z.string().nullable(),
  })
  .meta({ description: "the last attempt to take it in again" });

const listed = {
  id: z.number().int(),
  topic: z.string().meta({ description: "empty: an entry that only counts messages of a reason" }),
  reason: z.string(),
  detail: z.string().meta({ description: "what is wrong with the message" }),
  count: count.meta({ description: "how often it came" }),
  first_received: time,
  last_received: time,
  clock_trusted: z.boolean(),
  payload_bytes: count,
  is_kept: z.boolean().meta({ description: "false: it came when the quarantine was full" }),
  replay: EntryReplay.nullable(),
};

const example = {
  ...{ id: 7, topic: "bwts/BWTS-001/telemetry", reason: "bad_time" },
  ...{ detail: "timestamp: no time", count: 3 },
  first_received: "2026-05-01T06:30:00.000Z",
  last_received: "2026-05-01T06:32:00.000Z",
  ...{ clock_trusted: true, payload_bytes: 22, is_kept: true, replay: null },
};

export const QuarantineItem = z.object(listed).meta({ id: "QuarantineItem", example });
export type QuarantineItem = z.output<typeof QuarantineItem>;

export const QuarantinePage = z
  .object({ data: z.array(QuarantineItem), next: z.number().int().nullable() })
  .meta({
    id: "QuarantinePage",
    description: "next: the `before` of the next page, null at the end",
    example: { data: [example], next: null },
  });

/** The number of quarantined messages of one reason in a range, public to all who may read. */
export const SetAside = z
  .object({
    reason: z.string(),
    messages: count,
    exact: z.boolean().meta({
      description: "false: at least so many; some came outside the range as well",
    }),
    newest: time,
  })
  .meta({
    id: "SetAside",
    example: {
      ...{ reason: "bad_time", messages: 3, exact: true, newest: "2026-05-01T06:32:00.000Z" },
    },
  });
export type SetAside = z.output<typeof SetAside>;

/** Maximum bytes of a payload in an answer; the rest stays aboard. */
export const PAYLOAD_SHOWN_BYTES = 48 * 1024;

export const QuarantineContent = z
  .object({
    ...listed,
    payload: z.string().nullable().meta({ description: "as text; null if it isn't UTF-8" }),
    payload_base64: z
      .string()
      .nullable()
      .meta({
        description: `its first ${PAYLOAD_SHOWN_BYTES} bytes; null if it isn't kept`,
      }),
    is_whole: z.boolean().meta({ description: "the payload here is all of it" }),
  })
  .meta({
    id: "QuarantineContent",
    example: {
      ...example,
      ...{ payload: '{"timestamp": "never"}', is_whole: true },
      payload_base64: "eyJ0aW1lc3RhbXAiOiAibmV2ZXIifQ==",
    },
  });
export type QuarantineContent = z.output<typeof QuarantineContent>;

/** Maximum shift, the same as of `ballastd quarantine replay --shift`: a hundred years. */
const SHIFT_MAX_S = 100 * 366 * 86_400;

// Integers of a body arrive as bigints.
const shiftSeconds = z
  .preprocess(
    asDouble,
    z
      .number({ error: "expected seconds" })
      .refine((seconds) => Math.abs(seconds) <= SHIFT_MAX_S, "expected 100 years at most"),
  )
  .optional()
  .meta({ description: "added to the times that the messages give" });

const dryRun = z
  .boolean({ error: "expected true or false" })
  .optional()
  .meta({ description: "only tells what would come of it" });

export const ReplayAllBody = z
  .strictObject({
    reason: z.enum(REASONS, { error: "expected a reason of the quarantine" }),
    ...{ shift_seconds: shiftSeconds, dry_run: dryRun },
  })
  .meta({ id: "ReplayAllBody", example: { reason: "future", shift_seconds: -10_800 } });

export const ReplayAllAnswer = z
  .object({
    entries: count.meta({ description: "entries of that reason that waited" }),
    stored: count.meta({ description: "readings and records that are stored by it" }),
    left: count.meta({ description: "entries of which something is left" }),
    dry_run: z.boolean(),
  })
  .meta({ id: "ReplayedAll", example: { entries: 19, stored: 19, left: 0, dry_run: false } });

export const ReplayBody = z
  .strictObject({
    payload: z
      .string({ error: "expected a text" })
      .min(1, "expected a text that isn't empty")
      .optional()
      .meta({ description: "the corrected text; without it the message as it came" }),
    ...{ shift_seconds: shiftSeconds, dry_run: dryRun },
  })
  .meta({ id: "ReplayBody", example: { shift_seconds: 5400, dry_run: true } });

export const ReplayAnswer = z
  .object({
    id: z.number().int(),
    stored: count.meta({ description: "readings and records that are stored by it" }),
    left: z.string().nullable().meta({ description: "why some of it is left; null: all taken" }),
    detail: z.string(),
    dry_run: z.boolean(),
  })
  .meta({
    id: "Replayed",
    example: { id: 7, stored: 1, left: null, detail: "", dry_run: false },
  });
