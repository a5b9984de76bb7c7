// The operations of the inspected period, as the list of operations has them. A damaged one is only
// counted: the sheet has no row for an operation that can't be read.

import type { Operation } from "../../bwts/operations/operation.ts";
import type { ShownLimits } from "../../bwts/present/shown-limits.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { damagedOperation, shownOperation } from "./operations.ts";

interface InspectedOperations {
  /** The operations that can be read, newest first. */
  readonly operations: readonly Operation[];
  /** Number of further operations, whose rows are damaged. */
  readonly unreadable: number;
}

export function inspectedOperations(
  db: Connection,
  range: ClosedRange,
  limits: ShownLimits,
): InspectedOperations {
  const rows = prepare(db, "operation.touching").all(range);
  const all = rows.toReversed().map(({ id }) => {
    const shown = withoutDamage(db, () => [shownOperation(db, id, limits)]);
    return shown ?? repeated(db, id, limits);
  });
  return {
    operations: all.flatMap((one) => one ?? []).filter((one) => one !== null),
    unreadable: all.filter((one) => one === null).length,
  };
}

/** The operation from its versions if only its row is damaged; null if the versions are too. */
function repeated(
  ...asked: Parameters<typeof damagedOperation>
): readonly (Operation | null)[] | null {
  const operation = damagedOperation(...asked);
  return operation === null || operation.remarks.includes("damaged") ? null : [operation];
}
