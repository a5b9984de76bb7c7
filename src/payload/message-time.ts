// The time of a message's item: under one of its names in any case, by the map, or of receipt. It
// is read before the other members, since it identifies the reading.

import type { Message, Rejects } from "../bwts/message.ts";
import { AHEAD_MAX_MS, OLDEST_MS } from "../bwts/reading.ts";
import { floorTo, printTime, SECOND_MS } from "../ground/clock.ts";
import type { DecodeContext } from "./decoded.ts";
import type { TopicRules } from "./map-rules.ts";
import { type GivenTag, mappedInstant } from "./map-tags.ts";
import type { Members } from "./members.ts";
import type { Manner, MessageTime } from "./reading.ts";
import { readInstant, saysNothing, shown } from "./value.ts";

/** Other names of the time, in any case; used if exactly one of them is there. */
const OTHER_TIMES = new Set(["time", "ts", "datetime"]);
/** Lengths of the names of time and system: few of a hundred members need a closer look. */
const LENGTHS = new Set(["timestamp", "system_id", ...OTHER_TIMES].map((name) => name.length));

/**
 * The members with `timestamp` and `system_id` under these names. Two spellings that differ become
 * a list, which can't be read: neither counts as the time.
 */
export function withTimeNamed(members: Members, { rules, rejects }: Partial<Manner>): Members {
  const others: string[] = [];
  for (const name of Object.keys(members)) {
    if (!LENGTHS.has(name.length) || name === "timestamp" || name === "system_id") continue;
    if (!rules?.by_tag.has(name) && isNamed(name.toLowerCase())) others.push(name);
  }
  if (others.length === 0) return members;
  const named = { ...members };
  const take = (field: "timestamp" | "system_id", names: readonly string[]) => {
    if (names.length === 0) return;
    const given = names.filter((name) => !saysNothing(members[name]));
    const [first = names[0]] = given;
    const other = given.find((name) => !isSame(members[name], members[first]));
    for (const name of names) delete named[name];
    named[field] = other === undefined ? members[first] : [members[first], members[other]];
    if (other !== undefined)
      rejects?.add(
        "conflict",
        `${field}: ${other} is ${shown(members[other])}, ${first} is ${shown(members[first])}`,
      );
  };
  const spellings = (field: string) =>
    [field, ...others].filter(
      (name) => name.toLowerCase() === field && Object.hasOwn(members, name),
    );
  take("system_id", spellings("system_id"));
  const own = spellings("timestamp");
  take("timestamp", own);
  const hasTime = own.some((name) => !saysNothing(members[name])) || rules?.times.length;
  const times = others.filter((name) => OTHER_TIMES.has(name.toLowerCase()));
  if (!hasTime)
    take(
      "timestamp",
      times.filter((name) => !saysNothing(members[name])),
    );
  return named;
}

function isNamed(name: string): boolean {
  return name === "timestamp" || name === "system_id" || OTHER_TIMES.has(name);
}

/** True for the same instant in two forms, or the same value. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [read, again] = [readInstant(one), readInstant(other)];
  return "at_ms" in read && "at_ms" in again && read.at_ms === again.at_ms;
}

/** The time by the map's first rule for `timestamp` with a present tag, else by `timestamp`. */
export function givenInstant(
  members: Members,
  tags: readonly GivenTag[],
  rules: TopicRules | null,
  local_ms: number,
): ReturnType<typeof readInstant> {
  for (const rule of rules?.times ?? []) {
    const given = tags.find(([tag]) => tag === rule.tag)?.[1];
    if (!saysNothing(given)) return mappedInstant(rule, given, local_ms);
  }
  return readInstant(members.timestamp, local_ms);
}

interface ItemReceived {
  readonly message: Message;
  readonly context: DecodeContext;
  readonly rejects: Rejects;
}

/** The time of an item: as given, else of receipt; null if it is refused. */
export function timeOf(
  read: ReturnType<typeof readInstant>,
  { message, context, rejects }: ItemReceived,
): MessageTime | null {
  if ("problem" in read) {
    rejects.add("bad_time", `timestamp: got ${read.problem}`);
    return null;
  }
  if (read.at_ms === null) {
    if (message.retain) {
      rejects.add("retained", "a retained message without a timestamp could be of any age");
      return null;
    }
    return { at_ms: floorTo(message.received_ms, SECOND_MS), timed_by_receipt: true };
  }
  const at_ms = read.at_ms + (context.replay?.shift_ms ?? 0);
  if (at_ms < OLDEST_MS) {
    rejects.add("bad_time", `timestamp: ${printTime(at_ms)} is before 2000`);
    return null;
  }
  const now_ms = context.replay?.now_ms ?? message.received_ms;
  if (context.clock_trusted && at_ms > now_ms + AHEAD_MAX_MS) {
    const now = printTime(now_ms);
    rejects.add("future", `timestamp: ${printTime(at_ms)}, received at ${now}`);
    return null;
  }
  return { at_ms, timed_by_receipt: false };
}

/**
 * Rounds down to the grid of sent times; a shift is added afterwards, so that both can be undone.
 */
export function gridded(time: MessageTime, { merge_ms, replay }: DecodeContext): MessageTime {
  if (merge_ms === 0) return time;
  const shift_ms = time.timed_by_receipt ? 0 : (replay?.shift_ms ?? 0);
  return { ...time, at_ms: floorTo(time.at_ms - shift_ms, merge_ms) + shift_ms };
}
