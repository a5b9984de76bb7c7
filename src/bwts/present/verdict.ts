// The words of the verdict, the limits that count in a compliance mode, and if the newest values
// tell that water is treated. present.ts derives the verdict from them. Pure, and without
// zod.

import { wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { isTreatingState, isUntreatedState, tellsOperation } from "../treating.ts";
import type { ShownLimits } from "./shown-limits.ts";

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const MODE = indexOfTag("COMPLIANCE_MODE");

/**
 * `quarantined`: messages come, none of them is taken, and so the present isn't known; `silent`:
 * old, and an operation runs by events or readings; `idle_silent`: old, and none; `ahead`: dated
 * later than now; `below_limit`, `above_flow`, `untreated`: outside, the last one because water
 * moves in a state in which none is treated; `no_flow`: the plant runs, and no water moves;
 * `not_judged`: water is treated, and `because` says what isn't known; `unknown`: nor if it is
 * treated.
 */
export const VERDICTS = [
  "no_reading",
  "quarantined",
  "hidden",
  "silent",
  "idle_silent",
  "ahead",
  "below_limit",
  "above_flow",
  "untreated",
  "within_limit",
  "no_flow",
  "not_judged",
  "not_treating",
  "fault",
  "unknown",
] as const;
export type VerdictState = (typeof VERDICTS)[number];

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
  // A state that nobody knows: water may be treated in it.
  if (wordOf(values[STATE]) !== null && isUntreatedState(values[STATE], null) === null) return null;
  return isTreatingState(values[STATE], values[FLOW], limits);
}
