// Events and predictions through the built program: what was said comes back, once, newest first,
// in any number.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Appliance, type Sent, startAppliance } from "../oracle/appliance.ts";
import { spelledTime } from "../oracle/plc.ts";
import { DAY_MS } from "../rig/grouping.ts";
import { printed } from "../rig/logbook.ts";
import { printedRandom, type Random } from "../rig/random.ts";

const TYPES = ["PROCESS_START", "PROCESS_STOP", "ALARM_TRIGGERED"] as const;
const NEWEST_MS = Date.parse("2026-05-01T12:00:00Z");

interface ExpectedEvent {
  readonly timestamp: string;
  readonly event_type: string;
  readonly description: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface MadeEvent {
  readonly expected: ExpectedEvent;
  readonly text: string;
}

const NESTED = [
  { a: [1, { b: null }], c: "ü" },
  [[], {}],
  null,
  "",
  -1.5e-7,
  9007199254740991,
  true,
];

/** An event of `at_ms`, told apart from every other by `number`. */
function randomEvent(random: Random, at_ms: number, number: number): MadeEvent {
  const event_type = random.pick(TYPES);
  const operation_type = random.pick(["BALLAST", "DEBALLAST", "CIP"]);
  const location = random.pick(["Singapore", "Malmö", '"quay" 7']);
  const target_flow = random.between(0, 10_000) / 10;
  const said = {
    number,
    ...(random.chance(0.8) ? { operation_type, location } : {}),
    ...(random.chance(0.3) ? { code: "UV_LOW", detail: random.pick(NESTED) } : {}),
  };
  const isSpelled = random.chance(0.5);
  const spelledFlow = isSpelled ? String(target_flow).replace(".", ",") : target_flow;
  const data = random.shuffled([
    ...Object.entries(said),
    ...(random.chance(0.7) ? [["target_flow", spelledFlow] as const] : []),
  ]);
  const hasFlow = data.some(([name]) => name === "target_flow");
  const past = event_type === "PROCESS_START" ? "started" : "completed";
  const standard = `${operation_type} process ${past} at ${location}`;
  const isStandard = "location" in said && event_type !== "ALARM_TRIGGERED" && random.chance(0.5);
  const description = isStandard ? standard : random.pick(["UV_LOW: too little", "½ \u0007", "x"]);
  const rest = JSON.stringify({
    event_type,
    description: isStandard ? random.pick([null, "", undefined]) : description,
    data: Object.fromEntries(data),
  });
  const expected = {
    timestamp: printed(at_ms),
    event_type,
    description,
    data: {
      ...{ operation_type: null, location: null, target_flow: hasFlow ? target_flow : null },
      ...said,
      ...(event_type === "ALARM_TRIGGERED" ? { source: "plc" } : {}),
    },
  };
  return { expected, text: `{"timestamp":${spelledTime(random, at_ms)},${rest.slice(1)}` };
}

/** The events in some order that an equal time leaves open, newest first. */
function inOneOrder(events: readonly ExpectedEvent[]): readonly ExpectedEvent[] {
  const key = ({ timestamp, data }: ExpectedEvent) => `${timestamp} ${data.number}`;
  return [...events].sort((a, b) => (key(a) < key(b) ? 1 : -1));
}

async function send(appliance: Appliance, random: Random, events: readonly MadeEvent[]) {
  const texts = random.shuffled([...events, ...events.filter(() => random.chance(0.3))]);
  const messages: Sent[] = [];
  for (let start = 0; start < texts.length; ) {
    const count = random.pick([1, 1, 5]);
    const items = texts.slice(start, start + count).map(({ text }) => text);
    messages.push({ kind: "events", payload: count === 1 ? items[0] : `[${items.join()}]` });
    start += count;
  }
  await appliance.publish(messages);
}

describe("random events", () => {
  let appliance: Appliance;
  let random: Random;
  let events: readonly ExpectedEvent[];
  beforeAll(async () => {
    random = printedRandom("e2e-events");
    appliance = await startAppliance();
    // Few instants, so that many events share one; at the edge of 24 hours before the newest too.
    const ages_ms = [0, 0, 1, DAY_MS, DAY_MS, DAY_MS + 1, 3 * DAY_MS];
    const made = [...Array(90).keys()].map((number) =>
      randomEvent(random, NEWEST_MS - (number < 1 ? 0 : random.pick(ages_ms)), number),
    );
    await send(appliance, random, made);
    events = made.map(({ expected }) => expected);
  });
  afterAll(() => appliance[Symbol.asyncDispose]());

  test("come back as they were sent, once each, newest first", async () => {
    const answered: ExpectedEvent[] = await appliance.json("/api/events");
    expect(inOneOrder(answered)).toEqual(inOneOrder(events));
    const times = answered.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort().reverse());
    for (const { data } of answered)
      expect(Object.keys(data).slice(0, 3)).toEqual(["operation_type", "location", "target_flow"]);
    expect(await appliance.quarantine()).toEqual([]);
  });

  test("are cut by limit without changing their order, also inside of one instant", async () => {
    const all = await appliance.json("/api/events?limit=10000");
    for (const limit of [1, 2, 13, 89, 90, 91])
      expect(await appliance.json(`/api/events?limit=${limit}`)).toEqual(all.slice(0, limit));
  });

  test("are filtered by type", async () => {
    const all: ExpectedEvent[] = await appliance.json("/api/events");
    for (const type of TYPES) {
      const ofType = all.filter(({ event_type }) => event_type === type);
      expect(await appliance.json(`/api/events?type=${type}`)).toEqual(ofType);
      expect(await appliance.json(`/api/events?type=${type}&limit=3`)).toEqual(ofType.slice(0, 3));
    }
  });

  test("of the 24 hours up to the newest are in the overview, at most 100 of them", async () => {
    const recent = events.filter(({ timestamp }) => Date.parse(timestamp) >= NEWEST_MS - DAY_MS);
    const before: { recentEvents: ExpectedEvent[] } = await appliance.json("/api/stats");
    expect(inOneOrder(before.recentEvents)).toEqual(inOneOrder(recent));
    const more = [...Array(120).keys()].map((number) =>
      randomEvent(random, NEWEST_MS - 60_000 * number, 1000 + number),
    );
    await send(appliance, random, more);
    const after: { recentEvents: ExpectedEvent[] } = await appliance.json("/api/stats");
    expect(after.recentEvents).toEqual(await appliance.json("/api/events?limit=100"));
  });
});

test("an event is the same by time, type, description and data, in whatever order", async () => {
  await using appliance = await startAppliance();
  const time = '"timestamp":"2026-05-01T00:00:00Z"';
  const seconds = '"timestamp":1777593600';
  const alarm = '"event_type":"ALARM_TRIGGERED"';
  const same = [
    `{${time},${alarm},"description":"A","data":{"code":"X","value":1.5}}`,
    `{"data":{"value":1.50,"code":"X"},"description":"A",${alarm},${time}}`,
    `[{${seconds},${alarm},"description":"A","data":{"code":"X","value":15e-1}}]`,
  ];
  const others = [
    `{${time},"event_type":"PROCESS_STOP","description":"A","data":{"code":"X","value":1.5}}`,
    `{${time},${alarm},"description":"B","data":{"code":"X","value":1.5}}`,
    `{${time},${alarm},"description":"A","data":{"code":"X","value":"1.5"}}`,
    `{${time},${alarm},"description":"A","data":{"code":"X"}}`,
    `{${seconds}001,${alarm},"description":"A","data":{"code":"X","value":1.5}}`,
  ];
  await appliance.publish([...same, ...others].map((payload) => ({ kind: "events", payload })));
  expect(await appliance.json("/api/events")).toHaveLength(1 + others.length);
  expect(await appliance.quarantine()).toEqual([]);
});

test("a stop that says nothing is told by its start, also by one that comes late", async () => {
  await using appliance = await startAppliance();
  const at = (minute: number) => `2026-05-01T10:0${minute}:00.000Z`;
  const event = (minute: number, event_type: string, more: object = {}) => ({
    kind: "events",
    payload: JSON.stringify({ timestamp: at(minute), event_type, ...more }),
  });
  const start = event(1, "PROCESS_START", {
    data: { operation_type: "BALLAST", location: "Kiel", target_flow: 800 },
  });
  const stops = [event(2, "PROCESS_STOP"), event(3, "PROCESS_STOP")];
  const other = event(4, "PROCESS_STOP", { description: "by hand" });
  await appliance.publish([...stops, other]);
  const unknown = "UNKNOWN process completed at unknown location";
  const told = async () => {
    const events: ExpectedEvent[] = await appliance.json("/api/events?type=PROCESS_STOP");
    return events.map(({ description }) => description);
  };
  expect(await told()).toEqual(["by hand", unknown, unknown]);
  await appliance.publish([start, ...stops]);
  expect(await told()).toEqual(["by hand", unknown, "BALLAST process completed at Kiel"]);
  const [, , stop] = await appliance.json("/api/events?type=PROCESS_STOP");
  const nothing = { operation_type: null, location: null, target_flow: null };
  expect(stop).toEqual({
    timestamp: at(2),
    event_type: "PROCESS_STOP",
    description: "BALLAST process completed at Kiel",
    data: nothing,
  });
  expect((await appliance.json("/api/stats")).recentEvents[2]).toEqual(stop);
  expect(await appliance.quarantine()).toEqual([]);
});

test("a publisher that is lost without a farewell raises the alarm of its will", async () => {
  await using appliance = await startAppliance();
  const client = await appliance.connect({
    clientId: "plc-1",
    will: { topic: "anything/at/all", payload: Buffer.from("gone"), qos: 1, retain: true },
  });
  client.stream.destroy();
  let events: ExpectedEvent[] = [];
  await appliance.program.waitUntil("the alarm", async () => {
    events = await appliance.json("/api/events");
    return events.length > 0;
  });
  expect(events).toHaveLength(1);
  expect(events[0].event_type).toBe("ALARM_TRIGGERED");
  expect(events[0].description).toContain("PLC link lost");
  const { data } = events[0];
  expect(data.source).toBe("ballastd");
  for (const name of ["code", "parameter", "value", "limit", "unit"])
    expect(data).toHaveProperty(name);
  expect(await appliance.quarantine()).toEqual([]);
});

test("predictions are listed newest first, then by lamp, and never change", async () => {
  const random = printedRandom("predictions");
  await using appliance = await startAppliance();
  const times = [
    "2024-02-29T00:00:00.000Z",
    "2026-05-01T00:00:00.000Z",
    "2026-05-01T00:00:00.001Z",
  ];
  const predictions = times.flatMap((timestamp) =>
    [...Array(16).keys()].map((index) => ({
      timestamp,
      component_id: `LAMP_${String(index + 1).padStart(2, "0")}`,
      component_type: "UV_LAMP",
      predictions: {
        remaining_useful_life_hours: random.between(0, 3000),
        failure_probability: random.next(),
        efficiency_percent: random.chance(0.5) ? null : random.next() * 100,
        remaining_useful_life_hours_p05: random.next() * 100,
      },
      current_state: {
        ...{ runtime_hours: random.next() * 4000, efficiency_percent: random.next() * 100 },
        status: random.pick(["OPERATIONAL", "DEGRADED", "FAILED", null]),
      },
    })),
  );
  const messages = random.shuffled([...predictions, ...predictions]).map((prediction) => {
    const component_id = prediction.component_id.replace("_", random.pick(["_", "-"]));
    return { kind: "predictions", payload: JSON.stringify({ ...prediction, component_id }) };
  });
  await appliance.publish(messages);
  const ordered = times
    .reverse()
    .flatMap((time) => predictions.filter(({ timestamp }) => timestamp === time));
  const answered = await appliance.json("/api/predictions");
  expect(answered).toEqual(ordered);
  expect(await appliance.json("/api/predictions?limit=17")).toEqual(ordered.slice(0, 17));
  const changed = { ...predictions[0], predictions: { failure_probability: 0.5 } };
  const beyond = {
    ...predictions[0],
    timestamp: "2020-01-01",
    predictions: { failure_probability: 1.5 },
  };
  await appliance.publish(
    [changed, beyond, { ...changed, component_id: "LAMP_17" }].map((prediction) => ({
      kind: "predictions",
      payload: JSON.stringify(prediction),
    })),
  );
  const after = await appliance.json("/api/predictions?limit=10000");
  expect(after.slice(0, ordered.length)).toEqual(ordered);
  expect(after.slice(ordered.length)).toMatchObject([
    { timestamp: "2020-01-01T00:00:00.000Z", predictions: { failure_probability: null } },
  ]);
  const entries = await appliance.quarantine();
  expect(entries.map(({ reason }) => reason)).toEqual(["bad_value", "bad_value", "conflict"]);
});
