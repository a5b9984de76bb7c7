// Names of members in another case, and the time under another name: what is taken, and what of two
// spellings that contradict each other goes to quarantine.

import { describe, expect, test } from "vitest";
import { printTime } from "../../../src/ground/clock.ts";
import { AT, AT_MS, decode, decodeMapped, said, turnedAway } from "../../rig/decoding.ts";

describe("the time", () => {
  test.each(["Timestamp", "TIMESTAMP", "ts", "TS", "time", "Time", "datetime", "DateTime"])(
    "is taken under the name %s, and is no tag",
    (name) => {
      for (const given of [AT, AT_MS, AT_MS / 1000]) {
        const decoded = decode("telemetry", { [name]: given, UVR_INTENSITY: 600 });
        expect(decoded.readings.map(({ at_ms }) => printTime(at_ms))).toEqual([AT]);
        expect(decoded.readings.map(said)).toEqual([{ UVR_INTENSITY: 600 }]);
        expect(decoded.sent_ms).toBe(AT_MS);
        expect(decoded.rejects).toEqual([]);
      }
    },
  );

  test.each<[string, object]>([
    ["lamps", { lamps: [{ lamp: 7, power: 5 }] }],
    ["lamps/7", { power: 5 }],
    ["events", { event_type: "PROCESS_START" }],
    ["health", { overall_score: 90 }],
    ["predictions", { component_id: "LAMP_07", current_state: { runtime_hours: 5 } }],
  ])("is taken under another name on %s", (kind, content) => {
    const { readings, events, health, predictions, rejects } = decode(kind, { Ts: AT, ...content });
    const all = [...readings, ...events, ...health, ...predictions];
    expect(all.map(({ at_ms }) => at_ms)).toEqual([AT_MS]);
    expect(rejects).toEqual([]);
    expect(JSON.stringify([events, readings.map(said)])).not.toContain(AT);
  });

  test("is timestamp beside other names, which stay tags", () => {
    const [reading] = decode("telemetry", { time: 12.5, timestamp: AT, ts: "x" }).readings;
    expect(reading.at_ms).toBe(AT_MS);
    expect(said(reading)).toEqual({ time: 12.5, ts: "x" });
  });

  test.each<[object]>([
    [{ ts: AT, time: "2026-05-01T09:00:00Z" }],
    [{ Timestamp: AT, timestamp: "2026-05-01T09:00:00Z" }],
    [{ ts: AT, TS: "2026-05-01T09:00:00Z" }],
    [{ DateTime: AT, time: 12.5 }],
  ])("of %j could be two, and the message goes to quarantine", (times) => {
    const decoded = decode("telemetry", { ...times, UVR_INTENSITY: 600 });
    expect(decoded.readings).toEqual([]);
    expect(turnedAway(decoded)).toEqual([
      expect.stringMatching(/^conflict: timestamp: /),
      expect.stringMatching(/^bad_time: timestamp: got \[/),
    ]);
  });

  test("of two names that agree is one, and an empty one says nothing", () => {
    for (const times of [
      { ts: AT, time: AT_MS },
      { Timestamp: AT, timestamp: null },
      { ts: "", time: AT },
    ]) {
      const decoded = decode("telemetry", { ...times, UVR_INTENSITY: 600 });
      expect(decoded.readings.map(({ at_ms }) => at_ms)).toEqual([AT_MS]);
      expect(decoded.readings.map(said)).toEqual([{ UVR_INTENSITY: 600 }]);
    }
  });

  test("of a map's rule counts, and a tag of another rule isn't the time", () => {
    const rules = [
      { topic: "ship/uv1", tag: "clock", field: "timestamp" },
      { topic: "ship/uv1", tag: "ts", field: "SYS_PRESSURE" },
    ];
    const [reading] = decodeMapped(rules, { clock: AT, ts: 2.5, time: 3 }).readings;
    expect(reading.at_ms).toBe(AT_MS);
    expect(said(reading)).toEqual({ SYS_PRESSURE: 2.5, time: 3 });
    const [other] = decodeMapped(rules.slice(1), { Time: AT, ts: 2.5 }).readings;
    expect(other.at_ms).toBe(AT_MS);
    expect(said(other)).toEqual({ SYS_PRESSURE: 2.5 });
  });
});

describe("a name in another case", () => {
  test.each<[string, object, object]>([
    [
      "telemetry",
      { uvr_intensity: 600, Process_State: "RUNNING" },
      { UVR_INTENSITY: 600, PROCESS_STATE: "RUNNING" },
    ],
    ["telemetry", { lamp_07_power: "5" }, { LAMP_07_POWER: 5 }],
    [
      "lamps",
      { Lamps: [{ Lamp: 7, Power: 5 }], lamp_08_power: 6 },
      { LAMP_07_POWER: 5, LAMP_08_POWER: 6 },
    ],
    ["lamps/7", { POWER: 5 }, { LAMP_07_POWER: 5 }],
  ])("on %s is the field's: %j", (kind, content, says) => {
    const decoded = decode(kind, { timestamp: AT, ...content });
    expect(decoded.rejects).toEqual([]);
    expect(decoded.readings.map(said)).toEqual([says]);
  });

  test("beside the field's own, with another value, takes neither, in either order", () => {
    const spellings = [
      { UVR_INTENSITY: 1, uvr_intensity: 2, SYS_PRESSURE: 3 },
      { uvr_intensity: 1, UVR_INTENSITY: 2, SYS_PRESSURE: 3 },
      { Uvr_intensity: 1, uvr_intensity: 2, UVR_INTENSITY: 1, SYS_PRESSURE: 3 },
    ];
    for (const members of spellings) {
      const decoded = decode("telemetry", { timestamp: AT, ...members });
      expect(decoded.readings.map(said)).toEqual([{ SYS_PRESSURE: 3 }]);
      expect(turnedAway(decoded)[0]).toBe("conflict: UVR_INTENSITY: got 2, before it 1");
    }
    const lamp = decode("lamps/7", { timestamp: AT, power: 1, Power: 2, runtime: 3 });
    expect(lamp.readings.map(said)).toEqual([{ LAMP_07_RUNTIME: 3 }]);
    expect(turnedAway(lamp)).toEqual(["conflict: LAMP_07_POWER: got 2, before it 1"]);
  });

  test("beside the field's own, with the same value, is taken once", () => {
    const decoded = decode("telemetry", { timestamp: AT, UVR_INTENSITY: 1, uvr_intensity: "1" });
    expect(decoded.readings.map(said)).toEqual([{ UVR_INTENSITY: 1 }]);
    expect(decoded.rejects).toEqual([]);
  });

  test("of the system is the system's", () => {
    const decoded = decode("telemetry", { timestamp: AT, System_ID: "BWTS-002", A: 1 });
    expect(turnedAway(decoded)[0]).toMatch(/^other_system: /);
  });

  test("of an event's members is theirs, and two that differ take neither", () => {
    const { events } = decode("events", {
      ...{ Timestamp: AT, Event_Type: "PROCESS_START", Description: "start" },
      ...{ Data: { Operation_Type: "BALLAST" }, LOCATION: "Busan" },
    });
    expect(events).toMatchObject([
      { description: "start", data: { operation_type: "BALLAST", location: "Busan" } },
    ]);
    const two = { event_type: "PROCESS_START", Event_Type: "PROCESS_STOP" };
    const decoded = decode("events", { timestamp: AT, ...two });
    expect(decoded.events).toEqual([]);
    expect(turnedAway(decoded)[0]).toMatch(/^conflict: event_type: /);
  });
});
