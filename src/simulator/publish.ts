// Publishes a stretch of a ship or of a story: the past as fast as it is acknowledged, the present
// at its time. An event follows all earlier readings and precedes all later ones, so that a
// publisher that resumes after its last delivered reading omits nothing. Both end when done or when
// the signal aborts, both continue after an absence of the broker, and both report the acknowledged
// messages.

import { setTimeout as sleep } from "node:timers/promises";
import type { Scalar } from "../bwts/reading.ts";
import { type Clock, MINUTE_MS, printTime } from "../ground/clock.ts";
import type { PlantEvent } from "./alarm.ts";
import { LAMP_MEMBERS, type PlantReading } from "./plant.ts";
import { type BrokerLogin, openPublisher } from "./publisher.ts";
import { CADENCE_MS, type PlantSource, type SimulatedStretch } from "./ship.ts";

/**
 * The layout of readings: `single` is a message each; `batch` up to READINGS_PER_BATCH in a
 * message, as a controller that empties its buffer; `split` 17 messages each, one of the system and
 * one of each lamp.
 */
type MessageLayout = "single" | "batch" | "split";

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
function* messagesOf(
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

/** Counts of what the broker has acknowledged so far. */
export interface PublishProgress {
  readonly readings: number;
  /** The final number of readings; null if there is no end. */
  readonly readings_total: number | null;
  readonly events: number;
  /** False while the broker is away. */
  readonly connected: boolean;
}

/** The final numbers of acknowledged readings and events; `complete` unless it was aborted. */
export interface PublishResult {
  readonly readings: number;
  readonly events: number;
  readonly complete: boolean;
}

interface ShipPublication {
  /** The source: a ship, or a story. */
  readonly ship: PlantSource;
  readonly from_ms: number;
  readonly connection: BrokerLogin;
  readonly signal: AbortSignal;
  /** Time from one reading to the next, 3 minutes by default. */
  readonly cadence_ms?: number;
  readonly layout?: MessageLayout;
  /** Called at each acknowledgement, and when the broker goes or comes back. */
  readonly progress?: (progress: PublishProgress) => void;
}

export interface History extends ShipPublication {
  readonly to_ms: number;
}

export interface LivePublication extends ShipPublication {
  /** End of the publication; none by default. */
  readonly to_ms?: number;
  /** Speed of the past; 1, the default, is real time. */
  readonly speed?: number;
  readonly clock: Clock;
}

/**
 * Publishes `from_ms` to `to_ms`, both included, as fast as it is acknowledged, by default 20
 * readings a message. Throws a Failure if the first connection fails.
 */
export function publishHistory(history: History): Promise<PublishResult> {
  return publish(history, history.layout ?? "batch", history.to_ms, null);
}

/**
 * Publishes from `from_ms` on, each reading at its time, by default a message each. With a `speed`
 * above 1 the past goes faster by that factor, until it has caught up with the clock; nothing is
 * ever sent before its time. Throws a Failure as `publishHistory` does.
 */
export function publishLive(live: LivePublication): Promise<PublishResult> {
  const { clock, from_ms, speed = 1, to_ms = Number.POSITIVE_INFINITY } = live;
  const began_ms = clock.now_ms();
  const due_ms = (at_ms: number) => Math.max(at_ms, began_ms + (at_ms - from_ms) / speed);
  const whenDue = async (at_ms: number) => {
    // Waits in short steps, because a ship's clock may be set during a wait of days.
    for (let left_ms = 1; left_ms > 0 && !live.signal.aborted; ) {
      left_ms = due_ms(at_ms) - clock.now_ms();
      if (left_ms > 0) await pause(Math.min(left_ms, MINUTE_MS), live.signal);
    }
  };
  return publish(live, live.layout ?? "single", to_ms, whenDue);
}

async function publish(
  publication: ShipPublication,
  layout: MessageLayout,
  to_ms: number,
  whenDue: ((at_ms: number) => Promise<void>) | null,
): Promise<PublishResult> {
  const { ship, connection, signal, progress } = publication;
  const stretch = {
    from_ms: publication.from_ms,
    to_ms,
    cadence_ms: publication.cadence_ms ?? CADENCE_MS,
  };
  const readings_total = Number.isFinite(to_ms) ? ship.countReadings(stretch) : null;
  const done = { readings: 0, events: 0 };
  let connected = true;
  const report = () => progress?.({ ...done, readings_total, connected });
  const publisher = await openPublisher(connection, signal, (now) => {
    connected = now;
    report();
  });
  if (publisher === null) return { ...done, complete: false };
  try {
    for (const message of messagesOf(ship, stretch, layout, connection.prefix)) {
      if (whenDue !== null) await whenDue(message.at_ms);
      if (signal.aborted) break;
      await publisher.send(message.topic, message.payload, () => {
        done.readings += message.readings;
        done.events += message.events;
        report();
      });
    }
    await publisher.drained();
  } finally {
    await publisher.close();
  }
  return { ...done, complete: !signal.aborted };
}

async function pause(wait_ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(wait_ms, undefined, { signal });
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}
