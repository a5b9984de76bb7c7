// Alerts, ballastd's own and the treatment system's. A record may have 16,384 characters, so each
// is read when its turn comes.

import {
  type AlarmAnswer,
  type AskedState,
  alarmAnswer,
  type StoredAlarm,
} from "../../bwts/alerts/alarm.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, type Newest } from "../file/query.ts";
import { storedAlarm } from "../records/alarm-acts.ts";
import { provenData, storedJson } from "../records/event-proof.ts";
import { printedTime } from "../sealed/segment-proof.ts";

/** Alerts that rose in a range, first or last or between, newest first, one text each. */
export function* alarmTexts(
  db: Connection,
  { range, state, limit }: Newest & { readonly state: AskedState | null },
): Generator<string> {
  const asked = { ...closed(range), limit };
  const ids =
    state === "open"
      ? prepare(db, "alarm.newest_open").all(asked)
      : prepare(db, "alarm.newest").all({ ...asked, state });
  const now_ms = Date.now();
  for (const { id } of ids) {
    const alarm = shownAlarm(db, id, now_ms);
    // It may have changed since.
    if (alarm !== null && isIn(alarm, state)) yield exactJson(alarm);
  }
}

function isIn({ state, alert_state }: AlarmAnswer, asked: AskedState | null): boolean {
  return asked === null || (asked === "open" ? alert_state !== "closed" : asked === state);
}

/** As alarmAt, and told all the same if its texts are damaged. */
export function shownAlarm(db: Connection, id: number, now_ms: number): AlarmAnswer | null {
  const row = storedAlarm(db, id);
  return row === null ? null : shownAnswer(db, row, now_ms);
}

/** One damaged text must neither hide an alert nor end the answer about all others. */
export function shownAnswer(db: Connection, row: StoredAlarm, now_ms: number): AlarmAnswer {
  const sound = withoutDamage(db, () => alarmAnswer(row, alarmData(row), now_ms));
  if (sound !== null) return sound;
  const { code } = row;
  const description = `${code === "" ? "" : `${code}: `}its text is damaged on disk`;
  return alarmAnswer({ ...row, description }, code === "" ? {} : { code }, now_ms);
}

/** Throws a DamagedError if the proof of the alarm's data shows that it was altered. */
export function alarmAt(db: Connection, id: number, now_ms: number): AlarmAnswer | null {
  const row = storedAlarm(db, id);
  return row === null ? null : alarmAnswer(row, alarmData(row), now_ms);
}

/** Throws a DamagedError if it was altered. */
function alarmData({ event_ms, identity, description, data, raised_ms }: StoredAlarm) {
  if (event_ms === null) return storedJson(data, `the alarm of ${printedTime(raised_ms)}`);
  const event = { at_ms: event_ms, event_type: "ALARM_TRIGGERED", description, data, identity };
  return provenData(event);
}
