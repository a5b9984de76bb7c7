// The outcome of reconciling a record book with the log, as /admin/reconcile answers it and as the
// page and the command show it.

import * as z from "zod";
import { BOOK_COLUMNS } from "./book-columns.ts";
import { BOOK_FAULTS } from "./book-entry.ts";
import { SEPARATORS } from "./csv-cells.ts";
import { DIFFERENCES, FACTS } from "./differences.ts";
import { RECORD_CODES } from "./form.ts";

/** The outcomes for an entry. */
export const RESULTS = [
  "match",
  "differs",
  "partly_compared",
  "log_only",
  "book_only",
  "no_failure_entry",
  "not_compared",
] as const;
export type ResultWord = (typeof RESULTS)[number];

const about = (description: string) => ({ description });
const time = z.iso.datetime().nullable();
const count = z.number().int().min(0);
const code = z.enum(RECORD_CODES).nullable();
const value = z.union([z.number(), z.string(), z.null()]);

const common = {
  code,
  start: time,
  end: time,
  location: z.string().nullable(),
  volume_m3: z.number().nullable(),
};

const Result = z
  .object({
    result: z.enum(RESULTS),
    log: z
      .object({
        operation_id: count.meta(about("of /api/operations")),
        subject: z.enum(["treated", "outside", "bypassed", "failure"]),
        ...common,
      })
      .nullable()
      .meta(about("the entry that the log expects; null: the book alone has it")),
    book: z
      .object({
        lines: z.array(count).meta(about("of the file; several if it was entered tank by tank")),
        tanks: z.string().nullable(),
        end_location: z.string().nullable().meta(about("of the completion")),
        ...common,
      })
      .nullable()
      .meta(about("null: the book lacks it")),
    differences: z.array(
      z.object({
        differs: z
          .enum(DIFFERENCES)
          .meta(about("split: parts that were bypassed or outside the limits need an entry each")),
        log: value,
        book: value,
        by: z.number().nullable().meta(about("the book's less the log's, minutes or percent")),
      }),
    ),
    uncompared: z
      .array(
        z.object({
          fact: z.enum(FACTS),
          lacks: z
            .enum(["log", "book", "both", "neither"])
            .meta(about("neither: both have it, as a position and a name of a port")),
        }),
      )
      .meta(about("facts that the entry needs and that couldn't be compared")),
  })
  .meta({ id: "ReconciledEntry" });

export const ReconciliationAnswer = z
  .object({
    agrees: z
      .boolean()
      .meta(about("true if each fact of every entry was read, compared and found the same")),
    range: z
      .object({ start: z.iso.datetime(), end: z.iso.datetime() })
      .meta(about("operations and entries that start in it were compared")),
    tolerances: z.object({ time_minutes: z.number(), volume_percent: z.number() }),
    counts: z.object({
      ...{ match: count, differs: count },
      partly_compared: count.meta(about("nothing differs, but not all of it could be compared")),
      ...{ log_only: count, book_only: count },
      no_failure_entry: count.meta(
        about("a malfunction without its F, or bypassed water without its entry"),
      ),
      not_compared: count.meta(
        about("entries of which the log knows nothing: of G, H, and mostly C and D"),
      ),
    }),
    read: z
      .object({
        entries: count,
        outside_range: count,
        separator: z.enum(SEPARATORS),
        columns: z.array(z.enum(BOOK_COLUMNS)),
        unknown_columns: z.array(z.string()).meta(about("names that aren't known: not used")),
        left_out_lines: z
          .array(count)
          .meta(about("totals, signatures, repeated titles and names of columns")),
        date_order: z.enum(["day_month", "month_day"]),
        is_date_order_told: z.boolean().meta(about("false: every date could be read either way")),
        decimal_sign: z.enum([".", ","]).nullable().meta(about("null: no volume of it tells")),
        zones: z.array(z.string()).meta(about("that times were read in: UTC, or as +09:00")),
        is_zone_told: z.boolean().meta(about("false: times without a zone were taken for UTC")),
      })
      .meta(about("how the file was read; nothing of it is stored")),
    shift: z
      .object({
        minutes: z.number().int().meta(about("of the book, ahead of the log")),
        entries: count,
        zone: z.string().meta(about("that the book's times seem to be in")),
      })
      .nullable()
      .meta(about("entries that all differ by one length of time: most likely ship's time")),
    problems: z
      .array(z.object({ line: count, problem: z.string() }))
      .meta(about("lines, or cells of them, that couldn't be read")),
    faults: z
      .array(
        z.object({
          line: count,
          fault: z.enum(BOOK_FAULTS),
          got: z.string().nullable(),
          other_line: count.nullable(),
        }),
      )
      .meta(about("faults that the book has by itself")),
    results: z.array(Result).meta(about("in order of time")),
  })
  .meta({
    id: "Reconciliation",
    example: {
      agrees: false,
      range: { start: "2026-05-01T00:00:00.000Z", end: "2026-05-01T23:59:59.999Z" },
      tolerances: { time_minutes: 10, volume_percent: 5 },
      counts: {
        ...{ match: 0, differs: 1, partly_compared: 0, log_only: 0, book_only: 0 },
        ...{ no_failure_entry: 0, not_compared: 0 },
      },
      read: {
        ...{ entries: 1, outside_range: 0, separator: ",", date_order: "day_month" },
        columns: ["code", "start", "end", "location", "volume"],
        ...{ unknown_columns: ["Weather"], left_out_lines: [3], is_date_order_told: true },
        ...{ decimal_sign: ".", zones: ["UTC"], is_zone_told: false },
      },
      shift: null,
      problems: [],
      faults: [],
      results: [
        {
          result: "differs",
          log: {
            ...{ operation_id: 17, subject: "treated", code: "A", location: "Singapore" },
            ...{ start: "2026-05-01T05:08:00.000Z", end: "2026-05-01T11:20:00.000Z" },
            volume_m3: 6120.5,
          },
          book: {
            ...{ lines: [2], tanks: null, code: "A", location: "Singapore" },
            end_location: "Singapore",
            ...{ start: "2026-05-01T05:08:00.000Z", end: "2026-05-01T11:20:00.000Z" },
            volume_m3: 7120,
          },
          differences: [{ differs: "volume", log: 6120.5, book: 7120, by: 16.3 }],
          uncompared: [],
        },
      ],
    },
  });
export type Reconciliation = z.output<typeof ReconciliationAnswer>;
