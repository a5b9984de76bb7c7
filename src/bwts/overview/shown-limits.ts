// The ship's limits that the overview shows values against, and their source. The configuration has
// them under these names.

import type { WatchedLimits } from "../alerts/limit-state.ts";

/** Units as in the configuration. */
export interface ShownLimits extends WatchedLimits {
  readonly uv_target: number;
  /** As the configuration says. */
  readonly source: string;
}
