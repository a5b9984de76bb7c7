// Decodes telemetry: each object of a payload becomes one part of a reading. A bad field is
// reported and left out; the rest of the reading is kept. Lamps' messages use the same functions
// (lamp-reading.ts).

import type { Rejects } from "../bwts/message.ts";
import { isGoodTag } from "../bwts/quality.ts";
import { qualifiedBy } from "../bwts/quality-names.ts";
import {
  EXTRA_TAGS_MAX,
  type ReadingPart,
  type Scalar,
  TIME_SOURCE,
  type Value,
} from "../bwts/reading.ts";
import { TAGS, tagIndex, tagIndexInAnyCase } from "../bwts/tags.ts";
import { printTime } from "../ground/clock.ts";
import type { TagRule, TopicRules } from "./map-rules.ts";
import { type GivenTag, mappedInstant, mappedValue } from "./map-tags.ts";
import {
  badMessage,
  markMapped,
  markQuality,
  plainQuality,
  qualifiedValue,
  qualitiesIn,
  spreadQuality,
  VALUE_END,
} from "./quality.ts";
import { type ReadValue, readScalar, readValue, shown } from "./value.ts";

/** An instant; `timed_by_receipt` if it is the time of receipt and not the message's own. */
export interface MessageTime {
  readonly at_ms: number;
  readonly timed_by_receipt: boolean;
}

/** The result for a tag: its field or null, and the value or the reason why there is none. */
export interface TagResult {
  /** The map's rule for the tag; null for none. */
  readonly rule: TagRule | null;
  readonly tag: string;
  readonly given: unknown;
  readonly field: string | null;
  readonly read: ReadValue;
}

/** The way in which the members of a message are read. */
export interface Manner {
  readonly rejects: Rejects;
  /** The map's rules for the topic; null for none. */
  readonly rules: TopicRules | null;
  /** Called with every tag, for `ballastd map try`; null otherwise. */
  readonly note: ((noted: TagResult) => void) | null;
}

/** Collects one reading part while its members are walked. */
export interface PartBuilder extends Manner {
  readonly values: Value[];
  readonly extra: Map<string, Scalar>;
  /** All tags of the message, some of which rules name as qualities; empty without rules. */
  tags: readonly GivenTag[];
  /** Fields that the message has in another case than the catalogue's. */
  readonly respelt: Set<number>;
  /** Fields with two spellings that differ: neither is taken. */
  readonly contradicted: Set<number>;
}

const EXTRA_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const BAD_NAME: ReadValue = {
  problem: "other characters, a tag's name has 1 to 64 of A-Z a-z 0-9 _ . -",
};
/** Maximum length of a foreign name in a message, in characters. */
const ORIGIN_MAX = 120;
/** Members that concern the whole message, read before the others. */
export const MESSAGE_MEMBERS = ["timestamp", "system_id"];

/** Decodes a `telemetry` object: every member under its own name. */
export function decodeFlat(
  members: Readonly<Record<string, unknown>>,
  time: MessageTime,
  manner: Manner,
): ReadingPart {
  const builder = newPart(manner);
  // Not Object.entries: an array for each of a hundred members would dominate a message's time.
  for (const name of Object.keys(members)) addMember(builder, name, members[name]);
  return finished(builder, time);
}

/** As `decodeFlat`, from pairs, in which a name may occur twice. */
export function decodeTags(
  tags: readonly GivenTag[],
  time: MessageTime,
  manner: Manner,
): ReadingPart {
  const builder = newPart(manner, tags);
  for (const [tag, given] of tags) addMember(builder, tag, given);
  // Without rules it is an exported reading, whose qualities stay as they were stored.
  return manner.rules === null ? partOf(builder, time) : finished(builder, time);
}

/** True if a part holds more than its time. */
export function saysAnything(part: ReadingPart): boolean {
  const own = part.timed_by_receipt ? 1 : 0;
  return part.extra.size > own || part.values.some((value) => value !== null);
}

/** Adds a member under its full name. */
export function addMember(builder: PartBuilder, tag: string, given: unknown): void {
  const rule = builder.rules?.by_tag.get(tag);
  if (rule !== undefined) {
    addMapped(builder, rule, given);
    return;
  }
  if (MESSAGE_MEMBERS.includes(tag)) return;
  const name = tag.replace(VALUE_END, "");
  const index = tagIndex(tag) ?? tagIndex(name) ?? respeltIndex(builder, name);
  if (index === null) {
    addUnknown(builder, tag, given);
    return;
  }
  const { type, name: field } = TAGS[index];
  // The usual case, which avoids an object for each member.
  if (builder.note === null && type === "number" && Number.isFinite(given)) {
    const { values } = builder;
    if (typeof given === "number" && values[index] === null) {
      values[index] = given;
      return;
    }
  }
  const qualified = qualifiedValue(given);
  const read = readValue(qualified === null ? given : qualified.value, type);
  builder.note?.({ rule: null, tag, given, field, read });
  setField(builder, index, read, tag);
  if (qualified !== null) markQuality(builder.extra, field, qualified.quality, qualified.by);
}

/** The field that a tag names in another case. */
export function respeltIndex(builder: PartBuilder, tag: string): number | null {
  const index = tagIndexInAnyCase(tag);
  if (index !== null) builder.respelt.add(index);
  return index;
}

function addMapped(builder: PartBuilder, rule: TagRule, given: unknown): void {
  const { tag, field, index } = rule;
  const isTime = field === "timestamp";
  const read = isTime ? readTime(rule, given) : mappedValue(rule, given);
  builder.note?.({ rule, tag, given, field, read });
  if (isTime) return;
  if (index === null) setExtra(builder, field, read, tag);
  else {
    setField(builder, index, read, tag);
    const isField = (name: string) => (builder.rules?.by_tag.get(name)?.index ?? null) !== null;
    if ("value" in read) markMapped(builder.extra, { rule, given, tags: builder.tags, isField });
  }
}

function readTime(rule: TagRule, given: unknown): ReadValue {
  const read = mappedInstant(rule, given);
  if ("problem" in read) return read;
  return { value: read.at_ms === null ? null : printTime(read.at_ms) };
}

/** Adds a tag that neither the catalogue nor the map knows. */
function addUnknown(builder: PartBuilder, tag: string, given: unknown): void {
  const { rules } = builder;
  const isRuled = rules?.qualities.has(tag) === true;
  // The quality of a rule's tag is stored beside the field, if it isn't good.
  if (isRuled && qualifiedBy(tag) !== null) return;
  const each = isRuled ? [] : qualitiesIn(tag, given);
  for (const [name, quality] of each) addUnknown(builder, name, quality);
  if (each.length > 0) return;
  const bad = isRuled ? null : badMessage(tag, given);
  if (rules?.unmapped === "drop" && bad === null && !isBadQuality(tag, given)) {
    builder.note?.({ rule: null, tag, given, field: null, read: { value: null } });
    return;
  }
  const name = nameOfUnknown(tag, rules !== null);
  const plain = qualifiedBy(name) === null ? (bad ?? given) : plainQuality(given);
  const read = EXTRA_NAME.test(name) ? readScalar(plain) : BAD_NAME;
  builder.note?.({ rule: null, tag, given, field: name, read });
  setExtra(builder, name, read, tag);
}

/** The name under which a tag is kept: as sent, but for brackets, and signs before a quality. */
function nameOfUnknown(tag: string, isMapped: boolean): string {
  // Names have no brackets: `a[0].b` is kept as `a.0.b`.
  const name = isMapped ? tag.replaceAll(/\.?\[(\d+)\]/g, ".$1").replace(/^\./, "") : tag;
  if (EXTRA_NAME.test(name)) return name;
  const plain = name.replaceAll(/[^A-Za-z0-9_.-]+/g, ".").replace(/\.$/, "");
  return qualifiedBy(plain) === null ? name : plain;
}

/** True for a bad quality, which is kept even if unknown tags are dropped. */
function isBadQuality(tag: string, given: unknown): boolean {
  const name = nameOfUnknown(tag, true);
  const read = readScalar(plainQuality(given));
  if (qualifiedBy(name) === null || "problem" in read || read.value === null) return false;
  return !isGoodTag(name, read.value);
}

function setField(builder: PartBuilder, index: number, read: ReadValue, tag: string): void {
  const { name } = TAGS[index];
  const before = builder.values[index];
  if ("problem" in read) reject(builder, name, read.problem, tag);
  else if (read.value !== null && isNew(builder, name, before, read.value))
    builder.values[index] = read.value;
  else if (read.value !== null && read.value !== before && builder.respelt.has(index))
    builder.contradicted.add(index);
}

function setExtra(builder: PartBuilder, name: string, read: ReadValue, tag: string): void {
  const { extra, rejects } = builder;
  if ("problem" in read) reject(builder, name, read.problem, tag);
  else if (read.value === null || !isNew(builder, name, extra.get(name) ?? null, read.value))
    return;
  else if (extra.size >= EXTRA_TAGS_MAX)
    rejects.add("bad_value", `${name}: more than ${EXTRA_TAGS_MAX} unknown tags`);
  else extra.set(name, read.value);
}

/** Rejects a tag by the name of its field, and by its own name if that differs. */
function reject({ rejects }: PartBuilder, field: string, problem: string, tag: string): void {
  const origin = field === tag ? field : `${field} (${tag})`;
  rejects.add("bad_value", `${origin.slice(0, ORIGIN_MAX)}: got ${problem}`);
}

/** True if a field has no value yet; a message that contradicts itself is reported. */
function isNew(builder: PartBuilder, name: string, before: Value, given: Scalar): boolean {
  if (before !== null && before !== given)
    builder.rejects.add("conflict", `${name}: got ${shown(given)}, before it ${shown(before)}`);
  return before === null;
}

/** True if the part has no value yet. */
export function isEmpty(builder: PartBuilder): boolean {
  return builder.extra.size === 0 && builder.values.every((value) => value === null);
}

/** A new, empty part. `tags` are those of the message; they are used with rules only. */
export function newPart(
  { rejects, rules, note }: Manner,
  tags: readonly GivenTag[] = [],
): PartBuilder {
  return {
    values: TAGS.map(() => null),
    extra: new Map(),
    respelt: new Set(),
    contradicted: new Set(),
    rejects,
    rules,
    note,
    tags,
  };
}

/** The part, with the quality of its message spread over its fields. */
export function finished(builder: PartBuilder, time: MessageTime): ReadingPart {
  for (const index of builder.contradicted) builder.values[index] = null;
  if (builder.extra.size > 0)
    spreadQuality(builder.values, builder.extra, builder.rules?.qualities);
  return partOf(builder, time);
}

function partOf(builder: PartBuilder, time: MessageTime): ReadingPart {
  if (time.timed_by_receipt) builder.extra.set(TIME_SOURCE, "receipt");
  return { ...time, values: builder.values, extra: builder.extra };
}
