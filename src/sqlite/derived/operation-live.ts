// The operation that runs, judged as of now, for answers. It has a row, and so a number, but no
// version yet.

import type { Operation } from "../../bwts/operations/operation.ts";
import { sameOperations } from "../../bwts/operations/same-operation.ts";
import type { ShownLimits } from "../../bwts/overview/shown-limits.ts";
import { type Connection, memo } from "../file/open.ts";
import type { OperationRow } from "../records/operation-rows.ts";
import { cleanedBefore } from "./cleanings.ts";
import { judgementOf } from "./operation-judgement.ts";
import { operationsAround } from "./operation-search.ts";

/** Computed once after each commit; null if the data doesn't show it any more. */
export function liveOperation(
  db: Connection,
  { id, start_ms, operation_type }: OperationRow,
  limits: ShownLimits,
): Operation | null {
  return memo(db, `operation ${id}`, () => {
    const running = { start_ms, end_ms: null, operation_type };
    const range = { start_ms, end_ms: Number.MAX_SAFE_INTEGER };
    const { spans, now_ms, clock_steps } = operationsAround(db, range, limits);
    const span = spans.find((_, at) => sameOperations(spans, [running])[at] === 0);
    if (span === undefined) return null;
    const cleaned_ms = cleanedBefore(db, span.start_ms);
    const judgement = judgementOf(db, span, { limits, now_ms, cleaned_ms, clock_steps });
    return { id, ...judgement, readings_root: null, version: 0, versions: [] };
  });
}
