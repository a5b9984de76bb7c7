// THE TABLE OF RULES by which an operation is judged. A change of a rule is a new version of the
// table: verdicts name the version that they were made by.

import type { TagName } from "../tags.ts";

export const RULES_VERSION = 3;

/** A breach counts from so many seconds or readings on, whichever is longer. */
export const BREACH_SECONDS = 30;
export const BREACH_READINGS = 2;
/** A breach is over when the value is within the limit by this share of it. */
export const HYSTERESIS = 0.02;
/** Longer than so many times the usual cadence without a reading is a gap. */
export const GAP_CADENCES = 5;
/** More than this share of the time untold, and nothing outside: it can't be told. */
export const UNTOLD_SHARE = 0.05;
/** Totaliser and integrated flow may differ by this share. */
export const VOLUME_DIFFERENCE = 0.02;

export interface JudgingRule {
  readonly rule: string;
  readonly verdict: "outside_limits" | "cannot_tell";
  readonly parameter: TagName | null;
  /** English, for the manual and for printed pages. */
  readonly about: string;
}

export const RULES = [
  {
    rule: "uv_below_limit",
    verdict: "outside_limits",
    parameter: "UVR_INTENSITY",
    about: "the UV intensity was below the limit of the mode while water was treated",
  },
  {
    rule: "flow_above_certified",
    verdict: "outside_limits",
    parameter: "SYS_FLOW_RATE",
    about: "the flow was above the certified flow of the mode while water was treated",
  },
  {
    rule: "bypass",
    verdict: "outside_limits",
    parameter: "PROCESS_STATE",
    about: "the treatment system was bypassed (state BYPASS)",
  },
  {
    rule: "fault",
    verdict: "outside_limits",
    parameter: "PROCESS_STATE",
    about: "water was moving while the treatment system was in fault (state FAULT)",
  },
  {
    rule: "no_readings",
    verdict: "cannot_tell",
    parameter: null,
    about: "no reading came for more than 5 times the usual cadence",
  },
  {
    rule: "clock_stepped",
    verdict: "cannot_tell",
    parameter: null,
    about: "a clock was set, and not all of the time that this concerns was seen",
  },
  {
    rule: "hidden_readings",
    verdict: "cannot_tell",
    parameter: null,
    about: "a void hides the readings",
  },
  {
    rule: "no_intensity",
    verdict: "cannot_tell",
    parameter: "UVR_INTENSITY",
    about: "water was treated, and no reading told the UV intensity",
  },
  {
    rule: "no_mode",
    verdict: "cannot_tell",
    parameter: "COMPLIANCE_MODE",
    about: "the mode wasn't told, and the value is within the limit of one mode only",
  },
  {
    rule: "not_treating",
    verdict: "cannot_tell",
    parameter: "PROCESS_STATE",
    about: "no reading of the whole operation says that water was treated",
  },
] as const satisfies readonly JudgingRule[];
export type RuleId = (typeof RULES)[number]["rule"];
