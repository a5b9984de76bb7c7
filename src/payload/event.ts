// Decodes events: starts and stops of operations, alarms and their ends. Warnings are alarms with a
// severity. An unreadable member of `data` is null and reported; an unreadable type, or `data` that
// is no object, rejects the whole event.

import { ALARM_CLEARED, describeEvent, EVENT_TYPES, type Event } from "../bwts/event.ts";
import type { Rejects } from "../bwts/message.ts";
import {
  inKnownCase,
  isTooLarge,
  isTooLong,
  joined,
  type Members,
  namesInAnyCase,
  objectReader,
  otherMembers,
  type Places,
} from "./members.ts";
import { MESSAGE_MEMBERS, type MessageTime } from "./reading.ts";
import { saysNothing, shown, TEXT_MAX } from "./value.ts";

/** An `events` object; null if its type or data is rejected. */
export function decodeEvent(sent: Members, time: MessageTime, rejects: Rejects): Event | null {
  const members = inKnownCase(sent, EVENT_NAMES, rejects);
  const kind = eventKind(members.event_type);
  if (kind === null) {
    const got = shown(members.event_type);
    rejects.add("bad_value", `event_type: got ${got}, expected ${[...KINDS.keys()].join(", ")}`);
    return null;
  }
  const { event_type, severity } = kind;
  const inside = saysNothing(members.data) ? {} : members.data;
  if (typeof inside !== "object" || Array.isArray(inside)) {
    rejects.add("bad_value", `data: got ${shown(inside)}, expected an object`);
    return null;
  }
  const others = Object.entries(members).filter(([name]) => !EVENT_MEMBERS.has(name));
  const beside = Object.fromEntries(others);
  if (isTooLarge("data", { ...beside, ...inside }, rejects)) return null;
  if (isTooLong("the event", members, rejects)) return null;
  const data = joined(inKnownCase({ ...inside }, DATA_NAMES, rejects), beside, IN_DATA, rejects);
  const read = objectReader(data, rejects);
  const known = {
    operation_type: read("operation_type", "string"),
    location: read("location", "string"),
    target_flow: read("target_flow", "number"),
  };
  const whole = { ...known, ...otherMembers(data, known, rejects) };
  const graded = severity !== null && saysNothing(data.severity) ? { ...whole, severity } : whole;
  const all = time.timed_by_receipt ? { ...graded, timestamp_source: "receipt" } : graded;
  const description =
    objectReader(members, rejects)("description", "string") ?? beginning(members.description);
  return {
    at_ms: time.at_ms,
    event_type,
    description: typeof description === "string" ? description : describeEvent(event_type, all),
    data: all,
    source: "plc",
  };
}

interface EventKind {
  readonly event_type: Event["event_type"];
  /** The severity if the event's data has none. */
  readonly severity: "WARNING" | null;
}

/** Kinds by event type. */
const KINDS: ReadonlyMap<unknown, EventKind> = new Map<string, EventKind>([
  ...EVENT_TYPES.map((event_type): [string, EventKind] => [
    event_type,
    { event_type, severity: null },
  ]),
  [ALARM_CLEARED, { event_type: ALARM_CLEARED, severity: null }],
  ["WARNING_TRIGGERED", { event_type: "ALARM_TRIGGERED", severity: "WARNING" }],
  ["WARNING_CLEARED", { event_type: ALARM_CLEARED, severity: "WARNING" }],
  ["WARNING", { event_type: "ALARM_TRIGGERED", severity: "WARNING" }],
]);

/** The kind of an event by its `event_type`; null for an unknown one. */
export function eventKind(given: unknown): EventKind | null {
  return KINDS.get(typeof given === "string" ? given.trim() : given) ?? null;
}

/** Members of an event that aren't part of its data; any other beside `data` is. */
const EVENT_MEMBERS: ReadonlySet<string> = new Set([
  ...MESSAGE_MEMBERS,
  ...["event_type", "description", "data"],
]);

const DATA_NAMES = namesInAnyCase([
  ...["operation_type", "location", "target_flow"],
  ...["code", "parameter", "value", "limit", "unit", "severity"],
]);
export const EVENT_NAMES: ReadonlyMap<string, string> = new Map([
  ...DATA_NAMES,
  ...namesInAnyCase(EVENT_MEMBERS),
]);

const IN_DATA: Places = { counting: () => "data", other: (name) => name };

/** The beginning of a text that is too long (the whole is in quarantine); else null. */
function beginning(given: unknown): string | null {
  if (typeof given !== "string" || given.length <= TEXT_MAX) return null;
  return `${given.slice(0, TEXT_MAX - 1).toWellFormed()}\u2026`;
}
