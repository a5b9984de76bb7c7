// The parts of the health score: the weight of each, and the fields that it is made of. Without zod
// and without the catalogue: it is part of the page.

import type { TagName } from "./tags.ts";

/**
 * Shares of the overall score in percent: UV and lamps decide whether water is treated, the rest
 * supports. Whole numbers, so that a score halfway between two decimals isn't rounded by chance.
 */
export const HEALTH_WEIGHTS = {
  uv_health: 35,
  lamp_health: 35,
  power_efficiency: 15,
  thermal_health: 15,
} as const;

/**
 * The fields of each part. Lamps are scored one by one, by status and efficiency; these two sum
 * them up, and the average is scored where the plant doesn't send its lamps one by one.
 */
export const HEALTH_INPUTS = {
  uv_health: ["UVR_INTENSITY"],
  lamp_health: ["AVG_LAMP_EFFICIENCY", "FAILED_LAMP_COUNT"],
  power_efficiency: ["POWER_COMPENSATION_PCT"],
  thermal_health: ["LDC_AIR_TEMP", "UVR_WATER_TEMP"],
} as const satisfies Record<keyof typeof HEALTH_WEIGHTS, readonly TagName[]>;

/** The ship's limits that scores are measured against, as the configuration names them. */
export type ScoredLimit = "uv_target" | "cabinet_warn" | "cabinet_trip";

/** Water temperature in degC: tropical seawater (to 32 or so) is no fault, 45 damages sleeves. */
export const WATER_WARN = 40;
export const WATER_TRIP = 45;

/** The values that a field is measured against, in its unit, or the limits that have them. */
export const SCORED_LIMITS: Readonly<Partial<Record<TagName, readonly (ScoredLimit | number)[]>>> =
  {
    UVR_INTENSITY: ["uv_target"],
    LDC_AIR_TEMP: ["cabinet_warn", "cabinet_trip"],
    UVR_WATER_TEMP: [WATER_WARN, WATER_TRIP],
  };
