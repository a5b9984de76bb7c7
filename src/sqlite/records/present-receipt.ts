// The newest reading of the present. Usually it is the newest by the plant's clock. After a known
// step back of that clock it is the newest of those received since, or else the readings from
// before the step would count as the present until the clock has caught up.

import { PLANT_FIELDS } from "../../bwts/treating.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { wholeHotReadings } from "../sealed/hot.ts";
import { newestTime, timeline, UNDAMAGED } from "../sealed/timeline.ts";
import { isVoided, voidedSpans } from "../sealed/voids.ts";

export interface PresentReceipt {
  readonly at_ms: number;
  /** Time from which received readings belong to the present; 0 without a step. */
  readonly since_ms: number;
}

/** The newest reading of the present, found once after each commit; null without one. */
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

/** Time before the newest reading in which one that shows the plant's state is searched first. */
const NEAR_MS = 15 * MINUTE_MS;
/**
 * Then the search goes back in pieces of this length, up to BACK_MAX_MS, which no operation
 * exceeds.
 */
const PIECE_MS = 6 * HOUR_MS;
const BACK_MAX_MS = 31 * DAY_MS;

/** The result of the last long search, and the spans that voids hid at that time. */
interface LongSearch extends PresentReceipt {
  readonly told_ms: number | null;
  readonly hidden: string;
}

const longSearches = new WeakMap<Connection, LongSearch>();

/**
 * Time of the newest reading, up to the one of `receipt`, that shows the plant's state, which a
 * heartbeat doesn't; null if there is none. A long search happens only if the plant sends none, and
 * only once.
 */
export function toldTime(db: Connection, receipt: PresentReceipt): number | null {
  const { at_ms, since_ms } = receipt;
  const near_ms = at_ms - NEAR_MS;
  const near = toldIn(db, { start_ms: near_ms, end_ms: at_ms }, since_ms);
  if (near !== null) return near;
  const hidden = JSON.stringify(voidedSpans(db));
  const before = longSearches.get(db) ?? null;
  const isFollowed = before !== null && before.at_ms <= at_ms && before.at_ms >= near_ms;
  const told_ms =
    isFollowed && before.since_ms === since_ms && before.hidden === hidden
      ? before.told_ms
      : toldBefore(db, near_ms, since_ms);
  longSearches.set(db, { at_ms, since_ms, told_ms, hidden });
  return told_ms;
}

/** Time of receipt of the newest present reading that shows the plant's state; null without one. */
export function toldReceipt(db: Connection): number | null {
  const receipt = presentReceipt(db);
  const told_ms = receipt === null ? null : toldTime(db, receipt);
  return told_ms === null ? null : receivedAt(db, told_ms);
}

function toldBefore(db: Connection, before_ms: number, since_ms: number): number | null {
  const last_ms = Math.max(0, before_ms - BACK_MAX_MS);
  for (let end_ms = before_ms - 1; end_ms >= last_ms; end_ms -= PIECE_MS) {
    const found = toldIn(db, { start_ms: end_ms - PIECE_MS + 1, end_ms }, since_ms);
    if (found !== null) return found;
  }
  return null;
}

function toldIn(db: Connection, range: ClosedRange, since_ms: number): number | null {
  for (const { block, from, to } of [...timeline(db, range, UNDAMAGED)].reverse()) {
    const fields = PLANT_FIELDS.map((tag) => block.values(tag));
    for (let index = to - 1; index >= from; index -= 1) {
      if (since_ms > 0 && block.received_ms(index) < since_ms) continue;
      if (fields.some((valueAt) => valueAt(index) !== null)) return block.at_ms(index);
    }
  }
  return null;
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

/**
 * Time of the newest sealed reading received since the step, for the moment when all have just been
 * sealed. Such readings are dated near the time that the clock was set to.
 */
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
