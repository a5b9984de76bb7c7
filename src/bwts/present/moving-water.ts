// Detects water that now moves in a state without treatment, by the flow of the newest readings.
// Pure, and without zod.

import type { Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { type HeldState, isMovingFlow, isUntreatedState } from "../treating.ts";
import type { ShownLimits } from "./shown-limits.ts";
import { flowLimitOf } from "./verdict.ts";

const FLOW = indexOfTag("SYS_FLOW_RATE");

/** True if water moves at this flow; null if the flow isn't known. */
export function isMoving(flow_m3_h: number | null, limits: ShownLimits): boolean | null {
  return flow_m3_h === null ? null : isMovingFlow(flow_m3_h, flowLimitOf(null, limits));
}

/**
 * Time for which water has moved untreated, in ms, up to the newest of `readings` (newest first).
 */
export function untreatedFor(
  readings: readonly HeldState[],
  limits: ShownLimits,
  operation_type: Value,
): number {
  const flows = readings.filter(({ values }) => typeof values[FLOW] === "number");
  const [newest] = flows;
  let since_ms = newest?.at_ms ?? 0;
  for (const { at_ms, values, state } of flows) {
    const moves = isMoving(Number(values[FLOW]), limits) === true;
    if (!moves || isUntreatedState(state, operation_type) !== true) break;
    since_ms = at_ms;
  }
  return (newest?.at_ms ?? 0) - since_ms;
}
