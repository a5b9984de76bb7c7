// Reads members of records: events, health, predictions. A record may have a member in an object or
// beside it, as PLCs send that join texts: both are read as one, and contradictions are reported.
// Each record has a maximum size, since it is stored in one step.

import { isDeepStrictEqual } from "node:util";
import type { Rejects } from "../bwts/message.ts";
import type { TagType } from "../bwts/tags.ts";
import { readValue, saysNothing, shown } from "./value.ts";

/** The members of an object in a payload. */
export type Members = Readonly<Record<string, unknown>>;

export function isMembers(given: unknown): given is Members {
  return given !== null && typeof given === "object" && !Array.isArray(given);
}

/**
 * Maximum number of members of an event's data, or of a prediction, at all levels. A record is
 * stored in one step, which takes 10 ms with so many; 60,000 took 400. Real ones have ten.
 */
const MEMBERS_MAX = 1000;

/**
 * Maximum number of characters of an event or a prediction, names included: `/api/stats` answers
 * 100 events, others 10,000. Without it 750 alarms of a megabyte each took 3 GB of memory.
 */
const CHARACTERS_MAX = 16 * 1024;

/** Maximum number of characters of a member's name in a message; it comes from the network. */
const NAME_MAX = 120;

/** Names for reports of the two places in which a member can be. */
export interface Places {
  /** The place whose value counts. */
  readonly counting: (name: string) => string;
  /** The member in the other place. */
  readonly other: (name: string) => string;
}

/**
 * The members of two places as one. The value in the counting place is kept; a different one in the
 * other place is reported.
 */
export function joined(
  counting: Members,
  other: Members,
  places: Places,
  rejects: Rejects,
): Members {
  const more: [string, unknown][] = [];
  for (const [name, value] of Object.entries(other)) {
    const kept = Object.hasOwn(counting, name) ? counting[name] : undefined;
    if (saysNothing(kept)) {
      if (kept === undefined || !saysNothing(value)) more.push([name, value]);
    } else if (!saysNothing(value) && !isSame(kept, value)) {
      const place = places.counting(name);
      const told = places.other(name).slice(0, NAME_MAX);
      rejects.add("bad_value", `${told}: got ${shown(value)}, ${place} has ${shown(kept)}`);
    }
  }
  return { ...counting, ...Object.fromEntries(more) };
}

/** Names by their lower case, for `inKnownCase`. */
export function namesInAnyCase(names: Iterable<string>): ReadonlyMap<string, string> {
  return new Map([...names].map((name) => [name.toLowerCase(), name]));
}

/** The members with known names in their own case; two spellings that differ are both left out. */
export function inKnownCase(
  members: Members,
  known: ReadonlyMap<string, string>,
  rejects: Rejects,
): Members {
  const ownName = (name: string) => known.get(name.toLowerCase()) ?? name;
  // In the usual case no copy is made.
  if (Object.keys(members).every((name) => ownName(name) === name)) return members;
  const taken = new Map<string, unknown>();
  const contradicted = new Set<string>();
  for (const [given, value] of Object.entries(members)) {
    const name = ownName(given);
    const before = taken.get(name);
    if (saysNothing(before)) taken.set(name, value);
    else if (!saysNothing(value) && !isSame(before, value)) {
      contradicted.add(name);
      rejects.add("conflict", `${name}: got ${shown(value)}, before it ${shown(before)}`);
    }
  }
  for (const name of contradicted) taken.set(name, null);
  return Object.fromEntries(taken);
}

/** True for equal values, also of a number and its text. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === typeof other) return one === other || isDeepStrictEqual(one, other);
  const [read, again] = [readValue(one, "number"), readValue(other, "number")];
  return "value" in read && "value" in again && read.value === again.value;
}

/**
 * The members of the object `name`, with those beside it by dotted names (`components.uv_health`);
 * the object's values count.
 */
export function nestedMembers(members: Members, name: string, rejects: Rejects): Members {
  const dotted = Object.entries(members).filter(([member]) => isDotted(member, name));
  const beside = dotted.map(([member, value]) => [member.slice(name.length + 1), value]);
  const places: Places = {
    counting: () => `the object ${name}`,
    other: (member) => `${name}.${member}`,
  };
  const object = objectOf(members[name], name, rejects);
  return joined(object, Object.fromEntries(beside), places, rejects);
}

/** True for the dotted name of a member of the object `name`. */
export function isDotted(member: string, name: string): boolean {
  return member.startsWith(`${name}.`) && member.length > name.length + 1;
}

/** Reports unknown members that have a value; `kind` is the record that they are in. */
export function reportUnknown(
  members: Members,
  { kind, isKnown }: { readonly kind: string; readonly isKnown: (name: string) => boolean },
  rejects: Rejects,
): void {
  for (const [name, value] of Object.entries(members))
    if (!isKnown(name) && !saysNothing(value))
      rejects.add("bad_value", `${name.slice(0, NAME_MAX)}: is no member of ${kind}`);
}

/** True, with a report, for an object with more members than one step can store. */
export function isTooLarge(name: string, given: object, rejects: Rejects): boolean {
  const count = memberCount(given);
  if (count <= MEMBERS_MAX) return false;
  rejects.add("too_large", `${name}: got ${count} members, expected ${MEMBERS_MAX} at most`);
  return true;
}

/** True, with a report, for an object with more characters than answers of many can hold. */
export function isTooLong(name: string, given: Members, rejects: Rejects): boolean {
  const count = characterCount(given);
  if (count <= CHARACTERS_MAX) return false;
  rejects.add("too_large", `${name}: got ${count} characters, expected ${CHARACTERS_MAX} at most`);
  return true;
}

/** Characters of texts, long integers and members' names, at all levels; the rest is short. */
function characterCount(given: unknown): number {
  if (typeof given === "string" || typeof given === "bigint") return String(given).length;
  if (given === null || typeof given !== "object") return 0;
  return Object.entries(given).reduce(
    (count, [name, value]) => count + name.length + characterCount(value),
    0,
  );
}

/** Number of members of objects and of array elements, at all levels (whose depth is limited). */
function memberCount(given: unknown): number {
  if (given === null || typeof given !== "object") return 0;
  return Object.values(given).reduce((count, value) => count + 1 + memberCount(value), 0);
}

/** Returns a function that reads a member; an unreadable one is reported, and null. */
export function objectReader(members: Members, rejects: Rejects) {
  return (name: string, type: TagType) => {
    const read = readValue(members[name], type);
    if ("value" in read) return read.value;
    rejects.add("bad_value", `${name}: got ${read.problem}`);
    return null;
  };
}

/** The members that `known` doesn't have, as sent. */
export function otherMembers(members: Members, known: object, rejects: Rejects): Members {
  const others = Object.entries(members).filter(([name]) => !Object.hasOwn(known, name));
  return Object.fromEntries(others.map(([name, value]) => [name, sayable(name, value, rejects)]));
}

/**
 * The value with null for NaN and infinities, which JSON can't express, at any depth; each is
 * reported.
 */
function sayable(name: string, value: unknown, rejects: Rejects): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    rejects.add("bad_value", `${name}: got ${value}, expected a finite number`);
    return null;
  }
  if (Array.isArray(value)) return value.map((item) => sayable(name, item, rejects));
  return value !== null && typeof value === "object"
    ? otherMembers({ ...value }, {}, rejects)
    : value;
}

function objectOf(given: unknown, name: string, rejects: Rejects): Members {
  if (given !== null && typeof given === "object" && !Array.isArray(given)) return { ...given };
  if (!saysNothing(given)) rejects.add("bad_value", `${name}: expected an object`);
  return {};
}
