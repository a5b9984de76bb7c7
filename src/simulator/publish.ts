// Publishes a stretch of a ship or of a story: the past as fast as it is acknowledged, the present
// at its time. Both end when done or when the signal aborts, both continue after an absence of the
// broker, and both report the acknowledged messages.

import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, MINUTE_MS } from "../ground/clock.ts";
import { type MessageLayout, messagesOf } from "./message.ts";
import { type BrokerLogin, openPublisher } from "./publisher.ts";
import { CADENCE_MS, type PlantSource } from "./ship.ts";

/** Numbers acknowledged so far. */
export interface PublishProgress {
  readonly readings: number;
  /** The final number; null if there is no end. */
  readonly readings_total: number | null;
  readonly events: number;
  /** False while the broker is away. */
  readonly connected: boolean;
}

/** The final numbers; `complete` unless the signal aborted first. */
export interface Published {
  readonly readings: number;
  readonly events: number;
  readonly complete: boolean;
}

interface ShipPublication {
  /** A ship, or a story. */
  readonly ship: PlantSource;
  readonly from_ms: number;
  readonly connection: BrokerLogin;
  readonly signal: AbortSignal;
  /** From one reading to the next, 3 minutes by default. */
  readonly cadence_ms?: number;
  readonly layout?: MessageLayout;
  /** Called at each acknowledgement, and when the broker goes or comes back. */
  readonly progress?: (progress: PublishProgress) => void;
}

export interface History extends ShipPublication {
  readonly to_ms: number;
}

export interface LivePublication extends ShipPublication {
  /** No end by default. */
  readonly to_ms?: number;
  /** 1, the default, is real pace. */
  readonly speed?: number;
  readonly clock: Clock;
}

/**
 * Publishes `from_ms` to `to_ms`, both included, as fast as it is acknowledged, by default 20
 * readings a message. Throws a Failure if the first connection fails.
 */
export function publishHistory(history: History): Promise<Published> {
  return publish(history, history.layout ?? "batch", history.to_ms, null);
}

/**
 * Publishes from `from_ms` on, each reading at its time, by default a message each. With a `speed`
 * above 1 the past goes faster by that factor, until it has caught up with the clock; nothing is
 * ever sent before its time. Throws a Failure as `publishHistory` does.
 */
export function publishLive(live: LivePublication): Promise<Published> {
  const { clock, from_ms, speed = 1, to_ms = Number.POSITIVE_INFINITY } = live;
  const began_ms = clock.now_ms();
  const due_ms = (at_ms: number) => Math.max(at_ms, began_ms + (at_ms - from_ms) / speed);
  const whenDue = async (at_ms: number) => {
    // In short steps: a ship's clock may be set during a wait of days.
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
): Promise<Published> {
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
