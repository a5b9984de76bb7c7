// News for GET /stream: everything that has changed since an earlier state, in the form of the
// other answers. The caller keeps the state, a few ids and hashes, so nothing is lost if a reader's
// thread dies. Computed only while a client listens, at most a few times a second.

import { hash } from "node:crypto";
import { healthFlat } from "../../bwts/health-record.ts";
import { silenceLimit } from "../../bwts/idle-plant.ts";
import type { LampConfig } from "../../bwts/lamps/outlook.ts";
import { type NewsType, operationNews } from "../../bwts/stream.ts";
import { LAMP_COUNT } from "../../bwts/tags.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { presentOperation } from "../derived/gaps.ts";
import { predictionTexts } from "../derived/predictions.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, memo, prepare } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { shownAlarm } from "./alarms.ts";
import { type EventPlace, eventAnswer, shownEvent } from "./events.ts";
import { newestHealth } from "./health.ts";
import { latestJson } from "./telemetry.ts";

/** The state that the client already knows; news are the differences from it. */
export interface KnownNews {
  readonly event_id: number;
  readonly operation_id: number;
  readonly alarm_id: number;
  /** Id of the newest note, handover, number of spares, change of settings or void. */
  readonly note_id: number;
  /** By the id of each open alert, a text that changes with the alert. */
  readonly alarms: ReadonlyMap<number, string>;
  /** Hashes of the texts of the newest reading, health record and forecasts. */
  readonly reading: string;
  readonly health: string;
  readonly forecasts: readonly string[];
}

export interface NewsItem {
  readonly type: NewsType;
  /** The news as JSON in one line. */
  readonly text: string;
}

export interface News {
  readonly known: KnownNews;
  readonly items: readonly NewsItem[];
  /** True if more news are left for the next round. */
  readonly isMore: boolean;
  /** Time without a reading after which data counts as missing, ms. */
  readonly silence_ms: number;
  /** Time of the newest reading that shows the plant's state. */
  readonly reading_ms: number | null;
}

/** Number of characters after which a round ends, so that a burst of events is spread over time. */
const ROUND_CHARS = 256 * 1024;
/** Maximum number of events, and of new alerts, in a round. */
const ROUND_ITEMS = 100;

/** The news since `known`, as of one commit; null returns only the present state, without news. */
export function newsSince(db: Connection, known: KnownNews | null, { limits }: LampConfig): News {
  const items: NewsItem[] = [];
  let chars = 0;
  let isMore = false;
  const out: Collector = {
    db,
    isFull: () => {
      isMore ||= chars >= ROUND_CHARS;
      return chars >= ROUND_CHARS;
    },
    more: () => {
      isMore = true;
    },
    add(type, make) {
      const text = withoutDamage(db, make);
      if (text === null || known === null) return;
      items.push({ type, text });
      chars += text.length;
    },
  };
  const [now, { newest, cadence_ms }] = db.transaction(
    () => [toldNow(out, known), presentOperation(db, limits)] as const,
  )();
  const present = { silence_ms: silenceLimit(cadence_ms), reading_ms: newest?.at_ms ?? null };
  return { known: now, items, isMore, ...present };
}

function toldNow(out: Collector, known: Known): KnownNews {
  return {
    ...{ event_id: tellEvents(out, known), operation_id: tellOperation(out, known) },
    ...tellAlarms(out, known),
    ...{ reading: tellReading(out, known), health: tellHealth(out, known) },
    ...tellForecasts(out, known),
    note_id: tellNotes(out, known),
  };
}

type Known = KnownNews | null;

interface Collector {
  readonly db: Connection;
  /** True if further news belong to the next round. */
  readonly isFull: () => boolean;
  readonly more: () => void;
  readonly add: (type: NewsType, make: () => string | null) => void;
}

function eventText(db: Connection, place: EventPlace): string | null {
  const event = shownEvent(db, place);
  return event === null ? null : exactJson(event);
}

function tellEvents({ db, ...out }: Collector, known: Known): number {
  const last = prepare(db, "event.last_id").get({})?.id ?? 0;
  if (known === null || last <= known.event_id) return last;
  const rows = prepare(db, "event.shown_after").all({ id: known.event_id, limit: ROUND_ITEMS });
  let told = known.event_id;
  for (const place of rows) {
    if (out.isFull()) return told;
    out.add("event", () => eventText(db, place));
    told = place.id;
  }
  if (rows.length < ROUND_ITEMS) return last;
  out.more();
  return told;
}

function tellOperation({ db, add }: Collector, known: Known): number {
  const newest = prepare(db, "event.newest_of_type");
  const stored = prepare(db, "event.stored");
  const last = ["PROCESS_START", "PROCESS_STOP"]
    .flatMap((event_type) => newest.get({ ...EVER, event_type, limit: 1 }) ?? [])
    .flatMap(({ id }) => {
      const row = stored.get({ id });
      return row === undefined ? [] : [{ id, row }];
    })
    .sort((one, other) => other.row.at_ms - one.row.at_ms || other.id - one.id)
    .at(0);
  if (last === undefined) return 0;
  const { id, row } = last;
  if (id !== known?.operation_id)
    add("operation", () => exactJson(operationNews(eventAnswer(db, row))));
  return id;
}

/**
 * Adds the newest entry that people made; the client reloads the lists and the plan for the others.
 */
function tellNotes({ db, add }: Collector, known: Known): number {
  const newest = prepare(db, "audit.newest_of_kind");
  const { id, kind } = ["note", "handover", "lamp_spares", "settings", "void"]
    .map((kind) => ({ id: newest.get({ kind })?.id ?? 0, kind }))
    .reduce((one, other) => (other.id > one.id ? other : one));
  if (id !== (known?.note_id ?? 0)) add("note", () => JSON.stringify({ id, kind }));
  return id;
}

interface AlarmMark {
  readonly id: number;
  readonly mark: string;
}

function tellAlarms({ db, ...out }: Collector, known: Known) {
  const now_ms = Date.now();
  const open = new Map(
    prepare<"alarm.marks", AlarmMark>(db, "alarm.marks")
      .all({ now_ms })
      .map(({ id, mark }) => [id, mark]),
  );
  const alarm_id = prepare(db, "alarm.last_id").get({})?.id ?? 0;
  if (known === null) return { alarm_id, alarms: open };
  const told = new Map(known.alarms);
  // Alerts that rose and closed since the last round are included, in parts: late data may bring
  // thousands.
  const fresh = prepare(db, "alarm.after").all({ id: known.alarm_id, limit: ROUND_ITEMS });
  const ids = new Set([...open.keys(), ...told.keys(), ...fresh.map(({ id }) => id)]);
  const isAll = fresh.length < ROUND_ITEMS;
  if (!isAll) out.more();
  let last = isAll ? alarm_id : fresh[fresh.length - 1].id;
  for (const id of ids) {
    const mark = open.get(id) ?? null;
    if (mark !== null && told.get(id) === mark) continue;
    if (out.isFull()) {
      last = Math.min(last, Math.max(known.alarm_id, id - 1));
      continue;
    }
    out.add("alert", () => {
      const alarm = shownAlarm(db, id, now_ms);
      return alarm === null ? null : exactJson(alarm);
    });
    if (mark === null) told.delete(id);
    else told.set(id, mark);
  }
  return { alarm_id: last, alarms: told };
}

function tellReading({ db, add }: Collector, known: Known): string {
  const text = withoutDamage(db, () => memo(db, "latest", () => latestJson(db)));
  if (text === null) return known?.reading ?? "";
  const reading = hashOfText(text);
  if (reading !== known?.reading) add("reading", () => text);
  return reading;
}

function tellHealth({ db, add }: Collector, known: Known): string {
  const text = withoutDamage(db, () => {
    const [newest] = newestHealth(db, 1);
    return newest === undefined ? null : JSON.stringify(healthFlat(newest));
  });
  if (text === null) return known?.health ?? "";
  const health = hashOfText(text);
  if (health !== known?.health) add("health", () => text);
  return health;
}

/**
 * Tells each lamp's newest forecast. Not those of the newest time alone: one that came over MQTT is
 * dated by another clock than those made aboard, and would hide them.
 */
function tellForecasts({ db, add }: Collector, known: Known) {
  const forecasts: string[] = [];
  withoutDamage(db, () => {
    const asked = { range: EVER, limit: LAMP_COUNT, isEachLamp: true };
    for (const text of predictionTexts(db, asked)) {
      const forecast = hashOfText(text);
      forecasts.push(forecast);
      if (known?.forecasts.includes(forecast) !== true) add("forecast", () => text);
    }
    return null;
  });
  return { forecasts };
}

function hashOfText(text: string): string {
  return hash("sha1", text, "base64");
}
