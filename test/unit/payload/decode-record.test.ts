// Events, health records and predictions that come over MQTT.

import { describe, expect, test } from "vitest";
import { AT, AT_MS, decode, turnedAway } from "../../rig/decoding.ts";

describe("an event", () => {
  const start = { timestamp: AT, event_type: "PROCESS_START" };
  const nothing = { operation_type: null, location: null, target_flow: null };

  test("has its three members and whatever else was sent", () => {
    const data = {
      operation_type: "BALLAST",
      location: "Kiel",
      target_flow: "850,5",
      tank: [1, 2],
    };
    const { events, rejects } = decode("events", { ...start, description: "as sent", data });
    expect(rejects).toEqual([]);
    expect(events).toEqual([
      {
        at_ms: AT_MS,
        event_type: "PROCESS_START",
        description: "as sent",
        data: { ...data, target_flow: 850.5 },
        source: "plc",
      },
    ]);
  });

  test.each([undefined, null, "", {}])("without data (%j) has nulls", (data) => {
    expect(decode("events", { ...start, data }).events[0]?.data).toEqual(nothing);
  });

  test.each([
    ["PROCESS_START", "DEBALLAST process started at Kiel"],
    [" PROCESS_STOP ", "DEBALLAST process completed at Kiel"],
  ])("%s without a text gets one", (event_type, description) => {
    const data = { operation_type: "DEBALLAST", location: "Kiel" };
    const { events } = decode("events", [{ ...start, event_type, data }]);
    expect(events.map((event) => event.description)).toEqual([description]);
  });

  test("of a text that is too long the beginning is kept, all of it is in quarantine", () => {
    const description = `UV_LOW: ${"\u{1f6a2}".repeat(7996)}`;
    const decoded = decode("events", { ...start, event_type: "ALARM_TRIGGERED", description });
    const [event] = decoded.events;
    expect(event.description).toMatch(/^UV_LOW: \u{1f6a2}{500,}.*\u2026$/u);
    expect(event.description).toHaveLength(1024);
    expect(event.description.isWellFormed()).toBe(true);
    expect(turnedAway(decoded)).toEqual([expect.stringContaining("description: got a text of 16")]);
  });

  test.each([
    [{ event_type: "PROCESS_PAUSE" }, "PROCESS_START, PROCESS_STOP, ALARM_TRIGGERED"],
    [{ event_type: "process_start" }, "PROCESS_START, PROCESS_STOP, ALARM_TRIGGERED"],
    [{ event_type: undefined }, "event_type: got none"],
    [{ event_type: { toString: 1 } }, "event_type: got"],
    [{ data: [1] }, "data: got [1], expected an object"],
    [{ data: "x".repeat(10_000) }, "expected an object"],
  ])("with %j goes to quarantine", (members, words) => {
    const decoded = decode("events", { ...start, ...members });
    expect(decoded.events).toEqual([]);
    expect(turnedAway(decoded)).toEqual([expect.stringContaining(words)]);
    expect(turnedAway(decoded).join().length).toBeLessThan(300);
  });

  test("with more members than a step may take, at any level, goes to quarantine whole", () => {
    const data = (count: number) => ({ a: { b: Array.from({ length: count - 2 }, () => 1) } });
    const sent = [1000, 1001, 60_000].map((count) => ({ ...start, data: data(count) }));
    const decoded = decode("events", sent);
    expect(decoded.events).toHaveLength(1);
    expect(decoded.rejects).toEqual(
      [1001, 60_000].map((count) => ({
        reason: "too_large",
        detail: `data: got ${count} members, expected 1000 at most`,
      })),
    );
    const prediction = { timestamp: AT, component_id: "LAMP_01", predictions: data(60_000) };
    expect(decode("predictions", prediction)).toMatchObject({
      predictions: [],
      rejects: [{ reason: "too_large", detail: expect.stringContaining("got 60003 members") }],
    });
  });

  test("loses a member that can't be read, not the event", () => {
    const data = '{"operation_type":5,"target_flow":NaN,"x":{"y":[NaN,1]},"__proto__":{"z":1}}';
    const members = `"timestamp":"${AT}","event_type":"PROCESS_START","description":7`;
    const decoded = decode("events", `{${members},"data":${data}}`);
    expect(JSON.stringify(decoded.events[0]?.data)).toBe(
      JSON.stringify(nothing).replace("}", ',"x":{"y":[null,1]},"__proto__":{"z":1}}'),
    );
    expect(decoded.rejects.map(({ detail }) => detail.split(":")[0])).toEqual([
      "operation_type",
      "target_flow",
      "y",
      "description",
    ]);
  });

  test("without a time says that it has that of receipt", () => {
    const { events, timed_by_receipt } = decode("events", { event_type: "PROCESS_STOP" });
    expect(timed_by_receipt).toBe(true);
    expect(events[0]?.data).toEqual({ ...nothing, timestamp_source: "receipt" });
  });
});

describe("a health record", () => {
  const flat = {
    timestamp: AT,
    overall_score: "81,5",
    risk_level: "LOW",
    month: 5,
    componentsUvHealth: 90,
    componentsPowerEfficiency: 80,
    componentsLampHealth: 70,
    componentsThermalHealth: null,
  };

  test("is read in the flat form", () => {
    const { health, rejects } = decode("health", flat);
    expect(rejects).toEqual([]);
    expect(health).toEqual([
      {
        at_ms: AT_MS,
        source: "mqtt",
        overall_score: 81.5,
        risk_level: "LOW",
        month: 5,
        components: {
          uv_health: 90,
          power_efficiency: 80,
          lamp_health: 70,
          thermal_health: null,
        },
      },
    ]);
  });

  test("without a score goes to quarantine, one with a bad month loses the month", () => {
    const none = decode("health", { ...flat, overall_score: null });
    expect(none.health).toEqual([]);
    expect(turnedAway(none)).toEqual(["bad_value: overall_score: expected a number"]);
    const bad = decode("health", { ...flat, month: 13 });
    expect(bad.health[0]?.month).toBe(null);
    expect(turnedAway(bad)).toEqual(["bad_value: month: got 13, expected 1 to 12"]);
  });

  test.each([
    [{ overall_score: -1 }, "overall_score: got -1, expected 0 to 100"],
    [{ overall_score: "100,5" }, "overall_score: got 100.5, expected 0 to 100"],
    [{ overall_score: "x" }, 'overall_score: got "x", expected a finite number'],
  ])("with the score %j goes to quarantine, once", (members, words) => {
    const decoded = decode("health", { ...flat, ...members });
    expect(decoded.health).toEqual([]);
    expect(turnedAway(decoded)).toEqual([`bad_value: ${words}`]);
  });

  test("loses what is out of its range, with the value and the range", () => {
    const out = { componentsUvHealth: 101, componentsLampHealth: -0.1, risk_level: "SEVERE" };
    const decoded = decode("health", { ...flat, ...out });
    expect(decoded.health).toMatchObject([
      {
        overall_score: 81.5,
        risk_level: null,
        components: { uv_health: null, lamp_health: null },
      },
    ]);
    expect(turnedAway(decoded)).toEqual([
      'bad_value: risk_level: got "SEVERE", expected LOW, MEDIUM, HIGH, CRITICAL',
      "bad_value: componentsUvHealth: got 101, expected 0 to 100",
      "bad_value: componentsLampHealth: got -0.1, expected 0 to 100",
    ]);
    const spelled = decode("health", { ...flat, risk_level: " high" });
    expect(spelled.health[0]?.risk_level).toBe("HIGH");
  });
});

describe("a prediction", () => {
  const sent = {
    timestamp: AT,
    component_id: "LAMP_07",
    component_type: "UV_LAMP",
    predictions: {
      remaining_useful_life_hours: 900,
      failure_probability: 0.25,
      efficiency_percent: "88,5",
      model: { name: "x" },
    },
    current_state: { runtime_hours: 2100, efficiency_percent: 91, status: "OPERATIONAL" },
  };

  test("is kept as it was made", () => {
    const { predictions, rejects } = decode("predictions", sent);
    expect(rejects).toEqual([]);
    expect(predictions).toEqual([
      {
        at_ms: AT_MS,
        component_id: "LAMP_07",
        predictions: { ...sent.predictions, efficiency_percent: 88.5 },
        current_state: sent.current_state,
      },
    ]);
  });

  test.each(["LAMP-07", "lamp_7", " LAMP07 "])("for %j is one for LAMP_07", (component_id) => {
    const { predictions } = decode("predictions", { ...sent, component_id, component_type: null });
    expect(predictions.map((prediction) => prediction.component_id)).toEqual(["LAMP_07"]);
  });

  test.each([
    [{ component_id: "LAMP_17" }, 'component_id: got "LAMP_17", expected LAMP_01 to LAMP_16'],
    [{ component_id: "LAMP_00" }, 'component_id: got "LAMP_00"'],
    [{ component_id: 7 }, "component_id: got 7"],
    [{ component_id: undefined }, "component_id: got none"],
    [{ component_id: ["LAMP_07"] }, "component_id: got"],
    [{ component_id: { toString: 1 } }, "component_id: got"],
    [{ component_type: "FILTER" }, 'component_type: got "FILTER", expected UV_LAMP'],
  ])("with %j goes to quarantine", (members, words) => {
    const decoded = decode("predictions", { ...sent, ...members });
    expect(decoded.predictions).toEqual([]);
    expect(turnedAway(decoded)).toEqual([expect.stringContaining(words)]);
  });

  test("loses what is out of its range, with the value and the range", () => {
    const decoded = decode("predictions", {
      ...sent,
      predictions: { remaining_useful_life_hours: -1, efficiency_percent: 200 },
      current_state: { runtime_hours: -0.5, efficiency_percent: 0, status: "BURNING" },
    });
    const nothing = { remaining_useful_life_hours: null, efficiency_percent: null };
    expect(decoded.predictions).toMatchObject([
      {
        predictions: nothing,
        current_state: { runtime_hours: null, efficiency_percent: 0, status: null },
      },
    ]);
    expect(turnedAway(decoded)).toEqual([
      "bad_value: remaining_useful_life_hours: got -1, expected 0 to 1000000",
      "bad_value: efficiency_percent: got 200, expected 0 to 150",
      "bad_value: runtime_hours: got -0.5, expected 0 to 1000000",
      'bad_value: status: got "BURNING", expected OPERATIONAL, DEGRADED, FAILED, UNKNOWN',
    ]);
  });

  test("with figures that can't be read has nulls for them, each reported once", () => {
    const predictions =
      '{"failure_probability":1.5,"remaining_useful_life_hours":NaN,"p05":NaN,"run":7}';
    const members = `"timestamp":"${AT}","component_id":"LAMP_01","current_state":7`;
    const decoded = decode("predictions", `{${members},"predictions":${predictions}}`);
    expect(decoded.predictions).toMatchObject([
      {
        predictions: {
          remaining_useful_life_hours: null,
          failure_probability: null,
          efficiency_percent: null,
          p05: null,
          run: 7,
        },
        current_state: { runtime_hours: null, efficiency_percent: null, status: null },
      },
    ]);
    expect(decoded.rejects.map(({ detail }) => detail.split(":")[0])).toEqual([
      "remaining_useful_life_hours",
      "failure_probability",
      "p05",
      "current_state",
    ]);
  });
});
