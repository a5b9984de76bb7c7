// Hours of the fitted lamps from their counters, as people see them. Counters in minutes are
// divided; of a counter that wasn't reset with its lamp, only the increase since then counts, by
// the newest forecasts.

import { counterHours } from "../../bwts/lamps/counter-unit.ts";
import type { StoredForecast } from "../../bwts/lamps/outlook.ts";
import { LAMP_COUNT } from "../../bwts/tags.ts";
import { newestForecasts } from "../derived/lamp-rows.ts";
import { type NewestValues, newestValues } from "../derived/newest-values.ts";
import { withoutDamage } from "../file/damage.ts";
import type { Connection } from "../file/open.ts";
import { EVER } from "../file/query.ts";

/** The newest forecasts made aboard up to a time; none if they are damaged. */
export function lampForecasts(db: Connection, end_ms: number): readonly StoredForecast[] {
  const range = { start_ms: EVER.start_ms, end_ms };
  return withoutDamage(db, () => newestForecasts(db, LAMP_COUNT, range)) ?? [];
}

/** Hours of each lamp by position; null without a counter, or if the counter's unit is unknown. */
export function lampHours(
  db: Connection,
  found: NewestValues,
  { forecasts, areFast }: { forecasts: readonly StoredForecast[]; areFast: boolean },
): readonly (number | null)[] {
  const then = forecasts.length === 0 ? [] : newestValues(db, forecasts[0].at_ms).values;
  return counterHours({ ...found, forecasts, then, areFast });
}
