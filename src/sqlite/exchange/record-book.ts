// The draft of the record book in its three formats, and its reconciliation with an officer's file,
// based on the stored operations. The file is read here, in a reader's thread, and not stored.

import type { Operation } from "../../bwts/operations/operation.ts";
import { type BookShip, shipProblems } from "../../bwts/record-book/book-lines.ts";
import type { Tolerances } from "../../bwts/record-book/differences.ts";
import type { RecordLanguage } from "../../bwts/record-book/form.ts";
import { readBook } from "../../bwts/record-book/read-book.ts";
import {
  BESIDE_MS,
  type BookSpan,
  bookRange,
  reconcile,
} from "../../bwts/record-book/reconcile.ts";
import type { Reconciliation } from "../../bwts/record-book/reconciliation.ts";
import { type RecordBook, recordBook } from "../../bwts/record-book/record-book.ts";
import { type RecordShip, recordBookLines } from "../../bwts/record-book/record-text.ts";
import type { Range } from "../file/query.ts";
import { csvRow } from "./export-csv.ts";

export const RECORD_FORMATS = ["json", "text", "csv"] as const;
export type RecordFormat = (typeof RECORD_FORMATS)[number];

export interface RecordBookQuery {
  readonly range: Range;
  readonly language: RecordLanguage;
  readonly format: RecordFormat;
  readonly ship: RecordShip;
}

/** The draft for `operations`, which are those that start in the range, oldest first. */
export function* recordBookTexts(
  operations: readonly Operation[],
  { language, format, ship }: RecordBookQuery,
): Generator<string> {
  const book = recordBook(operations, language);
  if (format === "json") yield JSON.stringify(book);
  else if (format === "csv") yield* recordBookCsv(book);
  else yield* recordBookLines(book, ship);
}

const CSV_COLUMNS = [
  ...["mark", "operation_id", "version", "code", "part", "start", "end", "location"],
  ...["volume_m3", "tanks", "minimum_depth_m", "total_retained_m3", "plan", "text", "notes"],
  "signature",
];

/**
 * The draft as CSV, one line per entry; cells that only the officer can fill are empty. The
 * reconciliation can read this format too.
 */
function* recordBookCsv({ mark, entries }: RecordBook): Generator<string> {
  yield csvRow(CSV_COLUMNS);
  for (const entry of entries) {
    const { operation_id, version, code, part, parts, items, notes } = entry;
    const said = items.flatMap(({ item, text }) => (text === null ? [] : [`${item}: ${text}`]));
    yield csvRow([
      ...[mark, operation_id, version, code, part === null ? null : `${part}/${parts}`],
      ...[entry.start, entry.end, entry.location, entry.volume_m3],
      ...[null, null, null, null, said.join("; "), notes.join("; "), null],
    ]);
  }
}

export interface ReconcileQuery {
  /** Text of the officer's file, with a header line. */
  readonly csv: string;
  /** Zone of times without one, in minutes ahead of UTC; null: not given, UTC is assumed. */
  readonly zone_minutes: number | null;
  /** Range to reconcile; missing ends are taken from the entries. */
  readonly range: Range;
  readonly tolerances: Tolerances;
  readonly ship: BookShip;
}

/**
 * Reconciles the officer's file. `startedIn` returns the operations that start in a range. Throws a
 * NoBookHeader.
 */
export function reconciliation(
  startedIn: (range: Range) => readonly Operation[],
  { csv, zone_minutes, range, tolerances, ship }: ReconcileQuery,
): Reconciliation {
  const book = readBook(csv, zone_minutes);
  const own = bookRange(book);
  const span: BookSpan = {
    start_ms: range.start_ms ?? own?.start_ms ?? range.end_ms ?? 0,
    end_ms: range.end_ms ?? own?.end_ms ?? range.start_ms ?? 0,
  };
  const isEmpty = own === null && (range.start_ms === null || range.end_ms === null);
  const problems = [
    ...book.problems,
    ...shipProblems(book.beside, ship),
    ...(isEmpty ? [NO_ENTRY] : []),
  ];
  const around = { start_ms: span.start_ms - BESIDE_MS, end_ms: span.end_ms + BESIDE_MS };
  const told = { ...book, problems };
  return reconcile({ book: told, operations: startedIn(around), range: span, tolerances });
}

/** The problem of a file without entries: the operations to compare with aren't known. */
const NO_ENTRY = {
  line: 1,
  problem: "got no entry whose time can be read, expected one, or a range with both ends",
};
