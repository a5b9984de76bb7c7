// Messages for MQTT: readings and events of a source as topics and payloads, in order of time. An
// event follows all earlier readings and precedes all later ones, so that a publisher that resumes
// after its last delivered reading omits nothing.

import type { Scalar } from "../bwts/reading.ts";
import { printTime } from "../ground/clock.ts";
import type { PlantEvent } from "./alarm.ts";
import { LAMP_MEMBERS, type PlantReading } from "./plant.ts";
import type { PlantSource, SimulatedStretch } from "./ship.ts";

/**
 * The layout of readings: `single` is a message each; `batch` up to READINGS_PER_BATCH in a
 * message, as a controller that empties its buffer; `split` 17 messages each, one of the system and
 * one of each lamp.
 */
export type MessageLayout = "single" | "batch" | "split";

/** One message; `readings` and `events` are the numbers that it completes. */
export interface Outgoing {
  readonly topic: string;
  readonly payload: string;
  /** The time of its last item. */
  readonly at_ms: number;
  readonly readings: number;
  readonly events: number;
}

// About 50 KB: far below the limit of 1 MiB, far above the cost of a message.
const READINGS_PER_BATCH = 20;

/** The messages of `source` for `stretch`, made on demand. */
export function* messagesOf(
  source: PlantSource,
  stretch: SimulatedStretch,
  layout: MessageLayout,
  prefix: string,
): Generator<Outgoing> {
  const base = `${prefix}/${source.system_id}`;
  let batch: PlantReading[] = [];
  for (const { reading, event } of inOrder(source, stretch)) {
    if (event !== null) {
      if (batch.length > 0) yield batchMessage(base, batch);
      batch = [];
      yield eventMessage(base, event);
    } else if (layout === "batch") {
      batch.push(reading);
      if (batch.length < READINGS_PER_BATCH) continue;
      yield batchMessage(base, batch);
      batch = [];
    } else if (layout === "split") yield* splitMessages(base, reading);
    else yield readingMessage(base, reading, reading.members);
  }
  if (batch.length > 0) yield batchMessage(base, batch);
}

type PlantItem =
  | { readonly reading: PlantReading; readonly event: null }
  | { readonly reading: null; readonly event: PlantEvent };

// Readings and events merged by time; at the same instant the event first.
function* inOrder(source: PlantSource, stretch: SimulatedStretch): Generator<PlantItem> {
  const events = source.events(stretch)[Symbol.iterator]();
  let next = events.next();
  for (const reading of source.readings(stretch)) {
    for (; next.done !== true && next.value.at_ms <= reading.at_ms; next = events.next())
      yield { reading: null, event: next.value };
    yield { reading, event: null };
  }
  for (; next.done !== true; next = events.next()) yield { reading: null, event: next.value };
}

function batchMessage(base: string, batch: readonly PlantReading[]): Outgoing {
  const payload = JSON.stringify(batch.map(({ members }) => members));
  const at_ms = batch.at(-1)?.at_ms ?? 0;
  return { topic: `${base}/telemetry`, payload, at_ms, readings: batch.length, events: 0 };
}

function readingMessage(
  base: string,
  { at_ms }: PlantReading,
  members: Readonly<Record<string, Scalar>>,
): Outgoing {
  const payload = JSON.stringify(members);
  return { topic: `${base}/telemetry`, payload, at_ms, readings: 1, events: 0 };
}

function eventMessage(base: string, { at_ms, ...event }: PlantEvent): Outgoing {
  const payload = JSON.stringify({ timestamp: printTime(at_ms), ...event });
  return { topic: `${base}/events`, payload, at_ms, readings: 0, events: 1 };
}

function* splitMessages(base: string, reading: PlantReading): Generator<Outgoing> {
  const { at_ms, members } = reading;
  const system = Object.entries(members).filter(([name]) => !name.startsWith("LAMP_"));
  for (const [index, names] of LAMP_MEMBERS.entries()) {
    // A member that the reading doesn't have is left out by JSON.stringify.
    const payload = JSON.stringify({
      timestamp: members.timestamp,
      status: members[names.status],
      efficiency: members[names.efficiency],
      power: members[names.power],
      runtime: members[names.runtime],
    });
    yield { topic: `${base}/lamps/${index + 1}`, payload, at_ms, readings: 0, events: 0 };
  }
  yield readingMessage(base, reading, Object.fromEntries(system));
}
