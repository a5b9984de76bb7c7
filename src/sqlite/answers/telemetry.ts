// Answers about readings: the newest one, those of a range, pages, and the overview of the page.
// Long answers are made piece by piece while they are sent.

import { roundedMean } from "../../bwts/bucket.ts";
import { AGGREGATED, indexOfTag, type TagName } from "../../bwts/tags.ts";
import { type AnswerPiece, arrayOf, JsonWriter, type Steps } from "../../codec/json-writer.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { presentReceipt } from "../records/present-receipt.ts";
import { countedPieces, countOf, runsFrom } from "../sealed/counts.ts";
import { type BlockRun, newestTime, timeline } from "../sealed/timeline.ts";
import { recentEventsJson } from "./events.ts";
import { readingFields } from "./field-rows.ts";
import { latestHealthJson } from "./health.ts";
import { sinceLatest, sumOf } from "./ranges.ts";

/** Number of readings written in one step: some 60 kB of JSON. */
const STEP_READINGS = 24;
/** Initial buffer size for a reading's JSON, in bytes; most fit. */
const READING_BYTES = 4096;

/** The newest reading, as a run of one; null if there is none. */
function latestRun(db: Connection): BlockRun | null {
  return snapshot(db, () => {
    // If the newest reading is damaged, this fails, as for any damaged reading.
    const present = presentReceipt(db);
    const at_ms = present === null || present.since_ms === 0 ? newestTime(db) : present.at_ms;
    if (at_ms === null) return null;
    for (const run of timeline(db, { start_ms: at_ms, end_ms: at_ms })) return run;
    return null;
  });
}

/** The readings of the hours up to the latest one, ascending. */
export function history(
  db: Connection,
  { hours }: { readonly hours: number },
  out: JsonWriter,
): Generator<AnswerPiece> {
  const range = sinceLatest(db, hours);
  return readings(range === null ? [] : timeline(db, range), out);
}

function* readings(runs: Iterable<BlockRun>, out: JsonWriter): Generator<AnswerPiece> {
  for (const { block, from, to } of runs)
    for (let start = from; start < to; start += STEP_READINGS) {
      const stretch = { from: start, to: Math.min(to, start + STEP_READINGS) };
      yield () => block.writeReadings(stretch, out);
    }
}

/**
 * A page of the readings of a range, ascending, with all fields or those of the indices `fields`.
 * With `believed`, values that aren't believed are left out.
 */
export function* chunked(
  db: Connection,
  asked: ClosedRange & {
    readonly offset: number;
    readonly limit: number;
    readonly fields?: readonly number[] | undefined;
    readonly believed?: boolean;
  },
  out: JsonWriter,
): Steps {
  const { start_ms, end_ms, offset, limit, fields, believed = false } = asked;
  const { total, runs } = snapshot(db, () => {
    const pieces = countedPieces(db, { start_ms, end_ms });
    return {
      total: countOf(pieces),
      runs: [...runsFrom(db, pieces, { offset, limit })],
    };
  });
  out.total = total;
  out.text('{"data":', 0);
  yield* arrayOf(
    out,
    fields === undefined ? readings(runs, out) : readingFields(runs, { fields, believed }, out),
  );
  const hasMore = offset + limit < total;
  out.text(`,"pagination":${JSON.stringify({ offset, limit, total, hasMore })}}`, 0);
  yield;
}

/** Runs several statements that see the database as of one commit. */
function snapshot<Result>(db: Connection, read: () => Result): Result {
  return db.transaction(read)();
}

/** The newest reading; null without one. */
export function latestJson(db: Connection): string | null {
  const run = latestRun(db);
  return run === null ? null : readingJson(run);
}

/** The first reading of a run. */
function readingJson({ block, from }: BlockRun): string {
  const out = new JsonWriter(READING_BYTES);
  block.writeReadings({ from, to: from + 1 }, out);
  return out.written.toString();
}

/** The overview of the page; all its parts are of one commit. */
export function statsJson(db: Connection): string {
  return snapshot(db, () => overview(db));
}

function overview(db: Connection): string {
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
