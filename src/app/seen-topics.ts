// The last messages of each topic since the start, for people who write rules of the map: a stored
// reading doesn't show the topic and the name of a received tag. Each tag is read by the writer's
// own decoder. Little is kept, since anybody can publish large messages on endless topics.

import type { Message } from "../bwts/message.ts";
import type { SeenTag, SeenTopic } from "../bwts/settings.ts";
import { offsetMs } from "../bwts/ship-time.ts";
import { tagIndex, tagIndexInAnyCase } from "../bwts/tags.ts";
import type { Config } from "../config/config.ts";
import { printTime } from "../ground/clock.ts";
import type { Take } from "../mqtt/endpoint.ts";
import { decodeMessage, isRecord, topicOf } from "../payload/decode.ts";
import type { DecodeContext } from "../payload/decoded.ts";
import { parseBareValue, parsePayload } from "../payload/json.ts";
import { openMap, oursFilter, type TagMap, type TopicRules } from "../payload/map-rules.ts";
import { tagsOfMessage } from "../payload/map-tags.ts";
import type { TagResult } from "../payload/reading.ts";
import { saysNothing } from "../payload/value.ts";

export interface SeenTopics {
  /** The filters under which messages are received. */
  readonly filters: readonly string[];
  /** Wraps `take`, so that each message is also copied here. */
  noting(take: Take): Take;
  /** The topics with their tags, the newest first. */
  now(): readonly SeenTopic[];
}

const KIB = 1024;
/**
 * Maximum size of a kept message, in bytes: longer ones are batches, those of the present are
 * short.
 */
const PAYLOAD_KEPT_MAX = 32 * KIB;
const KEPT_BYTES_MAX = 512 * KIB;
/** Maximum number of topics: a PLC may send each tag on its own topic. */
const TOPICS_MAX = 256;
/** Maximum number of messages kept of a topic: a PLC may send its tags in turn on one topic. */
const MESSAGES_MAX = 4;
/**
 * Time within which at most MESSAGES_MAX messages of a topic are copied, so that a flood costs
 * nothing.
 */
const FRESH_MS = 250;
/** Maximum number of tags shown of a topic; a plant has fewer. */
const TAGS_MAX = 300;
const TEXT_SHOWN_MAX = 120;

/** The rules of a topic without any, so that the decoder reads its tags too. */
const NO_RULES: TopicRules = {
  ...{ by_tag: new Map(), times: [], qualities: new Set<string>() },
  ...{ unmapped: "keep", array_is_one: false },
};

/** Opens an empty list. Throws a Failure (exit 78) for a bad rule. */
export function openSeenTopics({ map: configured, mqtt, system }: Config): SeenTopics {
  const map = openMap(configured, oursFilter(mqtt, system));
  const context = {
    ...{ prefix: mqtt.prefix, system_id: system.id, merge_ms: mqtt.merge_ms },
    plc_offset_ms: offsetMs(mqtt.plc_utc_offset),
    clock_trusted: true,
    map: { ...map, rulesFor: (topic, place) => map.rulesFor(topic, place) ?? NO_RULES },
  } satisfies DecodeContext & { map: TagMap };
  const topics = new Map<string, readonly Message[]>();
  let bytes = 0;
  const drop = (topic: string) => {
    for (const message of topics.get(topic) ?? []) bytes -= message.payload.length;
    topics.delete(topic);
  };
  const note = ({ topic, payload, ...rest }: Message) => {
    if (rest.will || rest.payload_bytes > PAYLOAD_KEPT_MAX) return;
    const before = topics.get(topic) ?? [];
    const oldest_ms = before.at(MESSAGES_MAX - 1)?.received_ms ?? Number.NEGATIVE_INFINITY;
    if (Math.abs(rest.received_ms - oldest_ms) < FRESH_MS) return;
    drop(topic);
    // Copied, because the payload is a view that would keep a whole chunk of the socket in memory.
    const own = { ...rest, topic, payload: new Uint8Array(payload) };
    const kept = [own, ...before.slice(0, MESSAGES_MAX - 1)];
    topics.set(topic, kept);
    for (const one of kept) bytes += one.payload.length;
    for (const oldest of topics.keys()) {
      if (oldest === topic || (topics.size <= TOPICS_MAX && bytes <= KEPT_BYTES_MAX)) break;
      drop(oldest);
    }
  };
  return {
    filters: map.filters,
    noting: (take) => (message) => {
      note(message);
      return take(message);
    },
    now: () => [...topics.values()].reverse().flatMap((kept) => seenTopic(kept, context)),
  };
}

type SeenContext = DecodeContext & { readonly map: TagMap };

/** A topic with its tags; empty for a topic of records or one where rules don't apply. */
function seenTopic(kept: readonly Message[], context: SeenContext): readonly SeenTopic[] {
  const [{ topic, received_ms }] = kept;
  const place = topicOf(topic, context);
  if (place.kind === null || isRecord(place.kind)) return [];
  const tags = new Map<string, SeenTag>();
  for (const one of kept)
    for (const seen of tagsIn(one, context))
      if (!tags.has(seen.tag) && tags.size < TAGS_MAX) tags.set(seen.tag, seen);
  return [
    {
      ...{ topic, received: printTime(received_ms), tags: [...tags.values()] },
      is_own: place.kind === "lamp" || place.isOurs,
      has_rules: place.rules !== NO_RULES,
    },
  ];
}

function tagsIn(message: Message, context: SeenContext): readonly SeenTag[] {
  const tags: SeenTag[] = [];
  const note = (noted: TagResult) =>
    tags.push(...seenTag(noted.tag, noted.given, meaningOf(noted)));
  const { rejects } = decodeMessage(message, { ...context, note });
  if (tags.length > 0) return tags;
  // Nothing could be read because of the message's time or form; its tags are shown with the fields
  // that the rules name.
  const place = topicOf(message.topic, context);
  if (place.kind !== "telemetry") return [];
  const parsed = (place.isOurs ? parsePayload : parseBareValue)(message.payload);
  if ("problem" in parsed) return [];
  const late = rejects.find(({ reason }) => reason === "bad_time")?.detail ?? null;
  return tagsOfMessage(parsed.value).flatMap(([tag, given]) => {
    const isKnown = tagIndexInAnyCase(tag) !== null;
    const field = place.rules?.by_tag.get(tag)?.field ?? (isKnown ? tag : null);
    return seenTag(tag, given, { field, problem: field === "timestamp" ? late : null });
  });
}

type Meaning = Pick<SeenTag, "field" | "problem">;

function meaningOf({ rule, field, read }: TagResult): Meaning {
  const isKnown = field !== null && (rule !== null || tagIndex(field) !== null);
  if (!isKnown) return { field: null, problem: null };
  return { field, problem: "problem" in read ? `got ${read.problem}` : null };
}

/** A tag with its value; empty for a tag without one. */
function seenTag(tag: string, given: unknown, meaning: Meaning): readonly SeenTag[] {
  if (saysNothing(given) || typeof given === "object") return [];
  const isNumber = typeof given === "number" && Number.isFinite(given);
  const isPlain = isNumber || typeof given === "boolean";
  const value = isPlain ? given : String(given).slice(0, TEXT_SHOWN_MAX);
  return [{ tag, value, ...meaning }];
}
