// From rows of the reading table to readings, page by page: an open iteration would pin the
// write-ahead log for as long as a slow client reads.

import type { Reading } from "../bwts/reading.ts";
import { type Connection, prepare } from "./open.ts";
import { decodeRow } from "./row.ts";

export interface ReadingRow {
  readonly at_ms: number;
  readonly received_ms: number;
  readonly clock_trusted: number;
  readonly row: Uint8Array;
}

/** Readings fetched at a time: about 300 kB of rows. */
const PAGE = 1000;

export function readingOf(row: ReadingRow): Reading {
  return {
    at_ms: row.at_ms,
    received_ms: row.received_ms,
    clock_trusted: row.clock_trusted === 1,
    ...decodeRow(row.row),
  };
}

/** The rows of a range in time order, both ends included, without decoding them. */
export function* readRows(
  db: Connection,
  range: { start_ms: number; end_ms: number; offset?: number; limit?: number },
): Generator<ReadingRow> {
  const page = prepare<object, ReadingRow>(db, "reading.page");
  let { start_ms, offset = 0, limit: left = Number.MAX_SAFE_INTEGER } = range;
  while (left > 0) {
    const limit = Math.min(PAGE, left);
    const rows = page.all({ start_ms, end_ms: range.end_ms, limit, offset });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    start_ms = last.at_ms + 1;
    offset = 0;
    left -= rows.length;
  }
}

/** The readings of a range in time order, both ends included. */
export function* readReadings(
  db: Connection,
  range: { start_ms: number; end_ms: number },
): Generator<Reading> {
  for (const row of readRows(db, range)) yield readingOf(row);
}
