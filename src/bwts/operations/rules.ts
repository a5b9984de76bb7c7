// THE TABLE OF RULES by which an operation is judged. A changed rule is a new version of the table,
// and verdicts name the version that made them. Version 3 believed every readable value, judged no
// water in states without treatment, and didn't add up short breaches.

import type { TagName } from "../tags.ts";

export const RULES_VERSION = 5;

/** Minimum number of readings beyond a limit for a breach; a single one gives `cannot_tell`. */
export const BREACH_READINGS = 2;
/** Share of the limit by which a value must be within it to end a breach. */
export const HYSTERESIS = 0.02;
/** Maximum time that a reading covers, as a multiple of the usual cadence. */
export const GAP_CADENCES = 5;
/**
 * Share of moving water without data above which an operation without violations is `cannot_tell`.
 */
export const UNTOLD_SHARE = 0.05;

/** Time over which a totaliser's rise is measured, unless readings are further apart. */
export const MOVING_MINUTES = 5;
/** Maximum rise of a totaliser, as a multiple of the certified flow. */
export const RISE_FACTOR = 3;

/** Maximum time between two stretches of warm-up (or stopping) that count as one. */
export const SAME_TIME_MINUTES = 5;

/**
 * Number of impossible steps of the totaliser, with a share of all steps, from which it contradicts
 * the flow (WITNESS_DIFFERENCE).
 */
export const UNEXPLAINED_STEPS = 3;
/** Difference of the two volumes above which the operation has a remark. */
export const VOLUME_DIFFERENCE = 0.02;
/** Maximum volume, as a multiple of the certified flow times the time. */
export const VOLUME_FACTOR = 1.5;

/** Time and number of readings with exactly the same value after which it is frozen, */
export const FROZEN_MINUTES = 30;
export const FROZEN_READINGS = 20;
/** if another value changed at this many readings meanwhile. */
export const FROZEN_CHANGES = 10;

const SHARE = "5 % of the time of moving water, all such reasons together";
const BEYOND = "`limits.beyond_seconds` (60 s) in all, both limits together";
const UNTREATED = "`limits.beyond_seconds` (60 s) in all";

export interface JudgingRule {
  readonly rule: string;
  readonly verdict: "outside_limits" | "cannot_tell";
  readonly parameter: TagName | null;
  /** English, for the manual and for printed pages. */
  readonly about: string;
  /** The allowed time of the rule; null without one. */
  readonly allowed: string | null;
}

export const RULES = [
  {
    rule: "uv_below_limit",
    verdict: "outside_limits",
    parameter: "UVR_INTENSITY",
    about: "the UV intensity was below the limit of the mode while water was treated",
    allowed: BEYOND,
  },
  {
    rule: "flow_above_certified",
    verdict: "outside_limits",
    parameter: "SYS_FLOW_RATE",
    about: "the flow was above the certified flow of the mode while water was treated",
    allowed: BEYOND,
  },
  {
    rule: "bypass",
    verdict: "outside_limits",
    parameter: "PROCESS_STATE",
    about: "the treatment system was bypassed (state BYPASS)",
    allowed: null,
  },
  {
    rule: "fault",
    verdict: "outside_limits",
    parameter: "PROCESS_STATE",
    about: "water was moving while the treatment system was in fault (state FAULT)",
    allowed: null,
  },
  {
    rule: "warmup_stopping",
    verdict: "outside_limits",
    parameter: "PROCESS_STATE",
    about: "water was moving for too long in the state WARMUP or STOPPING",
    allowed: "`limits.warmup_seconds`, `limits.stopping_seconds` (60 s) each time",
  },
  {
    rule: "untreated",
    verdict: "outside_limits",
    parameter: "PROCESS_STATE",
    about: "water was moving in a state that treats none (IDLE, STOPPED, STANDBY, CIP)",
    allowed: UNTREATED,
  },
  {
    rule: "uv_below_once",
    verdict: "cannot_tell",
    parameter: "UVR_INTENSITY",
    about:
      "the UV was below its limit for longer than is allowed by a single reading, or together " +
      "with water that may have moved",
    allowed: BEYOND,
  },
  {
    rule: "flow_above_once",
    verdict: "cannot_tell",
    parameter: "SYS_FLOW_RATE",
    about:
      "the flow was above the certified one for longer than is allowed by a single reading, or " +
      "together with water that may have moved",
    allowed: BEYOND,
  },
  {
    rule: "untreated_once",
    verdict: "cannot_tell",
    parameter: "PROCESS_STATE",
    about:
      "a single reading, or a totaliser across a gap, says that water moved untreated for longer " +
      "than is allowed; or it may have moved",
    allowed: "as `untreated` and `warmup_stopping`",
  },
  {
    rule: "unknown_state",
    verdict: "cannot_tell",
    parameter: "PROCESS_STATE",
    about: "water was moving in a state whose word isn't known",
    allowed: null,
  },
  {
    rule: "no_readings",
    verdict: "cannot_tell",
    parameter: null,
    about: "no reading came for more than 5 times the usual cadence",
    allowed: SHARE,
  },
  {
    rule: "clock_stepped",
    verdict: "cannot_tell",
    parameter: null,
    about: "a clock was set, and not all of the time that this concerns was seen",
    allowed: null,
  },
  {
    rule: "hidden_readings",
    verdict: "cannot_tell",
    parameter: null,
    about: "a void hides the readings",
    allowed: SHARE,
  },
  {
    rule: "no_intensity",
    verdict: "cannot_tell",
    parameter: "UVR_INTENSITY",
    about: "water was treated, and no reading told a plausible UV intensity",
    allowed: SHARE,
  },
  {
    rule: "no_flow",
    verdict: "cannot_tell",
    parameter: "SYS_FLOW_RATE",
    about:
      "no plausible flow and no totaliser was told; or no flow, and the totaliser stands while " +
      "the plant treats or is bypassed",
    allowed: SHARE,
  },
  {
    rule: "no_state",
    verdict: "cannot_tell",
    parameter: "PROCESS_STATE",
    about: "water was moving, and no state of the treatment system was told",
    allowed: SHARE,
  },
  {
    rule: "no_mode",
    verdict: "cannot_tell",
    parameter: "COMPLIANCE_MODE",
    about: "the mode wasn't told, and the value is within the limit of one mode only",
    allowed: SHARE,
  },
  {
    rule: "uv_frozen",
    verdict: "cannot_tell",
    parameter: "UVR_INTENSITY",
    about: "the UV intensity was the same to the digit for 30 min, while other values moved",
    allowed: SHARE,
  },
  {
    rule: "flow_frozen",
    verdict: "cannot_tell",
    parameter: "SYS_FLOW_RATE",
    about: "the flow was the same to the digit for 30 min, others moved, and no totaliser agreed",
    allowed: SHARE,
  },
  {
    rule: "light_without_lamps",
    verdict: "cannot_tell",
    parameter: "UVR_INTENSITY",
    about:
      "the UV intensity was within its limit with fewer than half of the lamps lit, or no power",
    allowed: SHARE,
  },
  {
    rule: "flow_contradicted",
    verdict: "cannot_tell",
    parameter: "SYS_FLOW_RATE",
    about:
      "flow and totaliser differ by more than 10 %, in all or while the totaliser shows more " +
      "than is certified; the other type's totaliser rises and its own stands; or no water " +
      "explains the totaliser",
    allowed: null,
  },
  {
    rule: "water_unseen",
    verdict: "cannot_tell",
    parameter: null,
    about: "more water may have moved in the silence before its first reading or after its last",
    allowed: null,
  },
  {
    rule: "trickle",
    verdict: "cannot_tell",
    parameter: "SYS_FLOW_RATE",
    about: "water moved too slowly to be judged: 2 % of the certified flow or less",
    allowed: "5 % of the volume",
  },
  {
    rule: "contradicted",
    verdict: "cannot_tell",
    parameter: null,
    about: "two messages of one time contradict each other, and nothing says which is right",
    allowed: UNTREATED,
  },
  {
    rule: "not_treating",
    verdict: "cannot_tell",
    parameter: "PROCESS_STATE",
    about: "no reading of the whole operation says that water was treated",
    allowed: null,
  },
] as const satisfies readonly JudgingRule[];
export type RuleId = (typeof RULES)[number]["rule"];
