// Recomputes counts and buckets of a database from its sealed readings, so that each bucket agrees
// with its readings; buckets of expired readings are taken over.

import { addBucket, type Bucket, emptyBucket } from "../../../bwts/bucket.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../../ground/clock.ts";
import { type Connection, prepare } from "../../file/open.ts";
import type { ClosedRange, Interval } from "../../file/query.ts";
import { blockWindows, packBuckets, putBucket, storedBuckets } from "../../sealed/buckets.ts";
import { addCounts, countedPieces, countOf } from "../../sealed/counts.ts";
import { indexAt } from "../../sealed/hot.ts";
import { SEALED, timeline } from "../../sealed/timeline.ts";
import { isDamagedFile } from "../trust.ts";
import { between, type Loss } from "./loss.ts";

const EVER = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };

/** Sums up all sealed readings of a database without sums. */
export function sumUp(db: Connection): void {
  const sums = { hour: openSum(db, "hour"), day: openSum(db, "day") };
  const closeHour = () => {
    const hour = sums.hour.close();
    if (hour !== null) sums.day.add({ ...hour, start_ms: floorTo(hour.start_ms, DAY_MS) });
  };
  let hour_ms = 0;
  let newest_ms = 0;
  for (const { block, from, to } of timeline(db, EVER, SEALED))
    for (let at = from; at < to; ) {
      const start_ms = floorTo(block.at_ms(at), HOUR_MS);
      if (start_ms !== hour_ms) closeHour();
      hour_ms = start_ms;
      const end = Math.min(to, indexAt(block, start_ms + HOUR_MS));
      const bucket = emptyBucket();
      block.fold({ from: at, to: end }, bucket);
      newest_ms = block.at_ms(end - 1);
      sums.hour.add({ start_ms, last_ms: newest_ms, bucket });
      addCounts(
        db,
        Array.from({ length: end - at }, (_, index) => ({ at_ms: block.at_ms(at + index) })),
      );
      at = end;
    }
  closeHour();
  sums.day.close();
  for (const interval of ["hour", "day"] as const) packBuckets(db, interval, newest_ms);
}

/**
 * Number of sealed readings, by the day counts, for the time with raw readings; null if unreadable.
 */
export function sealedCount(db: Connection | null, raw_from_ms: number): number | null {
  return dayCounts(db, raw_from_ms)?.reduce((sum, { count }) => sum + count, 0) ?? null;
}

/** The days that counted more sealed readings than there are now. */
export function shortDays(
  db: Connection,
  from: Connection | null,
  raw_from_ms: number,
): readonly Loss[] {
  return (dayCounts(from, raw_from_ms) ?? []).flatMap(({ start_ms, count }) => {
    const day = { start_ms, end_ms: start_ms + DAY_MS - 1 };
    const readings = count - countOf(countedPieces(db, day));
    if (readings <= 0) return [];
    const why = "so many of the day's sealed readings are missing";
    return [{ what: "day", name: null, readings, ...between(day.start_ms, day.end_ms), why }];
  });
}

interface DayCount {
  readonly start_ms: number;
  readonly count: number;
}

function dayCounts(db: Connection | null, raw_from_ms: number): readonly DayCount[] | null {
  try {
    if (db === null) return null;
    return prepare(db, "salvage.day_counts").all({ raw_from_ms });
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return null;
  }
}

interface Sum {
  readonly start_ms: number;
  readonly last_ms: number;
  readonly bucket: Bucket;
}

function openSum(db: Connection, interval: Interval) {
  let open: Sum | null = null;
  const close = (): Sum | null => {
    const closed = open;
    open = null;
    if (closed !== null) putBucket(db, interval, closed);
    return closed;
  };
  return {
    close,
    add(part: Sum): void {
      if (open !== null && open.start_ms !== part.start_ms) close();
      const bucket = open?.bucket ?? emptyBucket();
      addBucket(bucket, part.bucket);
      open = { ...part, bucket };
    },
  };
}

/**
 * Takes over the buckets of readings that expired before `raw_from_ms`, the only trace of them,
 * block by block, so that a damaged one affects no other.
 */
export function takeOldBuckets(
  db: Connection,
  from: Connection,
  raw_from_ms: number,
): readonly Loss[] {
  const losses: Loss[] = [];
  for (const interval of ["hour", "day"] as const)
    for (const range of windowsBefore(from, interval, raw_from_ms))
      try {
        for (const stored of storedBuckets(from, interval, range))
          putBucket(db, interval, { ...stored, bucket: stored.bucket() });
      } catch (error) {
        if (!isDamagedFile(error)) throw error;
        const why = "sums of readings that have expired can't be read";
        const times = between(range.start_ms, range.end_ms);
        losses.push({ what: "buckets", name: interval, readings: null, ...times, why });
      }
  return losses;
}

function windowsBefore(
  from: Connection,
  interval: Interval,
  raw_from_ms: number,
): readonly ClosedRange[] {
  const range = { start_ms: 0, end_ms: raw_from_ms - 1 };
  try {
    return [...blockWindows(from, interval, range)];
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return [range];
  }
}
