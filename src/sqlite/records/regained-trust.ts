// Decides when a box's clock that was years ahead, and is right again, can be trusted. One message
// received meanwhile would otherwise keep it untrusted for those years. Once no clock was set for
// STEADY_MIN_MS, agreement with lived time (lived-time.ts) or with the PLC's clock is evidence that
// the clock is right and those receipts are wrong.

import type { PlcOffset } from "../../bwts/plc-clock.ts";
import { DAY_MS, MINUTE_MS } from "../../ground/clock.ts";
import { BELIEVED_MS } from "./lived-time.ts";

/** After this time without a step nobody is setting a clock any more. */
export const STEADY_MIN_MS = 10 * MINUTE_MS;
/** Live readings needed to know the PLC's clock. */
const READINGS_MIN = 5;
/** The PLC may use another time zone, but it must be much nearer than the receipts are. */
const OFFSET_MAX_MS = DAY_MS;
const NEARER_BY = 10;

/** The facts from which trust is decided. */
export interface Evidence {
  readonly now_ms: number;
  readonly built_ms: number;
  readonly newest_receipt_ms: number;
  readonly lived_ms: number;
  readonly plc: PlcOffset | null;
  /** Time since a clock was set, or since the start. */
  readonly steady_for_ms: number;
}

/** The reason why receipts dated after now must be wrong; null while there is none. */
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
