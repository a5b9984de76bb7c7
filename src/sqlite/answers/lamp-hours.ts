// The fitted lamps' hours by their counters, as people are shown them: counters in minutes are
// divided, and of counters that weren't reset only what came since counts, by the newest forecasts.

import { counterHours } from "../../bwts/lamps/counter-unit.ts";
import type { StoredForecast } from "../../bwts/lamps/outlook.ts";
import { LAMP_COUNT } from "../../bwts/tags.ts";
import { newestForecasts } from "../derived/lamp-rows.ts";
import { type NewestValues, newestValues } from "../derived/newest-values.ts";
import { withoutDamage } from "../file/damage.ts";
import type { Connection } from "../file/open.ts";
import { EVER } from "../file/query.ts";

/** The newest forecasts that were made aboard up to a time; none if they are damaged. */
export function lampForecasts(db: Connection, end_ms: number): readonly StoredForecast[] {
  const range = { start_ms: EVER.start_ms, end_ms };
  return withoutDamage(db, () => newestForecasts(db, LAMP_COUNT, range)) ?? [];
}

/** By position, by the newest forecasts; null without a counter, or if its unit is unknown. */
export function lampHours(
  db: Connection,
  found: NewestValues,
  { forecasts, areFast }: { forecasts: readonly StoredForecast[]; areFast: boolean },
): readonly (number | null)[] {
  const then = forecasts.length === 0 ? [] : newestValues(db, forecasts[0].at_ms).values;
  return counterHours({ ...found, forecasts, then, areFast });
}
