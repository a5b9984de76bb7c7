// People's actions on alerts: acknowledging and shelving. Each is stored together with its entry in
// the audit log; a repeated action changes nothing.

import type { Act } from "../../bwts/audit.ts";
import {
  acknowledgementOf,
  alarmId,
  alarmNamed,
  alertStateOf,
  type StoredAlarm,
  shelvingOf,
} from "../../bwts/present/alarm.ts";
import type { AlarmActOutcome, AlarmShelving } from "../../bwts/present/alarm-act.ts";
import { printTime } from "../../ground/clock.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { Append } from "./audit.ts";

interface Acting {
  readonly id: string;
  readonly act: Act;
}

/** Acknowledges an alert. The first acknowledgement counts; another one changes nothing. */
export function acknowledgeAlarm(
  db: Connection,
  append: Append,
  { id, note, act }: Acting & { readonly note: string | null },
): AlarmActOutcome {
  const stored = alarmOfName(db, id);
  if (stored === null) return { outcome: "unknown" };
  if (stored.acknowledged_ms !== null) return done(stored, act);
  if (stored.is_open === 0) return { outcome: "closed" };
  prepare(db, "alarm.acknowledge").run({
    id: stored.id,
    acknowledged_ms: act.at_ms,
    acknowledged_by: act.actor,
    acknowledged_note: note,
  });
  append({ ...act, kind: "alarm_acknowledged", detail: { ...factsOf(stored), note } });
  return done(storedAlarm(db, stored.id) ?? stored, act);
}

/** Shelves an alert, or ends its shelving (`until_ms` null). */
export function shelveAlarm(
  db: Connection,
  append: Append,
  { id, until_ms, reason, act }: Acting & AlarmShelving,
): AlarmActOutcome {
  const stored = alarmOfName(db, id);
  if (stored === null) return { outcome: "unknown" };
  if (stored.is_open === 0 && until_ms !== null) return { outcome: "closed" };
  const isSame = stored.shelved_until_ms === until_ms && stored.shelved_reason === reason;
  if (isSame) return done(stored, act);
  prepare(db, "alarm.shelve").run({
    id: stored.id,
    shelved_until_ms: until_ms,
    shelved_by: until_ms === null ? null : act.actor,
    shelved_reason: reason,
  });
  const until = until_ms === null ? null : printTime(until_ms);
  append({ ...act, kind: "alarm_shelved", detail: { ...factsOf(stored), until, reason } });
  return done(storedAlarm(db, stored.id) ?? stored, act);
}

function done(row: StoredAlarm, { at_ms }: Act): AlarmActOutcome {
  const alarm = {
    id: alarmId(row),
    alert_state: alertStateOf(row),
    count: row.count,
    ...acknowledgementOf(row),
    ...shelvingOf(row, at_ms),
  };
  return { outcome: "done", alarm };
}

/** The facts that identify the alert in the audit log. */
function factsOf(row: StoredAlarm) {
  const { code, raised_ms, last_ms, count } = row;
  const times = { since: printTime(raised_ms), last_raised: printTime(last_ms) };
  return { id: alarmId(row), code, ...times, count };
}

export function alarmOfName(db: Connection, text: string): StoredAlarm | null {
  const name = alarmNamed(text);
  if (name === null) return null;
  const id = name.source === "plc" ? idOfEvent(db, name.identity) : name.id;
  const stored = id === null ? null : storedAlarm(db, id);
  return stored?.source === name.source ? stored : null;
}

export function storedAlarm(db: Connection, id: number): StoredAlarm | null {
  return prepare<"alarm.stored", StoredAlarm>(db, "alarm.stored").get({ id }) ?? null;
}

/** Length of an event's identity, in bytes. */
const IDENTITY_BYTES = 32;

/**
 * The id of the alert whose event's identity begins with these hex digits; null if there is none.
 */
function idOfEvent(db: Connection, digits: string): number | null {
  const first = Buffer.alloc(IDENTITY_BYTES, 0);
  const last = Buffer.alloc(IDENTITY_BYTES, 255);
  for (const bytes of [first, last]) bytes.set(Buffer.from(digits, "hex"));
  return prepare(db, "alarm.of_event").get({ first, last })?.id ?? null;
}
