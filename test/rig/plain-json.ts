// Readings and aggregated rows as JSON the plain way, value by value through JSON.stringify: what
// the writers that fill buffers from tables are held against.

import type { Bucket } from "../../src/bwts/bucket.ts";
import { bucketRow } from "../../src/bwts/bucket.ts";
import type { Reading, Value } from "../../src/bwts/reading.ts";
import { AGGREGATED, RUNTIME_ANALYSIS, TAGS } from "../../src/bwts/tags.ts";
import { printTime } from "../../src/ground/clock.ts";

/** A TelemetryReading. */
export function readingJson(reading: Reading): string {
  const own = TAGS.map(({ name }, index) => [name, reading.values[index]] as const).slice(1);
  return objectOf(reading.at_ms, [...own, ...reading.extra]);
}

/** A record of the runtime analysis. */
export function analysisJson({ at_ms, values }: Reading): string {
  return objectOf(
    at_ms,
    RUNTIME_ANALYSIS.map((index) => [TAGS[index].name, values[index]]),
  );
}

/** An aggregated row. */
export function aggregatedJson(start_ms: number, bucket: Bucket): string {
  const values = bucketRow(bucket);
  const own = AGGREGATED.map((index, position) => [TAGS[index].name, values[position]] as const);
  return objectOf(start_ms, [...own, ["recordCount", bucket.count]]);
}

function objectOf(at_ms: number, members: readonly (readonly [string, Value])[]): string {
  const printed = members.map(([name, value]) => `,${JSON.stringify(name)}:${textOf(value)}`);
  return `{"timestamp":${JSON.stringify(printTime(at_ms))}${printed.join("")}}`;
}

/** JSON.stringify takes the sign from negative zero; of NaN it makes null. */
function textOf(value: Value): string {
  if (Object.is(value, -0)) return "-0";
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
