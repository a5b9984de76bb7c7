// Sums and counts over any range, exact at its edges: whole hours and days come from buckets, the
// parts of hours that a range cuts are folded from raw readings.

import { addBucket, addReading, type Bucket, emptyBucket } from "../bwts/bucket.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../clock.ts";
import { decodeBucket } from "./bucket-row.ts";
import { type Connection, prepare, type Statement } from "./open.ts";
import type { Interval } from "./query.ts";
import { readReadings } from "./reading-rows.ts";
import type { BucketRow } from "./readings.ts";

/** A range of instants, both ends included. */
export interface ClosedRange {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** A bucket of a range: `start_ms` is the hour's or day's, also where the range cuts it. */
export interface RangedBucket {
  readonly start_ms: number;
  readonly bucket: Bucket;
}

const WIDTH_MS: Readonly<Record<Interval, number>> = { hour: HOUR_MS, day: DAY_MS };

/** Buckets fetched at a time: about 200 kB. */
const PAGE = 100;

/** The hours or days of a range that have readings, ascending, over the readings inside it. */
export function* rangedBuckets(
  db: Connection,
  range: ClosedRange,
  interval: Interval,
): Generator<RangedBucket> {
  const width_ms = WIDTH_MS[interval];
  const statement = interval === "hour" ? "bucket.hours" : "bucket.days";
  const first_ms = floorTo(range.start_ms, width_ms);
  for (const row of pages(prepare(db, statement), { ...range, start_ms: first_ms })) {
    const whole = { start_ms: row.start_ms, end_ms: row.start_ms + width_ms - 1 };
    const cut = intersection(whole, range);
    const isWhole =
      cut.start_ms === whole.start_ms &&
      (cut.end_ms === whole.end_ms || row.last_ms <= range.end_ms);
    const bucket = isWhole ? decodeBucket(row) : foldCut(db, cut, interval);
    if (bucket.count > 0) yield { start_ms: row.start_ms, bucket };
  }
}

/** Everything in the range as one bucket. */
export function sumOf(db: Connection, range: ClosedRange): Bucket {
  const total = emptyBucket();
  for (const { bucket } of rangedBuckets(db, range, "day")) addBucket(total, bucket);
  return total;
}

function foldCut(db: Connection, cut: ClosedRange, interval: Interval): Bucket {
  const total = emptyBucket();
  if (interval === "day")
    for (const { bucket } of rangedBuckets(db, cut, "hour")) addBucket(total, bucket);
  else for (const reading of readReadings(db, cut)) addReading(total, reading);
  return total;
}

function* pages(statement: Statement<object, BucketRow>, range: ClosedRange): Generator<BucketRow> {
  let { start_ms } = range;
  for (;;) {
    const rows = statement.all({ start_ms, end_ms: range.end_ms, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    start_ms = last.start_ms + 1;
  }
}

/** A stretch of a range and how many readings lie in it. */
export interface Piece extends ClosedRange {
  readonly count: number;
}

/**
 * Cuts a range into days, hours and at most two parts of hours, ascending, with the number of
 * readings in each: the cost is that of the number of days, not of readings. No piece but a day is
 * longer than an hour.
 */
export function countedPieces(db: Connection, range: ClosedRange): readonly Piece[] {
  const hoursFrom_ms = ceilTo(range.start_ms, HOUR_MS);
  const hoursTo_ms = floorTo(range.end_ms + 1, HOUR_MS);
  if (hoursFrom_ms > hoursTo_ms) return [countedRaw(db, range)];
  const daysFrom_ms = Math.min(ceilTo(hoursFrom_ms, DAY_MS), hoursTo_ms);
  const daysTo_ms = Math.max(floorTo(hoursTo_ms, DAY_MS), daysFrom_ms);
  const hours = prepare<ClosedRange, CountRow>(db, "bucket.hour_counts");
  const days = prepare<ClosedRange, CountRow>(db, "bucket.day_counts");
  return [
    ...(range.start_ms < hoursFrom_ms
      ? [countedRaw(db, { start_ms: range.start_ms, end_ms: hoursFrom_ms - 1 })]
      : []),
    ...counted(hours, { start_ms: hoursFrom_ms, end_ms: daysFrom_ms - 1 }, HOUR_MS),
    ...counted(days, { start_ms: daysFrom_ms, end_ms: daysTo_ms - 1 }, DAY_MS),
    ...counted(hours, { start_ms: daysTo_ms, end_ms: hoursTo_ms - 1 }, HOUR_MS),
    ...(hoursTo_ms <= range.end_ms
      ? [countedRaw(db, { start_ms: hoursTo_ms, end_ms: range.end_ms })]
      : []),
  ];
}

interface CountRow {
  readonly start_ms: number;
  readonly count: number;
}

function counted(
  statement: Statement<ClosedRange, CountRow>,
  range: ClosedRange,
  width_ms: number,
): readonly Piece[] {
  if (range.start_ms > range.end_ms) return [];
  return statement
    .all(range)
    .map(({ start_ms, count }) => ({ start_ms, end_ms: start_ms + width_ms - 1, count }));
}

function countedRaw(db: Connection, range: ClosedRange): Piece {
  const row = prepare<ClosedRange, { count: number }>(db, "reading.count").get(range);
  return { ...range, count: row?.count ?? 0 };
}

/**
 * Where the reading with `offset` readings of the range before it is to be found: from `start_ms`
 * on, after `offset` more. Null when the range has no more than `offset` readings.
 */
export function seek(
  db: Connection,
  pieces: readonly Piece[],
  offset: number,
): { readonly start_ms: number; readonly offset: number } | null {
  let left = offset;
  for (const piece of pieces) {
    if (left < piece.count) {
      if (piece.end_ms - piece.start_ms < HOUR_MS)
        return { start_ms: piece.start_ms, offset: left };
      const hours = prepare<ClosedRange, CountRow>(db, "bucket.hour_counts");
      return seek(db, counted(hours, piece, HOUR_MS), left);
    }
    left -= piece.count;
  }
  return null;
}

function intersection(one: ClosedRange, other: ClosedRange): ClosedRange {
  return {
    start_ms: Math.max(one.start_ms, other.start_ms),
    end_ms: Math.min(one.end_ms, other.end_ms),
  };
}

function ceilTo(at_ms: number, width_ms: number): number {
  return Math.ceil(at_ms / width_ms) * width_ms;
}
