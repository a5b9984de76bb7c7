// The operations of the inspected period: each as its newest version has it, one that runs as it is
// judged now. A damaged one is counted, and the damage is noted.

import type { Operation } from "../../bwts/operations/operation.ts";
import type { ShownLimits } from "../../bwts/overview/shown-limits.ts";
import { liveOperation } from "../derived/operation-live.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { storedOperation } from "../records/operation-rows.ts";

interface InspectedOperations {
  /** Newest first. */
  readonly operations: readonly Operation[];
  /** Further ones, whose rows are damaged. */
  readonly unreadable: number;
}

export function inspectedOperations(
  db: Connection,
  range: ClosedRange,
  limits: ShownLimits,
): InspectedOperations {
  const rows = prepare(db, "operation.touching").all(range);
  const all = rows
    .toReversed()
    .map((row) =>
      withoutDamage(db, () => [
        row.version === 0 ? liveOperation(db, row, limits) : storedOperation(db, row.id),
      ]),
    );
  return {
    operations: all.flatMap((one) => one ?? []).filter((one) => one !== null),
    unreadable: all.filter((one) => one === null).length,
  };
}
