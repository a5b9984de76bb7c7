// Decides whether the box's own clock can be right. It can't if it is earlier than this build, or
// than the newest receipt on disk. The readings themselves tell, so that a commit costs no page for
// it. Receipts with a time known to be wrong are disowned: they no longer count.

import { printTime } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { register } from "../file/transaction.ts";

export interface ClockTrust {
  trusts(now_ms: number): boolean;
  /** The reason why the clock can't be right; null if it can. */
  problem(now_ms: number): string | null;
  /** Time of the newest receipt; 0 before the first. */
  newest_ms(): number;
  /** The clock isn't trusted before this time. */
  readonly built_ms: number;
  /** Notes the time of a receipt in the current batch. */
  received(at_ms: number): void;
  /** Disowns receipts dated after `at_ms`, in the caller's transaction; returns their range. */
  disown(disowning: Disowning): ClosedRange;
}

export interface Disowning {
  readonly at_ms: number;
  readonly reason: string;
}

/** A range of disowned times of receipt. */
export interface StoredDisowned extends ClosedRange {
  readonly id: number;
  readonly reason: string;
  readonly made_ms: number;
}

export function openClockTrust(db: Connection, built_ms: number): ClockTrust {
  let stored_ms = newestReceiptOf(db);
  let newest_ms = stored_ms;
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
    trusts: (now_ms) => now_ms >= Math.max(built_ms, newest_ms),
    problem(now_ms) {
      if (now_ms < built_ms) return earlier(now_ms, "this program was built", built_ms);
      return now_ms < newest_ms ? earlier(now_ms, "the newest receipt", newest_ms) : null;
    },
    newest_ms: () => newest_ms,
    received(at_ms) {
      newest_ms = Math.max(newest_ms, at_ms);
    },
    disown({ at_ms, reason }) {
      const { from_ms, to_ms } = receiptsAfter(db, at_ms);
      // A receipt that left no reading is known only from `newest_ms`.
      const range = { start_ms: from_ms ?? newest_ms, end_ms: Math.max(to_ms ?? 0, newest_ms) };
      const row = { from_ms: range.start_ms, to_ms: range.end_ms, made_ms: at_ms, reason };
      prepare(db, "clock.disown").run(row);
      newest_ms = newestReceiptOf(db);
      return range;
    },
  };
}

function earlier(now_ms: number, than: string, than_ms: number): string {
  return `it shows ${printTime(now_ms)}, earlier than ${than} (${printTime(than_ms)})`;
}

function receiptsAfter(db: Connection, after_ms: number) {
  type Ends = { readonly from_ms: number | null; readonly to_ms: number | null };
  const none: Ends = { from_ms: null, to_ms: null };
  return prepare(db, "clock.receipts").get({ after_ms }) ?? none;
}

/** Time of the newest receipt that is stored and not disowned; 0 without one. */
export function newestReceiptOf(db: Connection): number {
  return receiptsAfter(db, 0).to_ms ?? 0;
}

/** The ranges of disowned receipts, newest first. */
export function listDisowned(db: Connection): readonly StoredDisowned[] {
  return prepare(db, "clock.disowned")
    .all({})
    .map(({ from_ms, to_ms, ...row }) => ({ ...row, start_ms: from_ms, end_ms: to_ms }));
}
