// The newest reading of the present. Usually it is the newest by the plant's clock; after a known
// step back of that clock it is the newest of those that were received since, because the readings
// from before the step would count as the present for as long as the step.

import { DAY_MS, MINUTE_MS } from "../../ground/clock.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import { wholeHotReadings } from "../sealed/hot.ts";
import { newestTime, timeline, UNDAMAGED } from "../sealed/timeline.ts";
import { isVoided, voidedSpans } from "../sealed/voids.ts";

export interface PresentReceipt {
  readonly at_ms: number;
  /** Readings received before this are no longer of the present; 0 without a step. */
  readonly since_ms: number;
}

/** Null without a reading; found once after each commit. */
export function presentReceipt(db: Connection): PresentReceipt | null {
  return memo(db, "present_receipt", () => {
    const at_ms = newestTime(db, UNDAMAGED);
    if (at_ms === null) return null;
    const step = prepare(db, "clock.last_back").get({});
    const usual = { at_ms, since_ms: 0 };
    if (step === undefined || receivedAt(db, at_ms) >= step.at_ms) return usual;
    const since_ms = step.at_ms;
    const newest_ms = newestHotSince(db, since_ms) ?? newestSealedSince(db, step, at_ms);
    return newest_ms === null ? usual : { at_ms: newest_ms, since_ms };
  });
}

function receivedAt(db: Connection, at_ms: number): number {
  for (const { block, from } of timeline(db, { start_ms: at_ms, end_ms: at_ms }, UNDAMAGED))
    return block.received_ms(from);
  return 0;
}

function newestHotSince(db: Connection, since_ms: number): number | null {
  const spans = voidedSpans(db);
  const newest = wholeHotReadings(db).rows.findLast(
    ({ at_ms, received_ms }) => received_ms >= since_ms && !isVoided(spans, at_ms),
  );
  return newest?.at_ms ?? null;
}

/** When all of them have just been sealed: they lie about the time that the step led to. */
function newestSealedSince(
  db: Connection,
  { at_ms: since_ms, to_ms }: { readonly at_ms: number; readonly to_ms: number },
  newest_ms: number,
): number | null {
  const passed_ms = Math.max(0, Date.now() - since_ms);
  const range = {
    start_ms: to_ms - MINUTE_MS,
    end_ms: Math.min(newest_ms, to_ms + Math.min(passed_ms, DAY_MS) + MINUTE_MS),
  };
  let found_ms: number | null = null;
  for (const { block, from, to } of timeline(db, range, UNDAMAGED))
    for (let index = from; index < to; index += 1)
      if (block.received_ms(index) >= since_ms) found_ms = block.at_ms(index);
  return found_ms;
}
