// Sums over any range, exact at its edges, and the answers made of them. Whole hours and days come
// from stored buckets, plus hot readings. Parts of hours at the edges are folded from raw readings.

import { addBucket, type Bucket, bucketRow, emptyBucket } from "../../bwts/bucket.ts";
import { writeAggregated } from "../../codec/json.ts";
import type { AnswerPiece, JsonWriter } from "../../codec/json-writer.ts";
import { floorTo, HOUR_MS } from "../../ground/clock.ts";
import type { Connection } from "../file/open.ts";
import { type ClosedRange, closed, type Interval, type Range } from "../file/query.ts";
import type { BlockStretch } from "../sealed/block.ts";
import type { BucketHead, BucketRow, PlacedBucket } from "../sealed/bucket-row.ts";
import {
  bucketRows,
  bucketWindows,
  storedBucket,
  storedBuckets,
  WIDTH_MS,
} from "../sealed/buckets.ts";
import { type HotReadings, hotReadings, hotWithin } from "../sealed/hot.ts";
import { indexAt } from "../sealed/sweep.ts";
import { newestTime, timeline } from "../sealed/timeline.ts";

/** A way to read hours and days: as aggregated rows, or with everything that adds up. */
interface BucketReader<Read> {
  readonly stored: (db: Connection, interval: Interval, range: ClosedRange) => readonly Read[];
  readonly made: (placed: PlacedBucket) => Read;
}

const ROWS: BucketReader<BucketRow> = {
  stored: bucketRows,
  made: ({ bucket, ...head }) => ({ ...head, count: bucket.count, row: bucketRow(bucket) }),
};
const SUMS: BucketReader<PlacedBucket> = { stored: storedBuckets, made: (placed) => placed };

/**
 * The hours or days with readings in a range, ascending, summed over the readings inside the range.
 * `start_ms` is the start of the hour or day, even if the range begins later.
 */
export function rangedSums(
  db: Connection,
  range: ClosedRange,
  interval: Interval,
): Generator<PlacedBucket> {
  return ranged(db, { range, interval }, SUMS);
}

/** Hours or days as JSON, ascending; without a range those up to the latest reading. */
export function* aggregated(
  db: Connection,
  asked: { readonly interval: Interval; readonly range: Range | null; readonly hours: number },
  out: JsonWriter,
): Generator<AnswerPiece> {
  const range = asked.range === null ? sinceLatest(db, asked.hours) : closed(asked.range);
  if (range === null) return;
  for (const bucket of ranged(db, { range, interval: asked.interval }, ROWS))
    yield () => writeAggregated(bucket, out);
}

/** The range of the `hours` up to the latest reading; null without a reading. */
export function sinceLatest(db: Connection, hours: number): ClosedRange | null {
  const end_ms = newestTime(db);
  return end_ms === null ? null : { start_ms: end_ms - hours * HOUR_MS, end_ms };
}

interface Ranged {
  readonly range: ClosedRange;
  readonly interval: Interval;
}

function* ranged<Read extends Pick<BucketHead, "start_ms" | "last_ms">>(
  db: Connection,
  { range, interval }: Ranged,
  reading: BucketReader<Read>,
): Generator<Read> {
  // Each window has its own snapshot: readings sealed between two windows must neither be missed
  // nor count twice.
  for (const window of bucketWindows(db, interval, range))
    yield* db.transaction(() => inWindow(db, { range: window, interval }, reading))();
}

function inWindow<Read extends Pick<BucketHead, "start_ms" | "last_ms">>(
  db: Connection,
  { range, interval }: Ranged,
  { stored, made }: BucketReader<Read>,
): readonly Read[] {
  const width_ms = WIDTH_MS[interval];
  const starts = { ...range, start_ms: floorTo(range.start_ms, width_ms) };
  const whole = { ...starts, end_ms: floorTo(range.end_ms, width_ms) + width_ms - 1 };
  const hot = hotReadings(db);
  const stretches = hotStretches(hot, hotWithin(hot, whole), width_ms);
  const buckets: Read[] = [];
  for (const { start_ms, read } of withHotStarts(stored(db, interval, starts), stretches)) {
    const stretch = stretches.get(start_ms) ?? null;
    const part = { start_ms, end_ms: start_ms + width_ms - 1 };
    const last_ms = Math.max(
      stretch === null ? 0 : hot.block.at_ms(stretch.to - 1),
      read?.last_ms ?? 0,
    );
    const isWhole = start_ms >= range.start_ms && Math.min(part.end_ms, last_ms) <= range.end_ms;
    if (isWhole && stretch === null && read !== null) {
      buckets.push(read);
      continue;
    }
    const cut = {
      start_ms: Math.max(part.start_ms, range.start_ms),
      end_ms: Math.min(part.end_ms, range.end_ms),
    };
    const bucket =
      isWhole && stretch !== null
        ? completed(db, { interval, part, hot, stretch })
        : folded(db, cut, interval);
    if (bucket.count > 0) buckets.push(made({ start_ms, last_ms, bucket }));
  }
  return buckets;
}

/** The sums of all readings in the range as one bucket. */
export function sumOf(db: Connection, range: ClosedRange): Bucket {
  const total = emptyBucket();
  for (const { bucket } of rangedSums(db, range, "day")) addBucket(total, bucket);
  return total;
}

/** Stored buckets, and null for the starts that only hot readings have, in order. */
function* withHotStarts<Read extends { readonly start_ms: number }>(
  stored: readonly Read[],
  hot: ReadonlyMap<number, unknown>,
): Generator<{ readonly start_ms: number; readonly read: Read | null }> {
  const waiting = [...hot.keys()].sort((one, other) => one - other);
  for (const read of stored) {
    while (waiting.length > 0 && waiting[0] <= read.start_ms) {
      const [start_ms] = waiting.splice(0, 1);
      if (start_ms < read.start_ms) yield { start_ms, read: null };
    }
    yield { start_ms: read.start_ms, read };
  }
  for (const start_ms of waiting) yield { start_ms, read: null };
}

/** The stretches of hot readings by the start of their hour or day. */
function hotStretches(
  { block }: HotReadings,
  { from, to }: BlockStretch,
  width_ms: number,
): ReadonlyMap<number, BlockStretch> {
  const stretches = new Map<number, BlockStretch>();
  for (let start = from; start < to; ) {
    const start_ms = floorTo(block.at_ms(start), width_ms);
    const end = Math.min(to, indexAt(block, start_ms + width_ms));
    stretches.set(start_ms, { from: start, to: end });
    start = end;
  }
  return stretches;
}

/** A whole hour or day with hot readings: the stored bucket plus these readings. */
function completed(
  db: Connection,
  whole: {
    readonly interval: Interval;
    readonly part: ClosedRange;
    readonly hot: HotReadings;
    /** The stretch of `hot` that belongs to the bucket. */
    readonly stretch: BlockStretch;
  },
): Bucket {
  const { interval, part, hot, stretch } = whole;
  if (interval === "day") return folded(db, part, "day");
  const stored = storedBucket(db, "hour", part.start_ms);
  const isAppend = hot.rows
    .slice(stretch.from, stretch.to)
    .every(
      ({ at_ms, supersedes }) => supersedes === 0 && (stored === null || at_ms > stored.last_ms),
    );
  if (!isAppend) return folded(db, part, "hour");
  const bucket = stored?.bucket ?? emptyBucket();
  hot.block.fold(stretch, bucket);
  return bucket;
}

/**
 * The bucket of a part of a day, folded from its hours, or of a part of an hour, from its readings.
 */
function folded(db: Connection, part: ClosedRange, interval: Interval): Bucket {
  const total = emptyBucket();
  if (interval === "day")
    for (const { bucket } of rangedSums(db, part, "hour")) addBucket(total, bucket);
  else for (const { block, from, to } of timeline(db, part)) block.fold({ from, to }, total);
  return total;
}
