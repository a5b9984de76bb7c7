// Answers made of events, health records and predictions: short ones, bounded by their limit of
// 10,000, and therefore made in one go.

import { roundedMean } from "../bwts/bucket.ts";
import { type HealthRecord, type HealthSource, riskLevel } from "../bwts/health-record.ts";
import { COMPONENT_TYPE } from "../bwts/prediction.ts";
import { DAY_MS, HOUR_MS, monthOf, printTime } from "../clock.ts";
import { healthFlatJson, healthNestedJson } from "./json.ts";
import { type Connection, prepare } from "./open.ts";
import type { ClosedRange, Interval, Query } from "./query.ts";

const RECENT_EVENTS_MAX = 100;

interface EventRow {
  readonly at_ms: number;
  readonly event_type: string;
  readonly description: string;
  readonly data: string;
  readonly source: string;
}

/** Events, newest first. */
export function eventsJson(db: Connection, query: Extract<Query, { name: "events" }>): string {
  const { limit, type } = query;
  const rows =
    type === null
      ? prepare<object, EventRow>(db, "event.newest").all({ limit })
      : prepare<object, EventRow>(db, "event.newest_of_type").all({ limit, event_type: type });
  return `[${rows.map(eventJson).join(",")}]`;
}

/** The events of the 24 hours up to the newest event, newest first. */
export function recentEventsJson(db: Connection): string {
  const newest = prepare<object, EventRow>(db, "event.newest").get({ limit: 1 });
  if (newest === undefined) return "[]";
  const rows = prepare<object, EventRow>(db, "event.since").all({
    start_ms: newest.at_ms - DAY_MS,
    limit: RECENT_EVENTS_MAX,
  });
  return `[${rows.map(eventJson).join(",")}]`;
}

function eventJson(row: EventRow): string {
  const {
    operation_type = null,
    location = null,
    target_flow = null,
    ...rest
  } = JSON.parse(row.data);
  // A PLC's alarm says whose it is even where the PLC didn't, or said that it was ours.
  const source = row.event_type === "ALARM_TRIGGERED" ? { source: alarmSource(row, rest) } : {};
  return JSON.stringify({
    timestamp: printTime(row.at_ms),
    event_type: row.event_type,
    description: row.description,
    data: { operation_type, location, target_flow, ...rest, ...source },
  });
}

function alarmSource(row: EventRow, data: { source?: unknown }): unknown {
  if (row.source === "ballastd") return "ballastd";
  return data.source === undefined || data.source === "ballastd" ? "plc" : data.source;
}

/** Predictions, newest first, then by lamp. */
export function predictionsJson(db: Connection, limit: number): string {
  const rows = prepare<
    object,
    { at_ms: number; component_id: string; predictions: string; current_state: string }
  >(db, "prediction.newest").all({ limit });
  return JSON.stringify(
    rows.map((row) => ({
      timestamp: printTime(row.at_ms),
      component_id: row.component_id,
      component_type: COMPONENT_TYPE,
      predictions: JSON.parse(row.predictions),
      current_state: JSON.parse(row.current_state),
    })),
  );
}

interface HealthRow {
  readonly at_ms: number;
  readonly source: HealthSource;
  readonly overall_score: number | null;
  readonly risk_level: string | null;
  readonly month: number | null;
  readonly uv_health: number | null;
  readonly lamp_health: number | null;
  readonly power_efficiency: number | null;
  readonly thermal_health: number | null;
}

/** Health records in the flat form, newest first. */
export function healthJson(db: Connection, limit: number): string {
  const rows = prepare<object, HealthRow>(db, "health.newest").all({ limit });
  return `[${rows.map((row) => healthFlatJson(recordOf(row))).join(",")}]`;
}

/** The newest record made aboard, else the newest received, nested; `null` when there is none. */
export function latestHealthJson(db: Connection): string {
  const latest = prepare<{ source: HealthSource }, HealthRow>(db, "health.latest");
  const row = latest.get({ source: "ballastd" }) ?? latest.get({ source: "mqtt" });
  return row === undefined ? "null" : healthNestedJson(recordOf(row));
}

function recordOf(row: HealthRow): HealthRecord {
  const { uv_health, lamp_health, power_efficiency, thermal_health, ...record } = row;
  const { overall_score, at_ms } = record;
  const risk_level =
    record.risk_level ?? (overall_score === null ? null : riskLevel(overall_score));
  const month = record.month ?? monthOf(at_ms);
  return {
    ...record,
    risk_level,
    month,
    components: { uv_health, lamp_health, power_efficiency, thermal_health },
  };
}

interface HealthBucketRow extends Omit<HealthRow, "at_ms" | "risk_level" | "month"> {
  readonly start_ms: number;
  readonly count: number;
}

/** Buckets of health records, ascending; only the newest `limit` of them, null for all. */
export function healthBucketsJson(
  db: Connection,
  query: { interval: Interval; range: ClosedRange; limit: number | null },
): string {
  const rows = prepare<object, HealthBucketRow>(db, "health.buckets").all({
    ...query.range,
    width_ms: BigInt(query.interval === "hour" ? HOUR_MS : DAY_MS),
    limit: query.limit ?? Number.MAX_SAFE_INTEGER,
  });
  const rounded = (mean: number | null) => (mean === null ? null : roundedMean(mean, 1));
  return JSON.stringify(
    rows.reverse().map((row) => ({
      timestamp: printTime(row.start_ms),
      overall_score: rounded(row.overall_score),
      components: {
        uv_health: rounded(row.uv_health),
        lamp_health: rounded(row.lamp_health),
        power_efficiency: rounded(row.power_efficiency),
        thermal_health: rounded(row.thermal_health),
      },
      recordCount: row.count,
    })),
  );
}
