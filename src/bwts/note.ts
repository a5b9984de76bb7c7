// Texts that people add to the record: a note on a moment or a range, and the handover of a watch.
// Each is one entry of the audit log, and so a link of its chain and a leaf of the ledger: it can't
// be changed, only corrected by a later one. They have no table of their own.

import * as z from "zod";
import { parseTime } from "../ground/clock.ts";
import type { Declined } from "../ground/errors.ts";
import { asDouble } from "../ground/exact-json.ts";
import { isPlainLine, isPlainText, isVisible } from "../ground/plain-text.ts";
import { expectedFor } from "../ground/reasons.ts";
import { statedTimeProblem } from "./stated-time.ts";

const TEXT_MAX = 1000;
const NAME_MAX = 100;

const words = (about: string, max: number) => {
  const expected = `expected a text of at most ${max} characters, none of control or direction`;
  return z
    .string(expected)
    .max(max, expected)
    .refine(isPlainText, expectedFor("text_signs", expected))
    .meta({ description: about });
};

/** Schema of a name that signs an entry; it may be empty. */
const name = (about: string) => {
  const expected = `expected a line of at most ${NAME_MAX} characters, none of control`;
  return z
    .string(expected)
    .max(NAME_MAX, expected)
    .refine(isPlainLine, expectedFor("text_signs", expected))
    .meta({ description: about });
};

const TIME_EXPECTED = "expected a time such as 2026-05-01T06:30Z";
const time = (about: string) =>
  z
    .string(TIME_EXPECTED)
    .refine((text) => parseTime(text) !== null, expectedFor("time_unfit", TIME_EXPECTED))
    .meta({ description: `${about}, ISO 8601, UTC if it has no zone` });

const timeIn = (text: string) => parseTime(text)?.at_ms ?? 0;

const person = (about: string) =>
  name(about).refine(isVisible, expectedFor("name_missing", "expected a name"));

/** Schema of the id of an entry in the list. JSON's integers arrive as bigints. */
const corrects = z
  .preprocess(
    asDouble,
    z.number("expected the id of an entry").int().min(1).max(Number.MAX_SAFE_INTEGER),
  )
  .optional()
  .meta({ description: "the entry that this one corrects; it stays in the log" });

const key = z
  .string("expected a key of 16 to 64 letters and digits")
  .regex(/^[\w-]{16,64}$/, "expected a key of 16 to 64 letters and digits")
  .meta({ description: "made by the client for this entry: sent again, it is stored once" });

/** The body of POST /admin/notes. Other members are ignored. */
export const NoteBody = z
  .object({
    from: time("the moment, or the start of a range"),
    to: time("the end of the range").optional(),
    text: words("the note; an empty one withdraws the note that it corrects", TEXT_MAX),
    who: name("the person").default(""),
    corrects,
    key,
  })
  .refine(({ from, to }) => timeIn(to ?? from) >= timeIn(from), {
    ...{ path: ["to"], ...expectedFor("end_early", "expected a time that isn't before from") },
  })
  .refine(({ text, corrects }) => isVisible(text) || corrects !== undefined, {
    path: ["text"],
    ...expectedFor("text_missing", "expected a text; only a correction may have none"),
  })
  .meta({
    id: "NoteBody",
    example: {
      ...{
        from: "2026-05-01T06:30:00Z",
        text: "Silt in the river: turbid water",
        who: "2/E Reyes",
      },
      key: "b3f1c2d4a5968778",
    },
  });
export type NoteBody = z.output<typeof NoteBody>;

/** The reason to refuse the times of a note; null if they are valid. */
export function noteTimeProblem({ from, to }: NoteBody, now_ms: number): Declined | null {
  const problemOf = (member: string, given: string) =>
    statedTimeProblem(member, timeIn(given), now_ms);
  return problemOf("from", from) ?? (to === undefined ? null : problemOf("to", to));
}

/** The body of POST /admin/handovers. Other members are ignored. */
export const HandoverBody = z
  .object({
    remark: words("for the next watch", TEXT_MAX).default(""),
    handed_over_by: person("the person who leaves the watch"),
    taken_over_by: person("the person who takes it"),
    corrects,
    key,
  })
  .meta({
    id: "HandoverBody",
    example: {
      ...{ remark: "Lamp 10 to be changed at Busan", handed_over_by: "2/E Reyes" },
      ...{ taken_over_by: "3/E Kim", key: "b3f1c2d4a5968778" },
    },
  });
export type HandoverBody = z.output<typeof HandoverBody>;

const entry = {
  id: z.number().int().meta({ description: "the number of its entry in the audit log" }),
  written_at: z.iso.datetime().meta({ description: "by ballastd's clock" }),
  by: z.string().meta({ description: "the name of the token that wrote it" }),
  corrects: z.number().int().nullable().meta({ description: "the entry that it corrects" }),
  corrected_by: z.number().int().nullable().meta({ description: "the later entry that counts" }),
  damaged: z.boolean().meta({
    description: "true: the entry isn't what was written, or what it corrects is lost",
  }),
};

export const NoteAnswer = z
  .object({
    ...entry,
    from: z.iso.datetime(),
    to: z.iso.datetime().nullable(),
    text: z.string(),
    who: z.string(),
  })
  .meta({
    id: "Note",
    example: {
      ...{ id: 41, written_at: "2026-05-01T07:02:11.000Z", by: "chief" },
      ...{ corrects: null, corrected_by: null, damaged: false },
      ...{ from: "2026-05-01T06:30:00.000Z", to: null },
      ...{ text: "Silt in the river: turbid water", who: "2/E Reyes" },
    },
  });
export type NoteAnswer = z.output<typeof NoteAnswer>;

export const HandoverAnswer = z
  .object({
    ...entry,
    remark: z.string(),
    handed_over_by: z.string(),
    taken_over_by: z.string(),
  })
  .meta({
    id: "Handover",
    example: {
      ...{ id: 42, written_at: "2026-05-01T08:00:05.000Z", by: "chief" },
      ...{ corrects: null, corrected_by: null, damaged: false },
      ...{ remark: "Lamp 10 to be changed at Busan", handed_over_by: "2/E Reyes" },
      taken_over_by: "3/E Kim",
    },
  });
export type HandoverAnswer = z.output<typeof HandoverAnswer>;

/** `done`: stored now, or before under the same key. */
export const WrittenOutcome = z.union([
  z.object({ outcome: z.literal("done"), id: z.number().int() }),
  z.object({ outcome: z.enum(["key_used", "unknown", "corrected"]) }),
]);
export type WrittenOutcome = z.output<typeof WrittenOutcome>;
