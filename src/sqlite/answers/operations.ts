// Operations as /api/operations answers them: of one that is judged the newest version, with all
// its versions; one that runs is judged as of now.

import type { Operation } from "../../bwts/operations/operation.ts";
import type { ShownLimits } from "../../bwts/overview/shown-limits.ts";
import { liveOperation } from "../derived/operation-live.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, type Newest, type Range } from "../file/query.ts";
import { type OperationRow, operationRow, storedOperation } from "../records/operation-rows.ts";
import { rawFrom } from "../sealed/timeline.ts";

/** The newest operations that touch a range; null for any type, place or verdict. */
export interface OperationsAsked extends Newest {
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly verdict: string | null;
}

/** Newest first. A damaged one is left out, and the damage is noted. */
export function* shownOperations(
  db: Connection,
  { range, ...asked }: OperationsAsked,
  limits: ShownLimits,
): Generator<Operation> {
  for (const { id } of prepare(db, "operation.page").all({ ...closed(range), ...asked })) {
    const operation = withoutDamage(db, () => shownOperation(db, id, limits));
    if (operation !== null) yield operation;
  }
}

/** More than a ship has in the years that a record book is kept. */
const STARTED_MAX = 10_000;

/**
 * Operations that start in a range, oldest first. Throws a DamagedError if one is damaged: a draft,
 * or a comparison, that lacks it in silence would be wrong.
 */
export function startedIn(db: Connection, range: Range, limits: ShownLimits): readonly Operation[] {
  const all = { operation_type: null, location: null, verdict: null, limit: STARTED_MAX };
  const { start_ms } = closed(range);
  const rows = prepare(db, "operation.page").all({ ...closed(range), ...all });
  const found = rows.flatMap(({ id }) => shownOperation(db, id, limits) ?? []);
  return found.filter(({ start }) => Date.parse(start) >= start_ms).reverse();
}

/** One of them; null if there is none. Throws a DamagedError if it is damaged. */
export function shownOperation(db: Connection, id: number, limits: ShownLimits): Operation | null {
  return db.transaction(() => {
    const row = operationRow(db, id);
    if (row === null) return null;
    return row.version === 0 ? liveOperation(db, row, limits) : judgedOperation(db, row);
  })();
}

function judgedOperation(db: Connection, { id, start_ms }: OperationRow): Operation | null {
  const operation = storedOperation(db, id);
  if (operation === null || start_ms >= rawFrom(db)) return operation;
  return { ...operation, remarks: [...operation.remarks, "readings_expired"] };
}
