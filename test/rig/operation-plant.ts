// Readings and events of an operation, as a test writes them: by field names, minutes and hours.
// The readings are judged by columns, as those of the database are.

import type {
  JudgingContext,
  OperationEvent,
  OperationSpan,
  ReadingRun,
} from "../../src/bwts/operations/judging.ts";
import { plausibleValue, spansOf } from "../../src/bwts/plausible.ts";
import type { ShownLimits } from "../../src/bwts/present/shown-limits.ts";
import type { Value } from "../../src/bwts/reading.ts";
import { TAGS, type TagName } from "../../src/bwts/tags.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/ground/clock.ts";

export interface PlantReading {
  readonly at_ms: number;
  readonly values: Readonly<Partial<Record<TagName, Value>>>;
  /** Its receipt; the same instant by default. */
  readonly received_ms?: number;
  readonly clock_trusted?: boolean;
}

export const LIMITS: ShownLimits = {
  ...{ uv_imo: 252, uv_uscg: 530, uv_target: 650, flow_max_imo: 1000, flow_max_uscg: 1000 },
  ...{ dp_warn: 0.5, dp_alarm: 1, cabinet_warn: 45, cabinet_trip: 60, cip_hours: 720 },
  ...{ beyond_seconds: 60, warmup_seconds: 60, stopping_seconds: 60 },
  source: "certificate 1",
};

const SPANS = spansOf({ flow_max_imo: LIMITS.flow_max_imo });

/** A block of readings, with those that aren't believed as null if it is asked. */
export function believing(block: Omit<ReadingRun["block"], "believed">): ReadingRun["block"] {
  return {
    ...block,
    believed: () => ({
      values(tag) {
        const values = block.values(tag);
        return (index) => plausibleValue(values(index), tag, SPANS);
      },
    }),
  };
}

export const AROUND: JudgingContext = {
  limits: [{ from_ms: 0, limits: LIMITS }],
  ...{ voids: [], alerts: [], clock_steps: [], contradictions: [] },
  ...{ usualCadence: () => null, modeBefore: () => null, hours_since_cip: null },
};

/** Readings as runs of a block each, of at most `size` readings. */
export function runsOf(readings: readonly PlantReading[], size = 100): readonly ReadingRun[] {
  const names = TAGS.map(({ name }) => name);
  const byName: Map<string, Value>[] = [];
  const block = believing({
    at_ms: (index) => readings[index].at_ms,
    received_ms: (index) => readings[index].received_ms ?? readings[index].at_ms,
    clock_trusted: (index) => readings[index].clock_trusted ?? true,
    values(tag) {
      return (index) => {
        byName[index] ??= new Map(Object.entries(readings[index].values));
        return byName[index].get(names[tag]) ?? null;
      };
    },
  });
  const runs: ReadingRun[] = [];
  for (let from = 0; from < readings.length; from += size)
    runs.push({ block, from, to: Math.min(readings.length, from + size) });
  return runs;
}

/** The start of the days that tests write about. */
export const DAY = Date.UTC(2026, 4, 4);

export const at = (hours: number, minutes = 0) => DAY + hours * HOUR_MS + minutes * MINUTE_MS;

export function started(id: number, at_ms: number, operation_type: string | null): OperationEvent {
  return { id, at_ms, received_ms: at_ms, isStart: true, operation_type, location: "Singapore" };
}

export function stopped(id: number, at_ms: number, operation_type: string | null): OperationEvent {
  return { id, at_ms, received_ms: at_ms, isStart: false, operation_type, location: "Singapore" };
}

interface SteadyAsked {
  readonly from_ms: number;
  readonly to_ms: number;
  /** 3 minutes by default. */
  readonly every_ms?: number;
  /** The values that differ at an instant; null: no reading. */
  readonly but?: (at_ms: number) => PlantReading["values"] | null;
}

/** Flow of a steady plant, m3/h: 40 m3 in three minutes. */
export const FLOW = 800;

/** A plant that takes in ballast in the mode IMO, both ends included. */
export function steady({ from_ms, to_ms, every_ms = 3 * MINUTE_MS, but }: SteadyAsked) {
  const readings: PlantReading[] = [];
  for (let at_ms = from_ms; at_ms <= to_ms; at_ms += every_ms) {
    const changed = but === undefined ? {} : but(at_ms);
    if (changed === null) continue;
    const values: PlantReading["values"] = {
      ...{ PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO", operation_type: "BALLAST" },
      ...{ location: "Singapore", UVR_INTENSITY: 600, SYS_FLOW_RATE: FLOW },
      SYS_TOTAL_BALLAST_VOL: 5000 + (FLOW * (at_ms - from_ms)) / HOUR_MS,
      ...{ UVR_POWER_OUTPUT: 80, UVR_POWER_SETPOINT: 80, AVG_LAMP_EFFICIENCY: 90 },
      ...{ FLT_DIFF_PRESSURE: 0.2, FLT_BACKFLUSH_COUNT: 12, LDC_AIR_TEMP: 36 },
      ...{ SYS_PRESSURE: 4, UVR_WATER_TEMP: 30, CIP_HOURS_SINCE_LAST: 120 },
      ...changed,
    };
    readings.push({ at_ms, values });
  }
  return readings;
}

/** An operation that its events tell whole, of a clock that wasn't set. */
export const spanOf = (start_ms: number, end_ms: number): OperationSpan => ({
  ...{ start_event: 1, stop_event: 2, start_ms, end_ms, operation_type: "BALLAST" },
  ...{ steady: { start_ms, end_ms }, isStopDoubted: false },
  ...{ location: "Singapore", known_by: "events", remarks: [] },
});
