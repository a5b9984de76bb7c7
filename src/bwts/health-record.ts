// A health record: the plant's condition, 0 to 100, and its components. Records scored aboard
// (bwts/health.ts) and records received over MQTT have one shape and are kept apart by source.

import * as z from "zod";
import { printTime } from "../ground/clock.ts";
import { roundedMean } from "./bucket.ts";

export interface HealthComponents {
  readonly uv_health: number | null;
  readonly lamp_health: number | null;
  readonly power_efficiency: number | null;
  readonly thermal_health: number | null;
}

export type HealthSource = "ballastd" | "mqtt";

export interface HealthRecord {
  readonly at_ms: number;
  readonly source: HealthSource;
  readonly overall_score: number | null;
  readonly risk_level: string | null;
  readonly month: number;
  readonly components: HealthComponents;
}

/** A record received over MQTT, as sent: null for a risk or a month that wasn't given. */
export interface ReceivedHealth extends Omit<HealthRecord, "overall_score" | "month"> {
  readonly overall_score: number;
  readonly month: number | null;
}

export const RISK_LEVELS = ["LOW", "MEDIUM", "HIGH", "CRITICAL"] as const;

/** The risk of a score as printed: LOW from 80, MEDIUM from 60, HIGH from 40, CRITICAL below. */
export function riskLevel(score: number): (typeof RISK_LEVELS)[number] {
  if (score >= 80) return "LOW";
  if (score >= 60) return "MEDIUM";
  return score >= 40 ? "HIGH" : "CRITICAL";
}

const score = z.number().nullable().meta({ description: "0 to 100, null when unknown" });
const timestamp = z.iso.datetime().meta({ description: "UTC with milliseconds and Z" });
const month = z.number().int().min(1).max(12);
const risk = z
  .string()
  .nullable()
  .meta({ description: `${RISK_LEVELS.join(", ")}; null where UV or lamps aren't known` });

const scores = { uv_health: 96.2, lamp_health: 88.4, power_efficiency: 91, thermal_health: 100 };

const components = z
  .object({ uv_health: score, lamp_health: score, power_efficiency: score, thermal_health: score })
  .meta({ id: "HealthComponents", example: scores });

/** The flat form, as `/api/health` answers it. */
export const HealthFlat = z
  .object({
    timestamp,
    overall_score: score,
    risk_level: risk,
    month,
    componentsUvHealth: score,
    componentsPowerEfficiency: score,
    componentsLampHealth: score,
    componentsThermalHealth: score,
  })
  .meta({
    id: "HealthFlat",
    example: {
      timestamp: "2026-05-01T06:30:00.000Z",
      overall_score: 93.3,
      risk_level: "LOW",
      month: 5,
      componentsUvHealth: 96.2,
      componentsPowerEfficiency: 91,
      componentsLampHealth: 88.4,
      componentsThermalHealth: 100,
    },
  });

/** The nested form, as `/api/stats` answers it. */
export const NestedHealth = z
  .object({ timestamp, overall_score: score, risk_level: risk, month, components })
  .meta({
    id: "HealthNested",
    example: {
      timestamp: "2026-05-01T06:30:00.000Z",
      overall_score: 93.3,
      risk_level: "LOW",
      month: 5,
      components: scores,
    },
  });
export type NestedHealth = z.output<typeof NestedHealth>;

/** A bucket of records, as `/api/health/aggregated` answers it. */
export const HealthBucket = z
  .object({ timestamp, overall_score: score, components, recordCount: z.number().int().min(1) })
  .meta({
    id: "HealthBucket",
    example: {
      timestamp: "2026-05-01T06:30:00.000Z",
      overall_score: 93.3,
      components: scores,
      recordCount: 4,
    },
  });

/** A health record in the flat form. */
export function healthFlat(record: HealthRecord) {
  const { components } = record;
  return {
    timestamp: printTime(record.at_ms),
    overall_score: record.overall_score,
    risk_level: record.risk_level,
    month: record.month,
    componentsUvHealth: components.uv_health,
    componentsPowerEfficiency: components.power_efficiency,
    componentsLampHealth: components.lamp_health,
    componentsThermalHealth: components.thermal_health,
  };
}

/** A health record in the nested form, with its month. */
export function healthNested(record: HealthRecord): z.output<typeof NestedHealth> {
  const { overall_score, risk_level, month, components } = record;
  return { timestamp: printTime(record.at_ms), overall_score, risk_level, month, components };
}

/** Means of the records of an hour or a day. */
export interface HealthMeans extends HealthComponents {
  readonly start_ms: number;
  readonly count: number;
  readonly overall_score: number | null;
}

export function healthBucket(bucket: HealthMeans): z.output<typeof HealthBucket> {
  const rounded = (mean: number | null) => (mean === null ? null : roundedMean(mean, 1));
  return {
    timestamp: printTime(bucket.start_ms),
    overall_score: rounded(bucket.overall_score),
    components: {
      uv_health: rounded(bucket.uv_health),
      lamp_health: rounded(bucket.lamp_health),
      power_efficiency: rounded(bucket.power_efficiency),
      thermal_health: rounded(bucket.thermal_health),
    },
    recordCount: bucket.count,
  };
}
