// The limits that apply in a compliance mode, and whether the newest values show treatment.
// present.ts derives the verdict from them. Pure, and without zod.

import { wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { isTreatingState, isUntreatedState, tellsOperation } from "../treating.ts";
import type { ShownLimits } from "./shown-limits.ts";

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const MODE = indexOfTag("COMPLIANCE_MODE");

export type LimitMode = "IMO" | "USCG";

/** The compliance mode of the values; null for an unknown word, and without one. */
export const limitMode = (values: readonly Value[]) => modeNamed(values[MODE]);

export function modeNamed(value: Value): LimitMode | null {
  const mode = wordOf(value);
  return mode === "IMO" || mode === "USCG" ? mode : null;
}

/** The minimum UV intensity of a mode; null without a mode. */
export function uvLimitOf(mode: LimitMode | null, limits: ShownLimits): number | null {
  if (mode === null) return null;
  return mode === "IMO" ? limits.uv_imo : limits.uv_uscg;
}

/**
 * The maximum certified flow of a mode. Without a mode the larger one: a flow above it is certified
 * in none.
 */
export function flowLimitOf(mode: LimitMode | null, limits: ShownLimits): number {
  const { flow_max_imo, flow_max_uscg } = limits;
  if (mode === null) return Math.max(flow_max_imo, flow_max_uscg);
  return mode === "IMO" ? flow_max_imo : flow_max_uscg;
}

/** True if water is treated by the values; null if they don't show it. */
export function treatingBy(values: readonly Value[], limits: ShownLimits): boolean | null {
  if (!tellsOperation({ values })) return null;
  // In an unknown state water may be treated.
  if (wordOf(values[STATE]) !== null && isUntreatedState(values[STATE], null) === null) return null;
  return isTreatingState(values[STATE], values[FLOW], limits);
}
