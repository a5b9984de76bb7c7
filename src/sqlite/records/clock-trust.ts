// Decides whether the box's own clock can be right. It can't if it is earlier than this build, or
// than the newest receipt on disk. That time is taken from the readings themselves, so that a
// commit costs no page for it. Receipts known to be dated wrong are disowned: they no longer count.
// Lived time is the latest time that is certain, by the box's clock as far as it is believed.

import type { PlcOffset } from "../../bwts/plc-clock.ts";
import { AHEAD_MAX_MS } from "../../bwts/reading.ts";
import { type BoxClocks, DAY_MS, MINUTE_MS, printTime } from "../../ground/clock.ts";
import { type Connection, prepare, register } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { placesAfter } from "../sealed/segment-list.ts";

export interface ClockTrust {
  trusts(now_ms: number): boolean;
  /** The reason why the clock can't be right; null if it can. */
  problem(now_ms: number): string | null;
  /** Time of the newest receipt; 0 before the first. */
  newest_ms(): number;
  /** Time of this build; before it the clock isn't trusted. */
  readonly built_ms: number;
  /** Notes the time of a receipt in the current batch. */
  received(at_ms: number): void;
  /** Notes that the clock was set by `by_ms`; a step back is remembered. */
  boxStepped(by_ms: number): void;
  /** Time by which the clock is set back, net, with no evidence that it is right; 0 otherwise. */
  back_ms(): number;
  /** Notes that a person, or a second clock, has confirmed the clock. */
  confirm(): void;
  /** Disowns receipts dated after `at_ms`, in the caller's transaction; returns their range. */
  disown(disowning: Disowning): ClosedRange;
}

export interface Disowning {
  readonly at_ms: number;
  readonly reason: string;
}

/** A range of disowned times of receipt. */
export interface DisownedRange extends ClosedRange {
  readonly id: number;
  readonly reason: string;
  readonly made_ms: number;
}

export function openClockTrust(db: Connection, built_ms: number): ClockTrust {
  let stored_ms = newestReceiptOf(db);
  let newest_ms = stored_ms;
  let back_ms = prepare(db, "mark.at").get({ name: BOX_BACK })?.value ?? 0;
  register(db, {
    keep() {
      stored_ms = newest_ms;
    },
    forget() {
      newest_ms = stored_ms;
    },
  });
  return {
    built_ms,
    trusts: (now_ms) => back_ms === 0 && now_ms >= Math.max(built_ms, newest_ms),
    problem: (now_ms) =>
      clockProblem(now_ms, { built_ms, newest_ms }) ?? (back_ms === 0 ? null : setBack(back_ms)),
    boxStepped(by_ms) {
      const net_ms = back_ms - by_ms;
      back_ms = net_ms < BACK_MIN_MS ? 0 : net_ms;
    },
    back_ms: () => back_ms,
    confirm() {
      back_ms = 0;
    },
    newest_ms: () => newest_ms,
    received(at_ms) {
      newest_ms = Math.max(newest_ms, at_ms);
    },
    disown({ at_ms, reason }) {
      back_ms = 0;
      if (newest_ms <= at_ms) return { start_ms: at_ms, end_ms: at_ms };
      const { from_ms, to_ms } = receiptsAfter(db, at_ms);
      // A receipt that left no reading is known only by `newest_ms`.
      const range = { start_ms: from_ms ?? newest_ms, end_ms: Math.max(to_ms ?? 0, newest_ms) };
      const row = { from_ms: range.start_ms, to_ms: range.end_ms, made_ms: at_ms, reason };
      prepare(db, "clock.disown").run(row);
      newest_ms = newestReceiptOf(db);
      return range;
    },
  };
}

/** Name of the mark with the time by which the clock is set back, ms. */
export const BOX_BACK = "box_back_ms";
/** Minimum step back that is remembered; smaller ones are normal corrections. */
const BACK_MIN_MS = MINUTE_MS;

function setBack(back_ms: number): string {
  const minutes = Math.round(back_ms / MINUTE_MS);
  return (
    `it was set back by ${minutes} min, and nothing says that it is right: set it; if it is ` +
    "right, type ballastd clock disown --reason TEXT"
  );
}

/** The reason why a clock that shows `now_ms` can't be right; null if it can. */
export function clockProblem(
  now_ms: number,
  { built_ms, newest_ms }: { readonly built_ms: number; readonly newest_ms: number },
): string | null {
  if (now_ms < built_ms) return earlier(now_ms, "this program was built", built_ms);
  return now_ms < newest_ms ? earlier(now_ms, "the newest receipt", newest_ms) : null;
}

function earlier(now_ms: number, than: string, than_ms: number): string {
  return `it shows ${printTime(now_ms)}, earlier than ${than} (${printTime(than_ms)})`;
}

function receiptsAfter(db: Connection, after_ms: number) {
  type Ends = { readonly from_ms: number | null; readonly to_ms: number | null };
  const none: Ends = { from_ms: null, to_ms: null };
  // Read from the table of places, whose rows lie together; the segments' own rows are 60 kB apart.
  const sealed = placesAfter(db, 0).map(({ newest_received_ms }) => newest_received_ms);
  return prepare(db, "clock.receipts").get({ after_ms, sealed: JSON.stringify(sealed) }) ?? none;
}

/** Time of the newest receipt that is stored and not disowned; 0 without one. */
export function newestReceiptOf(db: Connection): number {
  return receiptsAfter(db, 0).to_ms ?? 0;
}

/** The ranges of disowned receipts, newest first. */
export function listDisowned(db: Connection): readonly DisownedRange[] {
  return prepare(db, "clock.disowned")
    .all({})
    .map(({ from_ms, to_ms, ...row }) => ({ ...row, start_ms: from_ms, end_ms: to_ms }));
}

/** Maximum jump ahead that is believed. After a longer time without power, expiry is delayed. */
const BELIEVED_MS = 7 * DAY_MS;

export interface LivedTime {
  /** Reads the clocks. Little time is lost between frequent calls. */
  look(isTrusted: boolean): void;
  at_ms(): number;
}

/**
 * Opens the lived time; `began_ms` is its value at the end of the run before; it never falls below
 * `built_ms`.
 */
export function openLivedTime(
  { began_ms, built_ms }: { readonly began_ms: number; readonly built_ms: number },
  { now_ms, steady_ms }: BoxClocks,
): LivedTime {
  let looked_ms = steady_ms();
  let at_ms = Math.max(began_ms, built_ms);
  return {
    look(isTrusted) {
      const lived_ms = at_ms + steady_ms() - looked_ms;
      looked_ms = steady_ms();
      const isBelieved = isTrusted && now_ms() <= lived_ms + BELIEVED_MS;
      at_ms = Math.max(built_ms, isBelieved ? now_ms() : lived_ms);
    },
    at_ms: () => at_ms,
  };
}

/**
 * True if the PLC's clock confirms a clock that was set back: it agrees with it now, or has the
 * same offset as before the step.
 */
export function agrees(plc: PlcOffset | null, before_ms: number | null): boolean {
  if (plc === null || plc.readings < READINGS_MIN) return false;
  const isNear = (offset_ms: number) => Math.abs(plc.offset_ms - offset_ms) <= AHEAD_MAX_MS;
  return isNear(0) || (before_ms !== null && isNear(before_ms));
}

/** Time without a step after which a clock is no longer being set. */
const STEADY_MIN_MS = 10 * MINUTE_MS;
/** Minimum number of live readings for knowing the PLC's clock. */
const READINGS_MIN = 5;
/**
 * Maximum offset of the PLC's clock, which may use another time zone. It must also be NEARER_BY
 * times nearer than the receipts.
 */
const OFFSET_MAX_MS = DAY_MS;
const NEARER_BY = 10;

/** The facts by which the box's clock may be trusted again. */
export interface Evidence {
  readonly now_ms: number;
  readonly built_ms: number;
  readonly newest_receipt_ms: number;
  readonly lived_ms: number;
  readonly plc: PlcOffset | null;
  /** Time since a clock was last set, or since the start. */
  readonly steady_for_ms: number;
}

/** The reason why receipts dated after now must be wrong; null while there is none. */
export function wrongReceiptsReason(evidence: Evidence): string | null {
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
