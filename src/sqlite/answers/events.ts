// Events: starts and stops of operations, alarms. A record may have 16,384 characters, so an answer
// of many is made row by row: first its ids, then the text of each when its turn comes.

import { describeEvent, EVENT_TYPES, type EventType } from "../../bwts/event.ts";
import { DAY_MS, printTime } from "../../ground/clock.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, EVER, type Newest } from "../file/query.ts";
import { type EventRow, provenData } from "../records/event-proof.ts";

const RECENT_EVENTS_MAX = 100;

export interface SourcedEvent extends EventRow {
  readonly source: string;
}

/** Events of a range, newest first, one text each. */
export function* eventTexts(
  db: Connection,
  query: Newest & { readonly type: EventType | null },
): Generator<string> {
  const { limit, type } = query;
  const asked = { ...closed(query.range), limit };
  const places =
    type === null
      ? prepare(db, "event.newest").all(asked)
      : prepare(db, "event.newest_of_type").all({ ...asked, event_type: type });
  for (const place of places) {
    const event = shownEvent(db, place, type);
    // Null if the event has expired since its id was read.
    if (event !== null) yield exactJson(event);
  }
}

/** The events of the 24 hours up to the newest event, newest first. */
export function recentEventsJson(db: Connection): string {
  const newest = prepare(db, "event.newest").get({ ...EVER, limit: 1 });
  if (newest === undefined) return "[]";
  const range = { start_ms: newest.at_ms - DAY_MS, end_ms: null };
  const recent = eventTexts(db, { range, type: null, limit: RECENT_EVENTS_MAX });
  return `[${[...recent].join(",")}]`;
}

/** An event's row and its time, as an index of the table has them. */
export interface EventPlace {
  readonly id: number;
  readonly at_ms: number;
}

/**
 * The answer about an event; null if it isn't stored any more. A damaged event is named in its
 * place, without its contents, and the damage reported, so that it doesn't end the answer about all
 * others. `asked` is the type by which the event was found.
 */
export function shownEvent(db: Connection, place: EventPlace, asked: EventType | null = null) {
  const { id, at_ms } = place;
  const rows = withoutDamage(db, () => prepare(db, "event.stored").all({ id }));
  if (rows?.length === 0) return null;
  const row = rows?.at(0) ?? null;
  const sound = row && withoutDamage(db, () => eventAnswer(db, row));
  if (sound !== null) return sound;
  const stored = EVENT_TYPES.find((type) => type === row?.event_type);
  return {
    timestamp: printTime(at_ms),
    event_type: asked ?? stored ?? "ALARM_TRIGGERED",
    description: "damaged on disk: the contents are lost, the time and the type may be wrong",
    data: { operation_type: null, location: null, target_flow: null, damaged: true },
  };
}

/** The answer about a stored event. Throws a DamagedError if it isn't what was stored. */
export function eventAnswer(db: Connection, row: SourcedEvent) {
  const { operation_type = null, location = null, target_flow = null, ...rest } = provenData(row);
  // An alarm of the plant gets its source even if the PLC didn't send one, or claimed to be
  // ballastd.
  const source = row.event_type === "ALARM_TRIGGERED" ? { source: alarmSource(row, rest) } : {};
  return {
    timestamp: printTime(row.at_ms),
    event_type: row.event_type,
    description: descriptionOf(db, row, { operation_type, location }),
    data: { operation_type, location, target_flow, ...rest, ...source },
  };
}

/**
 * A stop without a text and operation is described by its start, if that is stored. This affects
 * the answer only: a start may come late, and the event's identity is what was sent.
 */
function descriptionOf(
  db: Connection,
  row: SourcedEvent,
  data: { readonly operation_type: unknown; readonly location: unknown },
): string {
  const { at_ms, event_type, description } = row;
  const isOwnText =
    event_type === "PROCESS_STOP" && description === describeEvent(event_type, data);
  if (!isOwnText || (data.operation_type !== null && data.location !== null)) return description;
  const start = withoutDamage(db, () => startBefore(db, at_ms));
  if (start === null) return description;
  const { operation_type, location } = start;
  const isOfAnother = data.operation_type !== null && data.operation_type !== operation_type;
  if (isOfAnother) return description;
  return describeEvent(event_type, { operation_type, location: data.location ?? location });
}

/** The data of the start that a stop at `at_ms` belongs to. */
function startBefore(db: Connection, at_ms: number) {
  const newest = prepare(db, "event.process_before");
  const start = newest.get({ event_type: "PROCESS_START", at_ms });
  const stop = newest.get({ event_type: "PROCESS_STOP", at_ms: at_ms - 1 });
  const isOther = start !== undefined && stop !== undefined && stop.at_ms > start.at_ms;
  return start === undefined || isOther ? null : provenData(start);
}

function alarmSource(row: SourcedEvent, data: { source?: unknown }): unknown {
  if (row.source === "ballastd") return "ballastd";
  return data.source === undefined || data.source === "ballastd" ? "plc" : data.source;
}
