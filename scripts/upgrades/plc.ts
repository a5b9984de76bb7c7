// A PLC that doesn't care about updates: publishes readings with QoS 1, sends again what wasn't
// acknowledged when it is connected again, and remembers what was acknowledged.

import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "mqtt";

const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 1000;
const RECONNECT_MS = 50;
/** Readings on their way at a time, and the pause when there are as many. */
const WINDOW = 20;
const PAUSE_MS = 10;

export interface Plc {
  /** Times of readings whose PUBACK came. */
  readonly acknowledged: ReadonlySet<string>;
  /** Publishes no more, and waits until all is acknowledged. */
  finish(): Promise<void>;
}

export function startPlc(url: string, topic: string): Plc {
  const client = connect(url, {
    clean: false,
    clientId: "plc-of-the-upgrades",
    reconnectPeriod: RECONNECT_MS,
  });
  client.on("error", () => null);
  const acknowledged = new Set<string>();
  const waiting = new Set<Promise<void>>();
  let finishing = false;
  const publish = (index: number) => {
    const timestamp = new Date(START_MS + index * STEP_MS).toISOString();
    const payload = JSON.stringify({ timestamp, UVR_INTENSITY: 500 + (index % 100) });
    const sent = client.publishAsync(topic, payload, { qos: 1 }).then(() => {
      acknowledged.add(timestamp);
      waiting.delete(sent);
    });
    waiting.add(sent);
  };
  const running = (async () => {
    for (let index = 0; !finishing; index += 1) {
      while (waiting.size >= WINDOW) await sleep(PAUSE_MS);
      publish(index);
      await sleep(1);
    }
  })();
  return {
    acknowledged,
    async finish() {
      finishing = true;
      await running;
      await Promise.all(waiting);
      await client.endAsync();
    },
  };
}
