// Counts and sums of sealed readings: extended if readings are appended, else recomputed from the
// readings. Hidden readings and values that aren't believed don't count. They change in the
// transaction that changes the readings, so that both agree at every commit.

import { addBucket, addReading, emptyBucket } from "../../bwts/bucket.ts";
import { believed, type Spans } from "../../bwts/plausible.ts";
import type { Reading } from "../../bwts/reading.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
import { messageOf } from "../../ground/errors.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange, Interval } from "../file/query.ts";
import type { PlacedBucket } from "./bucket-row.ts";
import { putBucket, storedBucket, storedBuckets } from "./buckets.ts";
import { spansInForce } from "./spans.ts";
import { SEALED, timeline } from "./timeline.ts";

/** Adds newly sealed readings; `distinct` are the times that weren't sealed before. */
export function addSealed(
  db: Connection,
  readings: readonly Reading[],
  distinct: ReadonlySet<number>,
): void {
  const isFresh = ({ at_ms }: Reading) => distinct.has(at_ms);
  for (const [start_ms, inHour] of Map.groupBy(readings, ({ at_ms }) => floorTo(at_ms, HOUR_MS))) {
    const fresh = inHour.filter(isFresh);
    putFirst(db, "hour", [
      () => appended(db, start_ms, { inHour, fresh }) ?? folded(db, start_ms),
      () => folded(db, start_ms),
      () => withLate(db, { start_ms, stored: storedBucket(db, "hour", start_ms) }, fresh),
    ]);
  }
  for (const [start_ms, inDay] of Map.groupBy(readings, ({ at_ms }) => floorTo(at_ms, DAY_MS)))
    putFirst(db, "day", [
      () => foldedDay(db, start_ms),
      () =>
        withLate(
          db,
          { start_ms, stored: storedBucket(db, "day", start_ms) },
          inDay.filter(isFresh),
        ),
    ]);
}

/** Recomputes an hour from its visible readings; it stays unchanged if they are damaged. */
export function sumHourAgain(db: Connection, start_ms: number): void {
  putFirst(db, "hour", [() => folded(db, start_ms)]);
}

/** Recomputes a day from its hours; it stays unchanged if one of them is damaged. */
export function sumDayAgain(db: Connection, start_ms: number): void {
  putFirst(db, "day", [() => foldedDay(db, start_ms)]);
}

/** Stores the result of the first of `ways` without damage; nothing if all are damaged. */
function putFirst(db: Connection, interval: Interval, ways: readonly (() => PlacedBucket)[]): void {
  const made = firstUndamaged(db, ways);
  if (made !== null) putBucket(db, interval, made);
}

/** The starts of all hours, days or slots that a range touches. */
export function startsIn({ start_ms, end_ms }: ClosedRange, width_ms: number): readonly number[] {
  const first_ms = floorTo(start_ms, width_ms);
  const length = Math.floor((end_ms - first_ms) / width_ms) + 1;
  return Array.from({ length }, (_, index) => first_ms + index * width_ms);
}

/** The stored hour with later readings added; null if some aren't later than its own. */
function appended(
  db: Connection,
  start_ms: number,
  { inHour, fresh }: { readonly inHour: readonly Reading[]; readonly fresh: readonly Reading[] },
): PlacedBucket | null {
  const stored = storedBucket(db, "hour", start_ms);
  const bucket = stored?.bucket ?? emptyBucket();
  const isBehind = inHour.every(({ at_ms }) => stored === null || at_ms > stored.last_ms);
  if (fresh.length < inHour.length || !isBehind) return null;
  const seen = believedBy(spansInForce(db));
  for (const reading of inHour) addReading(bucket, seen(reading));
  return { start_ms, last_ms: inHour[inHour.length - 1].at_ms, bucket };
}

/** The result of the first of `ways` without damage; null if all are damaged. */
export function firstUndamaged<Result>(
  db: Connection,
  ways: readonly (() => Result)[],
): Result | null {
  for (const way of ways)
    try {
      return way();
    } catch (error) {
      if (!isDamage(error)) throw error;
      damageOf(db).note(messageOf(error));
    }
  return null;
}

/**
 * An hour or a day that can't be recomputed because readings or hours of it are damaged: new
 * readings are added to the sum made before. Fields that later messages added to sealed readings
 * are missing; an earlier last value stays.
 */
function withLate(
  db: Connection,
  { start_ms, stored }: { readonly start_ms: number; readonly stored: PlacedBucket | null },
  given: readonly Reading[],
): PlacedBucket {
  const readings = given.map(believedBy(spansInForce(db)));
  const last_ms = stored?.last_ms ?? start_ms;
  const bucket = emptyBucket();
  for (const reading of readings) if (reading.at_ms <= last_ms) addReading(bucket, reading);
  if (stored !== null) addBucket(bucket, stored.bucket);
  const after = readings.filter(({ at_ms }) => at_ms > last_ms);
  for (const reading of after) addReading(bucket, reading);
  return { start_ms, last_ms: after.at(-1)?.at_ms ?? last_ms, bucket };
}

function believedBy(spans: Spans | null): (reading: Reading) => Reading {
  return (reading) => (spans === null ? reading : believed(reading, spans));
}

/** An hour recomputed from its sealed readings. */
function folded(db: Connection, start_ms: number): PlacedBucket {
  const bucket = emptyBucket();
  let last_ms = start_ms;
  const hour = { start_ms, end_ms: start_ms + HOUR_MS - 1 };
  for (const { block, from, to } of timeline(db, hour, SEALED)) {
    block.fold({ from, to }, bucket);
    last_ms = block.at_ms(to - 1);
  }
  return { start_ms, last_ms, bucket };
}

/** A day recomputed from its hours. */
function foldedDay(db: Connection, start_ms: number): PlacedBucket {
  const bucket = emptyBucket();
  let last_ms = start_ms;
  const hours = { start_ms, end_ms: start_ms + DAY_MS - 1 };
  for (const hour of storedBuckets(db, "hour", hours)) {
    addBucket(bucket, hour.bucket);
    ({ last_ms } = hour);
  }
  return { start_ms, last_ms, bucket };
}
