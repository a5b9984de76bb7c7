// Decodes a message into readings, events and records, or rejects it with a reason. Pure, so that
// the writer's thread can run it. It accepts many spellings, because PLCs join texts by hand, and
// never guesses: ambiguous data is quarantined, where a person can see it.

import { type Event, LINK_LOST, ownAlarm } from "../bwts/event.ts";
import { type Message, PAYLOAD_MAX_BYTES, type Reject, type Rejects } from "../bwts/message.ts";
import { messageOf } from "../ground/errors.ts";
import type { DecodeContext, DecodedMessage } from "./decoded.ts";
import { decodeEvent } from "./event.ts";
import { parseBareValue, parsePayload } from "./json.ts";
import { decodeLamp, decodeLamps, lampNumber } from "./lamp-reading.ts";
import type { TopicRules } from "./map-rules.ts";
import { type GivenTag, tagsOf } from "./map-tags.ts";
import { isMembers, type Members } from "./members.ts";
import { givenInstant, gridded, timeOf, withTimeNamed } from "./message-time.ts";
import { decodeFlat, decodeTags, type Manner, saysAnything } from "./reading.ts";
import { decodeHealth, decodePrediction } from "./record.ts";
import { saysNothing, shown } from "./value.ts";

/** Maximum number of items; only empty ones can be more: 300,000 times {} would take 400 MB. */
const ITEMS_MAX = 40_000;
/**
 * Maximum number of commas: a payload of 1 MiB with 33,000 readings of one field has 67,000.
 * Parsing 340,000 empty objects, or 150,000 members of one name, took the writer half a second.
 */
const COMMAS_MAX = 70_000;
/** Maximum number of rejects kept; one is enough for quarantine, the others inform the user. */
const REJECTS_MAX = 100;

/** Without a map no tags are needed. */
const NO_TAGS: readonly GivenTag[] = [];

const NO_MEMBERS: Members = {};

/** The contents decoded so far. */
type Collected = {
  -readonly [K in keyof DecodedMessage]: DecodedMessage[K] extends readonly (infer Item)[]
    ? Item[]
    : DecodedMessage[K];
};

/** Kinds of topics that don't show the PLC's clock: events may be sent late. */
const RECORD_KINDS = ["events", "health", "predictions"] as const;
export const TOPIC_KINDS = ["telemetry", "lamps", ...RECORD_KINDS] as const;
type TopicKind = (typeof TOPIC_KINDS)[number];

/** A topic of the contract (`isOurs`) or of the map, or the reason why it is neither. */
type Topic =
  | { readonly kind: TopicKind; readonly isOurs: boolean; readonly rules: TopicRules | null }
  | { readonly kind: "lamp"; readonly lamp: number; readonly rules: TopicRules | null }
  | ({ readonly kind: null } & Reject);

/** Decodes one message. Never throws: parts that can't be decoded are in `rejects`. */
export function decodeMessage(message: Message, context: DecodeContext): DecodedMessage {
  const out = nothing();
  try {
    decodeInto(out, message, context);
    return out;
  } catch (error) {
    // It is an internal error, but the message must not be sent again for ever.
    const detail = `decoding failed: ${messageOf(error)}`;
    return { ...nothing(), rejects: [{ reason: "bad_value", detail }] };
  }
}

const nothing = (): Collected => ({
  timed_by_receipt: false,
  sent_ms: null,
  readings: [],
  events: [],
  health: [],
  predictions: [],
  rejects: [],
  items: 1,
});

function decodeInto(out: Collected, message: Message, context: DecodeContext): void {
  const rejects: Rejects = {
    add(reason, detail) {
      if (out.rejects.length < REJECTS_MAX) out.rejects.push({ reason, detail });
    },
  };
  if (message.will) {
    out.events.push(linkLost(message));
    return;
  }
  const topic = topicOf(message.topic, context);
  if (topic.kind === null) {
    rejects.add(topic.reason, topic.detail);
    return;
  }
  const { kind, rules } = topic;
  if (message.payload_bytes > PAYLOAD_MAX_BYTES) {
    rejects.add(
      "too_large",
      `${message.payload_bytes} bytes, expected ${PAYLOAD_MAX_BYTES} at most`,
    );
    return;
  }
  const commas = message.payload.length > COMMAS_MAX ? commasIn(message.payload) : 0;
  if (commas > COMMAS_MAX) {
    rejects.add("too_large", `${commas} commas, expected ${COMMAS_MAX} at most`);
    return;
  }
  const parse = rules?.by_tag.has("") ? parseBareValue : parsePayload;
  const parsed = parse(message.payload);
  if ("problem" in parsed) {
    rejects.add("bad_json", parsed.problem);
    return;
  }
  for (const conflict of parsed.conflicts) rejects.add("conflict", conflict);
  const isMany = Array.isArray(parsed.value) && !rules?.array_is_one;
  const items: readonly unknown[] = isMany ? parsed.value : [parsed.value];
  out.items = Math.min(items.length, ITEMS_MAX);
  const { from, to } = context.items ?? { from: 0, to: ITEMS_MAX };
  if (items.length > ITEMS_MAX && from === 0)
    rejects.add("too_large", `an array of ${items.length}, of which ${ITEMS_MAX} were read`);
  const { note = null } = context;
  const isLive = items.length === 1 && !message.retain && !isRecord(kind);
  for (const item of items.slice(from, Math.min(to, out.items)))
    decodeItem(item, { topic, isLive, message, context, out, manner: { rejects, rules, note } });
}

/**
 * Reads a topic: the kind of its messages, the lamp, and the map's rules for it. The contract's own
 * topics come first: a map can't make another system's messages ours, or a reading of an event.
 */
export function topicOf(topic: string, { prefix, system_id, map }: DecodeContext): Topic {
  const levels = topic.startsWith(`${prefix}/`) ? topic.slice(prefix.length + 1).split("/") : [];
  const [system, name, number] = levels;
  const kind = levels.length === 2 ? TOPIC_KINDS.find((known) => known === name) : undefined;
  const lamp = levels.length === 3 && name === "lamps" ? lampNumber(number) : null;
  const isKnown = kind !== undefined || lamp !== null;
  if (isKnown && system !== system_id) {
    const detail = `topic: got ${system}, expected ${system_id}`;
    return { kind: null, reason: "other_system", detail };
  }
  const hasMap = map !== undefined && map.rules.length > 0;
  const rules = isRecord(kind) ? null : (map?.rulesFor(topic, { isOurs: isKnown }) ?? null);
  if (kind !== undefined) return { kind, isOurs: true, rules };
  if (lamp !== null) return { kind: "lamp", lamp, rules };
  if (rules !== null) return { kind: "telemetry", isOurs: false, rules };
  const detail = `expected ${prefix}/${system_id}/{${TOPIC_KINDS.join(",")},lamps/<1-16>}`;
  const more = hasMap ? ", or a topic of [map]" : "";
  return { kind: null, reason: "unknown_topic", detail: detail + more };
}

/** True for events, health and predictions, which aren't mapped. */
export function isRecord(kind: unknown): boolean {
  return RECORD_KINDS.some((record) => record === kind);
}

interface PayloadItem {
  readonly topic: Exclude<Topic, { kind: null }>;
  /** True for a single reading, which shows the PLC's clock. */
  readonly isLive: boolean;
  readonly message: Message;
  readonly context: DecodeContext;
  readonly out: Collected;
  readonly manner: Manner;
}

function decodeItem(item: unknown, asked: PayloadItem): void {
  const { topic, message, context, out, manner } = asked;
  const { rejects, rules } = manner;
  const isMapped = Array.isArray(item) ? rules?.array_is_one : rules?.by_tag.has("");
  if (!isMembers(item) && !isMapped) {
    rejects.add("bad_json", `got ${shown(item)}, expected an object or an array of objects`);
    return;
  }
  const members = isMembers(item) ? withTimeNamed(item, manner) : NO_MEMBERS;
  const { system_id } = members;
  if (!saysNothing(system_id) && !isOurs(system_id, context) && !rules?.by_tag.has("system_id")) {
    const got = shown(system_id);
    rejects.add("other_system", `system_id: got ${got}, expected ${context.system_id}`);
    return;
  }
  const tags =
    rules === null
      ? NO_TAGS
      : topic.kind === "telemetry"
        ? tagsOf(isMembers(item) ? members : item)
        : Object.entries(members);
  const read = givenInstant(members, tags, rules, context.plc_offset_ms ?? 0);
  if (asked.isLive && "at_ms" in read && read.at_ms !== null) out.sent_ms = read.at_ms;
  const time = timeOf(read, { message, context, rejects });
  if (time === null) return;
  if (time.timed_by_receipt) out.timed_by_receipt = true;
  switch (topic.kind) {
    case "telemetry":
      if (rules === null) out.readings.push(decodeFlat(members, gridded(time, context), manner));
      else {
        const part = decodeTags(tags, gridded(time, context), manner);
        // On a topic that only the map knows, an empty part isn't a reading.
        if (topic.isOurs || saysAnything(part)) out.readings.push(part);
      }
      return;
    case "lamps":
      out.readings.push(...present(decodeLamps(members, gridded(time, context), manner)));
      return;
    case "events":
      out.events.push(...present(decodeEvent(members, time, rejects)));
      return;
    case "health":
      out.health.push(...present(decodeHealth(members, time, rejects)));
      return;
    case "predictions":
      out.predictions.push(...present(decodePrediction(members, time, rejects)));
      return;
    case "lamp":
      out.readings.push(
        ...present(decodeLamp(members, topic.lamp, gridded(time, context), manner)),
      );
  }
}

function isOurs(system_id: unknown, context: DecodeContext): boolean {
  const isName = ["string", "number", "bigint"].includes(typeof system_id);
  return isName && String(system_id) === context.system_id;
}

function linkLost(message: Message): Event {
  return ownAlarm(message.received_ms, {
    code: LINK_LOST,
    text: "PLC link lost",
    parameter: null,
    value: null,
    limit: null,
    unit: null,
    more: { client: message.client },
  });
}

function present<Thing>(thing: Thing | null): Thing[] {
  return thing === null ? [] : [thing];
}

function commasIn(payload: Uint8Array): number {
  let count = 0;
  for (const byte of payload) if (byte === 0x2c) count += 1;
  return count;
}
