// The lamps to change, and the number to order, computed from the tracked lives, the newest
// forecast of each lamp, and the spares aboard.

import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { lampPlan, type NewestForecast } from "../../bwts/lamps/plan.ts";
import { planAnswer } from "../../bwts/lamps/plan-answer.ts";
import type { Prediction } from "../../bwts/prediction.ts";
import { RATED_BASES } from "../../bwts/present/lamp-condition.ts";
import { asNumber } from "../../bwts/reading.ts";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { HOUR_MS } from "../../ground/clock.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, memo } from "../file/open.ts";
import { lampSpares } from "../records/lamp-spares.ts";
import { trackedLamps } from "./lamps.ts";
import { newestOfEachLamp } from "./predictions.ts";

/** The settings of lamps that forecasts don't use, and the present. */
export interface PlanOptions {
  readonly part_number: string;
  readonly lead_days: number;
  /** Present time; 0 while the clock can't be right: then the newest reading's time is used. */
  readonly now_ms: number;
}

export function lampPlanJson(db: Connection, config: LampConfig, asked: PlanOptions): string {
  const { part_number, lead_days } = asked;
  const now_ms = Math.floor(asked.now_ms / HOUR_MS) * HOUR_MS;
  const made = memo(db, `lamp_plan ${lead_days} ${part_number}`, () => ({ at_ms: -1, json: "" }));
  if (made.at_ms !== now_ms) {
    const state = trackedLamps(db, config);
    const known = withoutDamage(db, () => newestOfEachLamp(db)) ?? [];
    const forecasts = new Map(known.flatMap(forecastPoints));
    const settings = { ...config.lamps, lead_days, now_ms };
    const plan = lampPlan(state, settings, forecasts);
    const facts = { last_ms: state.last_ms, spares: lampSpares(db), part_number };
    made.json = JSON.stringify(planAnswer({ plan, ...facts, config: settings }));
    made.at_ms = now_ms;
  }
  return made.json;
}

/** The lamp of a forecast, 1 to 16, and the forecast's points; empty for an invalid forecast. */
function forecastPoints({ component_id, predictions }: Prediction): [number, NewestForecast][] {
  const lamp = LAMP_NUMBERS.findIndex((number) => component_id === `LAMP_${number}`) + 1;
  const median_h = asNumber(predictions.remaining_useful_life_hours);
  const p05_h = asNumber(predictions.remaining_useful_life_hours_p05);
  const p95_h = asNumber(predictions.remaining_useful_life_hours_p95);
  if (lamp === 0 || median_h === null || p05_h === null || p95_h === null) return [];
  return p05_h >= 0 && p05_h <= median_h && median_h <= p95_h
    ? [[lamp, { p05_h, median_h, p95_h, isOwn: !RATED_BASES.includes(predictions.basis) }]]
    : [];
}
