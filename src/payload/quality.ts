// Reads the quality of values in messages: an object of value and quality, a tag beside the value,
// one for the whole message, or the tag that a map rule names. A quality that isn't good is kept as
// an unknown tag beside the field (bwts/quality.ts); the value itself stays as sent.

import { BESIDE_QUALITY, isBrokenWire } from "../bwts/plausible.ts";
import { isBadMessage, isGoodQuality } from "../bwts/quality.ts";
import {
  QUALITY_MEMBERS,
  qualifiedName,
  qualityName,
  qualityTag,
  withoutMember,
} from "../bwts/quality-names.ts";
import type { Scalar, Value } from "../bwts/reading.ts";
import { TAGS, tagIndexInAnyCase } from "../bwts/tags.ts";
import { valueKey } from "../config/map.ts";
import type { TagRule } from "./map-rules.ts";
import type { GivenTag } from "./map-tags.ts";
import { readScalar, readValue, saysNothing, shown } from "./value.ts";

type Extra = Map<string, Scalar>;

const VALUE_NAMES = ["v", "value", "val"];
/** Ending of a tag's name for the value in an object of value and quality. */
export const VALUE_END = /\.(v|value|val)$/i;
/** Limit above which a real is the code of a broken wire, near the maximum of 32 bits. */
const REAL_MAX = 3.4e38;

/** A value with its quality, from an object such as `{"v": 1.2, "q": true}`; null for others. */
export function qualifiedValue(
  given: unknown,
): { readonly value: unknown; readonly quality: unknown; readonly by: string } | null {
  if (given === null || typeof given !== "object" || Array.isArray(given)) return null;
  const members = Object.entries(given);
  const value = members.find(([name]) => VALUE_NAMES.includes(name.toLowerCase()));
  if (value === undefined) return null;
  const told = members
    .flatMap(propertiesIn)
    .filter(([name]) => qualifiedName(`${value[0]}.${name}`) === value[0]);
  const isBad = ([name, quality]: readonly [string, unknown]) =>
    !saysNothing(quality) && !isGoodMember(name, quality);
  const quality = told.find(isBad) ?? told.at(0);
  return { value: value[1], quality: quality?.[1], by: quality?.[0] ?? "" };
}

/** The members of a member that holds properties, as Sparkplug sends them; else the member. */
function propertiesIn(member: readonly [string, unknown]): readonly (readonly [string, unknown])[] {
  const [name, given] = member;
  const holds = /^(properties|props|attributes|meta|metadata)$/i.test(name);
  return holds && isObject(given) ? Object.entries(given) : [member];
}

const isObject = (given: unknown): given is object =>
  given !== null && typeof given === "object" && !Array.isArray(given);

function isGoodMember(name: string, quality: unknown): boolean {
  const read = readScalar(plainQuality(quality));
  return "value" in read && read.value !== null && isGoodQuality(name, read.value);
}

/** The quality as a scalar: of an object the member that tells it, or its text, never good. */
export function plainQuality(quality: unknown): unknown {
  if (quality === null || typeof quality !== "object") return quality;
  const members = Object.entries(quality).map(([name, given]) => [name.toLowerCase(), given]);
  const told = [...QUALITY_MEMBERS, "text", "message"].flatMap((known) =>
    members.filter(([name]) => name === known),
  );
  const first = told.find(([, given]) => !saysNothing(given))?.[1];
  return first === undefined || typeof first === "object" ? shown(quality) : first;
}

/** Stores a quality that isn't good beside a field; `by` is the name of its tag. */
export function markQuality(extra: Extra, field: string, quality: unknown, by?: string): void {
  if (saysNothing(quality)) return;
  const told = scalarOf(quality);
  if (!isGoodQuality(by ?? qualityTag(field), told)) keepBad(extra, field, told);
}

function scalarOf(quality: unknown): Scalar {
  const plain = plainQuality(quality);
  const read = readScalar(plain);
  return "value" in read && read.value !== null ? read.value : shown(plain);
}

/** Stores a bad quality beside a field, which may have one. */
function keepBad(extra: Extra, field: string, told: Scalar): void {
  const name = qualityTag(field);
  if (extra.has(name)) return;
  // A bad code of OPC UA may be a good one of OPC, so it is marked.
  if (isGoodQuality(name, told)) markBad(extra, field, told);
  else extra.set(name, told);
}

/** Marks a value as bad by a rule, whatever the word for it. */
function markBad(extra: Extra, field: string, told: unknown): void {
  extra.set(qualityTag(field), `Bad (${shown(told)})`);
}

interface MappedValue {
  readonly rule: TagRule;
  readonly given: unknown;
  readonly tags: readonly GivenTag[];
  /** True for a tag that a rule takes as a field: `PT101.q` may be a flow. */
  isField(tag: string): boolean;
}

/**
 * Stores the quality of a value from a map rule: by the tag that the rule names, else by one beside
 * it; and bad for a raw code of a broken wire that the rule would scale into a value.
 */
export function markMapped(extra: Extra, { rule, given, tags, isField }: MappedValue): void {
  const { field, quality, good } = rule;
  if (saysNothing(given)) return;
  if (isScaledCode(rule, given)) markBad(extra, field, given);
  const beside = isBeside(rule.tag);
  const telling = tags.filter((one) =>
    quality === null ? beside(one) && !isField(one[0]) : one[0] === quality,
  );
  for (const [by, told] of firstMembers(telling)) {
    if (saysNothing(told)) continue;
    if (good === null) markQuality(extra, field, told, inObject(rule.tag, by));
    else if (!good.some((one) => isSame(one, told))) markBad(extra, field, told);
  }
}

/** The first member of each quality that is an object. */
function firstMembers(telling: readonly GivenTag[]): Iterable<GivenTag> {
  const first = new Map<string, GivenTag>();
  for (const given of telling) {
    const name = withoutMember(given[0]);
    if (!first.has(name)) first.set(name, given);
  }
  return first.values();
}

/** The name of a quality in one object with the value, as in a message without a map. */
function inObject(tag: string, by: string): string {
  const base = `${tag.replace(VALUE_END, "")}.`;
  return VALUE_END.test(tag) && by.startsWith(base) ? by.slice(base.length) : by;
}

function isBeside(tag: string): (given: GivenTag) => boolean {
  const base = tag.replace(VALUE_END, "");
  return ([name]) => {
    const of = qualifiedName(name);
    return of !== null && of !== "" && (of === base || of === tag);
  };
}

function isSame(good: string | number | boolean, told: unknown): boolean {
  const isScalar = ["string", "number", "boolean"].includes(typeof told);
  return isScalar && valueKey(good) === valueKey(String(told));
}

function isScaledCode({ index, factor, offset }: TagRule, given: unknown): boolean {
  if (index === null || TAGS[index].span === null || (factor ?? offset) === null) return false;
  const read = readValue(given, "number");
  const raw = "value" in read ? read.value : null;
  return typeof raw === "number" && (isBrokenWire(raw) || Math.abs(raw) >= REAL_MAX);
}

/**
 * Moves a bad quality of a whole message to its fields, because other messages of the same time may
 * be good. A good one stays as sent, and so does one that a rule names as its tag's quality.
 */
export function spreadQuality(
  values: readonly Value[],
  extra: Extra,
  ruled: ReadonlySet<string> | undefined,
): void {
  for (const [name, quality] of extra) {
    if (ruled?.has(name) || !isBadMessage(name, quality)) continue;
    extra.delete(name);
    for (const [tag, value] of values.entries())
      if (value !== null && !BESIDE_QUALITY.has(tag))
        keepBad(extra, TAGS[tag].name, typeof quality === "string" ? shown(quality) : quality);
  }
}

/** The member as a scalar if it says that the whole message is bad; null otherwise. */
export function badMessage(name: string, given: unknown): Scalar | null {
  if (qualityName(name)?.base !== "" || saysNothing(given)) return null;
  const told = scalarOf(given);
  return isBadMessage(name, told) ? told : null;
}

/** The qualities in an object with a member for each field: `{"quality": {"UVR_INTENSITY": …}}`. */
export function qualitiesIn(name: string, given: unknown): readonly GivenTag[] {
  if (qualityName(name)?.base !== "" || !isObject(given)) return [];
  const members = Object.entries(given);
  if (!members.some(([field]) => tagIndexInAnyCase(field) !== null)) return [];
  return members.map(([field, quality]) => [`${name}.${field}`, quality]);
}
