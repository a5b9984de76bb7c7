// The simulator at a real Mosquitto, with mosquitto_sub reading along.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/ground/clock.ts";
import { publishHistory } from "../../src/simulator/publish.ts";
import { CADENCE_MS, createShip } from "../../src/simulator/ship.ts";
import { type Mosquitto, openMosquitto, runTool } from "../rig/mosquitto.ts";
import { until } from "../rig/until.ts";

const anchor_ms = Date.parse("2026-05-01T12:00:00Z");
const ship = createShip({ seed: 1, anchor_ms, system_id: "BWTS-001" });
// Two operations and a part of the third: about 1,000 readings.
const stretch = { from_ms: anchor_ms - 20 * DAY_MS, to_ms: anchor_ms, cadence_ms: CADENCE_MS };
const expected = [...ship.readings(stretch)].map(({ members }) => members);
const expectedEvents = [...ship.events(stretch)].map(
  ({ at_ms, description }) => `${at_ms} ${description}`,
);
const signal = new AbortController().signal;

let broker: Mosquitto;
let reader: ChildProcess;
let received = "";

beforeEach(async () => {
  broker = await openMosquitto(null);
  const session = ["-h", "127.0.0.1", "-p", `${broker.port}`, "-i", "reader", "-c", "-q", "1"];
  const topic = ["-t", "bwts/#"];
  // -E: ends once the subscription stands; the session is kept for the reader proper.
  expect(await runTool("mosquitto_sub", [...session, ...topic, "-E"])).toMatchObject({ code: 0 });
  const child = spawn("mosquitto_sub", [...session, ...topic, "-F", "%t %p"]);
  received = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    received += text;
  });
  reader = child;
});

afterEach(async () => {
  reader.kill();
  if (reader.exitCode === null && reader.signalCode === null) await once(reader, "exit");
  await broker.close();
});

test("a history arrives whole, and its progress ends at its total", async () => {
  const seen: number[] = [];
  const published = await publishHistory({
    ship,
    ...stretch,
    connection: connection(),
    signal,
    progress: ({ readings, readings_total }) => {
      expect(readings_total).toBe(expected.length);
      seen.push(readings);
    },
  });
  expect(published).toEqual({
    readings: expected.length,
    events: expectedEvents.length,
    complete: true,
  });
  expect(seen.at(-1)).toBe(expected.length);
  expect(await arrived(expected.length)).toEqual({ readings: expected, events: expectedEvents });
});

test("a message of the system and one of each lamp say what the whole reading says", async () => {
  const hour = { ...stretch, from_ms: anchor_ms - HOUR_MS };
  await publishHistory({ ship, ...hour, connection: connection(), signal, layout: "split" });
  const whole = [...ship.readings(hour)].map(({ members }) => members);
  expect((await arrived(whole.length)).readings).toEqual(whole);
  expect(received.trimEnd().split("\n")).toHaveLength(17 * whole.length);
});

test("nothing is missing when the broker is killed in the middle and started again", async () => {
  let restarted: Promise<void> | null = null;
  const away: boolean[] = [];
  const published = await publishHistory({
    ship,
    ...stretch,
    connection: connection(),
    signal,
    layout: "single",
    progress: ({ readings, connected }) => {
      away.push(!connected);
      if (readings > expected.length / 2) restarted ??= broker.stop().then(() => broker.start());
    },
  });
  await restarted;
  expect(away).toContain(true);
  expect(published).toMatchObject({ readings: expected.length, complete: true });
  const { readings, events } = await arrived(expected.length);
  expect(readings).toHaveLength(expected.length);
  expect(readings).toEqual(expect.arrayContaining(expected));
  expect(new Set(events)).toEqual(new Set(expectedEvents));
});

const connection = () => ({ url: broker.url, username: null, password: null, prefix: "bwts" });

/** Waits for so many readings with different times, and for all that comes with them. */
async function arrived(count: number) {
  let size = -1;
  const isAll = async () => {
    // Quiet for a while, and enough: nothing more is on its way.
    const isQuiet = size === received.length;
    size = received.length;
    if (!isQuiet) await sleep(250);
    return isQuiet && sorted().readings.length >= count;
  };
  await until(`${count} readings`, isAll, () => `received ${sorted().readings.length}`);
  return sorted();
}

/** Readings merged from all messages with their time, and the events, each once. */
function sorted() {
  const readings = new Map<string, Record<string, unknown>>();
  const events = new Set<string>();
  for (const line of received.split("\n").slice(0, -1)) {
    const topic = line.slice(0, line.indexOf(" "));
    for (const { timestamp, ...rest } of [JSON.parse(line.slice(topic.length))].flat()) {
      if (topic === "bwts/BWTS-001/events") {
        events.add(`${Date.parse(timestamp)} ${rest.description}`);
        continue;
      }
      const lamp = /\/lamps\/(\d+)$/.exec(topic)?.[1]?.padStart(2, "0");
      const known: Record<string, unknown> = readings.get(timestamp) ?? { timestamp };
      for (const [name, value] of Object.entries(rest))
        known[lamp === undefined ? name : `LAMP_${lamp}_${name.toUpperCase()}`] = value;
      readings.set(timestamp, known);
    }
  }
  return { readings: [...readings.values()], events: [...events] };
}
