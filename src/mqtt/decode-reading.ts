// Telemetry and lamp messages: each object of a payload becomes one part of a reading. A bad field
// is reported and left out; the rest of the reading stands.

import type { Rejects } from "../bwts/message.ts";
import { EXTRA_TAGS_MAX, type ReadingPart, type Scalar, type Value } from "../bwts/reading.ts";
import { LAMP_COUNT, LAMP_NUMBERS, TAGS, tagIndex } from "../bwts/tags.ts";
import { readScalar, readValue, saysNothing, shown } from "./decode-value.ts";

/** An instant, and whether the message had it or it is the time of receipt. */
export interface MessageTime {
  readonly at_ms: number;
  readonly timed_by_receipt: boolean;
}

/** Collects one reading part while its members are walked. */
export interface PartBuilder {
  readonly values: Value[];
  readonly extra: Map<string, Scalar>;
  readonly rejects: Rejects;
}

const EXTRA_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const FLAT_LAMP_NAME = /^LAMP_\d\d_/;
/** Said of the message, and judged before its members are walked. */
const MESSAGE_MEMBERS = ["timestamp", "system_id"];

/** A `telemetry` object, or a `lamps` object with flat members: every member under its own name. */
export function decodeFlat(
  members: Readonly<Record<string, unknown>>,
  time: MessageTime,
  rejects: Rejects,
): ReadingPart {
  const builder = newPart(rejects);
  for (const [name, given] of Object.entries(members)) addMember(builder, name, given);
  return finished(builder, time);
}

/**
 * A `lamps` object: its `lamps` array, lamp by lamp, and whatever stands flat beside it; or,
 * without the array, one lamp that says its number. Null when no lamp of it can be told.
 */
export function decodeLamps(
  members: Readonly<Record<string, unknown>>,
  time: MessageTime,
  rejects: Rejects,
): ReadingPart | null {
  const { lamps, ...flat } = members;
  const builder = newPart(rejects);
  if (saysNothing(lamps) && !saysNothing(flat.lamp))
    return addNumberedLamp(builder, flat) ? finished(builder, time) : null;
  for (const [name, given] of Object.entries(flat)) addMember(builder, name, given);
  if (saysNothing(lamps)) return finished(builder, time);
  if (!Array.isArray(lamps))
    rejects.add("bad_value", `lamps: got ${shown(lamps)}, expected an array of lamps`);
  const taken = Array.isArray(lamps) && lamps.map((lamp) => addNumberedLamp(builder, lamp));
  const isRefused = taken === false || (taken.length > 0 && !taken.includes(true));
  return isRefused && isEmpty(builder) ? null : finished(builder, time);
}

/** A `lamps/<n>` object: the members of one lamp, `lamp` 1 to 16; null when it names another. */
export function decodeLamp(
  members: Readonly<Record<string, unknown>>,
  lamp: number,
  time: MessageTime,
  rejects: Rejects,
): ReadingPart | null {
  const { lamp: named, ...rest } = members;
  if (!saysNothing(named) && lampNumber(named) !== lamp) {
    rejects.add("bad_value", `lamp: got ${shown(named)}, the topic says ${lamp}`);
    return null;
  }
  const builder = newPart(rejects);
  addLamp(builder, lamp, rest);
  return finished(builder, time);
}

/** The lamp's number, 1 to 16, from `7`, `"7"` or `"07"`; null for anything else. */
export function lampNumber(given: unknown): number | null {
  const text = typeof given === "number" ? String(given) : given;
  if (typeof text !== "string" || !/^\s*\d{1,2}\s*$/.test(text)) return null;
  const lamp = Number(text);
  return lamp >= 1 && lamp <= LAMP_COUNT ? lamp : null;
}

/** Adds a lamp that says its number; false when it can't be told. */
function addNumberedLamp(builder: PartBuilder, given: unknown): boolean {
  if (given === null || typeof given !== "object" || Array.isArray(given)) {
    builder.rejects.add("bad_value", `lamps: got ${shown(given)}, expected an object a lamp`);
    return false;
  }
  const { lamp: named, ...members }: { lamp?: unknown } = given;
  const lamp = lampNumber(named);
  if (lamp === null)
    builder.rejects.add("bad_value", `lamp: got ${shown(named)}, expected 1 to ${LAMP_COUNT}`);
  else addLamp(builder, lamp, members);
  return lamp !== null;
}

function addLamp(builder: PartBuilder, lamp: number, members: object): void {
  const prefix = `LAMP_${LAMP_NUMBERS[lamp - 1]}_`;
  for (const [name, given] of Object.entries(members)) {
    const isWhole = MESSAGE_MEMBERS.includes(name) || FLAT_LAMP_NAME.test(name);
    addMember(builder, isWhole ? name : prefix + name.toUpperCase(), given);
  }
}

function addMember(builder: PartBuilder, name: string, given: unknown): void {
  if (MESSAGE_MEMBERS.includes(name)) return;
  const index = tagIndex(name);
  if (index === null) {
    addExtra(builder, name, given);
    return;
  }
  const read = readValue(given, TAGS[index].type);
  if ("problem" in read) builder.rejects.add("bad_value", `${name}: got ${read.problem}`);
  else if (read.value !== null && isNew(builder, name, builder.values[index], read.value))
    builder.values[index] = read.value;
}

function addExtra(builder: PartBuilder, name: string, given: unknown): void {
  const { extra, rejects } = builder;
  const read = readScalar(given);
  if (!EXTRA_NAME.test(name))
    rejects.add("bad_value", `${name.slice(0, 80)}: a tag's name has 1 to 64 of A-Z a-z 0-9 _ . -`);
  else if ("problem" in read) rejects.add("bad_value", `${name}: got ${read.problem}`);
  else if (read.value === null || !isNew(builder, name, extra.get(name) ?? null, read.value))
    return;
  else if (extra.size >= EXTRA_TAGS_MAX)
    rejects.add("bad_value", `${name}: more than ${EXTRA_TAGS_MAX} unknown tags`);
  else extra.set(name, read.value);
}

/** Whether nothing was said of a field yet; a message that contradicts itself is reported. */
function isNew(builder: PartBuilder, name: string, before: Value, given: Scalar): boolean {
  if (before !== null && before !== given)
    builder.rejects.add("conflict", `${name}: got ${shown(given)}, before it ${shown(before)}`);
  return before === null;
}

function isEmpty(builder: PartBuilder): boolean {
  return builder.extra.size === 0 && builder.values.every((value) => value === null);
}

function newPart(rejects: Rejects): PartBuilder {
  return { values: TAGS.map(() => null), extra: new Map(), rejects };
}

function finished(builder: PartBuilder, time: MessageTime): ReadingPart {
  if (time.timed_by_receipt) builder.extra.set("timestamp_source", "receipt");
  return { ...time, values: builder.values, extra: builder.extra };
}
