// Reads the quality of values in messages: an object of value and quality, a tag beside the value,
// one for the whole message, or the tag that a map rule names. A quality that isn't good is kept as
// an unknown tag beside the field (bwts/quality.ts); the value itself stays as sent.

import { BESIDE_QUALITY, isBrokenWire } from "../bwts/plausible.ts";
import {
  isGoodQuality,
  QUALITY_MEMBERS,
  qualifiedBy,
  qualifiedName,
  qualityTag,
} from "../bwts/quality.ts";
import type { Scalar, Value } from "../bwts/reading.ts";
import { TAGS } from "../bwts/tags.ts";
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
  const told = members.filter(([name]) => qualifiedName(`${value[0]}.${name}`) === value[0]);
  const isBad = ([name, quality]: readonly [string, unknown]) =>
    !saysNothing(quality) && !isGoodMember(name, quality);
  const quality = told.find(isBad) ?? told.at(0);
  return { value: value[1], quality: quality?.[1], by: quality?.[0] ?? "" };
}

function isGoodMember(name: string, quality: unknown): boolean {
  const read = readScalar(plainQuality(quality));
  return "value" in read && read.value !== null && isGoodQuality(name, read.value);
}

/** The quality as a scalar: of an object the member that tells it, or its text, never good. */
export function plainQuality(quality: unknown): unknown {
  if (quality === null || typeof quality !== "object") return quality;
  const members = Object.entries(quality).map(([name, given]) => [name.toLowerCase(), given]);
  const told = QUALITY_MEMBERS.flatMap((known) => members.filter(([name]) => name === known));
  const first = told.find(([, given]) => !saysNothing(given))?.[1];
  return first === undefined || typeof first === "object" ? shown(quality) : first;
}

/** Stores a quality that isn't good beside a field; `by` is the name of its tag. */
export function markQuality(extra: Extra, field: string, quality: unknown, by?: string): void {
  const name = qualityTag(field);
  if (saysNothing(quality) || extra.has(name)) return;
  const plain = plainQuality(quality);
  const read = readScalar(plain);
  const told = "value" in read && read.value !== null ? read.value : shown(plain);
  if (isGoodQuality(by ?? name, told)) return;
  // A bad code of OPC UA may be a good one of OPC, so it is marked.
  if (isGoodQuality(name, told)) markBad(extra, field, told);
  else extra.set(name, told);
}

/** Marks a value as bad by a rule, whatever the word for it. */
function markBad(extra: Extra, field: string, told: unknown): void {
  extra.set(qualityTag(field), `Bad (${shown(told)})`);
}

/**
 * Stores the quality of a value from a map rule: by the tag that the rule names, else by one beside
 * it; and bad for a raw code of a broken wire that the rule would scale into a value.
 */
export function markMapped(
  extra: Extra,
  { rule, given, tags }: { rule: TagRule; given: unknown; tags: readonly GivenTag[] },
): void {
  const { field, quality, good } = rule;
  if (saysNothing(given)) return;
  if (isScaledCode(rule, given)) markBad(extra, field, given);
  const telling = tags.find(quality === null ? isBeside(rule.tag) : ([tag]) => tag === quality);
  if (telling === undefined || saysNothing(telling[1])) return;
  const [by, told] = telling;
  if (good === null) markQuality(extra, field, told, by);
  else if (!good.some((one) => isSame(one, told))) markBad(extra, field, told);
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
 * be good. A good one stays as sent.
 */
export function spreadQuality(values: readonly Value[], extra: Extra): void {
  for (const [name, quality] of extra) {
    if (!isOfMessage(name, quality) || isGoodQuality(name, quality)) continue;
    extra.delete(name);
    for (const [tag, value] of values.entries())
      if (value !== null && !BESIDE_QUALITY.has(tag))
        markQuality(extra, TAGS[tag].name, quality, name);
  }
}

const WORDS = /^\s*(good|bad|uncertain)/i;
const FLAG = /^(is_?)?(good|valid|bad|invalid)$/i;
const STATUS = /^(status|state|stat|sts|st)$/i;
/** A message's status may be the plant's: FAULT isn't its quality. */
const BAD_STATUS = /^\s*(bad|uncertain|invalid|stale)([^a-z]|$)/i;

/** A `q` that is a number may be a flow, and a flag that isn't 0 or 1 a count. */
function isOfMessage(name: string, quality: Scalar): boolean {
  if (qualifiedBy(name) === "all") return true;
  if (FLAG.test(name)) return typeof quality !== "number" || quality === 0 || quality === 1;
  if (typeof quality === "string" && STATUS.test(name)) return BAD_STATUS.test(quality);
  const isWord = typeof quality === "string" && WORDS.test(quality);
  return name.toLowerCase() === "q" && (typeof quality === "boolean" || isWord);
}
