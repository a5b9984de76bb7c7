// The alarms of the treatment system in a message that is quarantined as a whole, such as one whose
// time can't be right: they mustn't wait until somebody mends the cause.

import type { Message, Rejects } from "../bwts/message.ts";
import { nameIn } from "../bwts/reading.ts";
import { EVENT_NAMES, eventKind } from "./event.ts";
import { parsePayload } from "./json.ts";
import { inKnownCase, type Members } from "./members.ts";

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
    const { event_type, description, data, code } = membersOf(item);
    if (eventKind(event_type)?.event_type !== "ALARM_TRIGGERED") return [];
    const name = nameIn(membersOf(data).code) ?? nameIn(code) ?? nameIn(description);
    return [name?.slice(0, NAME_CHARS).toWellFormed() ?? "no code"];
  });
}

function membersOf(item: unknown): Members {
  const members: Members = item !== null && typeof item === "object" ? { ...item } : {};
  return inKnownCase(members, EVENT_NAMES, UNREPORTED);
}

/** The message is in quarantine already. */
const UNREPORTED: Rejects = { add: () => {} };
