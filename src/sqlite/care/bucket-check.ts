// Recomputes stored hours and days from raw readings, day by day, and compares them bit for bit.
// Checking a sample of days is quick enough to wait for.

import { isDeepStrictEqual } from "node:util";
import { addBucket, addReading, type Bucket, emptyBucket } from "../../bwts/bucket.ts";
import { DAY_MS, floorTo, HOUR_MS, printTime } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import type { Connection } from "../file/open.ts";
import { bucketHeads, bucketWindows, storedBuckets } from "../sealed/buckets.ts";
import { rawFrom, SEALED, timeline } from "../sealed/timeline.ts";
import { isDamagedFile } from "./trust.ts";

export interface BucketCheck {
  /** Number of recomputed days, and of all days that can be recomputed. */
  readonly checked: number;
  readonly days: number;
  /** The first hour or day that differs from its readings; null if none does. */
  readonly problem: string | null;
}

const ALWAYS = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };

/** Checks at most `days_max` days, spread evenly over all; null: every day. */
export function checkBuckets(db: Connection, days_max: number | null): BucketCheck {
  let [checked, days] = [0, 0];
  const look = (): string | null => {
    // Newest days first, since they are queried most.
    const starts = daysOf(db).reverse();
    days = starts.length;
    const step = days_max === null ? 1 : Math.max(1, Math.ceil(days / days_max));
    for (const start_ms of starts.filter((_day, index) => index % step === 0)) {
      checked += 1;
      const problem = db.transaction(() => dayProblem(db, start_ms))();
      if (problem !== null) return problem;
    }
    return null;
  };
  try {
    return { problem: look(), checked, days };
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return { problem: messageOf(error), checked, days };
  }
}

/** The days that have stored buckets and still have raw readings. */
function daysOf(db: Connection): number[] {
  const raw_from_ms = rawFrom(db);
  const days: number[] = [];
  for (const window of bucketWindows(db, "day", ALWAYS))
    for (const { start_ms } of bucketHeads(db, "day", window))
      if (start_ms >= raw_from_ms) days.push(start_ms);
  return days;
}

function dayProblem(db: Connection, start_ms: number): string | null {
  const range = { start_ms, end_ms: start_ms + DAY_MS - 1 };
  const hours = new Map<number, Bucket>();
  for (const { block, from, to } of timeline(db, range, { ...SEALED, believed: true }))
    for (let index = from; index < to; index += 1) {
      const hour_ms = floorTo(block.at_ms(index), HOUR_MS);
      const bucket = hours.get(hour_ms) ?? emptyBucket();
      hours.set(hour_ms, bucket);
      addReading(bucket, block.reading(index));
    }
  const day = emptyBucket();
  for (const bucket of hours.values()) addBucket(day, bucket);
  const stored = storedBuckets(db, "hour", range);
  if (stored.length !== hours.size)
    return `${printTime(start_ms)}: ${stored.length} hours are stored, expected ${hours.size}`;
  for (const hour of stored)
    if (!isDeepStrictEqual(hour.bucket, hours.get(hour.start_ms)))
      return `the hour ${printTime(hour.start_ms)} doesn't agree with its readings`;
  for (const stored of storedBuckets(db, "day", { start_ms, end_ms: start_ms }))
    if (!isDeepStrictEqual(stored.bucket, day))
      return `the day ${printTime(start_ms)} doesn't agree with its hours`;
  return null;
}
