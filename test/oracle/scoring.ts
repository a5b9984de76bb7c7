// The health of a slot, recomputed from the contract's sentence. The tests' slots are such that the
// sentence can be read in one way only: what a slot has, each of its treating readings has.

import { LAMP_NUMBERS } from "../../src/bwts/tags.ts";
import { grouped, type Interval } from "../rig/grouping.ts";
import { type ExpectedReading, isNear, mean, printed } from "../rig/logbook.ts";

export const SLOT_MS = 15 * 60_000;

/** The limits that the tests configure, and how. */
export const LIMITS = { uv_target: 700, flow_max_imo: 800, cabinet_warn: 40, cabinet_trip: 55 };
export const LIMITS_ENV = {
  BALLASTD_LIMITS_UV_TARGET: "700",
  BALLASTD_LIMITS_FLOW_MAX_IMO: "800",
  BALLASTD_LIMITS_CABINET_WARN: "40",
  BALLASTD_LIMITS_CABINET_TRIP: "55",
};

export interface ExpectedHealth {
  readonly at_ms: number;
  /** Before it is rounded to one decimal. */
  readonly overall: number;
  readonly uv: number | null;
  readonly lamp: number | null;
  readonly power: number | null;
  readonly thermal: number | null;
}

/** The records of the slots in which water was treated, newest first. */
export function expectedHealth(readings: readonly ExpectedReading[]): readonly ExpectedHealth[] {
  const slots = Map.groupBy(readings.filter(isTreating), ({ at_ms }) =>
    Math.floor(at_ms / SLOT_MS),
  );
  return [...slots]
    .sort(([a], [b]) => b - a)
    .map(([number, treating]) => scored(number * SLOT_MS, treating));
}

function isTreating({ members }: ExpectedReading): boolean {
  const state = members.get("PROCESS_STATE") ?? null;
  if (state !== null) return state === "RUNNING" || state === "BACKFLUSH";
  const flow = members.get("SYS_FLOW_RATE");
  return typeof flow === "number" && flow > 0.05 * LIMITS.flow_max_imo;
}

function scored(at_ms: number, treating: readonly ExpectedReading[]): ExpectedHealth {
  const average = (name: string) =>
    mean(treating.map(({ members }) => members.get(name)).filter((v) => typeof v === "number"));
  const intensity = average("UVR_INTENSITY");
  const compensation = average("POWER_COMPENSATION_PCT");
  const uv = intensity === null ? null : clamped((100 * intensity) / LIMITS.uv_target);
  const lamps = mean(treating.flatMap(lampScores)) ?? average("AVG_LAMP_EFFICIENCY");
  const lamp = lamps === null ? null : clamped(lamps);
  const power = compensation === null ? null : clamped(100 - 2 * compensation);
  const temperatures = [
    falling(average("LDC_AIR_TEMP"), LIMITS.cabinet_warn, LIMITS.cabinet_trip),
    falling(average("UVR_WATER_TEMP"), 40, 45),
  ].filter((score) => score !== null);
  const thermal = temperatures.length === 0 ? null : Math.min(...temperatures);
  const parts = [
    { score: uv, weight: 0.35 },
    { score: lamp, weight: 0.35 },
    { score: power, weight: 0.15 },
    { score: thermal, weight: 0.15 },
  ].filter(({ score }) => score !== null);
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  const overall =
    parts.reduce((sum, { score, weight }) => sum + (score ?? 0) * weight, 0) / weights;
  return { at_ms, overall, uv, lamp, power, thermal };
}

function lampScores({ members }: ExpectedReading): readonly number[] {
  return LAMP_NUMBERS.flatMap((number) => {
    if (members.get(`LAMP_${number}_STATUS`) === "FAILED") return [0];
    const efficiency = members.get(`LAMP_${number}_EFFICIENCY`);
    return typeof efficiency === "number" ? [efficiency] : [];
  });
}

function falling(temperature: number | null, from: number, to: number): number | null {
  return temperature === null ? null : clamped((100 * (to - temperature)) / (to - from));
}

const clamped = (score: number) => Math.min(100, Math.max(0, score));

const NEAR = { absolute: 2e-4, relative: 0 };

/** The problems with records in the flat form, newest first. */
export function healthProblems(
  expected: readonly ExpectedHealth[],
  answered: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  const starts = answered.map(({ timestamp }) => timestamp).join(" ");
  const expectedStarts = expected.map(({ at_ms }) => printed(at_ms)).join(" ");
  if (starts !== expectedStarts) return [`got slots ${starts}, expected ${expectedStarts}`];
  return expected.flatMap((health, index) => {
    const record = answered[index];
    const score = Number(record.overall_score);
    const checks: readonly [string, boolean][] = [
      ["overall_score", score === rounded(score) && Math.abs(score - health.overall) < 0.0501],
      ["risk_level", record.risk_level === riskOf(score, health)],
      ["month", record.month === new Date(health.at_ms).getUTCMonth() + 1],
      ["componentsUvHealth", isNear(health.uv, record.componentsUvHealth, NEAR)],
      ["componentsLampHealth", isNear(health.lamp, record.componentsLampHealth, NEAR)],
      ["componentsPowerEfficiency", isNear(health.power, record.componentsPowerEfficiency, NEAR)],
      ["componentsThermalHealth", isNear(health.thermal, record.componentsThermalHealth, NEAR)],
    ];
    const shown = JSON.stringify(health);
    return checks.flatMap(([name, isRight]) =>
      isRight ? [] : [`${printed(health.at_ms)} ${name}: got ${record[name]}, expected ${shown}`],
    );
  });
}

const rounded = (score: number) => Math.round(score * 10) / 10;

function riskOf(score: number, { uv, lamp }: ExpectedHealth): string | null {
  if (score >= 80) return uv === null || lamp === null ? null : "LOW";
  if (score >= 60) return "MEDIUM";
  return score >= 40 ? "HIGH" : "CRITICAL";
}

/** A record in the flat form, as it is sent and answered. */
export interface FlatHealth {
  readonly timestamp: string;
  readonly overall_score: number;
  readonly componentsUvHealth: number | null;
  readonly componentsLampHealth: number | null;
  readonly componentsPowerEfficiency: number | null;
  readonly componentsThermalHealth: number | null;
}

/** The buckets of records as `/api/health/aggregated` answers them, ascending, means unrounded. */
export function expectedHealthBuckets(records: readonly FlatHealth[], interval: Interval) {
  const timed = records.map((record) => ({ at_ms: Date.parse(record.timestamp), record }));
  return grouped(timed, interval).map(([start_ms, group]) => {
    const average = (name: keyof FlatHealth) =>
      mean(group.map(({ record }) => record[name]).filter((v) => typeof v === "number"));
    return {
      timestamp: printed(start_ms),
      overall_score: average("overall_score"),
      components: {
        uv_health: average("componentsUvHealth"),
        lamp_health: average("componentsLampHealth"),
        power_efficiency: average("componentsPowerEfficiency"),
        thermal_health: average("componentsThermalHealth"),
      },
      recordCount: group.length,
    };
  });
}
