// Answers from health records: those scored aboard, and those that came over MQTT. In a bucket with
// records made aboard only those count.

import { roundedMean } from "../../bwts/bucket.ts";
import { type HealthComponents, type HealthRecord, riskLevel } from "../../bwts/health-record.ts";
import { healthFlat, healthNestedJson } from "../../codec/json.ts";
import { DAY_MS, floorTo, HOUR_MS, printTime } from "../../ground/clock.ts";
import { type HealthRow, healthBackwards } from "../derived/health-scores.ts";
import { type Connection, prepare } from "../file/open.ts";
import {
  type ClosedRange,
  closed,
  EVER,
  type Interval,
  type Newest,
  type Range,
} from "../file/query.ts";

/** Health records in the flat form, newest first. */
export function healthJson(db: Connection, { range, limit }: Newest): string {
  return JSON.stringify(newestHealth(db, limit, closed(range)).map(healthFlat));
}

/** The newest `limit` records of a range, of one time the one made aboard first. */
export function newestHealth(db: Connection, limit: number, range = EVER): readonly HealthRecord[] {
  return [...aboard(db, limit, range), ...received(db, limit, range)]
    .sort((one, other) => other.at_ms - one.at_ms)
    .slice(0, limit);
}

/** The newest record made aboard, else the newest received, nested; `null` if there is none. */
export function latestHealthJson(db: Connection): string {
  const [latest] = [...aboard(db, 1, EVER), ...received(db, 1, EVER)];
  return latest === undefined ? "null" : healthNestedJson(latest);
}

function aboard(db: Connection, limit: number, range: ClosedRange): readonly HealthRecord[] {
  const records: HealthRecord[] = [];
  for (const record of healthBackwards(db, range)) {
    records.push(record);
    if (records.length === limit) break;
  }
  return records;
}

function received(db: Connection, limit: number, range: ClosedRange): readonly HealthRecord[] {
  const rows = prepare<object, HealthRow>(db, "health.received_newest").all({
    ...range,
    limit,
  });
  return rows.map(receivedHealth);
}

export function receivedHealth(row: HealthRow): HealthRecord {
  const { uv_health, lamp_health, power_efficiency, thermal_health, ...record } = row;
  const { overall_score } = record;
  const risk_level =
    record.risk_level ?? (overall_score === null ? null : riskLevel(overall_score));
  const components = { uv_health, lamp_health, power_efficiency, thermal_health };
  return { ...record, source: "mqtt", risk_level, components };
}

interface HealthBucket extends HealthComponents {
  readonly start_ms: number;
  readonly count: number;
  readonly overall_score: number | null;
}

/** Buckets of health records, ascending; all of a range, or without one the newest `limit`. */
export function healthBucketsJson(
  db: Connection,
  asked: { readonly interval: Interval; readonly range: Range | null; readonly limit: number },
): string {
  const query = { interval: asked.interval, range: closed(asked.range) };
  const width_ms = query.interval === "hour" ? HOUR_MS : DAY_MS;
  const limit = asked.range === null ? asked.limit : Number.MAX_SAFE_INTEGER;
  const made = bucketsAboard(db, { ...query, width_ms, limit });
  const starts = new Set(made.map(({ start_ms }) => start_ms));
  const others = prepare<object, HealthBucket>(db, "health.received_buckets")
    .all({ ...query.range, width_ms: BigInt(width_ms), limit })
    .filter(({ start_ms }) => !starts.has(start_ms));
  const newest = [...made, ...others]
    .sort((one, other) => other.start_ms - one.start_ms)
    .slice(0, limit);
  return JSON.stringify(newest.reverse().map(bucketOf));
}

function bucketOf(bucket: HealthBucket) {
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

// The newest `limit` buckets of records made aboard, newest first.
function bucketsAboard(
  db: Connection,
  { range, width_ms, limit }: { range: ClosedRange; width_ms: number; limit: number },
): readonly HealthBucket[] {
  const buckets: HealthBucket[] = [];
  let inBucket: HealthRecord[] = [];
  for (const record of healthBackwards(db, range)) {
    const [first] = inBucket;
    if (first !== undefined && floorTo(record.at_ms, width_ms) !== floorTo(first.at_ms, width_ms)) {
      buckets.push(meansOf(inBucket, width_ms));
      if (buckets.length === limit) return buckets;
      inBucket = [];
    }
    inBucket.push(record);
  }
  return inBucket.length === 0 ? buckets : [...buckets, meansOf(inBucket, width_ms)];
}

function meansOf(records: readonly HealthRecord[], width_ms: number): HealthBucket {
  const componentMean = (name: keyof HealthComponents) =>
    meanOf(records.map(({ components }) => components[name]));
  return {
    start_ms: floorTo(records[0].at_ms, width_ms),
    count: records.length,
    overall_score: meanOf(records.map(({ overall_score }) => overall_score)),
    uv_health: componentMean("uv_health"),
    lamp_health: componentMean("lamp_health"),
    power_efficiency: componentMean("power_efficiency"),
    thermal_health: componentMean("thermal_health"),
  };
}

// The mean of the known scores; null if none is known.
function meanOf(scores: readonly (number | null)[]): number | null {
  const known = scores.filter((score) => score !== null);
  return known.length === 0 ? null : known.reduce((sum, score) => sum + score, 0) / known.length;
}
