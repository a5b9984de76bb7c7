// Hours and days of sealed readings, in the table `bucket`. A reader takes as little of a row as it
// needs: its count, its aggregated row, or all of it; each part is proven by its checksum.

import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
import { type Connection, prepare, prepareCells } from "../file/open.ts";
import type { ClosedRange, Interval } from "../file/query.ts";
import {
  answeredRow,
  type BucketHead,
  type BucketRow,
  type Cells,
  cellsOf,
  type PlacedBucket,
  provenBucket,
  provenHead,
} from "./bucket-row.ts";

export const WIDTH_MS: Readonly<Record<Interval, number>> = { hour: HOUR_MS, day: DAY_MS };
/** Number of hours or days that are read at a time, in some 3 ms. */
const WINDOW_BUCKETS = 240;

/** The heads of the buckets that start in `range`, ascending. */
export function bucketHeads(
  db: Connection,
  interval: Interval,
  range: ClosedRange,
): readonly BucketHead[] {
  return ordered(db, "bucket.heads", { ...range, interval, provenAs: provenHead });
}

/** The aggregated rows of the buckets that start in `range`, ascending. */
export function bucketRows(
  db: Connection,
  interval: Interval,
  range: ClosedRange,
): readonly BucketRow[] {
  return ordered(db, "bucket.answers", { ...range, interval, provenAs: answeredRow });
}

/** The buckets that start in `range`, ascending. They belong to the caller, who may change them. */
export function storedBuckets(
  db: Connection,
  interval: Interval,
  range: ClosedRange,
): readonly PlacedBucket[] {
  return ordered(db, "bucket.whole", { ...range, interval, provenAs: provenBucket });
}

/** The stored bucket that starts at `start_ms`, or null. */
export function storedBucket(
  db: Connection,
  interval: Interval,
  start_ms: number,
): PlacedBucket | null {
  return storedBuckets(db, interval, { start_ms, end_ms: start_ms })[0] ?? null;
}

type BucketStatement = "bucket.heads" | "bucket.answers" | "bucket.whole";

/** The rows of a statement in order of time, which the statement itself doesn't sort. */
function ordered<Read extends { readonly start_ms: number }>(
  db: Connection,
  statement: BucketStatement,
  given: ClosedRange & {
    readonly interval: Interval;
    readonly provenAs: (interval: Interval, cells: Cells) => Read;
  },
): readonly Read[] {
  const { interval, provenAs, start_ms, end_ms } = given;
  const rows = prepareCells<BucketStatement, number | null>(db, statement).iterate({
    interval,
    start_ms,
    end_ms,
  });
  return Array.from(rows, (cells) => provenAs(interval, cells)).sort(
    (one, other) => one.start_ms - other.start_ms,
  );
}

/** Stores a bucket; one without readings is removed. */
export function putBucket(db: Connection, interval: Interval, placed: PlacedBucket): void {
  const { start_ms, bucket } = placed;
  if (bucket.count === 0) prepare(db, "bucket.remove").run({ interval, start_ms });
  else prepare(db, "bucket.put").run([interval, ...cellsOf(interval, placed)]);
}

/** A range cut into windows, without empty ends (nothing stored or hot). */
export function* bucketWindows(
  db: Connection,
  interval: Interval,
  range: ClosedRange,
): Generator<ClosedRange> {
  const width_ms = WINDOW_BUCKETS * WIDTH_MS[interval];
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
