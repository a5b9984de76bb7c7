// Proves stored hours and days, page by page, for the nightly proof, `verify` and the writer after
// its start: each row by its checksums, and the index by whether it leads to the row, since answers
// look rows up there.

import { messageOf } from "../../ground/errors.ts";
import { isDamage } from "../file/damage.ts";
import { type Connection, prepare, prepareCells } from "../file/open.ts";
import type { Interval } from "../file/query.ts";
import { bucketProblem, type Cells, provenWhole } from "./bucket-row.ts";
import { WIDTH_MS } from "./buckets.ts";

/** Number of rows of a page, whose proof takes some 10 ms. */
const PAGE = 400;

export interface DamagedBucket {
  /** Number of the row; null if the page can't be read. */
  readonly id: number | null;
  readonly interval: Interval;
  readonly start_ms: number;
  /** True if the row is as stored, and only the index doesn't lead to it. */
  readonly isWhole: boolean;
  /** True if the index leads to the row. */
  readonly isPlaced: boolean;
  readonly problem: string;
}

interface ProvenPage {
  /** Number of the page's last row; null if there are no more. */
  readonly last_id: number | null;
  readonly damaged: readonly DamagedBucket[];
}

/** Proves the rows after number `id`. Rows after an unreadable page can't be proven. */
export function proveBuckets(db: Connection, id: number): ProvenPage {
  try {
    return provenAfter(db, id);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const problem = `the table bucket: ${messageOf(error)}`;
    const unread = { id: null, start_ms: Number.NaN, isWhole: false, isPlaced: true };
    return { last_id: null, damaged: [{ ...unread, interval: "hour", problem }] };
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
    last_id = Number(cells[cells.length - 1]);
    rows += 1;
    const isWhole = interval === named && isProven(interval, cells);
    const isPlaced = placed.get({ interval: named, start_ms })?.id === last_id;
    const problem = bucketProblem(named, start_ms);
    if (!isWhole || !isPlaced)
      damaged.push({ id: last_id, interval, start_ms, isWhole, isPlaced, problem });
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

interface GivenPlace {
  readonly interval: unknown;
  readonly start_ms: unknown;
}

interface BucketPlace extends GivenPlace {
  readonly interval: Interval;
  readonly start_ms: number;
}

/** The problem of the first hour or day that isn't at its place in the index; null without one. */
export function bucketPlacesProblem(db: Connection): string | null {
  let before: GivenPlace = { interval: "", start_ms: 0 };
  for (const place of bucketPlaces(db)) {
    const { interval, start_ms } = place;
    const isBehind = interval !== before.interval || Number(start_ms) > Number(before.start_ms);
    if (!isAtAPlace(place) || !isBehind) return bucketProblem(String(interval), Number(start_ms));
    before = place;
  }
  return null;
}

/** The places of all rows, from the index. */
export function bucketPlaces(db: Connection): readonly (GivenPlace & { readonly id: number })[] {
  type Row = GivenPlace & { readonly id: number };
  return prepare<"bucket.places", Row>(db, "bucket.places").all({});
}

/** True if the place can be that of an hour or a day. */
export function isAtAPlace<Place extends GivenPlace>(place: Place): place is Place & BucketPlace {
  const { interval, start_ms } = place;
  return (
    isInterval(interval) && typeof start_ms === "number" && start_ms % WIDTH_MS[interval] === 0
  );
}

function isInterval(interval: unknown): interval is Interval {
  return interval === "hour" || interval === "day";
}
