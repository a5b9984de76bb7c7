// Answers about health records: those scored aboard, and those received over MQTT. A bucket with
// records made aboard ignores the received ones.

import {
  type HealthMeans,
  type HealthRecord,
  healthBucket,
  healthFlat,
  healthNested,
  riskLevel,
} from "../../bwts/health-record.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
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

/**
 * The newest `limit` records of a range, newest first; at equal times the one made aboard is first.
 */
export function newestHealth(db: Connection, limit: number, range = EVER): readonly HealthRecord[] {
  return [...aboard(db, limit, range), ...received(db, limit, range)]
    .sort((one, other) => other.at_ms - one.at_ms)
    .slice(0, limit);
}

/**
 * The newest record made aboard, else the newest received one, in the nested form; `null` without
 * any.
 */
export function latestHealthJson(db: Connection): string {
  const [latest] = [...aboard(db, 1, EVER), ...received(db, 1, EVER)];
  return latest === undefined ? "null" : JSON.stringify(healthNested(latest));
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
  const rows = prepare(db, "health.received_newest").all({
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
  const others = prepare<"health.received_buckets", HealthMeans>(db, "health.received_buckets")
    .all({ ...query.range, width_ms: BigInt(width_ms), limit })
    .filter(({ start_ms }) => !starts.has(start_ms));
  const newest = [...made, ...others]
    .sort((one, other) => other.start_ms - one.start_ms)
    .slice(0, limit);
  return JSON.stringify(newest.reverse().map(healthBucket));
}

/** The newest `limit` buckets of records made aboard, newest first. */
function bucketsAboard(
  db: Connection,
  { range, width_ms, limit }: { range: ClosedRange; width_ms: number; limit: number },
): readonly HealthMeans[] {
  const buckets: HealthMeans[] = [];
  let sums: HealthSums | undefined;
  for (const { at_ms, overall_score, components } of healthBackwards(db, range)) {
    const start_ms = floorTo(at_ms, width_ms);
    if (start_ms !== sums?.start_ms) {
      if (sums !== undefined) buckets.push(meansOf(sums));
      if (buckets.length === limit) return buckets;
      sums = { start_ms, count: 0, n: [0, 0, 0, 0, 0], sum: [0, 0, 0, 0, 0] };
    }
    const { uv_health, lamp_health, power_efficiency, thermal_health } = components;
    sums.count += 1;
    add(sums, 0, overall_score);
    add(sums, 1, uv_health);
    add(sums, 2, lamp_health);
    add(sums, 3, power_efficiency);
    add(sums, 4, thermal_health);
  }
  return sums === undefined ? buckets : [...buckets, meansOf(sums)];
}

/** Sums of the overall score and the four components, in the order of `meansOf`. */
interface HealthSums {
  readonly start_ms: number;
  count: number;
  readonly n: number[];
  readonly sum: number[];
}

function add({ n, sum }: HealthSums, at: number, score: number | null): void {
  if (score === null) return;
  n[at] += 1;
  sum[at] += score;
}

function meansOf({ start_ms, count, n, sum }: HealthSums): HealthMeans {
  const [overall_score, uv_health, lamp_health, power_efficiency, thermal_health] = sum.map(
    (total, at) => (n[at] === 0 ? null : total / n[at]),
  );
  return {
    ...{ start_ms, count, overall_score },
    ...{ uv_health, lamp_health, power_efficiency, thermal_health },
  };
}
