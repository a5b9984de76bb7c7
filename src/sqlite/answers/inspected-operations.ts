// The operations of the inspected period: each as its newest version has it, one that runs as it is
// judged now. One that waits to be judged again has no verdict: that of before may be by limits
// that no longer count. A damaged one is counted, and the damage is noted.

import type { Operation } from "../../bwts/operations/operation.ts";
import type { ShownLimits } from "../../bwts/overview/shown-limits.ts";
import { liveOperation } from "../derived/operation-live.ts";
import { waitingIn } from "../derived/waiting-operations.ts";
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
  const isWaiting = waitingIn(db);
  const all = rows.toReversed().map((row) =>
    withoutDamage(db, () => {
      if (row.version === 0) return [liveOperation(db, row, limits)];
      const stored = storedOperation(db, row.id);
      return [stored !== null && waits(stored, isWaiting) ? unjudged(stored) : stored];
    }),
  );
  return {
    operations: all.flatMap((one) => one ?? []).filter((one) => one !== null),
    unreadable: all.filter((one) => one === null).length,
  };
}

function waits({ start, end }: Operation, isWaiting: ReturnType<typeof waitingIn>): boolean {
  const [start_ms, end_ms] = [Date.parse(start), Date.parse(end ?? start)];
  return isWaiting({ start_ms, end_ms });
}

const unjudged = (operation: Operation): Operation => ({
  ...operation,
  ...{ version: 0, verdict: null, verdict_with_hidden: null, reasons: [] },
});
