// GET /stream through the built program: what is stored is told to every client once, a client that
// comes back misses nothing, and one that takes nothing disturbs nobody.

import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { type EventStream, openEventStream, type StreamEvent } from "../rig/event-stream.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";

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

const sendEvent = (event_type: string, number: number) =>
  publish("events", { event_type, data: { operation_type: "BALLAST", location: "Ü\nx", number } });

const numbersOf = (stream: EventStream) =>
  stream.events.filter(isOf("event")).map(({ data }) => data.data.number);

let longest: EventStream;

test("a beat tells that nothing was received yet, and nothing is compressed", async () => {
  longest = await open({ "Accept-Encoding": "gzip, br, zstd" });
  const { headers, statusCode } = longest.response;
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "transfer-encoding": "chunked",
  });
  expect(headers["content-encoding"]).toBeUndefined();
  const [beat] = await longest.waitFor(isOf("beat"));
  expect(longest.text()).toMatch(/^retry: 2000\n\n/);
  expect(beat.data).toEqual({
    now: expect.stringMatching(/^\d{4}-.*Z$/),
    last_id: expect.stringMatching(/^[0-9a-f]+-\d+$/),
    reading_age_s: null,
    received_age_s: null,
    ...{ data: "none", silence_s: 900 },
  });
  expect(beat.id).toBeNull();
});

test("all that is stored is told as the other answers have it, readings merged", async () => {
  using stream = await open();
  const timestamp = nextTime();
  const part = (fields: object) => ({
    kind: "telemetry",
    payload: JSON.stringify({ timestamp, ...fields }),
  });
  await appliance.publish([part({ UVR_INTENSITY: 648.5 }), part({ SYS_FLOW_RATE: 800 })]);
  await stream.waitFor(({ type, data }) => type === "reading" && data.SYS_FLOW_RATE === 800);
  const readings = stream.events.filter(isOf("reading"));
  expect(readings.at(-1)?.data).toEqual(await appliance.json("/api/telemetry/latest"));
  await sendEvent("PROCESS_START", 0);
  const [event] = await stream.waitFor(isOf("event"));
  expect([event.data]).toEqual(await appliance.json("/api/events"));
  const [operation] = await stream.waitFor(isOf("operation"));
  const { timestamp: began, data } = event.data;
  const { operation_type, location, target_flow } = data;
  expect(operation.data).toEqual({
    ...{ state: "started", timestamp: began, operation_type, location, target_flow },
  });
  await publish("events", { event_type: "ALARM_TRIGGERED", data: { code: "UV_LOW", value: 3 } });
  const [alert] = await stream.waitFor(isOf("alert"));
  expect([alert.data]).toEqual(await appliance.json("/api/alarms"));
  await publish("health", { overall_score: 81, risk_level: "LOW", month: 5 });
  // ballastd may have told a score of its own meanwhile.
  const [health] = await stream.waitFor(({ type, data }) => type === "health" && data.month === 5);
  expect(await appliance.json("/api/health")).toContainEqual(health.data);
  const predictions = { remaining_useful_life_hours: 900, failure_probability: 0.1 };
  await publish("predictions", { component_id: "LAMP_07", predictions, current_state: {} });
  const [forecast] = await stream.waitFor(isOf("forecast"));
  expect([forecast.data]).toEqual(await appliance.json("/api/predictions"));
  const ids = stream.events.flatMap(({ id }) => (id === null ? [] : [Number(id.split("-")[1])]));
  expect(ids).toEqual(ids.map((_, place) => ids[0] + place));
});

test("a lamp's newest forecast is told, though another lamp's is of a later time", async () => {
  using stream = await open();
  const forecast = (component_id: string, hours: number, after_s: number) => ({
    timestamp: new Date(Date.now() - 30_000 + after_s * 1000).toISOString(),
    ...{ component_id, predictions: { remaining_useful_life_hours: hours }, current_state: {} },
  });
  const told = async (payload: ReturnType<typeof forecast>) => {
    await appliance.publish([{ kind: "predictions", payload: JSON.stringify(payload) }]);
    const { timestamp, component_id } = payload;
    const isIt = ({ type, data }: StreamEvent) =>
      type === "forecast" && data.timestamp === timestamp && data.component_id === component_id;
    await stream.waitFor(isIt);
  };
  await told(forecast("LAMP_03", 100, 0));
  await told(forecast("LAMP_04", 200, 20));
  await told(forecast("LAMP_03", 300, 10));
  expect(stream.events.filter(isOf("forecast"))).toHaveLength(3);
});

test("a client that comes back gets what it missed, once; others of 20 get all", async () => {
  const streams = await Promise.all(Array.from({ length: 19 }, () => open()));
  const leaving = await open();
  for (let number = 1; number <= 20; number += 1) {
    if (number === 8) {
      await leaving.waitFor(({ data }) => data.data?.number === 7);
      leaving[Symbol.dispose]();
    }
    await sendEvent(number % 2 === 0 ? "PROCESS_START" : "PROCESS_STOP", number);
  }
  const all = Array.from({ length: 20 }, (_, place) => place + 1);
  for (const stream of streams) {
    await stream.waitFor(({ data }) => data.data?.number === 20);
    expect(numbersOf(stream)).toEqual(all);
    stream[Symbol.dispose]();
  }
  const last = leaving.lastId() ?? "";
  for (const back of [
    await open({ "Last-Event-ID": last }),
    await open({}, `/stream?last_event_id=${last}`),
  ]) {
    await back.waitFor(({ data }) => data.data?.number === 20);
    expect([...numbersOf(leaving), ...numbersOf(back)]).toEqual(all);
    expect(back.events.filter(isOf("resync"))).toEqual([]);
    back[Symbol.dispose]();
  }
});

test("a stop ends every stream in order, and an id of the run before is a resync", async () => {
  const folder = temporaryFolder();
  let last: string | null = null;
  {
    await using first = await startAppliance({ folder });
    const stream = await openEventStream(`${first.url}/stream`);
    const payload = JSON.stringify({ timestamp: nextTime(), UVR_INTENSITY: 1 });
    await first.publish([{ kind: "telemetry", payload }]);
    await stream.waitFor(isOf("reading"));
    last = stream.lastId();
    const { code } = await first.program.stop("SIGTERM");
    expect(code).toBe(0);
    await expect.poll(() => stream.ended()).toBe(true);
  }
  const env = { BALLASTD_AUTH_MONITORING: "token", BALLASTD_AUTH_TOKEN: "a-token-of-the-test" };
  await using second = await startAppliance({ folder, env });
  expect((await second.get("/stream")).status).toBe(401);
  const Authorization = "Bearer a-token-of-the-test";
  for (const id of [last, "nonsense", ""]) {
    const headers = { Authorization, "Last-Event-ID": id ?? "" };
    using stream = await openEventStream(`${second.url}/stream`, headers);
    const [beat] = await stream.waitFor(isOf("beat"));
    expect(beat.data.reading_age_s).toBeGreaterThan(0);
    expect(stream.events.map(({ type }) => type)).toEqual(["resync", "beat"]);
    expect(stream.lastId()).toBe(beat.data.last_id);
  }
  // Readings that are hidden were told before: whoever has them must load anew.
  const stream = await openEventStream(`${second.url}/stream`, { Authorization });
  const span = ["--from", "2026-01-01", "--to", "2026-01-02", "--reason", "x"];
  expect((await runProgram({ args: ["void", ...span], folder, env })).code).toBe(0);
  await stream.waitFor(isOf("resync"));
  await second.program.stop("SIGKILL");
  await expect.poll(() => stream.ended()).toBe(false);
  rmSync(folder, { recursive: true });
});

test("beats go on, with the last id and the age of the newest reading", async () => {
  const [first, second] = await longest.waitFor(isOf("beat"), 2);
  expect(Date.parse(second.data.now) - Date.parse(first.data.now)).toBeGreaterThan(1000);
  using fresh = await open();
  const [beat] = await fresh.waitFor(isOf("beat"));
  await longest.waitFor(({ id }) => id === beat.data.last_id);
  expect(beat.data.reading_age_s).toBeGreaterThan(0);
  expect(beat.data.received_age_s).toBeGreaterThanOrEqual(0);
  const { data, silence_seconds, last_event_id } = await appliance.json("/api/overview");
  expect(beat.data).toMatchObject({ data, silence_s: silence_seconds });
  expect(last_event_id).toBe(beat.data.last_id);
  await sendEvent("PROCESS_STOP", 77);
  using next = await open({}, `/stream?last_event_id=${last_event_id}`);
  await next.waitFor(isOf("event"));
  expect(numbersOf(next)).toEqual([77]);
  longest[Symbol.dispose]();
});

test("HEAD is answered at once", async () => {
  const head = await fetch(`${appliance.url}/stream`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("content-type")).toBe("text/event-stream");
});
