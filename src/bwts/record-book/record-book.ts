// The draft of the record book as /api/record-book answers it: the entries, and a mark that they
// are a draft only. Every answer names the form that it follows, and its unconfirmed parts.

import * as z from "zod";
import type { Operation } from "../operations/operation.ts";
import { DRAFT_SUBJECTS, draftEntries } from "./draft.ts";
import {
  FORM_BASES,
  FORM_CODES,
  FORM_EFFECTIVE,
  FORM_RESOLUTION,
  FORM_SOURCES,
  FORM_VERSION,
  RECORD_CODES,
  RECORD_LANGUAGES,
  type RecordLanguage,
} from "./form.ts";
import { BOXES, DRAFT_MARK, ITEM_TITLES, NO_RECORD_BOOK } from "./phrases.ts";

const time = z.iso.datetime();
const about = (description: string) => ({ description });

const DraftEntryAnswer = z
  .object({
    operation_id: z.number().int().meta(about("of /api/operations")),
    version: z.number().int().meta(about("of the operation's verdict; 0 while it runs")),
    code: z
      .enum(RECORD_CODES)
      .nullable()
      .meta(about("null where the operation's type wasn't sent: A or B, the officer knows")),
    subject: z
      .enum(DRAFT_SUBJECTS)
      .meta(about("treated water, water outside the limits or bypassed, a failure, a remark")),
    part: z.number().int().nullable().meta(about("its number among the operation's parts")),
    parts: z.number().int(),
    start: time,
    end: time.nullable(),
    location: z.string().nullable(),
    volume_m3: z.number().nullable(),
    items: z.array(
      z.object({
        item: z.number().int().meta(about("its number in the form")),
        title: z.string(),
        text: z.string().nullable().meta(about("null where ballastd knows nothing of it")),
        boxes: z.array(z.string()).meta(about("to be filled in by the officer")),
      }),
    ),
    notes: z.array(z.string()),
  })
  .meta({ id: "DraftEntry" });

export const RecordBookAnswer = z
  .object({
    mark: z.string().meta(about("that it is a draft, and no electronic record book")),
    language: z.enum(RECORD_LANGUAGES).meta(about("of the entries")),
    signature: z.string().meta(about("the box that each entry ends with")),
    form: z.object({
      resolution: z.string(),
      effective: z.iso.date(),
      version: z.number().int().meta(about("of ballastd's table of the form")),
      sources: z.string(),
      codes: z.array(
        z.object({
          code: z.enum(RECORD_CODES),
          title: z.string(),
          basis: z.enum(FORM_BASES).meta(about("confirm: not yet compared with the full text")),
          items: z
            .array(
              z.object({
                item: z.number().int(),
                title: z.string(),
                basis: z.enum(FORM_BASES),
              }),
            )
            .meta(about("empty: ballastd drafts none of this letter")),
        }),
      ),
    }),
    entries: z.array(DraftEntryAnswer),
  })
  .meta({
    id: "RecordBook",
    example: {
      mark:
        "draft: to be verified and signed by the officer; " +
        "ballastd is no electronic record book",
      ...{ language: "en", signature: "signature of the officer in charge" },
      form: {
        ...{ resolution: FORM_RESOLUTION, effective: FORM_EFFECTIVE, version: FORM_VERSION },
        sources: "code A's six items read in a published commentary",
        codes: [
          {
            ...{ code: "A", title: "Ballast water taken on board (uptake)", basis: "read" },
            items: [{ item: 1, title: "Start: time, place", basis: "read" }],
          },
        ],
      },
      entries: [
        {
          ...{ operation_id: 17, version: 1, code: "A", subject: "treated", part: 1, parts: 1 },
          ...{ start: "2026-05-01T05:08:00.000Z", end: "2026-05-01T11:20:00.000Z" },
          ...{ location: "Singapore", volume_m3: 6120.5 },
          items: [
            {
              ...{ item: 1, title: "Start: time, place" },
              ...{ text: "2026-05-01 05:08 UTC, Singapore", boxes: [] },
            },
          ],
          notes: [],
        },
      ],
    },
  });
export type RecordBook = z.output<typeof RecordBookAnswer>;

export function recordBook(operations: readonly Operation[], language: RecordLanguage): RecordBook {
  return {
    mark: draftMark(language),
    language,
    signature: BOXES.signature[language],
    form: {
      ...{ resolution: FORM_RESOLUTION, effective: FORM_EFFECTIVE, version: FORM_VERSION },
      sources: FORM_SOURCES,
      codes: RECORD_CODES.map((code) => {
        const { title, basis, items } = FORM_CODES[code];
        return {
          ...{ code, title: title[language], basis },
          items: items.map(({ item, asks, basis: own }) => ({
            ...{ item, title: ITEM_TITLES[asks][language], basis: own },
          })),
        };
      }),
    },
    entries: draftEntries(operations, language).map((entry) => ({
      ...entry,
      items: entry.items.map((item) => ({ ...item, boxes: [...item.boxes] })),
      notes: [...entry.notes],
    })),
  };
}

/** The mark on each draft, on paper and in files. */
export function draftMark(language: RecordLanguage): string {
  return `${DRAFT_MARK[language]}; ${NO_RECORD_BOOK[language]}`;
}
