// The ship's limits that the overview compares values with, and their source, under the names of
// the configuration.

import type { WatchedLimits } from "./limit-state.ts";

/** The limits, in the configuration's units. */
export interface ShownLimits extends WatchedLimits {
  readonly uv_target: number;
  /** Maximum times for which water may be beyond a limit, or move in states without treatment. */
  readonly beyond_seconds: number;
  readonly warmup_seconds: number;
  readonly stopping_seconds: number;
  /** Source of the limits, as configured. */
  readonly source: string;
}
