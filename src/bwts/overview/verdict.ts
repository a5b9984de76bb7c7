// The limits that count in a compliance mode, and if the newest values tell that water is treated.
// The verdict that follows from them is in present.ts. Pure, and without zod.

import { wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { isTreatingState, tellsOperation } from "../treating.ts";
import type { ShownLimits } from "./shown-limits.ts";

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const MODE = indexOfTag("COMPLIANCE_MODE");

export type LimitMode = "IMO" | "USCG";

/** The compliance mode; null for another word, and for none. */
export const limitMode = (values: readonly Value[]) => modeNamed(values[MODE]);

export function modeNamed(value: Value): LimitMode | null {
  const mode = wordOf(value);
  return mode === "IMO" || mode === "USCG" ? mode : null;
}

/** The lowest intensity of a mode; null without one. */
export function uvLimitOf(mode: LimitMode | null, limits: ShownLimits): number | null {
  if (mode === null) return null;
  return mode === "IMO" ? limits.uv_imo : limits.uv_uscg;
}

/** The certified flow of a mode; without one the larger: above it the flow is certified in none. */
export function flowLimitOf(mode: LimitMode | null, limits: ShownLimits): number {
  const { flow_max_imo, flow_max_uscg } = limits;
  if (mode === null) return Math.max(flow_max_imo, flow_max_uscg);
  return mode === "IMO" ? flow_max_imo : flow_max_uscg;
}

/** Null if the values don't tell. */
export function treatingBy(values: readonly Value[], limits: ShownLimits): boolean | null {
  if (!tellsOperation({ values })) return null;
  return isTreatingState(values[STATE], values[FLOW], limits);
}
