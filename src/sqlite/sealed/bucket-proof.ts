// Proves stored hours and days, page by page, for the nightly proof, `verify` and the writer after
// its start: each row by its checksums, and that the index leads to it, since answers look it up
// there.

import { messageOf } from "../../ground/errors.ts";
import { isDamage } from "../file/damage.ts";
import { type Connection, prepare, prepareCells } from "../file/open.ts";
import type { Interval } from "../file/query.ts";
import { bucketProblem, type Cells, provenWhole } from "./bucket-row.ts";
import { WIDTH_MS } from "./buckets.ts";

/** Rows of a page; to prove one takes some 10 ms. */
const PAGE = 400;

export interface DamagedBucket {
  readonly interval: Interval;
  readonly start_ms: number;
  readonly problem: string;
}

interface ProvenPage {
  /** Number of the page's last row; null if there are no more. */
  readonly last_id: number | null;
  readonly damaged: readonly DamagedBucket[];
}

/** Proves the rows after number `id`. What follows an unreadable page can't be proven. */
export function proveBuckets(db: Connection, id: number): ProvenPage {
  try {
    return provenAfter(db, id);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const problem = `the table bucket: ${messageOf(error)}`;
    return { last_id: null, damaged: [{ interval: "hour", start_ms: Number.NaN, problem }] };
  }
}

function provenAfter(db: Connection, id: number): ProvenPage {
  const page = prepareCells<"bucket.page", number | null>(db, "bucket.page");
  const placed = prepare(db, "bucket.at");
  const damaged: DamagedBucket[] = [];
  let rows = 0;
  let last_id = id;
  for (const cells of page.iterate({ id, limit: PAGE })) {
    const start_ms = Number(cells[0]);
    // A damaged cell may hold anything.
    const named = String(cells[cells.length - 2]);
    const interval = isInterval(named) ? named : "hour";
    const row_id = Number(cells[cells.length - 1]);
    rows += 1;
    last_id = row_id;
    const isWhole = interval === named && isProven(interval, cells);
    if (!isWhole || placed.get({ interval, start_ms })?.id !== row_id)
      damaged.push({ interval, start_ms, problem: bucketProblem(named, start_ms) });
  }
  return { last_id: rows < PAGE ? null : last_id, damaged };
}

/** All damaged rows. */
export function* damagedBuckets(db: Connection): Generator<DamagedBucket> {
  for (let id: number | null = 0; id !== null; ) {
    const page = proveBuckets(db, id);
    yield* page.damaged;
    id = page.last_id;
  }
}

function isProven(interval: Interval, cells: Cells): boolean {
  try {
    provenWhole(interval, cells);
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
}

interface BucketPlace {
  readonly interval: unknown;
  readonly start_ms: unknown;
}

/** The problem of an hour or a day that isn't at its place in the index; null if all are. */
export function bucketPlacesProblem(db: Connection): string | null {
  let before: BucketPlace = { interval: "", start_ms: 0 };
  for (const place of prepare<"bucket.places", BucketPlace>(db, "bucket.places").iterate({})) {
    if (!isAtAPlace(place, before))
      return bucketProblem(String(place.interval), Number(place.start_ms));
    before = place;
  }
  return null;
}

/** True if the place is that of an hour or a day, and after the one before. */
function isAtAPlace({ interval, start_ms }: BucketPlace, before: BucketPlace): boolean {
  if (!isInterval(interval) || typeof start_ms !== "number") return false;
  if (start_ms % WIDTH_MS[interval] !== 0) return false;
  return interval !== before.interval || start_ms > Number(before.start_ms);
}

function isInterval(interval: unknown): interval is Interval {
  return interval === "hour" || interval === "day";
}
