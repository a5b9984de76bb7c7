// The words of the present's answers: verdicts, things to do, and whether the operation can be
// finished. The page has them too, and nothing else of these rules. Without zod.

/**
 * Verdicts. `quarantined`: all messages that arrive are quarantined, so the present isn't known;
 * `silent`: readings are old, and an operation runs by events or readings; `idle_silent`: old, and
 * none runs; `ahead`: dated later than now; `below_limit`, `above_flow`, `untreated`: outside
 * limits, the last because water moves in a state without treatment; `no_flow`: the plant runs, but
 * no water moves; `not_judged`: water is treated, and `because` lists the missing facts; `unknown`:
 * it isn't known if water is treated.
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

/** The things to do because of alerts, operations, the plant, lamps and ballastd itself. */
export const FOUND_TO_DO = [
  "alerts",
  "operation_outside",
  "operation_unclear",
  "ended_outside",
  "ended_unclear",
  "plant_fault",
  "lamps_failed",
  "lamps_past_life",
  "lamps_unknown",
  "low_light",
  "forecasts_suspended",
  "not_ready",
  "damage",
] as const;
export type FoundToDo = (typeof FOUND_TO_DO)[number];

/** All things to do, with which there is no tick; the last ones by the light. */
export const TO_DO = [...FOUND_TO_DO, "cannot_finish", "light_jumped"] as const;
export type ToDo = (typeof TO_DO)[number];

/** Prospects of finishing the operation. */
export const FINISH_WORDS = ["yes", "perhaps", "no", "unknown"] as const;
