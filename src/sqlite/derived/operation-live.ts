// The running operation, judged up to now, for answers. It has a row, and so a number, but no
// version yet.

import type { Operation } from "../../bwts/operations/operation.ts";
import { sameOperations } from "../../bwts/operations/same-operation.ts";
import { plcRange } from "../../bwts/operations/steady-time.ts";
import type { ShownLimits } from "../../bwts/present/shown-limits.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { type Connection, memo } from "../file/open.ts";
import type { OperationRow } from "../records/operation-rows.ts";
import { cleanedBefore } from "./cleanings.ts";
import { isSpoilt } from "./operation-damage.ts";
import { judgementOf } from "./operation-judgement.ts";
import { affectedOperations } from "./operation-search.ts";

/**
 * The running operation, computed once after each commit; null if the data no longer shows it.
 * Throws a DamagedError if its readings are damaged.
 */
export function liveOperation(
  db: Connection,
  row: OperationRow,
  limits: ShownLimits,
): Operation | null {
  const { id, start_ms, operation_type } = row;
  return memo(db, `operation ${id}`, () => {
    const running = { start_ms, end_ms: null, operation_type };
    const range = { start_ms, end_ms: Number.MAX_SAFE_INTEGER };
    const { spans, now_ms, clock_steps } = affectedOperations(db, range, limits);
    const span = spans.find((_, at) => sameOperations(spans, [running])[at] === 0);
    if (span === undefined) return null;
    const cleaned_ms = cleanedBefore(db, span.start_ms);
    const judgement = judgementOf(db, span, { limits, now_ms, cleaned_ms, clock_steps });
    if (isSpoilt(db, plcRange(span, clock_steps), { row, damaged_ms: [] }))
      throw new DamagedError(`operation ${id}: readings of it are damaged`);
    return { id, ...judgement, readings_root: null, version: 0, versions: [] };
  });
}
