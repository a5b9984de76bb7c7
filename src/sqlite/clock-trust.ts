// Whether the box's own clock can be right: it isn't while it is earlier than this build, or than
// the newest receipt on disk. Known from the readings themselves, so that a commit costs no page
// for it.

import { printTime } from "../clock.ts";
import { type Connection, prepare } from "./open.ts";
import { register } from "./transaction.ts";

export interface ClockTrust {
  trusts(now_ms: number): boolean;
  /** Why it can't be right, in words; null when it can. */
  problem(now_ms: number): string | null;
  /** The newest receipt; 0 before the first. */
  newest_ms(): number;
  /** Something of the batch in hand was received then. */
  received(at_ms: number): void;
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
    trusts: (now_ms) => now_ms >= Math.max(built_ms, newest_ms),
    problem(now_ms) {
      if (now_ms < built_ms) return earlier(now_ms, "this program was built", built_ms);
      return now_ms < newest_ms ? earlier(now_ms, "the newest receipt", newest_ms) : null;
    },
    newest_ms: () => newest_ms,
    received(at_ms) {
      newest_ms = Math.max(newest_ms, at_ms);
    },
  };
}

function earlier(now_ms: number, than: string, than_ms: number): string {
  return `it says ${printTime(now_ms)}, earlier than ${than} (${printTime(than_ms)})`;
}

/** When the newest of what is stored was received; 0 for nothing. */
export function newestReceiptOf(db: Connection): number {
  const newest = (name: "reading.hot" | "segment.newest_receipt") =>
    prepare<object, { newest_received_ms: number | null }>(db, name).get({})?.newest_received_ms;
  return Math.max(newest("reading.hot") ?? 0, newest("segment.newest_receipt") ?? 0);
}
