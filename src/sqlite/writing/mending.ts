// Looks through stored hours and days after a start, and recomputes damaged ones from sound
// readings while the writer is idle: a page or a bucket a step, 50 ms at most. Until then their
// answers report damage. If their readings have expired or are damaged too, they stay damaged.

import { damageOf } from "../file/damage.ts";
import type { Connection } from "../file/open.ts";
import { write } from "../file/transaction.ts";
import { type DamagedBucket, proveBuckets } from "../sealed/bucket-proof.ts";
import { WIDTH_MS } from "../sealed/buckets.ts";
import { sumDayAgain, sumHourAgain } from "../sealed/sums.ts";
import { rawFrom } from "../sealed/timeline.ts";

const AGAIN = { hour: sumHourAgain, day: sumDayAgain } as const;

/** Does one step; returns true if there may be more. */
export function openMending(db: Connection): () => boolean {
  const steps = mend(db);
  return () => steps.next().done !== true;
}

function* mend(db: Connection): Generator<void> {
  const damaged: DamagedBucket[] = [];
  for (let id: number | null = 0; id !== null; ) {
    const page = proveBuckets(db, id);
    for (const found of page.damaged) damageOf(db).note(found.problem);
    damaged.push(...page.damaged);
    id = page.last_id;
    if (id !== null) yield;
  }
  // Days are made of hours.
  for (const interval of ["hour", "day"] as const)
    for (const { start_ms } of damaged.filter((found) => found.interval === interval)) {
      write(db, () => {
        const isAtAPlace = start_ms % WIDTH_MS[interval] === 0;
        if (isAtAPlace && start_ms >= rawFrom(db)) AGAIN[interval](db, start_ms);
      });
      yield;
    }
}
