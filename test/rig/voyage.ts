// The messages of the kill test's PLCs, and their acknowledgements: readings of a voyage in parts
// of a few fields, some of them hours late, and events with and without a time. A number is one
// reading, whose values follow from it, so that each answer can be judged alone.

import type { Value } from "./logbook.ts";
import type { Random } from "./random.ts";

/** Two readings a minute: a second of ingest fills hours, so that segments and slots close. */
const STEP_MS = 30_000;
/** Share of readings that come late, by as many others as would fill a segment. */
const LATE_SHARE = 0.04;
const LATE_BY = 2500;
const EVENT_EVERY = 40;

export const SYSTEM = "BWTS-001";

/** One message. */
export interface Note {
  readonly topic: string;
  readonly payload: string;
  /** Called before it is sent for the first time, and when its PUBACK has come. */
  sent(): void;
  acknowledged(): void;
}

type Part = "telemetry" | "lamps" | "more";
const PARTS: readonly Part[] = ["telemetry", "lamps", "more"];

/** The known state of a number's parts, or of an event. */
export interface Told {
  readonly sent: ReadonlySet<string>;
  readonly acknowledged: ReadonlySet<string>;
}

export interface Voyage {
  /** The next message of a PLC that tells of `part`; events go with telemetry. */
  next(part: Part): Note;
  /** By number: which parts were sent, and which of them acknowledged. */
  readings(): ReadonlyMap<number, Told>;
  events(): Told;
  readonly acknowledged: number;
}

export { PARTS };

export const atOf = (first_ms: number, number: number): number => first_ms + number * STEP_MS;
export const numberOf = (first_ms: number, at_ms: number): number => (at_ms - first_ms) / STEP_MS;

/** The fields of a number in a part. */
export function fieldsOf(number: number, part: Part): ReadonlyMap<string, Value> {
  if (part === "telemetry")
    return new Map<string, Value>([
      ["PROCESS_STATE", number % 400 < 300 ? "RUNNING" : "STOPPED"],
      ["UVR_INTENSITY", 400 + ((number * 37) % 3001) / 10],
      ["SYS_FLOW_RATE", 700 + ((number * 13) % 997) / 7],
      ["FLT_BACKFLUSH_COUNT", Math.floor(number / 90)],
      ["LDC_WATER_ALARM", number % 512 === 0],
    ]);
  if (part === "lamps")
    return new Map<string, Value>([
      ["LAMP_01_EFFICIENCY", 95 - (number % 300) / 10],
      ["LAMP_01_RUNTIME", number / 120],
      ["LAMP_09_STATUS", number % 700 === 0 ? "FAILED" : "ACTIVE"],
    ]);
  return new Map<string, Value>([
    ["SYS_PRESSURE", (number % 60) / 10],
    [`PLC_TAG_${number % 3}`, number],
  ]);
}

/** A voyage that begins at `first_ms`. */
export function openVoyage(random: Random, first_ms: number): Voyage {
  const told = new Map<number, { sent: Set<string>; acknowledged: Set<string> }>();
  const events = { sent: new Set<string>(), acknowledged: new Set<string>() };
  const sources = new Map(PARTS.map((part) => [part, openNumbers(random)]));
  let acknowledged = 0;
  let event = 0;

  const noteOf = (topic: string, content: object, of: typeof events, name: string): Note => ({
    topic: `bwts/${SYSTEM}/${topic}`,
    payload: JSON.stringify(content),
    sent: () => void of.sent.add(name),
    acknowledged() {
      acknowledged += 1;
      of.acknowledged.add(name);
    },
  });
  const eventNote = () => {
    event += 1;
    const timed = event % 2 === 0 ? { timestamp: new Date(atOf(first_ms, event)) } : {};
    const content = { ...timed, event_type: "ALARM_TRIGGERED", data: { number: event } };
    return noteOf("events", content, events, String(event));
  };

  return {
    get acknowledged() {
      return acknowledged;
    },
    next(part) {
      if (part === "telemetry" && random.chance(1 / EVENT_EVERY)) return eventNote();
      const number = sources.get(part)?.() ?? 0;
      const of = told.get(number) ?? { sent: new Set(), acknowledged: new Set() };
      told.set(number, of);
      const timestamp = new Date(atOf(first_ms, number));
      const content = { timestamp, ...Object.fromEntries(fieldsOf(number, part)) };
      return noteOf("telemetry", content, of, part);
    },
    readings: () => told,
    events: () => events,
  };
}

/** Numbers from 0 on, each once, some of them late. */
function openNumbers(random: Random): () => number {
  const late: { readonly number: number; readonly due: number }[] = [];
  let number = -1;
  return () => {
    if (late.length > 0 && late[0].due <= number) return late.shift()?.number ?? 0;
    number += 1;
    while (random.chance(LATE_SHARE)) {
      late.push({ number, due: number + LATE_BY });
      number += 1;
    }
    return number;
  };
}
