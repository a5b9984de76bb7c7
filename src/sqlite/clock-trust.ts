// Whether the box's own clock can be right: it isn't while it is earlier than this build, or than
// the newest receipt on disk. Known from the readings themselves, so that a commit costs no page
// for it.

import { type Connection, prepare } from "./open.ts";

export interface ClockTrust {
  trusts(now_ms: number): boolean;
  /** Something of the batch in hand was received then. */
  received(at_ms: number): void;
  /** The batch in hand is committed. */
  keep(): void;
  /** The batch in hand was rolled back. */
  forget(): void;
}

export function openClockTrust(db: Connection, built_ms: number): ClockTrust {
  let stored_ms = newestReceipt(db);
  let newest_ms = stored_ms;
  return {
    trusts: (now_ms) => now_ms >= Math.max(built_ms, newest_ms),
    received(at_ms) {
      newest_ms = Math.max(newest_ms, at_ms);
    },
    keep() {
      stored_ms = newest_ms;
    },
    forget() {
      newest_ms = stored_ms;
    },
  };
}

function newestReceipt(db: Connection): number {
  const newest = (name: "reading.hot" | "segment.newest_receipt") =>
    prepare<object, { newest_received_ms: number | null }>(db, name).get({})?.newest_received_ms;
  return Math.max(newest("reading.hot") ?? 0, newest("segment.newest_receipt") ?? 0);
}
