// THE TABLE OF RULES by which an operation is judged. A change of a rule is a new version of the
// table: verdicts name the version that they were made by. Version 3 believed whatever could be
// read, judged no water in states that treat none, and had no sum of short breaches.

import type { TagName } from "../tags.ts";

export const RULES_VERSION = 5;

/** A breach of more than the allowed time counts with so many readings beyond; one can't tell. */
export const BREACH_READINGS = 2;
/** A breach is over when the value is within the limit by this share of it. */
export const HYSTERESIS = 0.02;
/** A reading stands for the time until the next one, at most so many times the usual cadence. */
export const GAP_CADENCES = 5;
/** Share of moving water's time without data above which nothing outside is `cannot_tell`. */
export const UNTOLD_SHARE = 0.05;

/** The totaliser's rise is looked at over this time, or from reading to reading. */
export const MOVING_MINUTES = 5;
/** No totaliser rises by more than this multiple of the certified flow. */
export const RISE_FACTOR = 3;

/** Stretches of warm-up (or stopping) with a shorter time between them are one time of it. */
export const SAME_TIME_MINUTES = 5;

/**
 * Totaliser and flow contradict each other (WITNESS_DIFFERENCE) also if no water explains so many
 * steps of the totaliser, and this share of them all.
 */
export const UNEXPLAINED_STEPS = 3;
/** More than this is a remark. */
export const VOLUME_DIFFERENCE = 0.02;
/** No volume is above this multiple of the certified flow times the time. */
export const VOLUME_FACTOR = 1.5;

/** A value that is the same to the digit for so long and so many readings is frozen, */
export const FROZEN_MINUTES = 30;
export const FROZEN_READINGS = 20;
/** if another one changed at so many readings meanwhile. */
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
  /** The time that is allowed before it counts; null: none. */
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
