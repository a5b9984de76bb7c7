// The part of the configuration by which scores, gaps and lamps are judged: a reader's thread gets
// it when it starts.

import type { HealthLimits } from "../health.ts";
import type { WatchedLimits } from "../limit-state.ts";
import type { LampLimits } from "./outlook.ts";

/** The ship's limits, and the settings of lamps. */
export interface LampConfig {
  readonly lamps: LampLimits;
  readonly limits: HealthLimits & WatchedLimits & { readonly dp_alarm: number };
}
