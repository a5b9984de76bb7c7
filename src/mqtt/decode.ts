// A message becomes readings, events and records, or is turned away with a reason: pure, so that
// the writer's thread can run it beside the database. Liberal in what it reads, because what PLCs
// send is what their programmers strung together; strict in never guessing: what is ambiguous goes
// to quarantine, where a person can see it.

import { type Event, ownAlarm } from "../bwts/event.ts";
import type { HealthRecord } from "../bwts/health-record.ts";
import {
  type DecodeContext,
  type Decoded,
  type Message,
  PAYLOAD_MAX_BYTES,
  type Reject,
  type Rejects,
} from "../bwts/message.ts";
import type { Prediction } from "../bwts/prediction.ts";
import { AHEAD_MAX_MS, OLDEST_MS, type ReadingPart } from "../bwts/reading.ts";
import { floorTo, printTime, SECOND_MS } from "../clock.ts";
import { parsePayload } from "./decode-json.ts";
import type { MessageTime } from "./decode-reading.ts";
import { decodeFlat, decodeLamp, decodeLamps, lampNumber } from "./decode-reading.ts";
import { decodeEvent, decodeHealth, decodePrediction } from "./decode-record.ts";
import { readInstant, saysNothing, shown } from "./decode-value.ts";

/** More readings than fit a payload, unless they are empty: 300,000 times {} would take 400 MB. */
const ITEMS_MAX = 40_000;
/** One reason sets a message aside; these are for the person who reads about it. */
const REJECTS_MAX = 100;

type Members = Readonly<Record<string, unknown>>;

interface Collected {
  timed_by_receipt: boolean;
  readonly readings: ReadingPart[];
  readonly events: Event[];
  readonly health: HealthRecord[];
  readonly predictions: Prediction[];
  readonly rejects: Reject[];
}

/** Decodes one message. Never throws; whatever can't be taken stands in `rejects`. */
export function decodeMessage(message: Message, context: DecodeContext): Decoded {
  const out: Collected = {
    timed_by_receipt: false,
    readings: [],
    events: [],
    health: [],
    predictions: [],
    rejects: [],
  };
  const rejects: Rejects = {
    add(reason, detail) {
      if (out.rejects.length < REJECTS_MAX) out.rejects.push({ reason, detail });
    },
  };
  if (message.will) {
    out.events.push(linkLost(message));
    return out;
  }
  const kind = topicKind(message.topic, context, rejects);
  if (kind === null) return out;
  if (message.payload_bytes > PAYLOAD_MAX_BYTES) {
    rejects.add(
      "too_large",
      `${message.payload_bytes} bytes, expected ${PAYLOAD_MAX_BYTES} at most`,
    );
    return out;
  }
  const parsed = parsePayload(message.payload);
  if ("problem" in parsed) {
    rejects.add("bad_json", parsed.problem);
    return out;
  }
  const items: readonly unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  if (items.length > ITEMS_MAX)
    rejects.add("too_large", `an array of ${items.length}, of which ${ITEMS_MAX} were read`);
  for (const item of items.slice(0, ITEMS_MAX))
    decodeItem(item, { kind, message, context, out, rejects });
  return out;
}

interface Item {
  readonly kind: string;
  readonly message: Message;
  readonly context: DecodeContext;
  readonly out: Collected;
  readonly rejects: Rejects;
}

function decodeItem(item: unknown, { kind, message, context, out, rejects }: Item): void {
  if (item === null || typeof item !== "object" || Array.isArray(item)) {
    rejects.add("bad_json", `got ${shown(item)}, expected an object or an array of objects`);
    return;
  }
  const members: Members = { ...item };
  const { system_id } = members;
  if (!saysNothing(system_id) && !isOurs(system_id, context)) {
    const got = shown(system_id);
    rejects.add("other_system", `system_id: got ${got}, expected ${context.system_id}`);
    return;
  }
  const time = timeOf(members, message, context, rejects);
  if (time === null) return;
  if (time.timed_by_receipt) out.timed_by_receipt = true;
  switch (kind) {
    case "telemetry":
      out.readings.push(decodeFlat(members, gridded(time, context), rejects));
      return;
    case "lamps":
      out.readings.push(...present(decodeLamps(members, gridded(time, context), rejects)));
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
    default:
      out.readings.push(
        ...present(decodeLamp(members, Number(kind), gridded(time, context), rejects)),
      );
  }
}

function isOurs(system_id: unknown, context: DecodeContext): boolean {
  const isName = typeof system_id === "string" || typeof system_id === "number";
  return isName && String(system_id) === context.system_id;
}

const KINDS = ["telemetry", "lamps", "events", "health", "predictions"];

/** One of KINDS, or a lamp's number as text; null when the topic isn't ours. */
function topicKind(topic: string, context: DecodeContext, rejects: Rejects): string | null {
  const expected = `${context.prefix}/${context.system_id}/`;
  const rest = topic.startsWith(`${context.prefix}/`)
    ? topic.slice(context.prefix.length + 1).split("/")
    : [];
  const [system_id, kind, lamp] = rest;
  const number = rest.length === 3 && kind === "lamps" ? lampNumber(lamp) : null;
  const known = number !== null || (rest.length === 2 && KINDS.includes(kind));
  if (known && system_id === context.system_id) return number === null ? kind : String(number);
  if (known) rejects.add("other_system", `topic: got ${system_id}, expected ${context.system_id}`);
  else rejects.add("unknown_topic", `expected ${expected}{${KINDS.join(",")},lamps/<1-16>}`);
  return null;
}

function timeOf(
  members: Members,
  message: Message,
  context: DecodeContext,
  rejects: Rejects,
): MessageTime | null {
  const read = readInstant(members.timestamp);
  if ("problem" in read) {
    rejects.add("bad_time", `timestamp: got ${read.problem}`);
    return null;
  }
  if (read.at_ms === null) {
    if (message.retain) {
      rejects.add("retained", "a retained message without a timestamp could be of any age");
      return null;
    }
    return { at_ms: floorTo(message.received_ms, SECOND_MS), timed_by_receipt: true };
  }
  if (read.at_ms < OLDEST_MS) {
    rejects.add("bad_time", `timestamp: ${printTime(read.at_ms)} is before 2000`);
    return null;
  }
  if (context.clock_trusted && read.at_ms > message.received_ms + AHEAD_MAX_MS) {
    const now = printTime(message.received_ms);
    rejects.add("future", `timestamp: ${printTime(read.at_ms)}, received at ${now}`);
    return null;
  }
  return { at_ms: read.at_ms, timed_by_receipt: false };
}

function gridded(time: MessageTime, context: DecodeContext): MessageTime {
  return context.merge_ms === 0 ? time : { ...time, at_ms: floorTo(time.at_ms, context.merge_ms) };
}

function linkLost(message: Message): Event {
  return ownAlarm(message.received_ms, {
    code: "PLC_LINK_LOST",
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
