// Reads the two answers about health: records of a quarter of an hour, newest first, and means of
// an hour or a day, oldest first. Both become lines of one form, newest first.

import type { HealthComponents } from "../../bwts/health-record.ts";
import {
  instant,
  isLike,
  isNumberOrNull,
  listOf,
  numberOrNull,
  type Read,
} from "../store/checks.ts";

export type PartName = keyof HealthComponents;

export interface HealthLine extends HealthComponents {
  readonly at_ms: number;
  readonly overall_score: number | null;
}

type Told = Readonly<Record<string, unknown>>;

export const readHealthRecords: Read<readonly HealthLine[]> = (body) =>
  listOf(body, (one) =>
    isLike<Told>(one)
      ? lineOf(one, {
          uv_health: one.componentsUvHealth,
          lamp_health: one.componentsLampHealth,
          power_efficiency: one.componentsPowerEfficiency,
          thermal_health: one.componentsThermalHealth,
        })
      : null,
  );

export const readHealthMeans: Read<readonly HealthLine[]> = (body) => {
  const known = listOf(body, (one) =>
    isLike<Told>(one) && isLike<Told>(one.components) ? lineOf(one, one.components) : null,
  );
  return known === null ? null : { value: [...known.value].reverse() };
};

function lineOf(one: Told, parts: Told): HealthLine | null {
  const at_ms = instant(one.timestamp);
  const { uv_health, lamp_health, power_efficiency, thermal_health } = parts;
  const scores = [one.overall_score, uv_health, lamp_health, power_efficiency, thermal_health];
  if (at_ms === null || !scores.every(isNumberOrNull)) return null;
  return {
    at_ms,
    overall_score: numberOrNull(one.overall_score),
    uv_health: numberOrNull(uv_health),
    lamp_health: numberOrNull(lamp_health),
    power_efficiency: numberOrNull(power_efficiency),
    thermal_health: numberOrNull(thermal_health),
  };
}
