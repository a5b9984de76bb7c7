// Answers about alerts, ballastd's own and the treatment system's. A record may have 16,384
// characters, so an answer of many reads each alert only when its turn comes.

import {
  AlarmAnswer,
  type AlarmStateFilter,
  alarmAnswer,
  alarmId,
  type StoredAlarm,
} from "../../bwts/present/alarm.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { exactJson } from "../../ground/exact-json.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import { closed, type Newest } from "../file/query.ts";
import { storedAlarm } from "../records/alarm-acts.ts";
import { provenData, storedJson } from "../records/event-proof.ts";
import { printedTime, shownTime } from "../sealed/segment-proof.ts";

/**
 * Texts of the alerts raised in a range, newest first. An alert belongs to the range if its first
 * rise, its last, or the time between lies in it.
 */
export function* alarmTexts(
  db: Connection,
  { range, state, limit }: Newest & { readonly state: AlarmStateFilter | null },
): Generator<string> {
  const asked = { ...closed(range), limit };
  const ids =
    state === "open"
      ? prepare(db, "alarm.newest_open").all(asked)
      : prepare(db, "alarm.newest").all({ ...asked, state });
  const now_ms = Date.now();
  for (const { id } of ids) {
    const alarm = shownAlarm(db, id, now_ms);
    // The alert may have changed since its id was read.
    if (alarm !== null && isIn(alarm, state)) yield exactJson(alarm);
  }
}

function isIn({ state, alert_state }: AlarmAnswer, asked: AlarmStateFilter | null): boolean {
  return asked === null || (asked === "open" ? alert_state !== "closed" : asked === state);
}

/** The answer about an alert, also if its texts are damaged; null if it isn't stored any more. */
export function shownAlarm(db: Connection, id: number, now_ms: number): AlarmAnswer | null {
  const row = storedAlarm(db, id);
  return row === null ? null : shownAnswer(db, row, now_ms);
}

/**
 * The answer about a stored alert. A damaged text is replaced by a note, so that it neither hides
 * the alert nor ends the answer about all others.
 */
export function shownAnswer(db: Connection, row: StoredAlarm, now_ms: number): AlarmAnswer {
  const sound = (known: StoredAlarm, content: () => AlarmContent) =>
    withoutDamage(db, () => {
      const { description, data } = content();
      const told = alarmAnswer({ ...known, description }, data, now_ms);
      if (AlarmAnswer.safeParse(told).success) return told;
      throw new DamagedError(`the alert ${alarmId(row)} isn't what was stored`);
    });
  const bare = bareAlarm(row);
  const { code } = bare;
  const data = code === "" ? {} : { code };
  const description = `${code === "" ? "" : `${code}: `}its text is damaged on disk`;
  return (
    sound(row, () => contentOf(db, row)) ??
    sound(row, () => ({ description, data })) ??
    alarmAnswer({ ...bare, description }, data, now_ms)
  );
}

interface AlarmContent {
  readonly description: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The alert with defaults for all but its source, code and first rise: what remains of a row whose
 * columns aren't those of an alert.
 */
function bareAlarm({ id, source, code, raised_ms, identity, is_open }: StoredAlarm): StoredAlarm {
  const rose_ms = Date.parse(shownTime(raised_ms));
  return {
    ...{ id, source, code: typeof code === "string" ? code : "", count: 1, is_open },
    ...{ raised_ms: rose_ms, last_ms: rose_ms, cleared_ms: null, identity },
    ...{ acknowledged_ms: null, acknowledged_by: null, acknowledged_note: null },
    ...{ shelved_until_ms: null, shelved_by: null, shelved_reason: null },
    ...{ description: "", data: "{}" },
  };
}

/**
 * Text and data of an alert; for an alarm of the treatment system those of its event. Throws a
 * DamagedError if they were altered.
 */
function contentOf(
  db: Connection,
  { identity, description, data, raised_ms }: StoredAlarm,
): AlarmContent {
  const place = identity === null ? undefined : prepare(db, "event.same").get({ identity });
  const event = place && prepare(db, "event.stored").get(place);
  if (event !== undefined) return { description: event.description, data: provenData(event) };
  return { description, data: storedJson(data, `the alarm of ${printedTime(raised_ms)}`) };
}
