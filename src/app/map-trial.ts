// Shows how ballastd would decode a message: every tag with its field and value, from the writer's
// own decoder. Nothing is stored, so contradictions to stored data aren't shown.

import type { Message } from "../bwts/message.ts";
import { EXTRA_TAGS_MAX, type Value } from "../bwts/reading.ts";
import { offsetMs } from "../bwts/ship-time.ts";
import { TAGS, tagIndex } from "../bwts/tags.ts";
import type { Config } from "../config/config.ts";
import { printTime } from "../ground/clock.ts";
import { decodeMessage } from "../payload/decode.ts";
import { parseBareValue } from "../payload/json.ts";
import { openMap, oursFilter } from "../payload/map-rules.ts";
import { tagsOfMessage } from "../payload/map-tags.ts";
import { spansAboard } from "../payload/own-spans.ts";
import type { TagResult } from "../payload/reading.ts";
import { type DoubtAround, doubtIn } from "./map-doubts.ts";

/** A tag of a message, before and after mapping. */
export interface TriedTag {
  readonly tag: string;
  readonly given: unknown;
  /** Null if the tag goes to no field. */
  readonly field: string | null;
  readonly value: Value;
  readonly unit: string | null;
  /** The reason for a missing or unusual value; null if there is none. */
  readonly remark: string | null;
}

/** A message and the result of decoding it. */
export interface TriedMessage {
  readonly topic: string;
  readonly payload: string;
  /** The times of the message's readings. */
  readonly timestamps: readonly string[];
  readonly tags: readonly TriedTag[];
  /** Number of tags beyond those listed. */
  readonly more_tags: number;
  /** Number of events and records in the message. */
  readonly records: number;
  /** Reasons why the message, or part of it, would go to quarantine. */
  readonly quarantined: readonly { readonly reason: string; readonly detail: string }[];
}

export interface MapTrial {
  /** The filters under which messages are received. */
  readonly filters: readonly string[];
  try(message: Message): TriedMessage;
  /** The rules, as configured, whose tag was in no message so far. */
  unseen(): readonly {
    readonly where: string;
    readonly topic: string | null;
    readonly tag: string;
  }[];
}

/**
 * Maximum number of tags shown: a message may hold thousands of readings, and these show the
 * pattern.
 */
const TAGS_MAX = TAGS.length + EXTRA_TAGS_MAX;

/** Opens a trial of the configured map. Throws a Failure (exit 78) for a bad rule. */
export function openMapTrial(config: Config): MapTrial {
  const { mqtt, system } = config;
  const map = openMap(config.map, oursFilter(mqtt, system));
  const seen = new Set<string>();
  const spans = spansAboard(config);
  const qualities = new Set(config.map.rule.flatMap(({ quality }) => quality ?? []));
  const context = {
    prefix: mqtt.prefix,
    system_id: system.id,
    merge_ms: mqtt.merge_ms,
    plc_offset_ms: offsetMs(mqtt.plc_utc_offset),
    clock_trusted: true,
  };
  return {
    filters: map.filters,
    try(message) {
      const noteds: TagResult[] = [];
      let count = 0;
      const note = (noted: TagResult) => {
        if (noted.rule !== null) seen.add(noted.rule.where);
        count += 1;
        if (count <= TAGS_MAX) noteds.push(noted);
      };
      const decoded = decodeMessage(message, { ...context, map, note });
      const around = { readings: decoded.readings, spans, qualities };
      const tags = noteds.map((noted) => triedTag(noted, around));
      if (decoded.rejects[0]?.reason === "unknown_topic") tags.push(...foreignTags(message));
      const { readings, events, health, predictions } = decoded;
      return {
        topic: message.topic,
        payload: Buffer.from(message.payload).toString("utf8"),
        timestamps: readings.map(({ at_ms }) => printTime(at_ms)),
        tags,
        more_tags: Math.max(0, count - TAGS_MAX),
        records: events.length + health.length + predictions.length,
        quarantined: decoded.rejects,
      };
    },
    unseen: () =>
      config.map.rule
        .filter(({ where }) => !seen.has(where))
        .map(({ where, topic, tag }) => ({ where, topic, tag })),
  };
}

/** The tags of a message on a topic without rules, so that rules can be written for them. */
function foreignTags({ payload }: Message): readonly TriedTag[] {
  const parsed = parseBareValue(payload);
  const tags = "problem" in parsed ? [] : tagsOfMessage(parsed.value);
  return tags.slice(0, TAGS_MAX).map(([tag, given]) => {
    const nowhere = { field: null, value: null, unit: null };
    return { tag, given, ...nowhere, remark: "no rule names this topic" };
  });
}

function triedTag(noted: TagResult, around: DoubtAround): TriedTag {
  const { tag, given, field, read } = noted;
  const index = field === null ? null : tagIndex(field);
  const unit = index === null || field === "timestamp" ? null : TAGS[index].unit;
  const value = "problem" in read ? null : read.value;
  return { tag, given, field, value, unit, remark: remarkOn(noted, value, around) };
}

function remarkOn(noted: TagResult, value: TriedTag["value"], around: DoubtAround): string | null {
  const { field, read, rule } = noted;
  if ("problem" in read) return `not taken: got ${read.problem}`;
  const doubt = doubtIn(noted, value, around);
  const index = field === null ? null : tagIndex(field);
  if (index !== null && value !== null)
    return [doubt, unusual(index, value)].filter((one) => one !== null).join("; ") || null;
  if (doubt !== null) return doubt;
  if (field === null) return 'dropped: no rule names it, and map.unmapped is "drop"';
  if (value === null) return "says nothing";
  return rule === null ? "no rule names it: kept as it is" : null;
}

function unusual(index: number, value: Value): string | null {
  const { typical, unit } = TAGS[index];
  if (typeof value !== "number" || typical === null || typeof typical !== "object") return null;
  const [low, high] = typical;
  const isUsual = value >= low && value <= high;
  return isUsual ? null : `usual is ${low} to ${high}${unit === null ? "" : ` ${unit}`}`;
}
