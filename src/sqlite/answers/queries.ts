// THE QUERIES: name to function, answered in a reader's thread. The types follow from this table: a
// query is its name and the parameters of its function. An answer is JSON, written step by step, or
// the text of a file; null if there is no data.

import { type ClockStep, stepAnswer } from "../../bwts/clock-step.ts";
import type { RecordKind, TextFormat } from "../../bwts/export-kind.ts";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import type { OverviewQuery } from "../../bwts/present/answer.ts";
import {
  arrayOf,
  arrayOfTexts,
  eachText,
  type JsonWriter,
  type Steps,
  wholeText,
} from "../../codec/json-writer.ts";
import { gapsJson } from "../derived/gaps.ts";
import { lampPlanJson, type PlanOptions } from "../derived/lamp-plan.ts";
import { predictionTexts } from "../derived/predictions.ts";
import type { FileQuery } from "../exchange/begin-file.ts";
import {
  type ReconcileQuery,
  type RecordBookQuery,
  reconciliation,
  recordBookTexts,
} from "../exchange/record-book.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import { closed, type Interval, type Newest, type PageText, type Range } from "../file/query.ts";
import { auditPageJson } from "../records/audit.ts";
import {
  ledgerConsistencyJson,
  ledgerHeadJson,
  ledgerHeadsJson,
  ledgerProofJson,
} from "../records/ledger-answers.ts";
import { handoverTexts, noteTexts } from "../records/notes.ts";
import { alarmTexts } from "./alarms.ts";
import { analysis } from "./analysis.ts";
import { changeTexts } from "./changes.ts";
import { eventTexts } from "./events.ts";
import { evidenceJson } from "./evidence.ts";
import { exportFile } from "./export.ts";
import { recordTexts } from "./export-records.ts";
import { exportSize, type SizeOf } from "./export-size.ts";
import { aggregatedFields } from "./field-rows.ts";
import { healthBucketsJson, healthJson } from "./health.ts";
import { type InspectionQuery, inspectionJson } from "./inspection.ts";
import {
  type DiagnosisQuery,
  diagnosisJson,
  diagnosisOfJson,
  lampCurveJson,
  lampsJson,
  trackRecordJson,
} from "./lamps.ts";
import { type OperationsQuery, shownOperation, shownOperations, startedIn } from "./operations.ts";
import { overviewJson } from "./overview.ts";
import { plantNowJson } from "./plant-now.ts";
import { quarantineEntryJson, quarantineJson, setAsideJson } from "./quarantine.ts";
import { aggregated } from "./ranges.ts";
import { systemJson } from "./system.ts";
import { chunked, history, latestJson, statsJson } from "./telemetry.ts";

/** Maximum number of readings in a runtime analysis; more are thinned over the whole range. */
const RUNTIME_ANALYSIS_MAX = 10_000;

/** A reader's connection, its output buffer, and the limits with which it judges. */
interface Reader {
  readonly db: Connection;
  readonly out: JsonWriter;
  readonly config: LampConfig;
}

/** A query without parameters, whose text is kept until the next commit. */
const kept =
  (name: string, text: (db: Connection, config: LampConfig) => string | null) =>
  ({ db, out, config }: Reader, _asked: object): Steps | null => {
    const known = memo(db, name, () => text(db, config));
    return known === null ? null : wholeText(out, known);
  };

/** A query with a short answer, made at once. */
const once =
  <QueryParameters extends object>(text: (db: Connection, asked: QueryParameters) => string) =>
  ({ db, out }: Reader, asked: QueryParameters): Steps =>
    wholeText(out, text(db, asked));

/** As `once`, for a page of a list, with the length of the list. */
const onePage =
  <QueryParameters extends object>(page: (db: Connection, asked: QueryParameters) => PageText) =>
  ({ db, out }: Reader, asked: QueryParameters): Steps => {
    const { text, total } = page(db, asked);
    out.total = total;
    return wholeText(out, text);
  };

/** As `once`, for an answer that may be null. */
const orNull =
  <QueryParameters extends object>(
    text: (db: Connection, asked: QueryParameters) => string | null,
  ) =>
  ({ db, out }: Reader, asked: QueryParameters): Steps | null => {
    const made = text(db, asked);
    return made === null ? null : wholeText(out, made);
  };

/** An array of records, each read when its turn comes. */
const each =
  <QueryParameters extends object>(
    texts: (db: Connection, asked: QueryParameters) => Iterable<string>,
  ) =>
  ({ db, out }: Reader, asked: QueryParameters): Steps =>
    arrayOfTexts(out, texts(db, asked));

const QUERIES = {
  latest: kept("latest", latestJson),
  stats: kept("stats", statsJson),
  lamps: kept("lamps_json", lampsJson),
  lamp_curve: ({ db, out, config }: Reader, { position }: { readonly position: number }) =>
    wholeText(out, lampCurveJson(db, config, position)),
  lamp_plan: ({ db, out, config }: Reader, asked: PlanOptions) =>
    wholeText(out, lampPlanJson(db, config, asked)),
  diagnosis: kept("diagnosis", diagnosisJson),
  /** Null if the operation to compare with doesn't exist. */
  diagnosis_of: ({ db, out, config }: Reader, asked: DiagnosisQuery) => {
    const text = diagnosisOfJson(db, config, asked);
    return text === null ? null : wholeText(out, text);
  },
  track_record: kept("track_record", trackRecordJson),
  /** Newest values and alerts, for /metrics. */
  plant: kept("plant", plantNowJson),
  overview: ({ db, out, config }: Reader, asked: OverviewQuery) =>
    wholeText(out, overviewJson(db, asked, config)),
  operations: ({ db, out, config }: Reader, asked: OperationsQuery) =>
    arrayOfTexts(out, operationTexts(db, asked, config.limits)),
  /** Null if there is no such operation. */
  operation: ({ db, out, config }: Reader, { id }: { readonly id: number }) => {
    const operation = shownOperation(db, id, config.limits);
    return operation === null ? null : wholeText(out, JSON.stringify(operation));
  },
  record_book: ({ db, out, config }: Reader, asked: RecordBookQuery) =>
    eachText(out, recordBookTexts(startedIn(db, asked.range, config.limits), asked)),
  reconcile: ({ db, out, config }: Reader, asked: ReconcileQuery) => {
    const found = reconciliation((range) => startedIn(db, range, config.limits), asked);
    return wholeText(out, JSON.stringify(found));
  },
  inspection: ({ db, out, config }: Reader, asked: InspectionQuery) =>
    wholeText(out, inspectionJson(db, asked, config)),
  /** Null if no reading of the instant is stored. */
  evidence: ({ db, out }: Reader, { at_ms }: { readonly at_ms: number }) => {
    const text = evidenceJson(db, at_ms);
    return text === null ? null : wholeText(out, text);
  },
  /** Readings of the hours up to the latest one. */
  history: ({ db, out }: Reader, asked: { readonly hours: number }) =>
    arrayOf(out, history(db, asked, out)),
  /** Hours or days; `hours` counts back from the latest reading if `range` is null. */
  aggregated: (
    { db, out }: Reader,
    asked: {
      readonly interval: Interval;
      readonly range: Range | null;
      readonly hours: number;
      /** Indices into `TAGS`; undefined for all fields of buckets, without minimum and maximum. */
      readonly fields?: readonly number[] | undefined;
    },
  ) => {
    const { fields } = asked;
    if (fields === undefined) return arrayOf(out, aggregated(db, asked, out));
    return arrayOf(out, aggregatedFields(db, { ...asked, fields }, out));
  },
  chunked: ({ db, out }: Reader, asked: Parameters<typeof chunked>[1]) => chunked(db, asked, out),
  runtime: ({ db, out }: Reader, { range }: { readonly range: Range }) =>
    arrayOf(out, analysis(db, { range: closed(range), max: RUNTIME_ANALYSIS_MAX }, out)),
  export: (
    { db, out }: Reader,
    asked: FileQuery & {
      readonly range: Range;
      /** Names of columns; null for all. */
      readonly columns: readonly string[] | null;
    },
  ) => exportFile(db, { ...asked, range: closed(asked.range) }, out),
  export_records: (
    { db, out, config }: Reader,
    asked: { readonly kind: RecordKind; readonly format: TextFormat; readonly range: Range },
  ) => {
    const around = { withVoided: false, limits: config.limits, now_ms: Date.now() };
    return eachText(out, recordTexts(db, { ...asked, ...around, range: closed(asked.range) }));
  },
  export_size: (
    { db, out, config }: Reader,
    asked: FileQuery & Omit<SizeOf, "range"> & { readonly range: Range },
  ) => {
    const around = { limits: config.limits, now_ms: Date.now() };
    return exportSize(db, { ...asked, range: closed(asked.range) }, { around, out });
  },
  health: once(healthJson),
  health_aggregated: once(healthBucketsJson),
  events: each(eventTexts),
  predictions: each(predictionTexts),
  alarms: each(alarmTexts),
  gaps: ({ db, out, config }: Reader, asked: Parameters<typeof gapsJson>[1]) =>
    wholeText(out, gapsJson(db, asked, { limits: config.limits, now_ms: Date.now() })),
  clock_steps: once(clockStepsJson),
  notes: each(noteTexts),
  handovers: each(handoverTexts),
  changes: each(changeTexts),
  audit: onePage(auditPageJson),
  system: once(systemJson),
  /** Null before the first signed head. */
  ledger_head: kept("ledger_head", ledgerHeadJson),
  ledger_heads: onePage(ledgerHeadsJson),
  /** Null for an entry that isn't covered by a signed head. */
  ledger_proof: orNull(ledgerProofJson),
  /** Null for a size that the tree doesn't have. */
  ledger_consistency: orNull(ledgerConsistencyJson),
  quarantine: once(quarantineJson),
  set_aside: once(setAsideJson),
  /** Null if there is no such entry. */
  quarantine_entry: ({ db, out }: Reader, { id }: { readonly id: number }) => {
    const text = quarantineEntryJson(db, id);
    return text === null ? null : wholeText(out, text);
  },
};

function* operationTexts(...asked: Parameters<typeof shownOperations>): Generator<string> {
  for (const operation of shownOperations(...asked)) yield JSON.stringify(operation);
}

type Queries = typeof QUERIES;
type Name = keyof Queries;
type QueryParameters = { readonly [K in Name]: Parameters<Queries[K]>[1] };

/** A query as sent to a reader: a name and parameters, never SQL. */
export type Query = { readonly [K in Name]: { readonly name: K } & QueryParameters[K] }[Name];

const functions: {
  readonly [K in Name]: (reader: Reader, asked: QueryParameters[K]) => Steps | null;
} = QUERIES;

/** Writes the answer of a query into `out`; null if there is no data. */
export function answer(
  db: Connection,
  query: Query,
  { out, limits }: { readonly out: JsonWriter; readonly limits: LampConfig },
): Steps | null {
  return answerTo(query.name, query, { db, out, config: limits });
}

function answerTo<K extends Name>(
  name: K,
  asked: QueryParameters[K],
  reader: Reader,
): Steps | null {
  return functions[name](reader, asked);
}

/** Clock steps found in a range, newest first. */
function clockStepsJson(db: Connection, { range, limit }: Newest): string {
  const rows = prepare<"clock.steps", ClockStep>(db, "clock.steps").all({
    ...closed(range),
    limit,
  });
  return JSON.stringify(rows.map(stepAnswer));
}
