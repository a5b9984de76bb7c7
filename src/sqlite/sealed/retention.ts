// Retention: raw readings that are older than the newest by more than the configured months expire,
// at most a month in a run and a day in a step. The clock, which may be wrong by years, can only
// delay expiry. A segment that has expired as a whole loses its payload but keeps its header, so
// that the chain still verifies. Events, buckets, health and predictions never expire.

import { AHEAD_MAX_MS } from "../../bwts/reading.ts";
import { DAY_MS, floorTo, MINUTE_MS, printTime } from "../../ground/clock.ts";
import { putMark } from "../file/mark.ts";
import { type Connection, prepare, write } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { isWholeReading } from "./block.ts";
import { segmentsOf } from "./segments.ts";
import {
  newestTime,
  RAW_FROM,
  rawFrom,
  STORED_UNDAMAGED,
  timeline,
  UNDAMAGED,
} from "./timeline.ts";

/** Maximum time cut in a run: a wrong clock must not cost 24 months in one night. */
const CUT_MAX_MS = 31 * DAY_MS;
/** Maximum time cut in a transaction: with a reading a second 43 segments, in some 10 ms. */
const STEP_MS = DAY_MS;

/** The result of a run of retention. */
export interface ExpiryResult {
  readonly segments: number;
  /** Raw readings before this instant have expired. */
  readonly raw_from_ms: number;
}

/** The present time, by the box's clock and by the latest certain time. */
export interface RetentionClock {
  /** The box's clock; null while it isn't trusted. */
  readonly now_ms: number | null;
  /** The latest time that is certain (src/sqlite/records/clock-trust.ts). */
  readonly lived_ms: number;
}

/** The result if nothing expires, with the reason. */
export interface KeepResult {
  readonly kept: string;
}

/**
 * Expires readings older than `months` before the newest reading, step by step; null if there are
 * none. `expired` is called after each step. Readings dated after lived time don't count, and
 * nothing expires while the newest is ahead of a trusted clock: somebody must look at it.
 */
export function* expireReadings(
  db: Connection,
  given: RetentionClock & {
    readonly months: number;
    readonly expired: (step: ExpiryResult) => void;
  },
): Generator<void, ExpiryResult | KeepResult | null> {
  let [days, segments] = [0, 0];
  let last: ExpiryResult | null = null;
  while (days * STEP_MS < CUT_MAX_MS) {
    // Examined again in each step: late readings may have come meanwhile, and are sealed first.
    const step = expireStep(db, given);
    if (step !== null && "kept" in step && last === null) return step;
    if (step === null || "kept" in step) return last;
    given.expired(step);
    days += 1;
    segments += step.segments;
    last = { ...step, segments };
    yield;
  }
  return last;
}

function expireStep(
  db: Connection,
  { months, now_ms, lived_ms }: RetentionClock & { readonly months: number },
): ExpiryResult | KeepResult | null {
  return write(db, () => {
    const segments = segmentsOf(db);
    segments.refresh();
    // Hidden readings are excluded: they may be dated far ahead.
    const newest_ms = Math.min(segments.last_ms() ?? 0, newestTime(db, UNDAMAGED) ?? 0);
    if (newest_ms === 0) return null;
    if (now_ms !== null && newest_ms > now_ms + AHEAD_MAX_MS)
      return { kept: `the newest reading is of ${printTime(newest_ms)}, ahead of the clock` };
    const now_from_ms = Math.max(rawFrom(db), floorTo(segments.first_ms() ?? 0, DAY_MS));
    const kept_from_ms = monthsBefore(Math.min(newest_ms, lived_ms), months);
    if (now_from_ms >= kept_from_ms || isOldestMisdated(db, kept_from_ms)) return null;
    // Hot readings are sealed first: their hours are summed from readings that aren't cut yet.
    const raw_from_ms = Math.min(
      kept_from_ms,
      now_from_ms + STEP_MS,
      floorTo(oldestHot(db), DAY_MS),
    );
    if (raw_from_ms <= now_from_ms) return null;
    putMark(db, RAW_FROM, raw_from_ms);
    // Segments are chosen by the proven list: a damaged column must not expire newer ones.
    const expired = segments
      .within({ start_ms: now_from_ms, end_ms: raw_from_ms - 1 })
      .filter(({ last_ms }) => last_ms < raw_from_ms);
    const expire = prepare(db, "segment.expire");
    const changes = expired.reduce((sum, { id }) => sum + expire.run({ id }).changes, 0);
    prepare(db, "reading.remove").run({ start_ms: 0, end_ms: raw_from_ms - 1 });
    return { segments: changes, raw_from_ms };
  });
}

/**
 * True if the oldest readings were dated by a clock that was wrong, perhaps by decades: they expire
 * with the first ones that the plant dated, or that came under a trusted clock.
 */
function isOldestMisdated(db: Connection, kept_from_ms: number): boolean {
  let isMisdated = false;
  // Only the ends of a stretch are examined, so that months of such readings are passed quickly.
  for (const { block, from, to } of timeline(db, EVER, STORED_UNDAMAGED))
    for (const index of [from, to - 1]) {
      const at_ms = block.at_ms(index);
      const isByReceipt = Math.abs(block.received_ms(index) - at_ms) <= MINUTE_MS;
      if (block.clock_trusted(index) || !isByReceipt) return isMisdated && at_ms >= kept_from_ms;
      isMisdated = true;
    }
  return false;
}

function oldestHot(db: Connection): number {
  // A damaged reading is never sealed, and expires as a hot row.
  for (const row of prepare(db, "reading.all").iterate({}))
    if (isWholeReading(row)) return row.at_ms;
  return Number.MAX_SAFE_INTEGER;
}

/** The start of the UTC day `months` calendar months before `at_ms`. */
export function monthsBefore(at_ms: number, months: number): number {
  const date = new Date(floorTo(at_ms, DAY_MS));
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
