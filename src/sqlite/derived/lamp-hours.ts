// The fitted lamps' hours by their counters, as people are shown them: counters in minutes are
// divided, and of counters that weren't reset only what came since counts, by the newest forecasts.

import { counterHours } from "../../bwts/lamps/counter-unit.ts";
import { LAMP_COUNT } from "../../bwts/tags.ts";
import { withoutDamage } from "../file/damage.ts";
import type { Connection } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { newestForecasts } from "./lamp-rows.ts";
import { type NewestValues, newestValues } from "./newest-values.ts";

/** By position; null without a counter, or if its unit is unknown. */
export function lampHours(
  db: Connection,
  found: NewestValues,
  areFast: boolean,
): readonly (number | null)[] {
  const range = { start_ms: EVER.start_ms, end_ms: found.at_ms };
  const forecasts = withoutDamage(db, () => newestForecasts(db, LAMP_COUNT, range)) ?? [];
  const then = forecasts.length === 0 ? [] : newestValues(db, forecasts[0].at_ms).values;
  return counterHours({ ...found, forecasts, then, areFast });
}
