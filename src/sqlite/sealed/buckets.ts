// Buckets of sealed readings on disk: a row each while their week (or stretch of days) is young,
// then packed into one block, a twentieth of the size. A row beside a block replaces the block's
// bucket: late readings write rows, and enough of them make the block anew.

import type { Bucket } from "../../bwts/bucket.ts";
import { AGGREGATED } from "../../bwts/tags.ts";
import { encodeBuckets, type PlacedBucket } from "../../codec/bucket-block.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange, Interval } from "../file/query.ts";
import { proven, withChecksum } from "../file/row-checksum.ts";
import { openedBlock, recallBlock, rememberBlock } from "./bucket-memory.ts";
import { decodeBucket, decodeBucketRow, encodeBucket } from "./bucket-row.ts";

interface BucketRow {
  readonly start_ms: number;
  readonly last_ms: number;
  readonly count: number;
  readonly fields: Uint8Array;
}

interface BlockRow {
  readonly start_ms: number;
  readonly buckets: Uint8Array;
}

export const WIDTH_MS: Readonly<Record<Interval, number>> = { hour: HOUR_MS, day: DAY_MS };
/** A week of hours, 73 days: blocks that decode in well under 1 ms. */
export const BLOCK_MS: Readonly<Record<Interval, number>> = { hour: 7 * DAY_MS, day: 73 * DAY_MS };
/** From so many rows beside a block on, the block is made anew. */
const REPACK_ROWS = 24;

const ROWS = { hour: "bucket.hours", day: "bucket.days" } as const;
const PUT = { hour: "bucket.put_hour", day: "bucket.put_day" } as const;
const REMOVE = { hour: "bucket.remove_hours", day: "bucket.remove_days" } as const;

/** A stored bucket, decoded on demand. */
export interface StoredBucket {
  readonly start_ms: number;
  readonly last_ms: number;
  readonly count: number;
  /** The whole bucket. The object belongs to the caller, who may change it. */
  bucket(): Bucket;
  /** The bucket as `bucketRow` gives it. */
  row(): Float64Array;
}

/** The stored buckets that start in `range`, ascending. Buckets emptied by a void are left out. */
export function* storedBuckets(
  db: Connection,
  interval: Interval,
  range: ClosedRange,
): Generator<StoredBucket> {
  const rows = prepare(db, ROWS[interval]).all(range);
  const nextBlock = prepare(db, "bucket.next_block");
  let from_ms = floorTo(range.start_ms, BLOCK_MS[interval]);
  let row = 0;
  for (;;) {
    const block = nextBlock.get({ interval, start_ms: from_ms, end_ms: range.end_ms });
    if (block === undefined) break;
    for (const bucket of packedBuckets(db, interval, block)) {
      if (bucket.start_ms < range.start_ms || bucket.start_ms > range.end_ms) continue;
      for (; row < rows.length && rows[row].start_ms < bucket.start_ms; row += 1)
        yield* rowBuckets(interval, rows[row]);
      if (row < rows.length && rows[row].start_ms === bucket.start_ms) continue;
      yield bucket;
    }
    from_ms = block.start_ms + 1;
  }
  for (; row < rows.length; row += 1) yield* rowBuckets(interval, rows[row]);
}

/** None for an empty row, which only hides the block's bucket. */
function rowBuckets(interval: Interval, row: BucketRow): readonly StoredBucket[] {
  const { start_ms, last_ms, count } = row;
  if (count === 0) return [];
  const packed = () => ({
    count,
    fields: proven(row.fields, `bucket_${interval}`, `${start_ms} ${last_ms} ${count}`),
  });
  const bucket = () => decodeBucket(packed());
  return [{ start_ms, last_ms, count, bucket, row: () => decodeBucketRow(packed()) }];
}

function* packedBuckets(
  db: Connection,
  interval: Interval,
  { start_ms, buckets: bytes }: BlockRow,
): Generator<StoredBucket> {
  const key = `${interval} ${start_ms}`;
  let known = recallBlock(db, key, bytes);
  const block = () => openedBlock(db, { key, bytes });
  const { starts, lasts, counts } = known ?? block();
  const rows = () => {
    known ??= rememberBlock(db, key, { bytes, starts, lasts, counts, rows: block().rows() });
    return known.rows;
  };
  for (let at = 0; at < starts.length; at += 1)
    yield {
      start_ms: starts[at],
      last_ms: lasts[at],
      count: counts[at],
      bucket: () => block().bucket(at),
      row: () => rows().subarray(at * AGGREGATED.length, (at + 1) * AGGREGATED.length),
    };
}

/** A range cut at the starts of blocks, without empty ends (nothing stored or hot). */
export function* blockWindows(
  db: Connection,
  interval: Interval,
  range: ClosedRange,
): Generator<ClosedRange> {
  const width_ms = BLOCK_MS[interval];
  const { first_ms, last_ms } = prepare(db, "bucket.extent").get({}) ?? {
    first_ms: null,
    last_ms: null,
  };
  if (first_ms === null || last_ms === null) return;
  const end_ms = Math.min(range.end_ms, last_ms);
  let start_ms = Math.max(range.start_ms, first_ms);
  while (start_ms <= end_ms) {
    const next_ms = floorTo(start_ms, width_ms) + width_ms;
    yield { start_ms, end_ms: Math.min(end_ms, next_ms - 1) };
    start_ms = next_ms;
  }
}

/** The stored bucket that starts at `start_ms`, or null. */
export function storedBucket(
  db: Connection,
  interval: Interval,
  start_ms: number,
): StoredBucket | null {
  for (const stored of storedBuckets(db, interval, { start_ms, end_ms: start_ms })) return stored;
  return null;
}

/** Stores a bucket as a row. */
export function putBucket(db: Connection, interval: Interval, stored: PlacedBucket): void {
  const { start_ms, last_ms, bucket } = stored;
  const { count } = bucket;
  const fields = withChecksum(encodeBucket(bucket), `${start_ms} ${last_ms} ${count}`);
  prepare(db, PUT[interval]).run({ start_ms, last_ms, count, fields });
}

/** Packs each stretch that ended before `newest_ms` and has no block, or many rows. */
export function packBuckets(db: Connection, interval: Interval, newest_ms: number): void {
  const width_ms = BLOCK_MS[interval];
  const end_ms = floorTo(newest_ms, width_ms) - 1;
  const rows = prepare(db, ROWS[interval]).all({ start_ms: 0, end_ms });
  const blockAt = prepare(db, "bucket.next_block");
  for (const [start_ms, inBlock] of Map.groupBy(rows, (row) => floorTo(row.start_ms, width_ms))) {
    const hasBlock = blockAt.get({ interval, start_ms, end_ms: start_ms }) !== undefined;
    if (hasBlock && inBlock.length < REPACK_ROWS) continue;
    const stretch = { start_ms, end_ms: start_ms + width_ms - 1 };
    const stored = undamaged(db, interval, stretch);
    // Rows beside a damaged block stay until it is made again.
    if (stored === null) continue;
    if (stored.length === 0) prepare(db, "bucket.remove_block").run({ interval, start_ms });
    else {
      const packed = encodeBuckets(stored);
      const buckets = withChecksum(packed, `${interval} ${start_ms}`);
      prepare(db, "bucket.put_block").run({ interval, start_ms, buckets });
    }
    prepare(db, REMOVE[interval]).run(stretch);
  }
}

/** The buckets of a stretch; null if one of them is damaged. */
function undamaged(
  db: Connection,
  interval: Interval,
  stretch: ClosedRange,
): readonly PlacedBucket[] | null {
  try {
    return [...storedBuckets(db, interval, stretch)].map((each) => ({
      ...each,
      bucket: each.bucket(),
    }));
  } catch (error) {
    if (!isDamage(error)) throw error;
    damageOf(db).note(messageOf(error));
    return null;
  }
}
