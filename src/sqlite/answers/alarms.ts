// Alarms, ballastd's own and the treatment system's. A record may have 16,384 characters, so each
// is read when its turn comes.

import {
  type AlarmAnswer,
  type AlarmState,
  alarmAnswer,
  type StoredAlarm,
} from "../../bwts/alarm.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, type Newest } from "../file/query.ts";
import { provenData, storedJson } from "../records/event-proof.ts";
import { printedTime } from "../sealed/segment-proof.ts";

/** Alarms that rose in a range, newest first, one text each. */
export function* alarmTexts(
  db: Connection,
  { range, state, limit }: Newest & { readonly state: AlarmState | null },
): Generator<string> {
  const newest = prepare(db, "alarm.newest");
  const own = prepare<"alarm.own", StoredAlarm>(db, "alarm.own");
  const received = prepare<"alarm.received", StoredAlarm>(db, "alarm.received");
  for (const { source, id } of newest.all({ ...closed(range), state, limit })) {
    const row = (source === "ballastd" ? own : received).get({ id });
    // It may have cleared, or expired, since.
    if (row !== undefined && (state === null || row.state === state)) yield exactJson(alarmOf(row));
  }
}

/** Throws a DamagedError if the proof of the alarm's data shows that it was altered. */
export function alarmOf(row: StoredAlarm): AlarmAnswer {
  return alarmAnswer(row, dataOf(row));
}

function dataOf(row: StoredAlarm) {
  if (row.source === "plc") return provenData({ ...row, event_type: "ALARM_TRIGGERED" });
  return storedJson(row.data, `the alarm of ${printedTime(row.at_ms)}`);
}
