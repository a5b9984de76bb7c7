// The routes about the record book: the draft of its entries, and the reconciliation with a file
// that an officer sends. The latter is a POST because the file is its body, and is under /admin
// because /api is GET only. It stores nothing and shows nothing that /api doesn't, so anybody who
// may read may use it.

import * as z from "zod";
import { BOOK_BYTES_MAX, bookText } from "../../bwts/record-book/book-bytes.ts";
import { bookHeader, NoBookHeader } from "../../bwts/record-book/book-header.ts";
import { RECORD_LANGUAGES } from "../../bwts/record-book/form.ts";
import { ReconciliationAnswer } from "../../bwts/record-book/reconciliation.ts";
import { RecordBookAnswer } from "../../bwts/record-book/record-book.ts";
import { ZONE_EXPECTED, zoneMinutes } from "../../bwts/record-book/zone.ts";
import { printTime } from "../../ground/clock.ts";
import { RECORD_FORMATS, type RecordFormat } from "../../sqlite/exchange/record-book.ts";
import { readCsvBody } from "../body.ts";
import { dates, oneOfParameter, rangeOf } from "../parameters.ts";
import { Refusal } from "../refusal.ts";
import { ask, JSON_TYPE, route } from "../route.ts";

const TYPES: Readonly<Record<RecordFormat, string>> = {
  json: JSON_TYPE,
  text: "text/plain; charset=utf-8",
  csv: "text/csv; charset=utf-8",
};

const ENDINGS: Readonly<Record<RecordFormat, string>> = { json: "json", text: "txt", csv: "csv" };

const zone = z
  .string()
  .transform((text, context) => {
    const minutes = zoneMinutes(text);
    if (minutes !== null) return minutes;
    context.addIssue(ZONE_EXPECTED);
    return z.NEVER;
  })
  .optional()
  .meta({
    type: "string",
    description: "of times that name none, else UTC, and of LT: UTC, or an offset",
    examples: ["+09:00"],
  });

/** The rows of the record book in the route table. */
export const RECORD_BOOK_ROUTES = [
  route({
    path: "/api/record-book",
    operation: "draftRecordBook",
    summary: "Draft entries of the Ballast Water Record Book for operations that start in a range",
    query: {
      ...dates,
      language: oneOfParameter(RECORD_LANGUAGES, "of the entries; by default record_book.language"),
      format: oneOfParameter(RECORD_FORMATS, "JSON by default, plain text to print, or CSV"),
    },
    answer: RecordBookAnswer,
    otherTypes: [TYPES.text, TYPES.csv],
    typeOf: ({ format = "json" }) => TYPES[format],
    errors: [503],
    async handle({ query, request, by }, context) {
      const { language = context.record_book.language, format = "json" } = query;
      const { id, vessel, imo } = context.readiness().system;
      const range = rangeOf(query);
      const ship = { system_id: id, vessel: vessel || null, imo: imo || null };
      const reply = await ask(context, { name: "record_book", range, language, format, ship });
      if (format === "json") return { ...reply, type: TYPES.json };
      const timeOf = (at_ms: number | null) => (at_ms === null ? null : printTime(at_ms));
      const [from, to] = [timeOf(range.start_ms), timeOf(range.end_ms)];
      const detail = { what: "record-book", format, from, to, language };
      if (request.method !== "HEAD")
        context.note({ ...by, kind: "export", detail, fold: JSON.stringify(detail) });
      const name = `${id}-record-book.${ENDINGS[format]}`.replace(/[^A-Za-z0-9._-]/g, "_");
      const headers = { "Content-Disposition": `attachment; filename="${name}"` };
      return { ...reply, type: TYPES[format], headers };
    },
  }),
  route({
    method: "POST",
    path: "/admin/reconcile",
    group: "admin",
    operation: "reconcileRecordBook",
    summary: "Compares an officer's entries (CSV) with the log; nothing of them is stored",
    query: { ...dates, zone },
    body: z.string().meta({ example: "code,start,end,place,volume" }),
    bodyType: "text/csv",
    answer: ReconciliationAnswer,
    errors: [413, 415, 503],
    async handle(asked, context) {
      const csv = bookText(await readCsvBody(asked, BOOK_BYTES_MAX));
      try {
        bookHeader(csv);
      } catch (error) {
        if (error instanceof NoBookHeader) throw new Refusal(400, `body: ${error.message}`);
        throw error;
      }
      const { time_tolerance_minutes, volume_tolerance_percent } = context.record_book;
      const { vessel, imo } = context.readiness().system;
      return ask(context, {
        ...{
          name: "reconcile",
          csv,
          zone_minutes: asked.query.zone ?? null,
          range: rangeOf(asked.query),
          ship: { vessel, imo },
        },
        tolerances: {
          time_minutes: time_tolerance_minutes,
          volume_percent: volume_tolerance_percent,
        },
      });
    },
  }),
];
