// Decodes lamps' messages: an array of lamps, a single one with its number, or a topic for each.
// Their members are fields and tags of the lamp, read as those of telemetry.

import type { ReadingPart } from "../bwts/reading.ts";
import { LAMP_COUNT, LAMP_NUMBERS } from "../bwts/tags.ts";
import type { GivenTag } from "./map-tags.ts";
import { inKnownCase, isMembers, type Members, namesInAnyCase } from "./members.ts";
import {
  addMember,
  finished,
  isEmpty,
  type Manner,
  MESSAGE_MEMBERS,
  type MessageTime,
  newPart,
  type PartBuilder,
  respeltIndex,
} from "./reading.ts";
import { saysNothing, shown } from "./value.ts";

const FLAT_LAMP_NAME = /^LAMP_\d\d_/i;
const LAMP_MEMBERS = namesInAnyCase(["lamps", "lamp"]);

/**
 * Decodes a `lamps` object: its `lamps` array, and flat members beside it; or, without the array,
 * one lamp with its number. Null if no lamp of it can be identified.
 */
export function decodeLamps(
  members: Readonly<Record<string, unknown>>,
  time: MessageTime,
  manner: Manner,
): ReadingPart | null {
  const { lamps, ...flat } = inKnownCase(members, LAMP_MEMBERS, manner.rejects);
  const { rejects, rules } = manner;
  const builder = newPart(manner);
  if (saysNothing(lamps) && !saysNothing(flat.lamp))
    return addNumberedLamp(builder, flat) ? finished(builder, time) : null;
  if (rules !== null) builder.tags = Object.entries(flat);
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
  manner: Manner,
): ReadingPart | null {
  const lampMembers = inKnownCase(members, LAMP_MEMBERS, manner.rejects);
  const named = lampMembers.lamp;
  if (!saysNothing(named) && lampNumber(named) !== lamp) {
    manner.rejects.add("bad_value", `lamp: got ${shown(named)}, the topic has ${lamp}`);
    return null;
  }
  const builder = newPart(manner);
  addLamp(builder, lamp, lampMembers);
  return finished(builder, time);
}

/** The lamp's number, 1 to 16, from `7`, `"7"` or `"07"`; null for anything else. */
export function lampNumber(given: unknown): number | null {
  const text = typeof given === "number" ? String(given) : given;
  if (typeof text !== "string" || !/^\s*\d{1,2}\s*$/.test(text)) return null;
  const lamp = Number(text);
  return lamp >= 1 && lamp <= LAMP_COUNT ? lamp : null;
}

/** Adds a lamp with its number; false if the number can't be read. */
function addNumberedLamp(builder: PartBuilder, given: unknown): boolean {
  if (!isMembers(given)) {
    builder.rejects.add("bad_value", `lamps: got ${shown(given)}, expected an object a lamp`);
    return false;
  }
  const members = inKnownCase(given, LAMP_MEMBERS, builder.rejects);
  const lamp = lampNumber(members.lamp);
  if (lamp === null)
    builder.rejects.add(
      "bad_value",
      `lamp: got ${shown(members.lamp)}, expected 1 to ${LAMP_COUNT}`,
    );
  else addLamp(builder, lamp, members);
  return lamp !== null;
}

/** Adds the members of a lamp, except its number. */
function addLamp(builder: PartBuilder, lamp: number, members: Members): void {
  const prefix = `LAMP_${LAMP_NUMBERS[lamp - 1]}_`;
  if (builder.rules !== null) {
    const tags = Object.entries(members).map(
      ([name, given]): GivenTag => [lampTag(prefix, name), given],
    );
    builder.tags = [...builder.tags, ...tags];
  }
  for (const name of Object.keys(members)) {
    if (name === "lamp") continue;
    const tag = lampTag(prefix, name);
    // Two spellings of one name with different values are both left out.
    if (tag !== name && name !== name.toLowerCase()) respeltIndex(builder, tag);
    addMember(builder, tag, members[name]);
  }
}

function lampTag(prefix: string, name: string): string {
  const isWhole = MESSAGE_MEMBERS.includes(name) || FLAT_LAMP_NAME.test(name);
  return isWhole ? name : prefix + name.toUpperCase();
}
