// Documents for the office beside the links: the report of the present, hours, alerts, forecasts.
// src/bwts/documents/document.ts defines their bodies.

import { bucketRow } from "../../bwts/bucket.ts";
import type { Hour, Report } from "../../bwts/documents/document.ts";
import { reportAlarms, reportText } from "../../bwts/documents/report-limits.ts";
import { SYSTEM_VALUES } from "../../bwts/documents/system-values.ts";
import { ownSpans } from "../../bwts/plausible.ts";
import { type Prediction, predictionAnswer } from "../../bwts/prediction.ts";
import { asNumber } from "../../bwts/reading.ts";
import { AGGREGATED, indexOfTag, LAMP_NUMBERS, type TagName } from "../../bwts/tags.ts";
import { HOUR_MS } from "../../ground/clock.ts";
import { newestForecasts } from "../derived/lamp-rows.ts";
import { newestValues } from "../derived/newest-values.ts";
import { type LedgerNumbers, ledgerReport } from "../exchange/shore-ledger.ts";
import { withoutDamage } from "../file/damage.ts";
import { chainHead } from "../file/hash-chain.ts";
import { type Connection, prepare } from "../file/open.ts";
import { spansInForce } from "../sealed/spans.ts";
import { newestTime, rawFrom, UNDAMAGED } from "../sealed/timeline.ts";
import { shownAlarm } from "./alarms.ts";
import { newestHealth } from "./health.ts";
import { lampCounters, openPlaces } from "./overview-alerts.ts";
import { rangedSums } from "./ranges.ts";

/** A document for the office, without its revision. */
export interface ReportedDocument {
  readonly key: string;
  readonly body: object;
}

/** The part of a report that comes from the database. */
export type StoredReport = Omit<Report, "at_ms" | "ashore" | "backlog" | "clock" | "line">;

/**
 * The report's stored part. `has`: the ledger's documents that the office has; null if its schema
 * takes none.
 */
export function storedReport(db: Connection, has: LedgerNumbers | null): StoredReport {
  return db.transaction(() => {
    const data_ms = newestTime(db, UNDAMAGED);
    const { values } = data_ms === null ? { values: [] } : newestValues(db, data_ms);
    const text = (name: TagName) => reportText(values[indexOfTag(name)]);
    const head = (chain: "segment" | "event" | "audit"): [number, string] => {
      const { count, hash } = chainHead(db, chain);
      return [count, Buffer.from(hash).toString("base64")];
    };
    const [health] = newestHealth(db, 1);
    return {
      data_ms,
      state: text("PROCESS_STATE"),
      operation_type: text("operation_type"),
      location: text("location"),
      values: SYSTEM_VALUES.map((index) => asNumber(values[index])),
      alarms: reportAlarms(
        prepare(db, "alarm.open")
          .all({})
          .map(({ code }) => code),
      ),
      health: health?.overall_score ?? null,
      heads: { segment: head("segment"), event: head("event"), audit: head("audit") },
      ledger: has === null ? null : ledgerReport(db, has),
      hot: prepare(db, "shore.hot").get({})?.count ?? 0,
      raw_from_ms: rawFrom(db),
      lamp_due: lampDue(db),
    };
  })();
}

/**
 * Hours that changed after a revision, in order of revision; an hour with damaged readings is left
 * out.
 */
export function changedHours(
  db: Connection,
  { revision, limit }: { readonly revision: number; readonly limit: number },
) {
  const rows = prepare(db, "shore.hours").all({ revision, limit });
  return rows.flatMap((row) => {
    const body = withoutDamage(db, () => hourAt(db, row.start_ms));
    return body === null ? [] : [{ key: `${row.start_ms}`, body, revision: row.revision }];
  });
}

/** The highest revision of all hours; 0 without one. */
export function newestHour(db: Connection): number {
  return prepare(db, "shore.hour_newest").get({})?.revision ?? 0;
}

/** True if the box's clock was last judged as trusted. */
export function isClockTrusted(db: Connection): boolean {
  return prepare(db, "shore.clock").get({})?.clock_trusted === 1;
}

function hourAt(db: Connection, start_ms: number): Hour {
  const [found] = [...rangedSums(db, { start_ms, end_ms: start_ms + HOUR_MS - 1 }, "hour")];
  if (found === undefined) return { start_ms, count: 0, values: AGGREGATED.map(() => null) };
  const values = [...bucketRow(found.bucket)].map((value) => (Number.isNaN(value) ? null : value));
  const spans = spansInForce(db);
  const hour = { start_ms, count: found.bucket.count, values };
  return spans === null ? hour : { ...hour, spans: ownSpans(spans) };
}

/** Alerts that are open or changed since a time. */
export function changedAlarms(
  db: Connection,
  since_ms: number,
  now_ms: number,
): readonly ReportedDocument[] {
  const ids = prepare(db, "shore.alarms").all({ since_ms });
  return ids.flatMap(({ id }) => {
    const body = shownAlarm(db, id, now_ms);
    return body === null ? [] : [{ key: body.id, body }];
  });
}

/** The newest forecast of each lamp. */
export function forecasts(db: Connection): readonly ReportedDocument[] {
  return newestOfLamps(db).map((forecast) => ({
    key: forecast.component_id,
    body: predictionAnswer(forecast),
  }));
}

function newestOfLamps(db: Connection): readonly Prediction[] {
  const found = withoutDamage(db, () => newestForecasts(db, LAMP_NUMBERS.length)) ?? [];
  const newest_ms = found[0]?.at_ms;
  return found.filter(({ at_ms }) => at_ms === newest_ms);
}

/**
 * The number of the lamp whose end is expected first; null while forecasts are suspended, or
 * without one.
 */
function lampDue(db: Connection): Report["lamp_due"] {
  const counters = withoutDamage(db, () => lampCounters(db, openPlaces(db, null), null));
  if (counters?.isSuspended) return null;
  const dated = newestOfLamps(db).flatMap(({ component_id, predictions }): [number, string][] => {
    const lamp = LAMP_NUMBERS.findIndex((number) => component_id === `LAMP_${number}`) + 1;
    const { end_date_p50: date } = predictions;
    return lamp > 0 && typeof date === "string" ? [[lamp, date]] : [];
  });
  const [first = null] = dated.sort(([, one], [, other]) => (one < other ? -1 : 1));
  return first;
}
