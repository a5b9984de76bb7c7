// Records that versions of verdicts left the ship: in their rows, and as a statement of the ledger.
// By the statement an altered row is detected, and a lost one restored.

import { withoutDamage } from "../file/damage.ts";
import { appendStatement, leavesOf } from "../file/ledger.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { withRowChecksum } from "../file/row-checksum.ts";
import { appendGivenOut } from "./given-statements.ts";
import { allVersions, type VersionRow, verdictStatement, versionsOf } from "./operation-rows.ts";
import { isWaiting } from "./waiting-operations.ts";

/**
 * Records that the newest versions of operations left the ship, in the caller's transaction: those
 * of `ids` or, if that is null, all that touch the range. Damaged ones, and those that wait to be
 * judged again, are left out, because they are answered without a verdict.
 */
export function giveOut(
  db: Connection,
  { ids, range }: { readonly ids: readonly number[] | null; readonly range: ClosedRange },
  at_ms: number,
): void {
  const isAsked = new Set(ids);
  const given = prepare(db, "operation.kept")
    .all(range)
    .filter(({ id }) => ids === null || isAsked.has(id))
    .filter(({ start_ms, end_ms, verdict, made_ms }) => {
      const isWithin = verdict === "within_limits";
      return !isWithin || !isWaiting(db, { start_ms, end_ms: end_ms ?? start_ms, made_ms });
    })
    .flatMap(({ id }) => withoutDamage(db, () => versionsOf(db, id).at(-1) ?? null) ?? []);
  if (given.length === 0) return;
  appendGivenOut(
    db,
    given.map(({ ledger_number }) => ledger_number),
    at_ms,
  );
  for (const row of given) markVersion(db, { ...row, given_out_ms: at_ms });
}

/** States all versions again in a tree without any, in the caller's transaction. */
export function restateVerdicts(db: Connection): void {
  if (leavesOf(db, "verdict") > 0) return;
  const rows = [...allVersions(db)];
  const given = new Map<number, number[]>();
  for (const row of rows.sort((one, other) => one.ledger_number - other.ledger_number)) {
    const ledger_number = appendStatement(db, "verdict", verdictStatement(row));
    markVersion(db, { ...row, ledger_number });
    if (row.given_out_ms === null) continue;
    const together = given.get(row.given_out_ms) ?? [];
    given.set(row.given_out_ms, together);
    together.push(ledger_number);
  }
  for (const [at_ms, verdicts] of [...given].sort(([one], [other]) => one - other))
    appendGivenOut(db, verdicts, at_ms);
}

function markVersion(db: Connection, { checksum: _, ...row }: VersionRow): void {
  prepare(db, "operation.mark_version").run(withRowChecksum(row));
}
