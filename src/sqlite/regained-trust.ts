// When the box's clock is right again though something was received at a later time: it was years
// ahead then, and one message received meanwhile would keep it from being trusted for those years.
// What vouches for it now, while it has run on steadily, is the time that was lived through or the
// PLC's own clock.

import type { PlcOffset } from "../bwts/plc-clock.ts";
import { DAY_MS, MINUTE_MS } from "../clock.ts";
import { BELIEVED_MS } from "./lived-time.ts";

/** So long no clock was set: whoever sets one has done. */
export const STEADY_MIN_MS = 10 * MINUTE_MS;
/** Live readings that tell the PLC's clock. */
const READINGS_MIN = 5;
/** The PLC may be in another time zone, but it must be much nearer than the receipts are. */
const OFFSET_MAX_MS = DAY_MS;
const NEARER_BY = 10;

/** What is known when trust is asked for. */
export interface Evidence {
  readonly now_ms: number;
  readonly built_ms: number;
  readonly newest_receipt_ms: number;
  readonly lived_ms: number;
  readonly plc: PlcOffset | null;
  /** Since a clock was set, or since the start. */
  readonly steady_for_ms: number;
}

/** Why what was received later than now can't have been; null while nothing vouches for it. */
export function vouches(evidence: Evidence): string | null {
  const { now_ms, built_ms, newest_receipt_ms, lived_ms, plc, steady_for_ms } = evidence;
  const ahead_ms = newest_receipt_ms - now_ms;
  if (ahead_ms <= 0 || now_ms < built_ms || steady_for_ms < STEADY_MIN_MS) return null;
  const isReceiptAhead = newest_receipt_ms > lived_ms + BELIEVED_MS;
  if (isReceiptAhead && Math.abs(now_ms - lived_ms) <= BELIEVED_MS)
    return "the clock agrees with the time that was lived through, and those receipts don't";
  if (plc === null || plc.readings < READINGS_MIN) return null;
  const isLive = Math.abs(now_ms - plc.as_of_ms) <= STEADY_MIN_MS;
  const near_ms = Math.min(OFFSET_MAX_MS, ahead_ms / NEARER_BY);
  return isLive && Math.abs(plc.offset_ms) <= near_ms
    ? "the clock agrees with the PLC's, and those receipts don't"
    : null;
}
