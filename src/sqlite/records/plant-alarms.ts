// The alerts of the treatment system, derived from its events: an alarm opens one or is counted
// with it, its end clears it. Events arrive in any order, so for an alarm an end that arrived
// before it is searched too.

import { ALARM_CLEARED, type Event } from "../../bwts/event.ts";
import type { PartReceipt } from "../../bwts/merge.ts";
import { codeIn } from "../../bwts/present/alarm.ts";
import { FURTHER_ALARMS } from "../../bwts/present/alert.ts";
import { nameIn } from "../../bwts/reading.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { type EventRow, provenData } from "./event-proof.ts";
import { eventIdentity } from "./records.ts";

/** Time after its end within which an alarm that is raised again is the same alert. */
export const AGAIN_MS = HOUR_MS;

/**
 * Maximum number of different open alarms of the treatment system; further ones share one alert. A
 * plant has fewer codes, and nobody reads a longer list.
 */
const RECEIVED_MAX = 200;

/** Number of characters by which codes and parameters are distinguished. */
const KEY_CHARS = 200;

/**
 * Age on receipt above which an alarm of the treatment system is history, from a buffer or a file:
 * nobody can act on it, and it would hide present problems. The same alarm again within this time
 * is one.
 */
const LATE_MS = DAY_MS;

/** Maximum number of ends searched for an alarm that arrives after its end: a buffer has few. */
const ENDS_MAX = 200;

/** Number of the newest alerts searched for one whose end names another parameter. */
const NEWEST_MAX = 500;

/**
 * Maximum number of past states kept of one alert, and of all; the oldest are dropped. For a moment
 * before them an alert is shown in its oldest kept state, so one that flaps seems to last.
 */
const PAST_MAX = { of_one: 100, of_all: 10_000 };

/** Keeps the alert's state until `until_ms`, before it is overwritten. */
export function keepPast(db: Connection, id: number, until_ms: number): void {
  prepare(db, "alarm.keep_past").run({ id, until_ms });
  prepare(db, "alarm.forget_past").run({ id, ...PAST_MAX });
}

/** The receipt of an event, and the PLC's clock minus the box's in ms, 0 while it is unknown. */
type Received = Pick<PartReceipt, "received_ms" | "clock_trusted"> & { readonly offset_ms: number };

/** Notes an alarm or its end; returns the row of its alert, null for an end without one. */
export function notePlantAlarm(db: Connection, event: Event, received: Received): number | null {
  if (event.event_type === ALARM_CLEARED) return noteEnd(db, event);
  const { received_ms, clock_trusted, offset_ms } = received;
  const isLate = clock_trusted && received_ms - event.at_ms + offset_ms > LATE_MS;
  const id = noteRise(db, event, isLate);
  if (id !== null) clearByEarlierEnd(db, event, id);
  return id;
}

/** Before a step of the PLC's clock readings may have been away for so long. */
const BEFORE_STEP_MS = 15 * MINUTE_MS;

/**
 * Opens the alerts that were taken for history by another offset of the PLC's clock than it has, or
 * before one was known. Those received before its newest step were judged by the right one.
 */
export function judgeAgain(
  db: Connection,
  { now_ms, offset_ms }: { readonly now_ms: number; readonly offset_ms: number },
): void {
  const step_ms = prepare(db, "clock.last_plc").get({})?.at_ms ?? 0;
  const since_ms = Math.max(now_ms - LATE_MS, step_ms - BEFORE_STEP_MS);
  for (const row of prepare(db, "alarm.closed_lately").all({ since_ms, of: RECEIVED_MAX })) {
    if (row.received_ms - row.at_ms + offset_ms > LATE_MS) continue;
    if (openCount(db) < RECEIVED_MAX) prepare(db, "alarm.reopen").run({ id: row.id });
  }
}

const openCount = (db: Connection) =>
  prepare(db, "alarm.received_open").get({ shared: FURTHER_ALARMS })?.count ?? 0;

/** The key of an alarm; `about` is its parameter or, without a code, its text. */
interface PlantKey {
  readonly code: string;
  readonly about: string;
}

function keyOf({ description, data }: Pick<Event, "description" | "data">): PlantKey {
  const code = cut(data.code) ?? codeIn(description) ?? "";
  const told = cut(data.parameter) ?? (code === "" ? description.slice(0, KEY_CHARS) : "");
  return { code, about: code === FURTHER_ALARMS ? "" : told };
}

const cut = (given: unknown) => nameIn(given)?.slice(0, KEY_CHARS) ?? null;

/**
 * Counts the alarm with the open alert of its key, or opens one; late ones are closed at once.
 * Returns the alert's row.
 */
function noteRise(db: Connection, event: Event, isLate: boolean): number | null {
  const { at_ms } = event;
  const key = keyOf(event);
  const { code } = key;
  const raise = (as: PlantKey, is_open: 0 | 1): number | null => {
    // Without texts: those of the stored event are used.
    const row = { source: "plc", ...as, at_ms, is_open, description: code, data: "{}" };
    return prepare(db, "alarm.raise").get({ ...row, identity: eventIdentity(event) })?.id ?? null;
  };
  if (isLate) {
    const near = { ...key, at_ms, near_ms: LATE_MS };
    return prepare(db, "alarm.late_again").get(near)?.id ?? raise(key, 0);
  }
  closeEnded(db, key, at_ms);
  const again = (as: PlantKey) => prepare(db, "alarm.received_again").get({ ...as, at_ms })?.id;
  const further = { code: FURTHER_ALARMS, about: "" };
  const same = again(key);
  if (same !== undefined) return same;
  if (openCount(db) < RECEIVED_MAX) return raise(key, 1);
  return again(further) ?? raise(further, 1);
}

/**
 * Before an alarm is raised again: closes its alert if that ended long ago, so that a new one
 * opens.
 */
function closeEnded(db: Connection, key: PlantKey, at_ms: number): void {
  const ended = prepare(db, "alarm.received_ended").get({ ...key, at_ms });
  if (ended === undefined || ended.cleared_ms === null) return;
  keepPast(db, ended.id, at_ms);
  if (at_ms - ended.cleared_ms > AGAIN_MS) prepare(db, "alarm.close").run({ id: ended.id });
}

/**
 * Clears the newest alert that the end can mean: the one of its parameter, or the only one of its
 * code if either has no parameter. Among several it isn't known which has ended.
 */
function noteEnd(db: Connection, event: Pick<Event, "at_ms" | "description" | "data">) {
  // One timed by its receipt has whole seconds, and its alarm rose before it.
  const isRounded = event.data.timestamp_source === "receipt";
  const at_ms = isRounded ? event.at_ms + SECOND_MS - 1 : event.at_ms;
  const key = asStored(db, keyOf(event), at_ms);
  const lasts = (row: EndedRow) => row.cleared_ms === null || row.cleared_ms > at_ms;
  const same = prepare(db, "alarm.received_same").get({ ...key, at_ms });
  const id = same !== undefined && lasts(same) ? same.id : onlyOf(db, key, { at_ms, lasts });
  if (id !== null) prepare(db, "alarm.received_end").run({ id, at_ms });
  return id;
}

/** The key as an alert has it: a plant may send the code in another case with the end. */
function asStored(db: Connection, key: PlantKey, at_ms: number): PlantKey {
  if (key.code === "") return key;
  const asked = { ...key, at_ms };
  if (prepare(db, "alarm.received_same").get(asked) !== undefined) return key;
  const near = prepare(db, "alarm.received_cased").get({ ...asked, of: NEWEST_MAX });
  if (near === undefined) return key;
  const { code } = near;
  return near.about.toLowerCase() === key.about.toLowerCase() ? near : { code, about: key.about };
}

interface EndedRow {
  readonly cleared_ms: number | null;
}

/** The only lasting alert of a code, if it or the end has no parameter; else null. */
function onlyOf(
  db: Connection,
  { code, about }: PlantKey,
  { at_ms, lasts }: { readonly at_ms: number; readonly lasts: (row: EndedRow) => boolean },
): number | null {
  if (code === "") return null;
  const rows = prepare(db, "alarm.received_before").all({ code, at_ms, of: NEWEST_MAX });
  const [only, ...others] = rows.filter(lasts);
  if (only === undefined || others.length > 0) return null;
  return about === "" || only.about === "" ? only.id : null;
}

/** Clears an alert by an end that is dated after the alarm, but arrived before it. */
function clearByEarlierEnd(db: Connection, event: Event, id: number): void {
  const { code } = keyOf(event);
  const ends = prepare<"alarm.ends_after", EventRow>(db, "alarm.ends_after");
  const quoted = JSON.stringify(code).slice(1, -1);
  for (const row of ends.all({ at_ms: event.at_ms, code, quoted, of: ENDS_MAX })) {
    const data = withoutDamage(db, () => provenData(row));
    if (data !== null && noteEnd(db, { ...row, data }) === id) return;
  }
}
