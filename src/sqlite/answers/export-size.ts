// The size of an export, estimated before the download. Its lines are counted, and a sample of
// them, spread evenly over the file, is written and measured; of a Parquet file one stretch,
// because its columns are compressed together. A short file is measured whole.

import type { ExportKind, RecordKind, TextFormat } from "../../bwts/export-kind.ts";
import type { ExportSize } from "../../bwts/export-size.ts";
import type { HealthLimits } from "../../bwts/health.ts";
import type { ShownLimits } from "../../bwts/present/shown-limits.ts";
import { type JsonWriter, type Steps, wholeText } from "../../codec/json-writer.ts";
import { beginFile, type FileQuery, isLines } from "../exchange/begin-file.ts";
import { columnsNamed, filledColumns } from "../exchange/export-columns.ts";
import { csvRow } from "../exchange/export-csv.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { countedPieces, countOf, runsFrom } from "../sealed/counts.ts";
import { newestTime, UNDAMAGED } from "../sealed/timeline.ts";
import { TEXT_LAYOUTS } from "./export.ts";
import { RECORD_COLUMNS, recordTexts } from "./export-records.ts";

/** The export whose size is requested, without its format. */
export interface SizeOf {
  readonly kind: ExportKind;
  readonly range: ClosedRange;
  /** Names of the columns of telemetry; null for all. */
  readonly columns: readonly string[] | null;
  /** Maximum number of lines that are measured. */
  readonly limit: number;
}

type SizeAsked = FileQuery & SizeOf;

interface GapsAround {
  readonly limits: HealthLimits & ShownLimits;
  readonly now_ms: number;
}

/** A file's lines: their number, and the texts of those that are measured, a few at a time. */
interface MeasuredFile {
  readonly rows: number;
  readonly head: string;
  readonly places: Iterable<readonly string[]>;
}

/** Number of adjacent lines measured at each place: neighbours need no further segment. */
const PLACE_ROWS = 8;

/** Writes an ExportSize as JSON. Between two places the reader may continue other answers. */
export function* exportSize(
  db: Connection,
  asked: SizeAsked,
  { around, out }: { readonly around: GapsAround; readonly out: JsonWriter },
): Steps {
  if (!isLines(asked)) return yield* fileSize(db, asked, out);
  const { kind } = asked;
  const { rows, head, places } =
    kind === "telemetry" ? ofReadings(db, asked) : ofRecords(db, { ...asked, ...around, kind });
  let measured_rows = 0;
  let measured_bytes = 0;
  for (const texts of places) {
    measured_rows += texts.length;
    for (const text of texts) measured_bytes += Buffer.byteLength(text);
    yield;
  }
  const each_bytes = measured_rows === 0 ? 0 : measured_bytes / measured_rows;
  const exact = measured_rows >= rows;
  const size: ExportSize = {
    rows: exact ? measured_rows : rows,
    bytes: Buffer.byteLength(head) + (exact ? measured_bytes : Math.round(each_bytes * rows)),
    exact,
    measured_rows,
  };
  yield* wholeText(out, JSON.stringify(size));
}

/** Number of readings of a Parquet file that are measured: one second of work on a slow PC. */
const PARQUET_READINGS = 8192;

function* fileSize(
  db: Connection,
  asked: Exclude<SizeAsked, { readonly format: TextFormat }>,
  out: JsonWriter,
): Steps {
  const pieces = countedPieces(db, asked.range);
  const rows = countOf(pieces);
  const limit = Math.min(rows, PARQUET_READINGS);
  const pages =
    asked.format === "parquet"
      ? [{ offset: (rows - limit) >> 1, limit }]
      : offsetsIn(rows, asked.limit).map((offset) => ({ offset, limit: PLACE_ROWS }));
  const end_ms = newestTime(db, UNDAMAGED, asked.range.end_ms);
  const columns = filledColumns(db, columnsNamed(asked.columns), asked.format);
  const file = beginFile(asked, columns, { total: rows, end_ms });
  let bytes = 0;
  let measured_rows = 0;
  for (const page of pages)
    for (const { block, from, to } of runsFrom(db, pieces, page)) {
      file.add(Array.from({ length: to - from }, (_, index) => block.reading(from + index)));
      bytes += file.taken().length;
      measured_rows += to - from;
      yield;
    }
  file.finish();
  bytes += file.taken().length;
  const exact = measured_rows >= rows;
  const each_bytes = measured_rows === 0 ? 0 : bytes / measured_rows;
  const size: ExportSize = {
    rows: exact ? measured_rows : rows,
    bytes: exact ? bytes : Math.round(each_bytes * rows),
    exact,
    measured_rows,
  };
  yield* wholeText(out, JSON.stringify(size));
}

interface TextAsked extends SizeOf {
  readonly format: TextFormat;
}

function ofReadings(db: Connection, { format, range, ...asked }: TextAsked): MeasuredFile {
  const columns = filledColumns(db, columnsNamed(asked.columns), format);
  const { head, line } = TEXT_LAYOUTS[format];
  const pieces = countedPieces(db, range);
  const rows = countOf(pieces);
  const textsAt = (offset: number): readonly string[] =>
    [...runsFrom(db, pieces, { offset, limit: PLACE_ROWS })].flatMap(({ block, from, to }) =>
      Array.from({ length: to - from }, (_, index) => line(block.reading(from + index), columns)),
    );
  const places = (function* () {
    for (const offset of offsetsIn(rows, asked.limit)) yield textsAt(offset);
  })();
  return { rows, head: head(columns), places };
}

/**
 * Offsets of the measured places: every eighth line of a short file, evenly spread over a long one.
 */
function offsetsIn(rows: number, limit: number): readonly number[] {
  const isWhole = rows <= limit;
  const count = isWhole ? Math.ceil(rows / PLACE_ROWS) : Math.floor(limit / PLACE_ROWS);
  const apart = isWhole ? PLACE_ROWS : (rows - PLACE_ROWS) / (count - 1);
  return Array.from({ length: count }, (_, place) => Math.floor(place * apart));
}

function ofRecords(
  db: Connection,
  asked: TextAsked & GapsAround & { readonly kind: RecordKind },
): MeasuredFile {
  const { kind, format, range, limit } = asked;
  const textsIn = (within: ClosedRange) =>
    recordTexts(db, { ...asked, format, range: within, withVoided: false });
  const starts = prepare<"export.places", RecordPlace>(db, "export.places").all({
    ...range,
    kind,
    places: Math.floor(limit / PLACE_ROWS),
  });
  const rows = starts[0]?.rows ?? 0;
  const head = format === "csv" ? csvRow(RECORD_COLUMNS[kind]) : "";
  const isWhole = rows <= limit;
  const places = (function* () {
    // There may be one record more than counted by now, such as a gap that still lasts.
    if (isWhole) yield withoutHead([...textsIn(range)], head);
    else
      for (const { at_ms } of starts) {
        const first = firstOf(textsIn({ ...range, start_ms: at_ms }), PLACE_ROWS + 1);
        yield withoutHead(first, head).slice(0, PLACE_ROWS);
      }
  })();
  return { rows, head, places };
}

interface RecordPlace {
  readonly at_ms: number;
  /** Number of records in the whole file. */
  readonly rows: number;
}

function withoutHead(texts: readonly string[], head: string): readonly string[] {
  return head === "" ? texts : texts.slice(1);
}

function firstOf(texts: Iterable<string>, count: number): readonly string[] {
  const first: string[] = [];
  for (const text of texts) {
    first.push(text);
    if (first.length === count) break;
  }
  return first;
}
