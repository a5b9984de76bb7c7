// Recomputes damaged sums and counts from sound readings while the writer is idle: an hour or a day
// a step, 50 ms at most. Until then their answers report damage. A block is removed once each of
// its buckets has a row beside it. Sums whose readings have expired or are damaged too stay
// damaged.

import { DAY_MS, HOUR_MS } from "../../ground/clock.ts";
import { damagedSums } from "../derived/derived.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { Interval } from "../file/query.ts";
import { write } from "../file/transaction.ts";
import { BLOCK_MS, putBucket } from "../sealed/buckets.ts";
import { putCounts } from "../sealed/counts.ts";
import { firstUndamaged, folded, foldedDay, hourCounts } from "../sealed/sums.ts";
import { rawFrom } from "../sealed/timeline.ts";

const WIDTH_MS = { hour: HOUR_MS, day: DAY_MS } as const;
const MADE = { hour: folded, day: foldedDay } as const;

/** Does one step; returns true if there may be more. The first step finds the damage. */
export function openMending(db: Connection): () => boolean {
  let steps: Generator<void> | null = null;
  return () => {
    steps ??= mend(db);
    return steps.next().done !== true;
  };
}

function* mend(db: Connection): Generator<void> {
  const damaged = [...damagedSums(db)];
  const startsOf = (table: string, interval?: Interval) =>
    damaged
      .filter((found) => found.table === table && found.row.interval === interval)
      .map(({ row }) => Number(row.start_ms));
  for (const interval of ["hour", "day"] as const) {
    for (const start_ms of startsOf(`bucket_${interval}`)) {
      madeAgain(db, interval, start_ms);
      yield;
    }
    for (const start_ms of startsOf("bucket_block", interval))
      yield* mendBlock(db, interval, start_ms);
  }
  for (const start_ms of startsOf("day_count")) {
    if (start_ms >= rawFrom(db))
      write(db, () => {
        firstUndamaged(db, [() => putCounts(db, start_ms, hourCounts(db, start_ms))]);
      });
    yield;
  }
}

function* mendBlock(db: Connection, interval: Interval, start_ms: number): Generator<void> {
  const end_ms = start_ms + BLOCK_MS[interval];
  for (let at_ms = start_ms; at_ms < end_ms; at_ms += WIDTH_MS[interval]) {
    if (!madeAgain(db, interval, at_ms)) return;
    yield;
  }
  write(db, () => {
    prepare(db, "bucket.remove_block").run({ interval, start_ms });
  });
}

/** Recomputes a bucket as a row; false if its readings have expired or are damaged. */
function madeAgain(db: Connection, interval: Interval, start_ms: number): boolean {
  return write(db, () => {
    if (start_ms < rawFrom(db)) return false;
    const made = firstUndamaged(db, [() => MADE[interval](db, start_ms)]);
    if (made === null) return false;
    putBucket(db, interval, made);
    return true;
  });
}
