// Checks stored hours and days after a start, and recomputes damaged ones from sound readings while
// the writer is idle: a page or a bucket per step, at most 50 ms. Until then their answers report
// damage. If their readings have expired or are damaged too, they stay damaged. The hour of a row
// with a damaged start is found by the index, or by the count of its day.

import { DAY_MS, HOUR_MS } from "../../ground/clock.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { type Connection, prepare, write } from "../file/open.ts";
import type { Interval } from "../file/query.ts";
import { restartedSteps } from "../file/restarted-steps.ts";
import {
  bucketPlaces,
  type DamagedBucket,
  isAtAPlace,
  proveBuckets,
} from "../sealed/bucket-proof.ts";
import { startsIn, sumDayAgain, sumHourAgain } from "../sealed/sums.ts";
import { rawFrom } from "../sealed/timeline.ts";

const AGAIN = { hour: sumHourAgain, day: sumDayAgain } as const;

/** Opens the repair: each call does one step, and returns true if there may be more. */
export function openBucketRepair(db: Connection): () => boolean {
  return restartedSteps(() => repair(db));
}

function* repair(db: Connection): Generator<void> {
  const starts: Readonly<Record<Interval, Set<number>>> = { hour: new Set(), day: new Set() };
  const unplaced: DamagedBucket[] = [];
  for (let id: number | null = 0; id !== null; ) {
    const page = proveBuckets(db, id);
    for (const bucket of page.damaged) {
      damageOf(db).note(bucket.problem);
      starts[bucket.interval].add(bucket.start_ms);
      if (!bucket.isPlaced) unplaced.push(bucket);
    }
    id = page.last_id;
    if (id !== null) yield;
  }
  if (unplaced.length > 0) placeAgain(db, unplaced, starts);
  for (const day_ms of unevenDays(db)) {
    const day = { start_ms: day_ms, end_ms: day_ms + DAY_MS - 1 };
    for (const hour_ms of startsIn(day, HOUR_MS)) starts.hour.add(hour_ms);
    starts.day.add(day_ms);
  }
  // Hours first, because days are computed from them.
  for (const interval of ["hour", "day"] as const)
    for (const start_ms of starts[interval]) {
      write(db, () => {
        const isKept = isAtAPlace({ interval, start_ms }) && start_ms >= rawFrom(db);
        if (isKept) AGAIN[interval](db, start_ms);
      });
      yield;
    }
}

/**
 * Rebuilds the index. A row with a damaged place is moved to its place by the old index, and
 * recomputed there. If the index lacks it, the row is removed, and is then found by its day's
 * count.
 */
function placeAgain(
  db: Connection,
  unplaced: readonly DamagedBucket[],
  starts: Readonly<Record<Interval, Set<number>>>,
): void {
  const places = new Map(bucketPlaces(db).map((place) => [place.id, place]));
  write(db, () => {
    prepare(db, "bucket.reindex").run({});
    for (const { id, isWhole } of unplaced) {
      if (isWhole || id === null) continue;
      const place = places.get(id);
      if (place === undefined || !isAtAPlace(place)) prepare(db, "bucket.remove_row").run({ id });
      else {
        prepare(db, "bucket.move").run(place);
        starts[place.interval].add(place.start_ms);
      }
    }
  });
}

/** The days whose count differs from that of their hours, without damaged starts. */
function unevenDays(db: Connection): readonly number[] {
  try {
    return prepare<"bucket.uneven_days", { day_ms: unknown }>(db, "bucket.uneven_days")
      .all({})
      .map(({ day_ms }) => Number(day_ms))
      .filter((day_ms) => day_ms % DAY_MS === 0);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [];
  }
}
