// Sums and counts that are damaged, made again from readings that are whole, while the writer has
// nothing else to do: an hour or a day a step, some 50 ms at the most. Until then they are answered
// as damage. A block is thrown away once each of its buckets has a row beside it, which counts in
// its place. What can't be made again, because its readings have expired or are damaged too, stays.

import { DAY_MS, HOUR_MS } from "../clock.ts";
import { BLOCK_MS, putBucket } from "./buckets.ts";
import { putCounts } from "./counts.ts";
import { damagedDerived } from "./derived.ts";
import { type Connection, prepare } from "./open.ts";
import type { Interval } from "./query.ts";
import { firstUndamaged, folded, foldedDay, hourCounts } from "./sums.ts";
import { rawFrom } from "./timeline.ts";
import { write } from "./transaction.ts";

const WIDTH_MS = { hour: HOUR_MS, day: DAY_MS } as const;
const MADE = { hour: folded, day: foldedDay } as const;

/** Does a step of the work, and says whether there may be more; what is damaged is found first. */
export function openMending(db: Connection): () => boolean {
  let steps: Generator<void> | null = null;
  return () => {
    steps ??= mend(db);
    return steps.next().done !== true;
  };
}

function* mend(db: Connection): Generator<void> {
  const damaged = [...damagedDerived(db)];
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

/** Makes a bucket again as a row; false if its readings have expired or are damaged. */
function madeAgain(db: Connection, interval: Interval, start_ms: number): boolean {
  return write(db, () => {
    if (start_ms < rawFrom(db)) return false;
    const made = firstUndamaged(db, [() => MADE[interval](db, start_ms)]);
    if (made === null) return false;
    putBucket(db, interval, made);
    return true;
  });
}
