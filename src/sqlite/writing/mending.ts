// Looks through stored hours and days after a start, and recomputes damaged ones from sound
// readings while the writer is idle: a page or a bucket a step, 50 ms at most. Until then their
// answers report damage. If their readings have expired or are damaged too, they stay damaged. A
// row with a damaged start doesn't tell the hour that it was, but the count of its day does.

import { DAY_MS } from "../../ground/clock.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { type Connection, prepare, write } from "../file/open.ts";
import type { Interval } from "../file/query.ts";
import { proveBuckets } from "../sealed/bucket-proof.ts";
import { WIDTH_MS } from "../sealed/buckets.ts";
import { startsIn, sumDayAgain, sumHourAgain } from "../sealed/sums.ts";
import { rawFrom } from "../sealed/timeline.ts";

const AGAIN = { hour: sumHourAgain, day: sumDayAgain } as const;

/** Does one step; returns true if there may be more. */
export function openMending(db: Connection): () => boolean {
  const steps = mend(db);
  return () => steps.next().done !== true;
}

function* mend(db: Connection): Generator<void> {
  const starts: Readonly<Record<Interval, Set<number>>> = { hour: new Set(), day: new Set() };
  for (let id: number | null = 0; id !== null; ) {
    const page = proveBuckets(db, id);
    for (const { interval, start_ms, problem } of page.damaged) {
      damageOf(db).note(problem);
      starts[interval].add(start_ms);
    }
    id = page.last_id;
    if (id !== null) yield;
  }
  for (const day_ms of unevenDays(db)) {
    const day = { start_ms: day_ms, end_ms: day_ms + DAY_MS - 1 };
    for (const hour_ms of startsIn(day, WIDTH_MS.hour)) starts.hour.add(hour_ms);
    starts.day.add(day_ms);
  }
  // Days are made of hours.
  for (const interval of ["hour", "day"] as const)
    for (const start_ms of starts[interval]) {
      write(db, () => {
        const isAtAPlace = start_ms % WIDTH_MS[interval] === 0;
        if (isAtAPlace && start_ms >= rawFrom(db)) AGAIN[interval](db, start_ms);
      });
      yield;
    }
}

/** The days that don't count what their hours count; a damaged start may be anything. */
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
