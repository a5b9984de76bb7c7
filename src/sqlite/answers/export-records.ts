// Events, health records, predictions, alarms, gaps and the audit log for other programs: the
// records of a range in order of time, each as the API answers it. A line of NDJSON is that object;
// in CSV each member is a column, and nested members are JSON text. The command writes these lines
// to a file, the route has a reader write the same lines.

import type { RecordKind, TextFormat } from "../../bwts/export-kind.ts";
import type { HealthLimits } from "../../bwts/health.ts";
import { healthFlat } from "../../bwts/health-record.ts";
import { Operation } from "../../bwts/operations/operation.ts";
import { predictionAnswer } from "../../bwts/prediction.ts";
import type { ShownLimits } from "../../bwts/present/shown-limits.ts";
import { gapAnswer, type ShownGap } from "../../bwts/present/silence.ts";
import { VOIDED } from "../../codec/line.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { lastingGap } from "../derived/gaps.ts";
import { type HealthRow, refuseStrays, scoredHealth } from "../derived/health-scores.ts";
import { type ForecastRow, forecastOf } from "../derived/lamp-rows.ts";
import { type ReceivedPrediction, receivedOf } from "../derived/predictions.ts";
import { csvRow } from "../exchange/export-csv.ts";
import {
  type Connection,
  type NarrowedRow,
  prepare,
  type RowOf,
  type StatementName,
} from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { answerOf, auditRows } from "../records/audit.ts";
import { shownAlarm } from "./alarms.ts";
import { shownEvent } from "./events.ts";
import { receivedHealth } from "./health.ts";
import { listedOperation } from "./operations.ts";

export interface RecordsQuery {
  readonly kind: RecordKind;
  readonly format: TextFormat;
  readonly range: ClosedRange;
  /** For events: also exports those that a void hides, with a last column that marks them. */
  readonly withVoided: boolean;
  /** Limits that decide whether a gap still lasts and an operation is still under way. */
  readonly limits: HealthLimits & ShownLimits;
  readonly now_ms: number;
}

type RecordMembers = Readonly<Record<string, unknown>>;

/** Columns of the CSV, in the order in which the API has them. */
export const RECORD_COLUMNS: Readonly<Record<RecordKind, readonly string[]>> = {
  events: ["timestamp", "event_type", "description", "data"],
  health: [
    ...["timestamp", "overall_score", "risk_level", "month", "componentsUvHealth"],
    ...["componentsPowerEfficiency", "componentsLampHealth", "componentsThermalHealth"],
  ],
  predictions: ["timestamp", "component_id", "component_type", "predictions", "current_state"],
  alarms: [
    ...["code", "description", "source", "state", "since", "cleared_at"],
    ...["parameter", "value", "limit", "unit", "data", "id", "priority", "alert_state", "count"],
    ...["last_raised", "lamp", "limit_source", "acknowledged_at", "acknowledged_by"],
    ...["acknowledged_note", "shelved_until", "shelved_by", "shelved_reason", "action"],
  ],
  gaps: ["start", "end", "seconds", "operation_type", "known_by"],
  operations: Object.keys(Operation.shape),
};

/** The texts of an export, one a record; the first text of CSV is the header. */
export function* recordTexts(db: Connection, asked: RecordsQuery): Generator<string> {
  const voided = asked.withVoided ? [VOIDED] : [];
  const columns = [...RECORD_COLUMNS[asked.kind], ...voided];
  if (asked.format === "csv") yield csvRow(columns);
  for (const record of recordsOf(db, asked))
    yield asked.format === "csv"
      ? csvRow(columns.map((name) => cellOf(record[name])))
      : `${exactJson(record)}\n`;
}

function cellOf(member: unknown) {
  if (member === null || typeof member === "string") return member;
  if (typeof member === "number" || typeof member === "boolean") return member;
  return exactJson(member);
}

function recordsOf(db: Connection, asked: RecordsQuery): Iterable<RecordMembers> {
  switch (asked.kind) {
    case "events":
      return events(db, asked);
    case "health":
      return healthOf(db, asked.range);
    case "predictions":
      return predictionsOf(db, asked.range);
    case "alarms":
      return alarmsOf(db, asked);
    case "gaps":
      return gapsOf(db, asked);
    case "operations":
      return operationsOf(db, asked);
  }
}

function* events(db: Connection, { range, withVoided }: RecordsQuery): Generator<RecordMembers> {
  const places = withVoided
    ? paged(db, "record.events_stored", range)
    : paged(db, "record.events", range);
  for (const place of places) {
    const event = shownEvent(db, place);
    if (event === null) continue;
    yield "voided" in place ? { ...event, [VOIDED]: place.voided === 1 } : event;
  }
}

function* healthOf(db: Connection, range: ClosedRange): Generator<RecordMembers> {
  refuseStrays(db, range);
  const aboard = each(paged<"record.health", HealthRow>(db, "record.health", range), scoredHealth);
  const received = each(
    paged<"record.health_received", HealthRow>(db, "record.health_received", range),
    receivedHealth,
  );
  for (const record of merged(aboard, received, (one, other) => one.at_ms - other.at_ms))
    yield healthFlat(record);
}

function* predictionsOf(db: Connection, range: ClosedRange): Generator<RecordMembers> {
  const aboard = each(
    paged<"record.forecasts", ForecastRow>(db, "record.forecasts", range),
    forecastOf,
  );
  const received = each(
    paged<"record.predictions", ReceivedPrediction>(db, "record.predictions", range),
    receivedOf,
  );
  for (const prediction of merged<Forecasted>(aboard, received, byTimeAndLamp))
    yield predictionAnswer(prediction);
}

type Forecasted = Parameters<typeof predictionAnswer>[0];

function byTimeAndLamp(one: Forecasted, other: Forecasted): number {
  return one.at_ms - other.at_ms || one.component_id.localeCompare(other.component_id, "en");
}

function* alarmsOf(db: Connection, { range, now_ms }: RecordsQuery): Generator<RecordMembers> {
  // Pages go by the first rise, which may lie before the range.
  for (const { id } of paged(db, "record.alarms", range, -1)) {
    const alarm = shownAlarm(db, id, now_ms);
    if (alarm !== null) yield alarm;
  }
}

function* gapsOf(db: Connection, { range, ...around }: RecordsQuery): Generator<RecordMembers> {
  const rows = paged<"record.gaps", Omit<ShownGap, "isOpen">>(db, "record.gaps", range, -1);
  for (const row of rows) yield gapAnswer({ ...row, isOpen: false });
  for (const gap of lastingGap(db, range, around)) yield gapAnswer(gap);
}

function* operationsOf(db: Connection, { range, limits }: RecordsQuery): Generator<RecordMembers> {
  for (const { id } of paged(db, "record.operations", range, -1)) {
    const operation = listedOperation(db, id, limits);
    if (operation !== null) yield operation;
  }
}

/** Number of rows fetched at a time. */
const PAGE = 200;

type RecordStatement = Extract<StatementName, `record.${string}`>;

/** The rows of a statement of record-export.sql, fetched page by page. */
function paged<Name extends RecordStatement>(
  db: Connection,
  name: Name,
  range: ClosedRange,
  before_ms?: number,
): Generator<RowOf<Name>>;
function paged<Name extends RecordStatement, Row extends NarrowedRow<Row, RowOf<Name>>>(
  db: Connection,
  name: Name,
  range: ClosedRange,
  before_ms?: number,
): Generator<Row>;
function* paged(
  db: Connection,
  name: RecordStatement,
  { start_ms, end_ms }: ClosedRange,
  before_ms = start_ms - 1,
): Generator<RowOf<RecordStatement>> {
  const page = prepare(db, name);
  // The first page begins below every id and component name, so it has all of the first instant.
  let after = { id: -1, component_id: "", lamp: 0, at_ms: before_ms };
  for (;;) {
    const rows = page.all({ ...after, start_ms, end_ms, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = { ...after, ...last };
  }
}

function* each<Row, Item>(rows: Iterable<Row>, itemOf: (row: Row) => Item): Generator<Item> {
  for (const row of rows) yield itemOf(row);
}

/** Two ascending series as one; of equal items the one of the first series comes first. */
function* merged<Item>(
  first: Iterator<Item>,
  second: Iterator<Item>,
  order: (one: Item, other: Item) => number,
): Generator<Item> {
  let [one, other] = [first.next(), second.next()];
  while (!one.done || !other.done) {
    if (!one.done && (other.done || order(one.value, other.value) <= 0)) {
      yield one.value;
      one = first.next();
    } else if (!other.done) {
      yield other.value;
      other = second.next();
    }
  }
}

const HEAD = ["id", "timestamp", "clock_trusted", "kind", "actor", "address", "detail", "hash"];

/** The lines of an export of the audit log; the first line of CSV is the header. */
export function* auditLines(
  db: Connection,
  range: ClosedRange,
  format: TextFormat,
): Generator<string> {
  if (format === "csv") yield csvRow(HEAD);
  for (const row of auditRows(db, range)) {
    const entry = answerOf(db, row);
    if (format === "ndjson") yield `${JSON.stringify(entry)}\n`;
    else yield csvRow(Object.values({ ...entry, detail: JSON.stringify(entry.detail) }));
  }
}
