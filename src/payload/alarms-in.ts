// The alarms of the treatment system in a message that is quarantined as a whole, such as one whose
// time can't be right: they mustn't wait until somebody mends the cause.

import type { Message } from "../bwts/message.ts";
import { parsePayload } from "./json.ts";

/** Characters of a code or a text. */
const NAME_CHARS = 200;

/** Their codes or, without one, their texts. */
export function alarmsIn({
  topic,
  payload,
}: Pick<Message, "topic" | "payload">): readonly string[] {
  if (!topic.endsWith("/events")) return [];
  const parsed = parsePayload(payload);
  if ("problem" in parsed) return [];
  return [parsed.value].flat().flatMap((item: unknown) => {
    const { event_type, description, data } = membersOf(item);
    if (event_type !== "ALARM_TRIGGERED") return [];
    const name = [membersOf(data).code, description].find((one) => typeof one === "string");
    return [typeof name === "string" ? name.slice(0, NAME_CHARS).toWellFormed() : "no code"];
  });
}

function membersOf(item: unknown): Readonly<Record<string, unknown>> {
  return item !== null && typeof item === "object" ? { ...item } : {};
}
