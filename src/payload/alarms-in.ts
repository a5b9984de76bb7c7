// Finds the treatment system's alarms in a message that is quarantined: they mustn't wait until
// somebody corrects the cause. A message counts as an alarm if its topic or its members look like
// one, in any spelling, and so does an unreadable one on a topic of alarms.

import { type Message, PAYLOAD_HEAD_BYTES } from "../bwts/message.ts";
import { exactJson } from "../ground/exact-json.ts";
import { eventKind } from "./event.ts";
import { parsePayload } from "./json.ts";

/** Maximum number of characters of a code or a text. */
const NAME_CHARS = 200;

/** A level of a topic on which events or alarms come. */
const EVENT_LEVEL = /^(?:events?|alarms?|alerts?|warnings?|faults?|trips?)$/i;
/** A word of an alarm in the type of an event. */
const ALARM_WORD = /ALARM|ALERT|TRIP|SHUT[ _-]?DOWN|EMERGENCY|ESD|WARN|FAULT|FAIL/i;
/** Types of events that aren't alarms: an alarm's end, "no alarm", or a process. */
const ENDED = /(?:^|[^A-Z])(?:CLEAR(?:ED)?|RESET|ACK(?:NOWLEDGED)?|END(?:ED)?)$|^NO[ _-]*ALARM/i;
const OF_PROCESS = /PROCESS|START|STOP|PAUSE|RESUME|COMPLETE|FINISH/i;

/** Members with the type of an event, and members whose name shows an alarm. */
const TYPES =
  "(?:(?:event|alarm|alert|message|msg)[ _-]?)?(?:type|kind|class|category)|event|severity";
const ALARMS = "alarm|alert|trip";
const TYPE = new RegExp(`^(?:${TYPES})$`);
const ALARM = new RegExp(`^(?:${ALARMS})$`);
const LIKE_EVENT = new RegExp(`"(?:${TYPES}|${ALARMS})"`, "i");
/** Values of these that mean that there is no alarm. */
const NONE = /^(?:|0|-|no|none|ok|off|false|true|normal|inactive|null)$/i;
/** Members that name an alarm, in order of preference. */
const NAMES = [
  ...["code", "alarm_code", "alarm_id", "alarmcode", "alarm", "description"],
  ...["text", "message", "msg", "name", "data", "event_type", "type"],
];

/** A member at any level of a JSON text, which may be cut. */
const MEMBER = /"([^"\\]{1,60})"\s*:\s*(?:"((?:[^"\\]|\\.)*)|([^\s,"{}[\]]+))/g;

/** The codes of the alarms in a message, or their texts if they have none. */
export function alarmsIn({
  topic,
  payload,
}: Pick<Message, "topic" | "payload">): readonly string[] {
  const isOfEvents = topic.split("/").some((level) => EVENT_LEVEL.test(level));
  // Only the head is read: a flood of long messages must cost the writer little.
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

/** The name of the alarm in one item's JSON; empty if it isn't an alarm. */
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
