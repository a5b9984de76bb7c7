// The writer's side of readings. Within a batch, parts are merged into readings in memory; at the
// end of the batch each touched reading is written once, and the hours and days that they lie in
// are brought up to date in the same transaction, so that buckets agree with readings at every
// commit. A bucket is extended when the new readings are all later than what it holds, else made
// again from raw.

import { addBucket, addReading, type Bucket, emptyBucket } from "../bwts/bucket.ts";
import { SLOT_MS } from "../bwts/health.ts";
import { type Merged, mergePart, type Receipt } from "../bwts/merge.ts";
import type { Reading, ReadingPart } from "../bwts/reading.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../clock.ts";
import { decodeBucket, encodeBucket } from "./bucket-row.ts";
import { type Connection, prepare } from "./open.ts";
import { type ReadingRow, readingOf, readReadings } from "./reading-rows.ts";
import { encodeRow } from "./row.ts";

/** A stored bucket, as every bucket statement selects it. */
export interface BucketRow {
  readonly start_ms: number;
  readonly count: number;
  readonly last_ms: number;
  readonly fields: Uint8Array;
}

/** Readings of the batch in hand. All calls are made inside the writer's transaction. */
export interface ReadingStore {
  /** Merges a part into what is stored or in hand. */
  merge(part: ReadingPart, receipt: Receipt): Merged;
  /** Writes what was touched, and its buckets. */
  flush(): Flushed;
  /** Forgets the batch, after a rollback. */
  forget(): void;
}

/** How many readings were new, and the time of the newest that was touched. */
export interface Flushed {
  readonly readings: number;
  readonly newest_ms: number | null;
}

interface Touched {
  reading: Reading;
  readonly isNew: boolean;
}

export function openReadingStore(db: Connection): ReadingStore {
  const at = prepare<{ at_ms: number }, ReadingRow>(db, "reading.at");
  const put = prepare<object, never>(db, "reading.put");
  const markDue = prepare<{ start_ms: number }, never>(db, "health.mark_due");
  const updateBuckets = openBuckets(db);
  const touched = new Map<number, Touched>();
  const looked = new Map<number, Reading | null>();

  const stored = (at_ms: number): Reading | null => {
    const known = looked.get(at_ms);
    if (known !== undefined) return known;
    const row = at.get({ at_ms });
    const reading = row === undefined ? null : readingOf(row);
    looked.set(at_ms, reading);
    return reading;
  };

  return {
    merge(part, receipt) {
      const inHand = touched.get(part.at_ms);
      const before = inHand?.reading ?? stored(part.at_ms);
      const merged = mergePart(before, part, receipt);
      if (merged.reading !== null)
        touched.set(part.at_ms, {
          reading: merged.reading,
          isNew: inHand?.isNew ?? before === null,
        });
      return merged;
    },
    flush() {
      const readings = [...touched.values()].sort((a, b) => a.reading.at_ms - b.reading.at_ms);
      for (const { reading } of readings)
        put.run({
          at_ms: reading.at_ms,
          received_ms: reading.received_ms,
          clock_trusted: reading.clock_trusted ? 1 : 0,
          row: encodeRow(reading),
        });
      updateBuckets(readings);
      const slots = new Set(readings.map(({ reading }) => floorTo(reading.at_ms, SLOT_MS)));
      for (const start_ms of slots) markDue.run({ start_ms });
      this.forget();
      const newest_ms = readings.at(-1)?.reading.at_ms ?? null;
      return { readings: readings.filter(({ isNew }) => isNew).length, newest_ms };
    },
    forget() {
      touched.clear();
      looked.clear();
    },
  };
}

function openBuckets(db: Connection): (readings: readonly Touched[]) => void {
  const hourAt = prepare<{ start_ms: number }, BucketRow>(db, "bucket.hour");
  const putHour = prepare<object, never>(db, "bucket.put_hour");
  const putDay = prepare<object, never>(db, "bucket.put_day");
  const hours = prepare<object, BucketRow>(db, "bucket.hours");

  const updateHour = (start_ms: number, readings: readonly Touched[]) => {
    const row = hourAt.get({ start_ms });
    const isAppend = readings.every(
      ({ reading, isNew }) => isNew && (row === undefined || reading.at_ms > row.last_ms),
    );
    const bucket = isAppend && row !== undefined ? decodeBucket(row) : emptyBucket();
    let last_ms = start_ms;
    const fold = (reading: Reading) => {
      addReading(bucket, reading);
      last_ms = reading.at_ms;
    };
    if (isAppend) for (const { reading } of readings) fold(reading);
    else
      for (const reading of readReadings(db, { start_ms, end_ms: start_ms + HOUR_MS - 1 }))
        fold(reading);
    putHour.run({ start_ms, count: bucket.count, last_ms, fields: encodeBucket(bucket) });
  };

  const updateDay = (start_ms: number) => {
    const bucket: Bucket = emptyBucket();
    let last_ms = start_ms;
    for (const hour of hours.all({ start_ms, end_ms: start_ms + DAY_MS - 1, limit: 24 })) {
      addBucket(bucket, decodeBucket(hour));
      ({ last_ms } = hour);
    }
    putDay.run({ start_ms, count: bucket.count, last_ms, fields: encodeBucket(bucket) });
  };

  return (readings) => {
    const byHour = Map.groupBy(readings, ({ reading }) => floorTo(reading.at_ms, HOUR_MS));
    for (const [start_ms, inHour] of byHour) updateHour(start_ms, inHour);
    const days = new Set([...byHour.keys()].map((start_ms) => floorTo(start_ms, DAY_MS)));
    for (const start_ms of days) updateDay(start_ms);
  };
}
