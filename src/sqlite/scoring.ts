// The scores of 15-minute slots. Reading and computing happen here, in a reader's thread; the
// writer says which slots wait and stores the result, unless a slot has changed in the meantime.

import { type HealthLimits, SLOT_MS, scoreSlot } from "../bwts/health.ts";
import type { HealthRecord } from "../bwts/health-record.ts";
import type { DueSlot } from "./health-due.ts";
import type { Connection } from "./open.ts";
import { readingsIn } from "./timeline.ts";

/** A slot that was scored; a null record says that no water was treated in it. */
export interface ScoredSlot extends DueSlot {
  readonly record: HealthRecord | null;
}

/** Scores slots over the readings as they are now. */
export function scoreSlots(
  db: Connection,
  slots: readonly DueSlot[],
  limits: HealthLimits,
): readonly ScoredSlot[] {
  return slots.map(({ start_ms, revision }) => {
    const readings = [...readingsIn(db, { start_ms, end_ms: start_ms + SLOT_MS - 1 })];
    return { start_ms, revision, record: scoreSlot({ start_ms, readings }, limits) };
  });
}

/** A record made aboard as the columns of its table: tenths and ten-thousandths. */
export function scoreColumns(record: HealthRecord): Readonly<Record<string, number | null>> {
  const scaled = (score: number | null, factor: number) =>
    score === null ? null : Math.round(score * factor);
  const { uv_health, lamp_health, power_efficiency, thermal_health } = record.components;
  return {
    overall_score: scaled(record.overall_score, 10),
    uv_health: scaled(uv_health, 1e4),
    lamp_health: scaled(lamp_health, 1e4),
    power_efficiency: scaled(power_efficiency, 1e4),
    thermal_health: scaled(thermal_health, 1e4),
  };
}
