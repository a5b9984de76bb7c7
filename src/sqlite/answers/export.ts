// Raw readings of a range for other programs, in small batches. The command writes a file from its
// own connection, the route uses a reader; both produce the same bytes. A line of NDJSON is the
// canonical line of a reading, with which its segment proves it, or the same with the requested
// columns only; members that are null are left out.

import type { TextFormat } from "../../bwts/export-kind.ts";
import type { Reading } from "../../bwts/reading.ts";
import type { JsonWriter, Steps } from "../../codec/json-writer.ts";
import { beginFile, type FileQuery, filePieces, isLines } from "../exchange/begin-file.ts";
import {
  columnsNamed,
  type ExportColumn,
  filledColumns,
  ndjsonLine,
} from "../exchange/export-columns.ts";
import { csvHead, csvLine } from "../exchange/export-csv.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { countedPieces, countIn, countOf } from "../sealed/counts.ts";
import { newestTime, type TimelineOptions, timeline, VISIBLE } from "../sealed/timeline.ts";

/** Number of readings in a batch: some 60 kB of text. */
const BATCH_READINGS = 24;

/** The readings of a range in order of time, as of one commit. */
export interface ExportResult {
  readonly total: number;
  /** Time of the last reading; null if there is none. */
  readonly end_ms: number | null;
  readonly batches: Iterable<readonly Reading[]>;
}

export function exported(
  db: Connection,
  range: ClosedRange,
  shown: TimelineOptions = VISIBLE,
): ExportResult {
  return db.transaction(() => ({
    total: shown.withVoided ? countIn(db, range, shown) : countOf(countedPieces(db, range)),
    end_ms: newestTime(db, { ...shown, damaged: "skip" }, range.end_ms),
    batches: batchesOf(db, range, shown),
  }))();
}

function batchesOf(
  db: Connection,
  range: ClosedRange,
  shown: TimelineOptions,
): Iterable<readonly Reading[]> {
  // Called here, not at the first batch: this decides which readings belong to the range.
  const runs = timeline(db, range, shown);
  return (function* () {
    let batch: Reading[] = [];
    for (const { block, from, to } of runs)
      for (let index = from; index < to; index += 1) {
        batch.push(block.reading(index));
        if (batch.length < BATCH_READINGS) continue;
        yield batch;
        batch = [];
      }
    if (batch.length > 0) yield batch;
  })();
}

/** Turns columns and readings into text. */
export interface TextLayout {
  readonly head: (columns: readonly ExportColumn[]) => string;
  readonly line: (reading: Reading, columns: readonly ExportColumn[]) => string;
}

export const TEXT_LAYOUTS: Readonly<Record<TextFormat, TextLayout>> = {
  csv: { head: csvHead, line: csvLine },
  ndjson: { head: () => "", line: ndjsonLine },
};

/** Writes an export, one batch a step. */
export function* exportFile(
  db: Connection,
  asked: FileQuery & {
    readonly range: ClosedRange;
    readonly columns: readonly string[] | null;
  },
  out: JsonWriter,
): Steps {
  const columns = filledColumns(db, columnsNamed(asked.columns), asked.format);
  const readings = exported(db, asked.range);
  if (!isLines(asked)) {
    for (const bytes of filePieces(readings, beginFile(asked, columns, readings))) {
      out.bytes(bytes);
      yield;
    }
    return;
  }
  const { head, line } = TEXT_LAYOUTS[asked.format];
  out.text(head(columns), 0);
  for (const batch of readings.batches) {
    out.text(batch.map((reading) => line(reading, columns)).join(""), 0);
    yield;
  }
}
