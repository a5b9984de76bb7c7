// The condition of a fitted lamp in one word, the same on every page and in every answer and
// metric: by its status, and by its forecast. Pure, and without zod.

import type { LampStatus } from "../plc-word.ts";

/**
 * Conditions. `near_end`: it will probably end within the forecasts' horizon, or its output is near
 * that of the end of life; `past_life`: it burns, with an output at or below that; `unknown`:
 * neither its status nor a forecast shows the condition, or its present output isn't known.
 */
export const LAMP_CONDITIONS = ["good", "near_end", "past_life", "failed", "unknown"] as const;
export type LampCondition = (typeof LAMP_CONDITIONS)[number];

/**
 * Bases of a forecast that lacks the lamp's own output: it is made from the rated hours and the
 * ship's other lamps.
 */
export const RATED_BASES: readonly unknown[] = [
  "rated_life_prior",
  "counter_derived",
  "one_figure",
];

/**
 * The members of a forecast that the condition is derived from; received forecasts may lack any.
 */
export interface LampForecastFacts {
  readonly predictions: {
    readonly expected_end?: unknown;
    readonly remaining_useful_life_hours?: unknown;
    readonly horizon_hours?: unknown;
  };
  readonly current_state: { readonly status?: unknown; readonly efficiency_percent?: unknown };
}

/**
 * The condition of a lamp; `status` is null if no reading is considered, as for a forecast by
 * itself.
 */
export function lampCondition(
  status: LampStatus | null,
  forecast: LampForecastFacts | undefined,
): LampCondition {
  const { predictions = {}, current_state = {} } = forecast ?? {};
  const { expected_end, remaining_useful_life_hours: left_h, horizon_hours } = predictions;
  const isDim = current_state.status === "DEGRADED";
  const isTold = status !== null && status !== "unknown";
  // A failed lamp stays failed until another status is known.
  if (status === "failed" || (!isTold && expected_end === "failed")) return "failed";
  if (expected_end === "worn") return "past_life";
  if (status === "unknown") return "unknown";
  // The lamp was fitted, or lit again, after the forecast.
  if (expected_end === "failed") return "unknown";
  // Its present output isn't known: it gave no light while water was treated.
  if (current_state.efficiency_percent === null) return "unknown";
  if (typeof left_h !== "number" || typeof horizon_hours !== "number") return "unknown";
  return left_h <= horizon_hours || isDim ? "near_end" : "good";
}
