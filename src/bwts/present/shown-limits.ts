// The ship's limits that the overview shows values against, and their source. The configuration has
// them under these names.

import type { WatchedLimits } from "./limit-state.ts";

/** Units as in the configuration. */
export interface ShownLimits extends WatchedLimits {
  readonly uv_target: number;
  /** Times for which water may be beyond a limit, or move in states that treat none. */
  readonly beyond_seconds: number;
  readonly warmup_seconds: number;
  readonly stopping_seconds: number;
  /** As the configuration says. */
  readonly source: string;
}
