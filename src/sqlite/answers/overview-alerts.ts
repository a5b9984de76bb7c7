// The alerts of the overview: those that are open now, or were at a moment of the past, each as it
// stood then.

import { type Connection, prepare } from "../file/open.ts";
import { EVER } from "../file/query.ts";
import { storedAlarm } from "../records/alarm-acts.ts";
import { shownAnswer } from "./alarms.ts";

/** Alerts in an answer. */
const ALERTS_MAX = 50;

/** Characters of a code or a unit: a plant may send 16,384, and 50 alerts are asked for often. */
const NAME_MAX = 200;

const beginning = (name: string | null) => name?.slice(0, NAME_MAX).toWellFormed() ?? null;

/** The alerts that were open at a moment, as they were then, and until when they are shelved. */
export function openAlerts(db: Connection, at_ms: number | null) {
  const moment_ms = at_ms ?? EVER.end_ms;
  const then = (time_ms: number | null) =>
    time_ms !== null && time_ms > moment_ms ? null : time_ms;
  return placesOf(db, at_ms).flatMap(({ id, past_id }) => {
    const stored = storedAlarm(db, id);
    if (stored === null) return [];
    const past = past_id === null ? undefined : prepare(db, "alarm.past").get({ id: past_id });
    const row = { ...stored, ...past };
    const { cleared_ms, acknowledged_ms, shelved_until_ms } = row;
    const was = { cleared_ms: then(cleared_ms), acknowledged_ms: then(acknowledged_ms) };
    const told = shownAnswer(db, { ...row, ...was, is_open: 1 }, moment_ms);
    const { id: name, description, source, priority, alert_state } = told;
    const { since, lamp, value, limit, action } = told;
    // Its own row counts also the rises after the moment.
    const isLater = past_id === null && stored.last_ms > moment_ms;
    const count = isLater ? null : told.count;
    const names = { code: beginning(told.code), unit: beginning(told.unit) };
    const facts = { since, count, lamp, value, limit, action, shelved_until_ms };
    return [{ id: name, ...names, description, source, priority, alert_state, ...facts }];
  });
}

/** The alert while lamp life isn't forecast; with a value, it is: counters are divided by it. */
const SUSPENDING = "LAMP_COUNTERS_FAST";

/** The state of the hour counters of lamps, by the alerts that are open. */
export function lampCounters(alerts: ReturnType<typeof openAlerts>) {
  const fast = alerts.filter(({ code, alert_state }) => {
    return code === SUSPENDING && alert_state !== "rectified";
  });
  return {
    areCountersFast: fast.length > 0,
    isSuspended: fast.some(({ value }) => value === null),
  };
}

interface AlertPlace {
  readonly id: number;
  /** The row that tells how it stood then; null: its own. */
  readonly past_id: number | null;
}

function placesOf(db: Connection, at_ms: number | null): readonly AlertPlace[] {
  const limit = ALERTS_MAX;
  if (at_ms !== null) return prepare(db, "alarm.open_at").all({ at_ms, limit });
  const ids = prepare(db, "alarm.newest_open").all({ ...EVER, limit });
  return ids.map(({ id }) => ({ id, past_id: null }));
}
