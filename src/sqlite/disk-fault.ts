// Why something couldn't be written: because of the disk, which passes and for which everybody
// waits, or because of what was to be written, which would fail for ever. That is taken apart until
// what can't be written stands alone, and set aside.

import type { Reject } from "../bwts/message.ts";
import { codeOf, messageOf } from "../errors.ts";
import { isDamage } from "./damage.ts";

/** SQLite's codes for a disk or a file that can't be used now, or as a whole. */
const OF_SQLITE =
  /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|BUSY|LOCKED|PROTOCOL|PERM|AUTH|NOLFS|NOMEM|NOTADB)/;
/** The system's codes: ENOSPC, EIO. Node's own begin with ERR_ and tell of values. */
const OF_SYSTEM = /^E[A-Z0-9]+$/;

/** Whether an error is the disk's: full, failing, read-only, locked or gone. */
export function isDiskFault(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  return OF_SQLITE.test(code) || OF_SYSTEM.test(code);
}

/** Why a message is set aside that failed by `error`. */
export function rejectOf(error: unknown): Reject {
  return {
    reason: isDamage(error) ? "damaged" : "fault",
    detail: `storing it failed: ${messageOf(error)}`,
  };
}

/**
 * What `take` gives for as many of the next things as can be taken together, `limit` at most; where
 * the first of them can't be taken at all, what `leave` gives. Throws where the disk fails.
 */
export function takenApart<Result>(
  limit: number,
  how: { readonly take: (limit: number) => Result; readonly leave: (error: unknown) => Result },
): Result {
  try {
    return how.take(limit);
  } catch (error) {
    if (isDiskFault(error)) throw error;
    return limit > 1 ? takenApart(limit >> 1, how) : how.leave(error);
  }
}
