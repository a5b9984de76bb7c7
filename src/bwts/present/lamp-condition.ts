// The condition of a fitted lamp in one word, as every page, answer and metric says it: by its
// status, and by its forecast. Pure, and without zod.

import type { LampStatus } from "../plc-word.ts";

/**
 * `near_end`: more likely than not it ends within the forecasts' horizon, or its light is near
 * that of the end of life; `past_life`: its own light is at or below that, though it burns;
 * `unknown`: neither its status nor a forecast tells, or its present output isn't known.
 */
export const LAMP_CONDITIONS = ["good", "near_end", "past_life", "failed", "unknown"] as const;
export type LampCondition = (typeof LAMP_CONDITIONS)[number];

/** Bases of a forecast without the lamp's own output: from the rated hours and the ship's lamps. */
export const RATED_BASES: readonly unknown[] = [
  "rated_life_prior",
  "counter_derived",
  "one_figure",
];

/** The members of a forecast that tell the condition; received ones may lack any. */
export interface LampForecastFacts {
  readonly predictions: {
    readonly expected_end?: unknown;
    readonly remaining_useful_life_hours?: unknown;
    readonly horizon_hours?: unknown;
  };
  readonly current_state: { readonly status?: unknown; readonly efficiency_percent?: unknown };
}

/** `status` is null where no reading is asked, as of a forecast by itself. */
export function lampCondition(
  status: LampStatus | null,
  forecast: LampForecastFacts | undefined,
): LampCondition {
  const { predictions = {}, current_state = {} } = forecast ?? {};
  const { expected_end, remaining_useful_life_hours: left_h, horizon_hours } = predictions;
  const isDim = current_state.status === "DEGRADED";
  const isTold = status !== null && status !== "unknown";
  // A lamp that failed stays so until another status is known of it.
  if (status === "failed" || (!isTold && expected_end === "failed")) return "failed";
  if (expected_end === "worn") return "past_life";
  if (status === "unknown") return "unknown";
  // It was fitted, or lit again, after the forecast.
  if (expected_end === "failed") return "unknown";
  // Its present output isn't known: no light came of it while water was treated.
  if (current_state.efficiency_percent === null) return "unknown";
  if (typeof left_h !== "number" || typeof horizon_hours !== "number") return "unknown";
  return left_h <= horizon_hours || isDim ? "near_end" : "good";
}
