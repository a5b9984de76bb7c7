// The facts that are missing for a verdict of the present, and the reason why a present value is
// missing. Pure, and without zod.

import type { Doubt } from "../plausible.ts";

/** The facts that may be missing for a verdict. */
export const LACKING = [
  "no_light",
  "light_doubted",
  "light_bad_quality",
  "light_frozen",
  "no_flow_value",
  "flow_doubted",
  "flow_bad_quality",
  "flow_frozen",
  "no_mode",
  "odd_mode",
  "no_state",
  "odd_state",
  "moving",
  "clock",
  "two_clocks",
  "lately_outside",
  "late",
  "cut",
] as const;
export type Lacking = (typeof LACKING)[number];

/** A present measured value, or null and the reason why there is none. */
export interface PresentValue {
  readonly value: number | null;
  /**
   * Reason why the value that was sent isn't believed; null if none was sent, or if it is believed.
   */
  readonly doubt: Doubt | null;
}

/** The missing fact for a missing value, by the reason. */
type LackingValue = Readonly<Record<"none" | Doubt, Lacking>>;

export const LIGHT_LACKING: LackingValue = {
  none: "no_light",
  implausible: "light_doubted",
  bad_quality: "light_bad_quality",
};
export const FLOW_LACKING: LackingValue = {
  none: "no_flow_value",
  implausible: "flow_doubted",
  bad_quality: "flow_bad_quality",
};

export function lacking({ value, doubt }: PresentValue, words: LackingValue): readonly Lacking[] {
  return value === null ? [words[doubt ?? "none"]] : [];
}
