// The alarms of the treatment system in a message that is quarantined: they mustn't wait until
// somebody mends the cause. A message that looks like an alarm counts as one, by its topic or its
// members, whatever their spelling, and so does what can't be read where alarms come.

import { type Message, PAYLOAD_HEAD_BYTES } from "../bwts/message.ts";
import { exactJson } from "../ground/exact-json.ts";
import { eventKind } from "./event.ts";
import { parsePayload } from "./json.ts";

/** Characters of a code or a text. */
const NAME_CHARS = 200;

/** A level of a topic on which events or alarms come. */
const EVENT_LEVEL = /^(?:events?|alarms?|alerts?|warnings?|faults?|trips?)$/i;
/** A word of an alarm in the type of an event. */
const ALARM_WORD = /ALARM|ALERT|TRIP|SHUT[ _-]?DOWN|EMERGENCY|ESD|WARN|FAULT|FAIL/i;
/** The types of other events: an alarm's end, or that there is none, or a process. */
const ENDED = /(?:^|[^A-Z])(?:CLEAR(?:ED)?|RESET|ACK(?:NOWLEDGED)?|END(?:ED)?)$|^NO[ _-]*ALARM/i;
const OF_PROCESS = /PROCESS|START|STOP|PAUSE|RESUME|COMPLETE|FINISH/i;

/** Members that give the type of an event, and those whose name says that it is an alarm. */
const TYPES =
  "(?:(?:event|alarm|alert|message|msg)[ _-]?)?(?:type|kind|class|category)|event|severity";
const ALARMS = "alarm|alert|trip";
const TYPE = new RegExp(`^(?:${TYPES})$`);
const ALARM = new RegExp(`^(?:${ALARMS})$`);
const LIKE_EVENT = new RegExp(`"(?:${TYPES}|${ALARMS})"`, "i");
/** Texts of these that say that there is none. */
const NONE = /^(?:|0|-|no|none|ok|off|false|true|normal|inactive|null)$/i;
/** The members that name an alarm, the first one that is there. */
const NAMES = [
  ...["code", "alarm_code", "alarm_id", "alarmcode", "alarm", "description"],
  ...["text", "message", "msg", "name", "data", "event_type", "type"],
];

/** A member at any level of a JSON text, which may be cut. */
const MEMBER = /"([^"\\]{1,60})"\s*:\s*(?:"((?:[^"\\]|\\.)*)|([^\s,"{}[\]]+))/g;

/** Their codes or, without one, their texts. */
export function alarmsIn({
  topic,
  payload,
}: Pick<Message, "topic" | "payload">): readonly string[] {
  const isOfEvents = topic.split("/").some((level) => EVENT_LEVEL.test(level));
  // A flood of long ones must cost the writer little.
  const read = payload.subarray(0, PAYLOAD_HEAD_BYTES);
  const text = Buffer.from(read).toString();
  if (text.trim() === "" || !(isOfEvents || LIKE_EVENT.test(text))) return [];
  const parsed = parsePayload(read);
  if ("problem" in parsed) return alarmOf(text, isOfEvents, "that can't be read");
  return [parsed.value].flat().flatMap((item: unknown) => {
    if (item !== null && typeof item === "object")
      return alarmOf(exactJson(item), isOfEvents, "without a code");
    const isSaid = isOfEvents && !NONE.test(String(item));
    return isSaid ? [named(String(item))] : [];
  });
}

/** The name of the alarm in the JSON of one item; none if it isn't one. */
function alarmOf(json: string, isOfEvents: boolean, unnamed: string): readonly string[] {
  const members = [...json.matchAll(MEMBER)].map(
    ([, name, text, bare]) => [name.toLowerCase(), (text ?? bare).trim()] as const,
  );
  const of = (name: string) => members.find(([is, text]) => is === name && !NONE.test(text))?.[1];
  const name = named(NAMES.map(of).find((text) => text !== undefined) ?? unnamed);
  const kind = eventKind(of("event_type"));
  if (kind !== null) return kind.event_type === "ALARM_TRIGGERED" ? [name] : [];
  const types = members.filter(([is, text]) => TYPE.test(is) && text !== "" && text !== "null");
  const isSaid =
    types.some(([, type]) => ALARM_WORD.test(type) && !ENDED.test(type)) ||
    members.some(([is, text]) => ALARM.test(is) && !NONE.test(text) && !ENDED.test(text));
  const isOther = types.some(([, type]) => ENDED.test(type) || OF_PROCESS.test(type));
  return isSaid || (isOfEvents && !isOther) ? [name] : [];
}

function named(text: string): string {
  return text.slice(0, NAME_CHARS).toWellFormed();
}
