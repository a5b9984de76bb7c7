// Answers as JSON text, written member by member from prepared keys: the wire's shapes of the seed.
// Numbers print as JavaScript prints them, except negative zero, which keeps its sign.

import type { Bucket } from "../bwts/bucket.ts";
import { bucketRow } from "../bwts/bucket.ts";
import type { HealthRecord } from "../bwts/health-record.ts";
import type { Reading, Value } from "../bwts/reading.ts";
import { AGGREGATED, RUNTIME_ANALYSIS, TAGS } from "../bwts/tags.ts";
import { printTime } from "../clock.ts";

type Dated = Pick<Reading, "at_ms" | "values">;

const keyOf = (index: number) => `,${JSON.stringify(TAGS[index].name)}:`;
const readingKeys = TAGS.map((_, index) => keyOf(index));
const aggregatedKeys = AGGREGATED.map(keyOf);
const analysisKeys = RUNTIME_ANALYSIS.map(keyOf);

/** A TelemetryReading: every catalogue member, then the unknown tags. */
export function readingJson(reading: Reading): string {
  let text = timestampOf(reading.at_ms);
  for (let index = 1; index < readingKeys.length; index += 1)
    text += readingKeys[index] + valueJson(reading.values[index]);
  for (const [name, value] of reading.extra) text += `,${JSON.stringify(name)}:${valueJson(value)}`;
  return `${text}}`;
}

/** A record of the runtime analysis. */
export function analysisJson(reading: Dated): string {
  let text = timestampOf(reading.at_ms);
  for (const [position, index] of RUNTIME_ANALYSIS.entries())
    text += analysisKeys[position] + valueJson(reading.values[index]);
  return `${text}}`;
}

/** An aggregated row: 57 members, `recordCount` last. */
export function bucketJson(start_ms: number, bucket: Bucket): string {
  let text = timestampOf(start_ms);
  for (const [position, value] of bucketRow(bucket).entries())
    text += aggregatedKeys[position] + valueJson(value);
  return `${text},"recordCount":${bucket.count}}`;
}

/** A health record in the flat form. */
export function healthFlatJson(record: HealthRecord): string {
  const { components } = record;
  return JSON.stringify({
    timestamp: printTime(record.at_ms),
    overall_score: record.overall_score,
    risk_level: record.risk_level,
    month: record.month,
    componentsUvHealth: components.uv_health,
    componentsPowerEfficiency: components.power_efficiency,
    componentsLampHealth: components.lamp_health,
    componentsThermalHealth: components.thermal_health,
  });
}

/** A health record in the nested form, with its month. */
export function healthNestedJson(record: HealthRecord): string {
  const { overall_score, risk_level, month, components } = record;
  return JSON.stringify({
    timestamp: printTime(record.at_ms),
    overall_score,
    risk_level,
    month,
    components,
  });
}

function timestampOf(at_ms: number): string {
  return `{"timestamp":"${printTime(at_ms)}"`;
}

/** A value as JSON; JSON.stringify would take the sign from negative zero. */
export function valueJson(value: Value): string {
  if (typeof value === "number") return numberJson(value);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** What stands behind the point for so many ten-thousandths, without zeros at the end. */
const FRACTIONS = Array.from({ length: 10_000 }, (_, fraction) =>
  `.${String(fraction).padStart(4, "0")}`.replace(/\.?0+$/, ""),
);
/** Up to fifteen digits a decimal is its double's shortest text. */
const SCALED_MAX = 1e15;

/** As String() prints it, but -0 with its sign; four times as fast for up to four decimals. */
function numberJson(value: number): string {
  if (Object.is(value, -0)) return "-0";
  const scaled = Math.round(value * 1e4);
  if (scaled / 1e4 !== value || Math.abs(scaled) >= SCALED_MAX) return String(value);
  const size = Math.abs(scaled);
  const whole = Math.floor(size / 1e4);
  return (scaled < 0 ? "-" : "") + whole + FRACTIONS[size - whole * 1e4];
}
