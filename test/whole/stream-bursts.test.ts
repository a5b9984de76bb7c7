// The stream of events in bursts: what fills several rounds is told whole, and readings at most
// every 250 ms.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { openEventStream, type StreamEvent } from "../rig/event-stream.ts";

const START_MS = Date.now() - 60_000;
let appliance: Appliance;
let sent = 0;

beforeAll(async () => {
  appliance = await startAppliance();
});
afterAll(() => appliance[Symbol.asyncDispose]());

const open = (headers: Record<string, string> = {}, path = "/stream") =>
  openEventStream(appliance.url + path, headers);
const isOf = (type: string) => (event: StreamEvent) => event.type === type;

/** A time of its own for each thing sent, in order. */
function nextTime(): string {
  sent += 1;
  return new Date(START_MS + sent * 10).toISOString();
}

async function publish(kind: string, fields: object): Promise<string> {
  const timestamp = nextTime();
  await appliance.publish([{ kind, payload: JSON.stringify({ timestamp, ...fields }) }]);
  return timestamp;
}

test("a burst of events that fills several rounds is told whole", async () => {
  using stream = await open();
  const number = Array.from({ length: 150 }, (_, place) => place);
  const note = "x".repeat(8000);
  await appliance.publish(
    number.map((place) => ({
      kind: "events",
      payload: JSON.stringify({
        ...{ timestamp: nextTime(), event_type: "PROCESS_START" },
        data: { operation_type: "BALLAST", location: "x", number: place, note },
      }),
    })),
  );
  const told = await stream.waitFor(isOf("event"), number.length);
  expect(told.map(({ data }) => data.data.number).toSorted((a, b) => a - b)).toEqual(number);
});

test("readings of a burst are told at most every 250 ms, the newest at last", async () => {
  using stream = await open();
  // None is told before; how late they come says nothing of when they were sent.
  const began_ms = performance.now();
  for (let count = 0; count < 40; count += 1) await publish("telemetry", { UVR_INTENSITY: count });
  await stream.waitFor(({ type, data }) => type === "reading" && data.UVR_INTENSITY === 39);
  const took_ms = performance.now() - began_ms;
  expect(stream.events.filter(isOf("reading")).length).toBeLessThanOrEqual(2 + took_ms / 200);
});
