// The simulator's publishing: unacknowledged messages are sent again, however the broker went away,
// and nothing is sent before its time.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, systemClock } from "../../../src/ground/clock.ts";
import { EXIT } from "../../../src/ground/errors.ts";
import { publishHistory, publishLive } from "../../../src/simulator/publish.ts";
import { CADENCE_MS, createShip } from "../../../src/simulator/ship.ts";
import { reservePort } from "../../rig/port.ts";
import { openRecorder } from "../../rig/recorder.ts";

const anchor_ms = Date.parse("2026-05-01T12:00:00Z");
const ship = createShip({ seed: 1, anchor_ms, system_id: "BWTS-001" });
// Two operations and a part of the third: about 1,000 readings.
const stretch = { from_ms: anchor_ms - 20 * DAY_MS, to_ms: anchor_ms, cadence_ms: CADENCE_MS };
const hour = { ...stretch, from_ms: anchor_ms - HOUR_MS };
const expected = [...ship.readings(stretch)].map(({ members }) => members);
const never = new AbortController().signal;

const connectionTo = (url: string) => ({ url, username: null, password: null, prefix: "bwts" });

describe("what the broker did not acknowledge", () => {
  test("is sent again after each of five cuts, and all comes in order of time", async () => {
    await using broker = await openRecorder({ acknowledges: true });
    let cuts = 0;
    const published = await publishHistory({
      ship,
      ...stretch,
      connection: connectionTo(broker.url),
      signal: never,
      layout: "single",
      progress: ({ readings }) => {
        if (cuts === 5 || readings < (expected.length * (cuts + 1)) / 6) return;
        cuts += 1;
        broker.cut();
        setTimeout(() => void broker.restart(), 20);
      },
    });
    expect(cuts).toBe(5);
    expect(published).toMatchObject({ readings: expected.length, complete: true });
    const payloads = new Set(broker.messages.map(({ payload }) => payload));
    const distinct = [...payloads].map((payload) => JSON.parse(payload));
    const times = distinct.map(({ timestamp }) => Date.parse(timestamp));
    expect(distinct.filter(({ event_type }) => event_type === undefined)).toEqual(expected);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("does not keep the publisher from stopping", async () => {
    await using broker = await openRecorder({ acknowledges: false });
    const stop = new AbortController();
    const connection = connectionTo(broker.url);
    const publishing = publishHistory({ ship, ...stretch, connection, signal: stop.signal });
    while (broker.messages.length === 0) await sleep(10);
    stop.abort();
    expect(await publishing).toEqual({ readings: 0, events: 0, complete: false });
  });
});

test("a broker that is away is said to be away, and to be back", async () => {
  await using broker = await openRecorder({ acknowledges: true });
  const states: boolean[] = [];
  let isCut = false;
  await publishHistory({
    ship,
    ...stretch,
    connection: connectionTo(broker.url),
    signal: never,
    progress: ({ connected }) => {
      if (states.at(-1) !== connected) states.push(connected);
      if (isCut) return;
      isCut = true;
      broker.cut();
      setTimeout(() => void broker.restart(), 20);
    },
  });
  expect(states).toEqual([true, false, true]);
});

test("nothing is published and nothing goes wrong when it is stopped beforehand", async () => {
  const connection = connectionTo("mqtt://127.0.0.1:1");
  const signal = AbortSignal.abort();
  const published = await publishHistory({ ship, ...stretch, connection, signal });
  expect(published).toEqual({ readings: 0, events: 0, complete: false });
});

test("a live ship catches up with the clock, and sends nothing before its time", async () => {
  await using broker = await openRecorder({ acknowledges: true });
  const now_ms = Date.now();
  const live = createShip({ seed: 1, anchor_ms: now_ms, system_id: "BWTS-001" });
  const stop = new AbortController();
  const past = { from_ms: now_ms - 2 * HOUR_MS, to_ms: now_ms, cadence_ms: 60_000 };
  const total = live.countReadings(past);
  const published = await publishLive({
    ship: live,
    from_ms: past.from_ms,
    cadence_ms: past.cadence_ms,
    speed: 7200,
    connection: connectionTo(broker.url),
    signal: stop.signal,
    clock: systemClock,
    progress: ({ readings, readings_total }) => {
      expect(readings_total).toBeNull();
      if (readings >= total) stop.abort();
    },
  });
  expect(published.complete).toBe(false);
  const times = broker.messages.map(({ payload }) => Date.parse(JSON.parse(payload).timestamp));
  expect(times.length).toBeGreaterThanOrEqual(total);
  for (const at_ms of times) expect(at_ms).toBeLessThanOrEqual(Date.now());
});

describe("a first connection that can't be made", () => {
  test("is a Failure that names the address", async () => {
    const connection = connectionTo(`mqtt://127.0.0.1:${(await reservePort()).port}`);
    const publishing = publishHistory({ ship, ...stretch, connection, signal: never });
    await expect(publishing).rejects.toMatchObject({
      name: "Failure",
      exitCode: EXIT.unavailable,
      message: `no MQTT broker answers at ${connection.url} (ECONNREFUSED)`,
    });
  });

  test("is a Failure of permission when the password is wrong, not when it is right", async () => {
    await using broker = await openRecorder({ acknowledges: true, password: "right" });
    const attempt = (password: string) =>
      publishHistory({
        ship,
        ...hour,
        connection: { ...connectionTo(broker.url), username: "plc", password },
        signal: never,
      });
    await expect(attempt("wrong")).rejects.toMatchObject({ exitCode: EXIT.permission });
    await expect(attempt("right")).resolves.toMatchObject({ complete: true });
  });
});
