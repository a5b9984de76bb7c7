// Applies a map rule to a message: lists the tags of a payload at any depth, and converts a tag's
// value to a field's. Pure.

import { TAGS } from "../bwts/tags.ts";
import { type Fraction, TAG_LENGTH_MAX, valueKey } from "../config/map.ts";
import type { TagRule } from "./map-rules.ts";
import { isMembers } from "./members.ts";
import { type ReadValue, readInstant, readScalar, readValue, saysNothing, shown } from "./value.ts";

/** A tag's full name, with all names on its path, and the sent value. */
export type GivenTag = readonly [tag: string, given: unknown];

/** Members that name an element of an array, as gateways write lists of tags. */
const NAMES = ["name", "tag", "id"];

/**
 * The tags in a payload's value: `a.b` for a member of a member, `a[0]` for an element of an array,
 * `a.PT101.value` for an element that is named PT101, "" for the payload itself.
 */
export function tagsOf(value: unknown): readonly GivenTag[] {
  const tags: GivenTag[] = [];
  collect("", value, tags);
  return tags;
}

/** As `tagsOf` for a whole message: of a list of readings, those of the last one. */
export function tagsOfMessage(value: unknown): readonly GivenTag[] {
  const isBatch = Array.isArray(value) && value.every((item) => isMembers(item));
  return tagsOf(isBatch ? (value.at(-1) ?? value) : value);
}

function collect(tag: string, value: unknown, tags: GivenTag[]): void {
  // No tag has such a long name; following it further would cost without limit.
  if (!isContainer(value) || tag.length > TAG_LENGTH_MAX) tags.push([tag, value]);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries())
      collectElement(`${tag}[${index}]`, tag, item, tags);
  else
    for (const member of Object.entries(value)) {
      // Most payloads are flat: their members are the tags.
      if (tag === "" && !isContainer(member[1])) tags.push(member);
      else collect(joined(tag, member[0]), member[1], tags);
    }
}

function collectElement(tag: string, parent: string, item: unknown, tags: GivenTag[]): void {
  const members = isContainer(item) ? Object.entries(item) : [];
  const named = members.find(
    ([member, name]) => NAMES.includes(member) && typeof name === "string" && name !== "",
  );
  if (named === undefined) collect(tag, item, tags);
  else
    for (const [member, inner] of members)
      if (member !== named[0]) collect(joined(joined(parent, named[1]), member), inner, tags);
}

function isContainer(value: unknown): value is object {
  return value !== null && typeof value === "object";
}

function joined(tag: string, name: string): string {
  return tag === "" ? name : `${tag}.${name}`;
}

/** The field's value by the rule; a problem names the sent value and the result. */
export function mappedValue(rule: TagRule, given: unknown): ReadValue {
  const { index, values } = rule;
  if (saysNothing(given)) return { value: null };
  if (values !== null) return meaningOf(values, given);
  if (rule.factor !== null || rule.offset !== null) return scaledValue(rule, given);
  if (index === null && rule.comma !== null) return readValue(given, "number", rule.comma);
  return index === null ? readScalar(given) : readValue(given, TAGS[index].type, rule.comma);
}

/** The instant by a rule for `timestamp`; factor and offset apply to numbers. */
export function mappedInstant(
  rule: TagRule,
  given: unknown,
  local_ms = 0,
): ReturnType<typeof readInstant> {
  if (rule.factor === null && rule.offset === null) return readInstant(given, local_ms);
  const read = scaledValue(rule, given);
  return "problem" in read ? read : readInstant(read.value);
}

function meaningOf(values: NonNullable<TagRule["values"]>, given: unknown): ReadValue {
  const asked = typeof given === "bigint" ? String(given) : given;
  const isScalar =
    typeof asked === "string" || typeof asked === "number" || typeof asked === "boolean";
  // PLCs send 0, 1 or a word for a bit: the rule may have either.
  const bit = given === true ? "1" : "0";
  const keys = isScalar ? [valueKey(asked), ...(typeof given === "boolean" ? [bit] : [])] : [];
  const key = keys.find((one) => Object.hasOwn(values, one));
  if (key !== undefined) return { value: values[key] };
  return { problem: `${shown(given)}, expected ${Object.keys(values).join(", ")}` };
}

function scaledValue(rule: TagRule, given: unknown): ReadValue {
  const read = readValue(given, "number", rule.comma);
  if ("problem" in read || typeof read.value !== "number") return read;
  const value = scaled(read.value, rule);
  const isInteger = rule.index !== null && TAGS[rule.index].type === "integer";
  const result = readValue(value, isInteger ? "integer" : "number");
  return "problem" in result ? { problem: `${shown(given)}, scaled ${result.problem}` } : result;
}

/** Decimal digits that a double holds exactly; further digits of a sum were never sent. */
const DIGITS = 15;
/** Powers of ten that are exact doubles, so that division rounds as decimals do. */
const POWERS = Array.from({ length: 23 }, (_, decimals) => Number(`1e${decimals}`));
/** Maximum argument of toFixed. */
const DECIMALS_MAX = 100;

const ONE: Fraction = { numerator: 1, denominator: 1 };
const ZERO: Fraction = { numerator: 0, denominator: 1 };

/** `value` * factor + offset, rounded to 15 digits of the larger summand. */
function scaled(value: number, rule: TagRule): number {
  const factor = rule.factor ?? ONE;
  const offset = rule.offset ?? ZERO;
  const product = (value * factor.numerator) / factor.denominator;
  const addend = offset.numerator / offset.denominator;
  const sum = product + addend;
  const larger = Math.max(Math.abs(product), Math.abs(addend));
  const decimals = DIGITS - 1 - Math.floor(Math.log10(larger));
  if (!(decimals >= 0 && decimals <= DECIMALS_MAX)) return sum + 0;
  const rounded =
    decimals < POWERS.length
      ? Math.round(sum * POWERS[decimals]) / POWERS[decimals]
      : Number(sum.toFixed(decimals));
  return rounded + 0; // adding 0 makes 0 of -0
}
