// Failed writes. A disk fault passes, and every write waits for that. An internal error, or a fault
// in the data, would repeat for ever: the batch is halved until the item that can't be written is
// alone, and that item is quarantined. Internal errors are reported; repetitions within a minute
// are only counted, because a failing action may be tried every second.

import type { Reject } from "../../bwts/message.ts";
import { codeOf, messageOf } from "../../ground/errors.ts";
import { isDamage } from "./damage.ts";

export interface Faults {
  /** Reports that the action `what` failed with `error`. */
  tell(what: string, error: unknown): void;
  /** As `tell`, but ignores disk faults: those pass, and the waiting caller reports them. */
  tellOwn(what: string, error: unknown): void;
}

const AGAIN_MS = 60_000;
/**
 * Maximum number of different faults remembered; beyond it the memory is cleared, and faults are
 * reported anew.
 */
const KNOWN_MAX = 100;

/**
 * Opens the reports of faults. `report` is called with a fault and its number of occurrences since
 * the last report.
 */
export function openFaults(report: (problem: string, count: number) => void): Faults {
  const known = new Map<string, { told_ms: number; count: number }>();
  const tell = (what: string, error: unknown) => {
    const problem = `${what}: ${messageOf(error)}`;
    const now_ms = performance.now();
    const before = known.get(problem);
    const count = (before?.count ?? 0) + 1;
    if (before !== undefined && now_ms - before.told_ms < AGAIN_MS) {
      before.count = count;
      return;
    }
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(problem, { told_ms: now_ms, count: 0 });
    report(problem, count);
  };
  return {
    tell,
    tellOwn(what, error) {
      if (!isDiskFault(error)) tell(what, error);
    },
  };
}

/** SQLite's codes for a disk or a file that can't be used at present. */
const OF_SQLITE =
  /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|BUSY|LOCKED|PROTOCOL|PERM|AUTH|NOLFS|NOMEM|NOTADB)/;
/**
 * The system's codes, such as ENOSPC and EIO. Node's own codes begin with ERR_ and concern values.
 */
const OF_SYSTEM = /^E[A-Z0-9]+$/;

/** True if the disk is at fault: full, failing, read-only, locked or gone. */
export function isDiskFault(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  return OF_SQLITE.test(code) || OF_SYSTEM.test(code);
}

/** The reason for quarantine of a message that failed with `error`. */
export function rejectOf(error: unknown): Reject {
  return {
    reason: isDamage(error) ? "damaged" : "fault",
    detail: `storing it failed: ${messageOf(error)}`,
  };
}

/**
 * Applies `take` to the next `limit` items or, while it throws, to half as many. If it fails for a
 * single item too, `leave` handles that item. Throws if the disk fails.
 */
export function takeHalving<Result>(
  limit: number,
  how: { readonly take: (limit: number) => Result; readonly leave: (error: unknown) => Result },
): Result {
  try {
    return how.take(limit);
  } catch (error) {
    if (isDiskFault(error)) throw error;
    return limit > 1 ? takeHalving(limit >> 1, how) : how.leave(error);
  }
}
