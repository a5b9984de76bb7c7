// Recomputes counts and buckets of a database from its sealed readings, so that each bucket agrees
// with its readings; buckets of expired readings are taken over.

import { addBucket, emptyBucket } from "../../bwts/bucket.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange, Interval } from "../file/query.ts";
import type { PlacedBucket } from "../sealed/bucket-row.ts";
import { bucketWindows, putBucket, storedBucket, WIDTH_MS } from "../sealed/buckets.ts";
import { countedPieces, countOf } from "../sealed/counts.ts";
import { startsIn } from "../sealed/sums.ts";
import { indexAt } from "../sealed/sweep.ts";
import { SEALED, timeline } from "../sealed/timeline.ts";
import { between, type Loss } from "./loss.ts";
import { isDamagedFile } from "./trust.ts";

/**
 * Length of the searched time if the first or last bucket can't be read: 20 years, a ship's life.
 */
const UNREAD_MS = 20 * 366 * DAY_MS;
const EVER = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };

/** Computes the sums of all sealed readings of a database that has none. */
export function sumUp(db: Connection): void {
  const sums = { hour: openSum(db, "hour"), day: openSum(db, "day") };
  const closeHour = () => {
    const hour = sums.hour.close();
    if (hour !== null) sums.day.add({ ...hour, start_ms: floorTo(hour.start_ms, DAY_MS) });
  };
  let hour_ms = 0;
  for (const { block, from, to } of timeline(db, EVER, SEALED))
    for (let at = from; at < to; ) {
      const start_ms = floorTo(block.at_ms(at), HOUR_MS);
      if (start_ms !== hour_ms) closeHour();
      hour_ms = start_ms;
      const end = Math.min(to, indexAt(block, start_ms + HOUR_MS));
      const bucket = emptyBucket();
      block.fold({ from: at, to: end }, bucket);
      sums.hour.add({ start_ms, last_ms: block.at_ms(end - 1), bucket });
      at = end;
    }
  closeHour();
  sums.day.close();
}

/**
 * Number of sealed readings for the time with raw readings, from the counts by day; null if these
 * are unreadable.
 */
export function sealedCount(db: Connection | null, raw_from_ms: number): number | null {
  return dayCounts(db, raw_from_ms)?.reduce((sum, { count }) => sum + count, 0) ?? null;
}

/** The losses by day: days that counted more sealed readings than are left. */
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

function openSum(db: Connection, interval: Interval) {
  let open: PlacedBucket | null = null;
  const close = (): PlacedBucket | null => {
    const closed = open;
    open = null;
    if (closed !== null) putBucket(db, interval, closed);
    return closed;
  };
  return {
    close,
    add(part: PlacedBucket): void {
      if (open !== null && open.start_ms !== part.start_ms) close();
      const bucket = open?.bucket ?? emptyBucket();
      addBucket(bucket, part.bucket);
      open = { ...part, bucket };
    },
  };
}

/**
 * Takes over the buckets of readings that expired before `raw_from_ms`; nothing else is left of
 * these readings. One by one, so that a damaged bucket affects no other.
 */
export function takeOldBuckets(
  db: Connection,
  from: Connection,
  raw_from_ms: number,
): readonly Loss[] {
  return (["hour", "day"] as const).flatMap((interval) =>
    windowsBefore(from, interval, raw_from_ms).flatMap((range) => {
      const lost = startsIn(range, WIDTH_MS[interval]).filter(
        (start_ms) => !takeOldBucket(db, from, { interval, start_ms }),
      );
      if (lost.length === 0) return [];
      const why = `${lost.length} sums of readings that have expired can't be read`;
      const times = between(lost[0], lost[lost.length - 1] + WIDTH_MS[interval] - 1);
      return [{ what: "buckets", name: interval, readings: null, ...times, why }];
    }),
  );
}

/** Takes over one bucket; false if it can't be read. */
function takeOldBucket(
  db: Connection,
  from: Connection,
  { interval, start_ms }: { readonly interval: Interval; readonly start_ms: number },
): boolean {
  try {
    const stored = storedBucket(from, interval, start_ms);
    if (stored !== null) putBucket(db, interval, stored);
    return true;
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return false;
  }
}

function windowsBefore(
  from: Connection,
  interval: Interval,
  raw_from_ms: number,
): readonly ClosedRange[] {
  const end_ms = raw_from_ms - 1;
  try {
    return [...bucketWindows(from, interval, { start_ms: 0, end_ms })];
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return [{ start_ms: Math.max(0, raw_from_ms - UNREAD_MS), end_ms }];
  }
}
