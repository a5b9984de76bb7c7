// The health of a 15-minute slot, a pure function of its readings. Only readings in which water was
// treated count: an idle reactor is not a failing one. A component without readings (no cabinet
// sensor, say) is null, and its weight goes to the others.

import { MINUTE_MS, monthOf } from "../ground/clock.ts";
import { HEALTH_INPUTS, HEALTH_WEIGHTS, WATER_TRIP, WATER_WARN } from "./health-parts.ts";
import { type HealthComponents, type HealthRecord, riskLevel } from "./health-record.ts";
import { lampStatusOf } from "./plc-word.ts";
import type { Reading } from "./reading.ts";
import { indexOfLampTag, indexOfTag, LAMP_NUMBERS, type TagName } from "./tags.ts";
import { isTreating } from "./treating.ts";

export const SLOT_MS = 15 * MINUTE_MS;

/** The ship's limits that scores are measured against (units as in the configuration). */
export interface HealthLimits {
  readonly uv_target: number;
  readonly flow_max_imo: number;
  readonly cabinet_warn: number;
  readonly cabinet_trip: number;
}

const [INTENSITY] = HEALTH_INPUTS.uv_health;
const [LAMP_AVERAGE] = HEALTH_INPUTS.lamp_health;
const [COMPENSATION] = HEALTH_INPUTS.power_efficiency;
const [CABINET_TEMP, WATER_TEMP] = HEALTH_INPUTS.thermal_health;
const LAMPS = LAMP_NUMBERS.map((_, lamp) => ({
  status: indexOfLampTag(lamp, "STATUS"),
  efficiency: indexOfLampTag(lamp, "EFFICIENCY"),
}));

/**
 * Scores the slot that starts at `start_ms` over its readings. Null if no water was treated, or if
 * the treating readings have no field to score.
 */
export function scoreSlot(
  slot: { start_ms: number; readings: readonly Reading[] },
  limits: HealthLimits,
): HealthRecord | null {
  const treating = slot.readings.filter((reading) => isTreating(reading, limits));
  if (treating.length === 0) return null;
  const components: HealthComponents = {
    uv_health: uvHealth(meanOf(treating, INTENSITY), limits),
    lamp_health: lampHealth(treating),
    power_efficiency: powerEfficiency(meanOf(treating, COMPENSATION)),
    thermal_health: thermalHealth(treating, limits),
  };
  const overall_score = overallScore(components);
  if (overall_score === null) return null;
  return {
    at_ms: slot.start_ms,
    source: "ballastd",
    overall_score,
    risk_level: riskOf(overall_score, components),
    month: monthOf(slot.start_ms),
    components: {
      uv_health: rounded(components.uv_health),
      lamp_health: rounded(components.lamp_health),
      power_efficiency: rounded(components.power_efficiency),
      thermal_health: rounded(components.thermal_health),
    },
  };
}

/**
 * The risk of a score. It is never LOW without both of the parts that decide whether water is
 * treated.
 */
function riskOf(overall_score: number, { uv_health, lamp_health }: HealthComponents) {
  const risk = riskLevel(overall_score);
  const isToldByBoth = uv_health !== null && lamp_health !== null;
  return risk === "LOW" && !isToldByBoth ? null : risk;
}

/** The weighted mean of the known components, one decimal; null if none is known. */
export function overallScore(components: HealthComponents): number | null {
  const parts = [
    { score: components.uv_health, weight: HEALTH_WEIGHTS.uv_health },
    { score: components.lamp_health, weight: HEALTH_WEIGHTS.lamp_health },
    { score: components.power_efficiency, weight: HEALTH_WEIGHTS.power_efficiency },
    { score: components.thermal_health, weight: HEALTH_WEIGHTS.thermal_health },
  ].flatMap(({ score, weight }) => (score === null ? [] : [{ score, weight }]));
  if (parts.length === 0) return null;
  const weights = parts.reduce((sum, part) => sum + part.weight, 0);
  const weighted = parts.reduce((sum, part) => sum + part.score * part.weight, 0);
  return Math.round((weighted / weights) * 10) / 10;
}

/** 100 x mean intensity / target, the figure of the type approval, 0 to 100. */
function uvHealth(intensity_w_m2: number | null, limits: HealthLimits): number | null {
  return intensity_w_m2 === null ? null : clamped((100 * intensity_w_m2) / limits.uv_target);
}

/** The mean over readings of the mean lamp efficiency; a failed lamp counts as 0. */
function lampHealth(readings: readonly Reading[]): number | null {
  const average = indexOfTag(LAMP_AVERAGE);
  const means = readings.flatMap(({ values }) => {
    const lamps = LAMPS.flatMap(({ status, efficiency }) => {
      if (lampStatusOf(values[status]) === "failed") return [0];
      const percent = values[efficiency];
      return typeof percent === "number" ? [percent] : [];
    });
    const mean = lamps.length > 0 ? meanOfNumbers(lamps) : values[average];
    return typeof mean === "number" ? [mean] : [];
  });
  return means.length === 0 ? null : clamped(meanOfNumbers(means));
}

/** 100 - 2 x the extra power in percent that compensates ageing. */
function powerEfficiency(compensation_pct: number | null): number | null {
  return compensation_pct === null ? null : clamped(100 - 2 * compensation_pct);
}

/** The lower of cabinet air (warn to trip) and water (40 to 45 degC), each falling linearly. */
function thermalHealth(readings: readonly Reading[], limits: HealthLimits): number | null {
  const falling = (temperature: number | null, from: number, to: number) =>
    temperature === null ? [] : [clamped((100 * (to - temperature)) / (to - from))];
  const scores = [
    ...falling(meanOf(readings, CABINET_TEMP), limits.cabinet_warn, limits.cabinet_trip),
    ...falling(meanOf(readings, WATER_TEMP), WATER_WARN, WATER_TRIP),
  ];
  return scores.length === 0 ? null : Math.min(...scores);
}

function meanOf(readings: readonly Reading[], name: TagName): number | null {
  const index = indexOfTag(name);
  const numbers = readings.map((r) => r.values[index]).filter((v) => typeof v === "number");
  return numbers.length === 0 ? null : meanOfNumbers(numbers);
}

function meanOfNumbers(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value / numbers.length, 0);
}

function clamped(score: number): number {
  return Math.min(100, Math.max(0, score));
}

function rounded(score: number | null): number | null {
  return score === null ? null : Math.round(score * 1e4) / 1e4;
}
