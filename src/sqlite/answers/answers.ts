// Answers queries. Each answer is a generator that writes JSON and pauses between steps: a long
// answer is sent while it is made, and stops when its client leaves. Null: no data.

import { roundedMean } from "../../bwts/bucket.ts";
import type { LampConfig } from "../../bwts/lamps/config.ts";
import { AGGREGATED, indexOfTag, type TagName } from "../../bwts/tags.ts";
import { writeAggregated } from "../../codec/json.ts";
import { JsonWriter } from "../../codec/json-writer.ts";
import { HOUR_MS } from "../../ground/clock.ts";
import { gapsJson } from "../derived/gaps.ts";
import { memo } from "../file/memo.ts";
import type { Connection } from "../file/open.ts";
import {
  type ClosedRange,
  closed,
  type Interval,
  type Query,
  RUNTIME_ANALYSIS_MAX,
} from "../file/query.ts";
import { auditPageJson } from "../records/audit.ts";
import { countedPieces, countOf, runsFrom } from "../sealed/counts.ts";
import { newestTime, type Run, timeline } from "../sealed/timeline.ts";
import { alarmTexts, clockStepsJson } from "./alarm-answers.ts";
import { analysis } from "./analysis.ts";
import { exportText } from "./export.ts";
import { recordTexts } from "./export-records.ts";
import { healthBucketsJson, healthJson, latestHealthJson } from "./health-answers.ts";
import { diagnosisJson, lampsJson, trackRecordJson } from "./lamp-answers.ts";
import { plantNowJson } from "./plant-now.ts";
import { rangedBuckets, sumOf } from "./ranges.ts";
import { eventTexts, predictionTexts, recentEventsJson } from "./record-answers.ts";

/** Writes an answer step by step. Between two steps the caller may take the text written so far. */
export type Steps = Generator<void>;

/** Readings written in one step: some 60 kB of JSON. */
const STEP_READINGS = 24;
/** Buffer size in bytes that suits most readings' JSON. */
const READING_BYTES = 4096;

/**
 * Writes the answer of a query into `out`; null if there is no data (`latest` without a reading).
 */
export function answer(
  db: Connection,
  query: Query,
  { out, limits }: { readonly out: JsonWriter; readonly limits: LampConfig },
): Steps | null {
  const once = (text: string) => wholeText(out, text);
  switch (query.name) {
    case "latest": {
      const text = memo(db, "latest", () => latestJson(db));
      return text === null ? null : once(text);
    }
    case "stats":
      return once(memo(db, "stats", () => snapshot(db, () => statsJson(db))));
    case "history":
      return arrayOf(out, readings(timelineOf(db, sinceLatest(db, query.hours)), out));
    case "aggregated": {
      const range = query.range === null ? sinceLatest(db, query.hours) : closed(query.range);
      return arrayOf(out, aggregated(db, { range, interval: query.interval }, out));
    }
    case "chunked":
      return chunked(db, query, out);
    case "runtime":
      return arrayOf(
        out,
        analysis(db, { range: closed(query.range), max: RUNTIME_ANALYSIS_MAX }, out),
      );
    case "export":
      return exportText(db, { ...query, range: closed(query.range) }, out);
    case "export_records":
      return eachText(
        recordTexts(db, {
          ...{ ...query, range: closed(query.range), withVoided: false },
          ...{ limits: limits.limits, now_ms: Date.now() },
        }),
        out,
      );
    case "health":
      return once(healthJson(db, query));
    case "health_aggregated": {
      const limit = query.range === null ? query.limit : null;
      const { interval } = query;
      return once(healthBucketsJson(db, { interval, range: closed(query.range), limit }));
    }
    case "events":
      return arrayOf(out, written(eventTexts(db, query), out));
    case "predictions":
      return arrayOf(out, written(predictionTexts(db, query), out));
    case "lamps":
      return once(memo(db, "lamps_json", () => lampsJson(db, limits)));
    case "plant":
      return once(memo(db, "plant", () => plantNowJson(db, limits)));
    case "diagnosis":
      return once(memo(db, "diagnosis", () => diagnosisJson(db, limits)));
    case "track_record":
      return once(memo(db, "track_record", () => trackRecordJson(db, limits)));
    case "alarms":
      return arrayOf(out, written(alarmTexts(db, query), out));
    case "gaps":
      return once(gapsJson(db, query, { limits: limits.limits, now_ms: Date.now() }));
    case "clock_steps":
      return once(clockStepsJson(db, query));
    case "audit":
      return once(auditPageJson(db, query));
  }
}

/** The newest reading, as a run of one; null if there is none. */
function latestRun(db: Connection): Run | null {
  return snapshot(db, () => {
    const at_ms = newestTime(db);
    if (at_ms === null) return null;
    for (const run of timeline(db, { start_ms: at_ms, end_ms: at_ms })) return run;
    return null;
  });
}

function latestTime(db: Connection): number | null {
  const run = latestRun(db);
  return run === null ? null : run.block.at_ms(run.from);
}

/** The `hours` up to the latest reading; null if there is none. */
function sinceLatest(db: Connection, hours: number): ClosedRange | null {
  const latest_ms = latestTime(db);
  return latest_ms === null ? null : { start_ms: latest_ms - hours * HOUR_MS, end_ms: latest_ms };
}

function timelineOf(db: Connection, range: ClosedRange | null): Iterable<Run> {
  return range === null ? [] : timeline(db, range);
}

function* wholeText(out: JsonWriter, text: string): Steps {
  out.text(text, 0);
  yield;
}

function* eachText(texts: Iterable<string>, out: JsonWriter): Steps {
  for (const text of texts) {
    out.text(text, 0);
    yield;
  }
}

/** Writes one or more items of an array, with commas between them. */
type Piece = () => void;

function* arrayOf(out: JsonWriter, pieces: Iterable<Piece>): Steps {
  let before = "[";
  for (const write of pieces) {
    out.text(before, 0);
    write();
    before = ",";
    yield;
  }
  out.text(before === "[" ? "[]" : "]", 0);
  yield;
}

function* written(texts: Iterable<string>, out: JsonWriter): Generator<Piece> {
  for (const text of texts) yield () => out.text(text, 0);
}

function* readings(runs: Iterable<Run>, out: JsonWriter): Generator<Piece> {
  for (const { block, from, to } of runs)
    for (let start = from; start < to; start += STEP_READINGS) {
      const stretch = { from: start, to: Math.min(to, start + STEP_READINGS) };
      yield () => block.writeReadings(stretch, out);
    }
}

function* aggregated(
  db: Connection,
  { range, interval }: { range: ClosedRange | null; interval: Interval },
  out: JsonWriter,
): Generator<Piece> {
  if (range === null) return;
  for (const bucket of rangedBuckets(db, range, interval)) yield () => writeAggregated(bucket, out);
}

function* chunked(
  db: Connection,
  query: Extract<Query, { name: "chunked" }>,
  out: JsonWriter,
): Steps {
  const { start_ms, end_ms, offset, limit } = query;
  const { total, runs } = snapshot(db, () => {
    const pieces = countedPieces(db, { start_ms, end_ms });
    return {
      total: countOf(pieces),
      runs: [...runsFrom(db, pieces, { offset, limit })],
    };
  });
  out.text('{"data":', 0);
  yield* arrayOf(out, readings(runs, out));
  const hasMore = offset + limit < total;
  out.text(`,"pagination":${JSON.stringify({ offset, limit, total, hasMore })}}`, 0);
  yield;
}

/** Runs several statements that see the database as of one commit. */
function snapshot<Result>(db: Connection, read: () => Result): Result {
  return db.transaction(read)();
}

function latestJson(db: Connection): string | null {
  const run = latestRun(db);
  return run === null ? null : readingJson(run);
}

/** The first reading of a run. */
function readingJson({ block, from }: Run): string {
  const out = new JsonWriter(READING_BYTES);
  block.writeReadings({ from, to: from + 1 }, out);
  return out.written.toString();
}

function statsJson(db: Connection): string {
  const run = latestRun(db);
  const latest_ms = run === null ? null : run.block.at_ms(run.from);
  const parts = [
    `"latestTelemetry":${run === null ? "null" : readingJson(run)}`,
    `"latestHealth":${latestHealthJson(db)}`,
    `"recentEvents":${recentEventsJson(db)}`,
    `"monthlyAvg":${monthlyJson(db, latest_ms)}`,
  ];
  return `{${parts.join(",")}}`;
}

function monthlyJson(db: Connection, latest_ms: number | null): string {
  const total = latest_ms === null ? null : sumOf(db, monthUpTo(latest_ms));
  const average = (name: TagName) => {
    const field = total?.fields[AGGREGATED.indexOf(indexOfTag(name))];
    return field === undefined || field.n === 0 ? null : roundedMean(field.sum, field.n);
  };
  return JSON.stringify({
    avgUVIntensity: average("UVR_INTENSITY"),
    avgPowerOutput: average("UVR_POWER_OUTPUT"),
    avgFlowRate: average("SYS_FLOW_RATE"),
  });
}

function monthUpTo(latest_ms: number): ClosedRange {
  const date = new Date(latest_ms);
  return {
    start_ms: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
    end_ms: latest_ms,
  };
}
