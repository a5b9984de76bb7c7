// Members of events, health records and predictions that stand in another place than usual, or that
// ballastd doesn't know: each is read, or is in quarantine.

import { describe, expect, test } from "vitest";
import { AT, AT_MS, decode, turnedAway } from "../../rig/decoding.ts";

describe("an event", () => {
  const alarm = { timestamp: AT, event_type: "ALARM_TRIGGERED", description: "d" };
  const nothing = { operation_type: null, location: null, target_flow: null };

  test("has members that were sent beside its data in them", () => {
    const beside = { code: "LAMP7_FAIL", severity: "high", value: 3, lamps: [7], note: null };
    const decoded = decode("events", { ...alarm, system_id: "BWTS-001", ...beside });
    expect(decoded.events).toMatchObject([{ at_ms: AT_MS, description: "d" }]);
    expect(decoded.events[0].data).toEqual({ ...nothing, ...beside });
    expect(turnedAway(decoded)).toEqual([]);
  });

  test("has its operation, place and flow from beside its data, and its text of them", () => {
    const start = { timestamp: AT, event_type: "PROCESS_START", operation_type: "BALLAST" };
    const decoded = decode("events", { ...start, location: "Kiel", target_flow: "850,5" });
    expect(decoded.events).toMatchObject([
      {
        description: "BALLAST process started at Kiel",
        data: { operation_type: "BALLAST", location: "Kiel", target_flow: 850.5 },
      },
    ]);
    expect(turnedAway(decoded)).toEqual([]);
    const coded = decode("events", { ...alarm, description: null, code: "UV_LOW" });
    expect(coded.events).toMatchObject([{ description: "UV_LOW" }]);
    const bad = decode("events", { ...start, target_flow: "fast" });
    expect(bad.events).toMatchObject([{ data: { target_flow: null } }]);
    expect(turnedAway(bad)).toEqual([
      'bad_value: target_flow: got "fast", expected a finite number',
    ]);
  });

  test("has the members of its data where those beside it contradict, which is told", () => {
    const data = { code: "A", target_flow: 850.5, tank: { a: 1, b: [2] }, lamp: null, level: 2 };
    const decoded = decode("events", {
      ...{ ...alarm, data },
      ...{ code: "B", target_flow: "850,5", tank: { b: [2], a: 1 }, lamp: 7, level: null },
      ...{ location: 5 },
    });
    expect(decoded.events[0].data).toEqual({ ...nothing, ...data, lamp: 7 });
    expect(turnedAway(decoded)).toEqual([
      'bad_value: code: got "B", data has "A"',
      "bad_value: location: got 5, expected a text",
    ]);
  });

  test("counts members beside its data as members of it", () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`m${at}`, 1]));
    const decoded = decode("events", { ...alarm, ...many });
    expect(decoded.events).toEqual([]);
    expect(turnedAway(decoded)).toEqual([
      "too_large: data: got 1001 members, expected 1000 at most",
    ]);
  });
});

describe("a health record", () => {
  const score = { timestamp: AT, overall_score: 81.5 };
  const flat = { componentsUvHealth: 90, componentsLampHealth: 70 };

  test("is read in the nested form, and with dotted names", () => {
    const components = { uv_health: "90,5", lamp_health: 70, thermal_health: null };
    const decoded = decode("health", { ...score, components, "components.power_efficiency": 80 });
    const read = { uv_health: 90.5, lamp_health: 70, power_efficiency: 80, thermal_health: null };
    expect(decoded.health).toMatchObject([{ overall_score: 81.5, components: read }]);
    expect(turnedAway(decoded)).toEqual([]);
  });

  test("has the flat members where the nested ones contradict, which is told", () => {
    const components = { uv_health: 10, lamp_health: "70", thermal_health: 101, colour: 1 };
    const decoded = decode("health", { ...score, ...flat, components });
    expect(decoded.health).toMatchObject([
      { components: { uv_health: 90, lamp_health: 70, thermal_health: null } },
    ]);
    expect(turnedAway(decoded)).toEqual([
      "bad_value: components.uv_health: got 10, componentsUvHealth has 90",
      "bad_value: components.colour: is no member of a health record",
      "bad_value: components.thermal_health: got 101, expected 0 to 100",
    ]);
  });

  test("loses members that it doesn't have, but none that the API answers", () => {
    const answered = {
      ...flat,
      risk_level: "LOW",
      month: 5,
      recordCount: 4,
      system_id: "BWTS-001",
    };
    const other = { uv_health: 4, componentsUvhealth: 5, comment: null };
    const decoded = decode("health", { ...score, ...answered, ...other });
    expect(decoded.health).toMatchObject([{ components: { uv_health: 90, lamp_health: 70 } }]);
    expect(turnedAway(decoded)).toEqual([
      "bad_value: uv_health: is no member of a health record",
      "bad_value: componentsUvhealth: is no member of a health record",
    ]);
    expect(turnedAway(decode("health", { ...score, components: 7 }))).toEqual([
      "bad_value: components: expected an object",
    ]);
  });
});

describe("a prediction", () => {
  const lamp = { timestamp: AT, component_id: "LAMP_07", component_type: "UV_LAMP" };

  test("is read with dotted names", () => {
    const decoded = decode("predictions", {
      ...lamp,
      ...{ "predictions.remaining_useful_life_hours": "5", "predictions.model": "x" },
      ...{ "current_state.runtime_hours": 2100, "current_state.status": "DEGRADED" },
    });
    expect(decoded.predictions).toMatchObject([
      {
        predictions: { remaining_useful_life_hours: 5, failure_probability: null, model: "x" },
        current_state: { runtime_hours: 2100, status: "DEGRADED" },
      },
    ]);
    expect(turnedAway(decoded)).toEqual([]);
  });

  test("has the nested members where dotted ones contradict, and no unknown ones", () => {
    const decoded = decode("predictions", {
      ...{ ...lamp, predictions: { failure_probability: 0.5, efficiency_percent: null } },
      ...{ "predictions.failure_probability": 0.25, "predictions.efficiency_percent": 88 },
      ...{ remaining_useful_life_hours: 5, comment: "" },
    });
    expect(decoded.predictions).toMatchObject([
      { predictions: { failure_probability: 0.5, efficiency_percent: 88 } },
    ]);
    expect(turnedAway(decoded)).toEqual([
      "bad_value: remaining_useful_life_hours: is no member of a prediction",
      "bad_value: predictions.failure_probability: got 0.25, the object predictions has 0.5",
    ]);
  });

  test.each<[object, readonly string[]]>([
    [{}, []],
    [{ predictions: {}, current_state: { status: "", runtime_hours: null } }, []],
    [{ runtime_hours: 5 }, ["bad_value: runtime_hours: is no member of a prediction"]],
    [
      { predictions: { failure_probability: 1.5 } },
      ["bad_value: failure_probability: got 1.5, expected 0 to 1"],
    ],
  ])("with %j says nothing, and goes to quarantine whole", (members, before) => {
    const decoded = decode("predictions", { ...lamp, ...members });
    expect(decoded.predictions).toEqual([]);
    const reason =
      "bad_value: predictions and current_state: no member could be read, expected at least one";
    expect(turnedAway(decoded)).toEqual([...before, reason]);
  });
});
