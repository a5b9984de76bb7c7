// The verdict that the overview begins with: is water treated, and within the limit of its mode? It
// is never newer than the newest reading: if that is old, it tells of the silence. Pure, and
// without zod.

import { wordOf } from "../plc-word.ts";
import type { Value } from "../reading.ts";
import { indexOfTag } from "../tags.ts";
import { isTreatingState, tellsOperation } from "../treating.ts";
import type { ShownLimits } from "./shown-limits.ts";

export const VERDICTS = [
  "no_reading",
  "hidden",
  "silent",
  "idle_silent",
  "below_limit",
  "within_limit",
  "not_judged",
  "not_treating",
  "fault",
  "unknown",
] as const;

/**
 * `silent`: old, and an operation runs by events or readings; `idle_silent`: old, and none;
 * `not_judged`: water is treated, the intensity or its limit isn't known; `unknown`: the readings
 * don't tell.
 */
export type VerdictState = (typeof VERDICTS)[number];

export interface VerdictFacts {
  /** The newest values, by index into `TAGS`; null without a reading. */
  readonly values: readonly Value[] | null;
  /** The intensity, if it is as new as the reading. */
  readonly intensity_w_m2: number | null;
  /** True if the newest reading is too old to be the present. */
  readonly isOld: boolean;
  /** True if readings are hidden that would be newer. */
  readonly isHidden: boolean;
  /** True if an operation runs, by events or readings. */
  readonly isRunning: boolean;
  readonly limits: ShownLimits;
}

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");
const MODE = indexOfTag("COMPLIANCE_MODE");
/** Controller states in which no water is treated, and nothing is wrong. */
const AT_REST: ReadonlySet<string> = new Set(["IDLE", "WARMUP", "CIP", "STOPPING", "STOPPED"]);
const AT_FAULT: ReadonlySet<string> = new Set(["FAULT", "BYPASS"]);

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

export function verdictOf(facts: VerdictFacts): VerdictState {
  const { values, intensity_w_m2, isOld, isHidden, isRunning, limits } = facts;
  if (values === null) return isHidden ? "hidden" : "no_reading";
  if (isOld && isHidden) return "hidden";
  if (isOld) return isRunning ? "silent" : "idle_silent";
  const state = wordOf(values[STATE]);
  const limit = uvLimitOf(limitMode(values), limits);
  if (treatingBy(values, limits) === true) {
    if (intensity_w_m2 === null || limit === null) return "not_judged";
    return intensity_w_m2 < limit ? "below_limit" : "within_limit";
  }
  if (state === null) return values[FLOW] === null ? "unknown" : "not_treating";
  if (AT_FAULT.has(state)) return "fault";
  return AT_REST.has(state) ? "not_treating" : "unknown";
}
