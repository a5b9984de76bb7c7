// Telemetry and lamp messages: each object of a payload becomes one part of a reading. A bad field
// is reported and left out; the rest of the reading stands.

import type { Rejects } from "../bwts/message.ts";
import { EXTRA_TAGS_MAX, type ReadingPart, type Scalar, type Value } from "../bwts/reading.ts";
import { LAMP_COUNT, LAMP_NUMBERS, TAGS, tagIndex } from "../bwts/tags.ts";
import { readScalar, readValue, saysNothing } from "./decode-value.ts";

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
const SYSTEM_ID = tagIndex("system_id");

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

/** A `lamps` object: its `lamps` array, lamp by lamp, and whatever stands flat beside it. */
export function decodeLamps(
  members: Readonly<Record<string, unknown>>,
  time: MessageTime,
  rejects: Rejects,
): ReadingPart {
  const { lamps, ...flat } = members;
  const builder = newPart(rejects);
  for (const [name, given] of Object.entries(flat)) addMember(builder, name, given);
  if (Array.isArray(lamps)) for (const lamp of lamps) addListedLamp(builder, lamp);
  else if (!saysNothing(lamps)) rejects.add("bad_value", "lamps: expected an array of lamps");
  return finished(builder, time);
}

/** A `lamps/<n>` object: the members of one lamp, `lamp` 1 to 16. */
export function decodeLamp(
  members: Readonly<Record<string, unknown>>,
  lamp: number,
  time: MessageTime,
  rejects: Rejects,
): ReadingPart {
  const builder = newPart(rejects);
  const { lamp: named, ...rest } = members;
  if (!saysNothing(named) && lampNumber(named) !== lamp)
    rejects.add("bad_value", `lamp: got ${JSON.stringify(named)}, the topic says ${lamp}`);
  else addLamp(builder, lamp, rest);
  return finished(builder, time);
}

/** The lamp's number, 1 to 16, from `7`, `"7"` or `"07"`; null for anything else. */
export function lampNumber(given: unknown): number | null {
  const text = typeof given === "number" ? String(given) : given;
  if (typeof text !== "string" || !/^\s*\d{1,2}\s*$/.test(text)) return null;
  const lamp = Number(text);
  return lamp >= 1 && lamp <= LAMP_COUNT ? lamp : null;
}

function addListedLamp(builder: PartBuilder, given: unknown): void {
  if (given === null || typeof given !== "object" || Array.isArray(given)) {
    builder.rejects.add("bad_value", `lamps: got ${typeof given}, expected an object a lamp`);
    return;
  }
  const { lamp: named, ...members }: { lamp?: unknown } = given;
  const lamp = lampNumber(named);
  if (lamp === null)
    builder.rejects.add(
      "bad_value",
      `lamp: got ${JSON.stringify(named) ?? "none"}, expected 1 to ${LAMP_COUNT}`,
    );
  else addLamp(builder, lamp, members);
}

function addLamp(builder: PartBuilder, lamp: number, members: object): void {
  const prefix = `LAMP_${LAMP_NUMBERS[lamp - 1]}_`;
  for (const [name, given] of Object.entries(members)) {
    if (name === "timestamp" || name === "system_id" || FLAT_LAMP_NAME.test(name))
      addMember(builder, name, given);
    else addMember(builder, prefix + name.toUpperCase(), given);
  }
}

function addMember(builder: PartBuilder, name: string, given: unknown): void {
  if (name === "timestamp") return;
  const index = tagIndex(name);
  if (index === null) {
    addExtra(builder, name, given);
    return;
  }
  const read = readValue(given, TAGS[index].type);
  if ("problem" in read) builder.rejects.add("bad_value", `${name}: got ${read.problem}`);
  else if (index !== SYSTEM_ID && read.value !== null) builder.values[index] = read.value;
}

function addExtra(builder: PartBuilder, name: string, given: unknown): void {
  const { extra, rejects } = builder;
  const read = readScalar(given);
  if (!EXTRA_NAME.test(name))
    rejects.add("bad_value", `${name.slice(0, 80)}: a tag's name has 1 to 64 of A-Z a-z 0-9 _ . -`);
  else if ("problem" in read) rejects.add("bad_value", `${name}: got ${read.problem}`);
  else if (read.value === null) return;
  else if (extra.size >= EXTRA_TAGS_MAX)
    rejects.add("bad_value", `${name}: more than ${EXTRA_TAGS_MAX} unknown tags`);
  else extra.set(name, read.value);
}

function newPart(rejects: Rejects): PartBuilder {
  return { values: TAGS.map(() => null), extra: new Map(), rejects };
}

function finished(builder: PartBuilder, time: MessageTime): ReadingPart {
  if (time.timed_by_receipt) builder.extra.set("timestamp_source", "receipt");
  return { ...time, values: builder.values, extra: builder.extra };
}
