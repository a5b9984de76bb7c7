// Distinguishes two causes of a failed write. A fault of the disk passes, and every write waits for
// that. A fault of the data would last for ever: the batch is divided until the item that can't be
// written is alone, and that item is set aside.

import type { Reject } from "../../bwts/message.ts";
import { codeOf, messageOf } from "../../ground/errors.ts";
import { isDamage } from "./damage.ts";

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

/** The reason for setting aside a message that failed with `error`. */
export function rejectOf(error: unknown): Reject {
  return {
    reason: isDamage(error) ? "damaged" : "fault",
    detail: `storing it failed: ${messageOf(error)}`,
  };
}

/**
 * Takes the next `limit` items or, as long as `take` throws, half as many. If `take` fails for a
 * single item too, `leave` deals with that item. Throws if the disk fails.
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
