// Queries answered: each is a generator of JSON text, so that a long answer is made while it is
// sent, and work stops where the reader of it leaves. Null: there is nothing to answer.

import { roundedMean } from "../bwts/bucket.ts";
import { AGGREGATED, indexOfTag, type TagName } from "../bwts/tags.ts";
import { HOUR_MS } from "../clock.ts";
import { analysisJson, bucketJson, readingJson } from "./json.ts";
import { type Connection, prepare } from "./open.ts";
import { type Query, type Range, RUNTIME_ANALYSIS_MAX } from "./query.ts";
import { type ClosedRange, countedPieces, rangedBuckets, seek, sumOf } from "./ranges.ts";
import { type ReadingRow, readingOf, readReadings, readRows } from "./reading-rows.ts";
import {
  eventsJson,
  healthBucketsJson,
  healthJson,
  latestHealthJson,
  predictionsJson,
  recentEventsJson,
} from "./record-answers.ts";

export type Text = Generator<string>;

/** Before every reading and after it: the ends that a range without them has. */
const EVER: ClosedRange = { start_ms: 0, end_ms: 253_402_300_799_999 };

/** Answers a query, or null when there is nothing (`latest` without a reading). */
export function answer(db: Connection, query: Query): Text | null {
  switch (query.name) {
    case "latest": {
      const row = latestRow(db);
      return row === null ? null : once(readingJson(readingOf(row)));
    }
    case "stats":
      return once(snapshot(db, () => statsJson(db)));
    case "history":
      return array(readings(db, sinceLatest(db, query.hours)));
    case "aggregated": {
      const range = query.range === null ? sinceLatest(db, query.hours) : closed(query.range);
      return array(aggregated(db, range, query.interval));
    }
    case "chunked":
      return chunked(db, query);
    case "runtime":
      return array(analysis(db, closed(query.range)));
    case "health":
      return once(healthJson(db, query.limit));
    case "health_aggregated":
      return once(
        healthBucketsJson(db, {
          interval: query.interval,
          range: closed(query.range),
          limit: query.range === null ? query.limit : null,
        }),
      );
    case "events":
      return once(eventsJson(db, query));
    case "predictions":
      return once(predictionsJson(db, query.limit));
  }
}

function latestRow(db: Connection): ReadingRow | null {
  return prepare<object, ReadingRow>(db, "reading.latest").get({}) ?? null;
}

function closed(range: Range | null): ClosedRange {
  return {
    start_ms: range?.start_ms ?? EVER.start_ms,
    end_ms: range?.end_ms ?? EVER.end_ms,
  };
}

/** The `hours` up to the latest reading; null while there is none. */
function sinceLatest(db: Connection, hours: number): ClosedRange | null {
  const row = latestRow(db);
  return row === null ? null : { start_ms: row.at_ms - hours * HOUR_MS, end_ms: row.at_ms };
}

function* once(text: string): Text {
  yield text;
}

function* array(items: Iterable<string>): Text {
  let before = "[";
  for (const item of items) {
    yield before + item;
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

function* readings(db: Connection, range: ClosedRange | null): Text {
  if (range === null) return;
  for (const reading of readReadings(db, range)) yield readingJson(reading);
}

function* aggregated(db: Connection, range: ClosedRange | null, interval: "hour" | "day"): Text {
  if (range === null) return;
  for (const { start_ms, bucket } of rangedBuckets(db, range, interval))
    yield bucketJson(start_ms, bucket);
}

function* chunked(db: Connection, query: Extract<Query, { name: "chunked" }>): Text {
  const { start_ms, end_ms, offset, limit } = query;
  const { total, rows } = snapshot(db, () => {
    const pieces = countedPieces(db, { start_ms, end_ms });
    const start = seek(db, pieces, offset);
    return {
      total: pieces.reduce((sum, piece) => sum + piece.count, 0),
      rows: start === null ? [] : [...readRows(db, { ...start, end_ms, limit })],
    };
  });
  yield '{"data":';
  yield* array(mapped(rows, (row) => readingJson(readingOf(row))));
  const hasMore = offset + limit < total;
  yield `,"pagination":${JSON.stringify({ offset, limit, total, hasMore })}}`;
}

/** Several statements that see the database as of one commit. */
function snapshot<Result>(db: Connection, read: () => Result): Result {
  return db.transaction(read)();
}

function* mapped<From, To>(items: Iterable<From>, to: (item: From) => To): Generator<To> {
  for (const item of items) yield to(item);
}

/**
 * At most RUNTIME_ANALYSIS_MAX readings, evenly over the range: the i-th kept is number
 * floor(i (n - 1) / (max - 1)) of n, so that first and last are kept and the gaps differ by one.
 */
function* analysis(db: Connection, range: ClosedRange): Text {
  const total = countedPieces(db, range).reduce((sum, piece) => sum + piece.count, 0);
  const kept = Math.min(total, RUNTIME_ANALYSIS_MAX);
  const numberOf = (index: number) =>
    kept < 2 ? 0 : Math.floor((index * (total - 1)) / (kept - 1));
  let number = 0;
  let index = 0;
  for (const row of readRows(db, range)) {
    // Readings that came since they were counted must not make it one too many.
    if (index === kept) return;
    if (number === numberOf(index)) {
      yield analysisJson(readingOf(row));
      index += 1;
    }
    number += 1;
  }
}

function statsJson(db: Connection): string {
  const row = latestRow(db);
  const latest = row === null ? "null" : readingJson(readingOf(row));
  const parts = [
    `"latestTelemetry":${latest}`,
    `"latestHealth":${latestHealthJson(db)}`,
    `"recentEvents":${recentEventsJson(db)}`,
    `"monthlyAvg":${monthlyJson(db, row?.at_ms ?? null)}`,
  ];
  return `{${parts.join(",")}}`;
}

function monthlyJson(db: Connection, latest_ms: number | null): string {
  const total = latest_ms === null ? null : sumOf(db, monthUpTo(latest_ms));
  const average = (name: TagName) => {
    const field = total?.fields[AGGREGATED.indexOf(indexOfTag(name))];
    return field === undefined || field.n === 0 ? null : roundedMean(field.sum, field.n);
  };
  return JSON.stringify({
    avgUVIntensity: average("UVR_INTENSITY"),
    avgPowerOutput: average("UVR_POWER_OUTPUT"),
    avgFlowRate: average("SYS_FLOW_RATE"),
  });
}

function monthUpTo(latest_ms: number): ClosedRange {
  const date = new Date(latest_ms);
  return {
    start_ms: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
    end_ms: latest_ms,
  };
}
