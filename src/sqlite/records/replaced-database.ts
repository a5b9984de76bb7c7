// The times at which the database wasn't the one signed here before: it was put back, copied, or
// rewritten. Each is a statement of the ledger, and an alert that a person closes. The inspection
// sheet lists them, because operations may be lost with the replaced database.

import { isReplaced } from "../../ledger/key-statement.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { keyStatements } from "./key-statements.ts";

export const REPLACED_CODE = "HISTORY_REPLACED";

export interface ReplacedHistory {
  /** The number of the statement about the key. */
  readonly number: number;
  readonly at: string;
  readonly reason: string;
  /**
   * Size of the newest head that was signed before and isn't in this tree; null if there is none.
   */
  readonly lost_size: number | null;
}

/** The replacements, in their order; none if the statements are damaged. */
export function replacedHistories(db: Connection): readonly ReplacedHistory[] {
  const statements = withoutDamage(db, () => keyStatements(db)) ?? [];
  return statements.flatMap((said, place) => {
    if (!isReplaced(said)) return [];
    const { at, reason, follows } = said;
    return [{ number: place + 1, at, reason, lost_size: follows?.size ?? null }];
  });
}

/** Replacements without an alert so far. */
export function unreportedReplacements(db: Connection): readonly ReplacedHistory[] {
  const last = prepare(db, "alarm.last");
  return replacedHistories(db).filter(
    ({ number }) => last.get({ code: REPLACED_CODE, about: `key ${number}` }) === undefined,
  );
}
