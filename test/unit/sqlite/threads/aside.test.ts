// Alarms of the treatment system in messages that are quarantined: told only if they weren't taken.

import { expect, test } from "vitest";
import type { Message } from "../../../../src/bwts/message.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT, messageOf } from "../../../rig/decoding.ts";

const rigOf = rigsOfTests();

const alarm = (code: string, more: object = {}) => ({
  ...{ timestamp: AT, event_type: "ALARM_TRIGGERED", description: code, data: { code } },
  ...more,
});

test("an alarm that is stored without all of its text is not told as quarantined", () => {
  const { store } = rigOf();
  const sent = alarm("UV_LOW", { description: "x".repeat(2000) });
  expect(store.commit([messageOf("events", sent)])).toMatchObject({
    ...{ events: 1, quarantined: 1 },
    aside: [{ reason: "bad_value", alarms: [] }],
  });
});

test("alarms of which one isn't taken are all told", () => {
  const { store } = rigOf();
  const ahead = alarm("PUMP", { timestamp: "2026-05-01T18:00:00Z" });
  const start = { timestamp: AT, event_type: "PROCESS_START", data: {} };
  expect(store.commit([messageOf("events", [start, alarm("UV_LOW"), ahead])])).toMatchObject({
    ...{ events: 2, quarantined: 1 },
    aside: [{ reason: "future", alarms: ["UV_LOW", "PUMP"] }],
  });
});

/** The alarms that are named of one quarantined message on a topic. */
function namedOf(topic: string, sent: unknown, given: Partial<Message> = {}) {
  const { store } = rigOf();
  const { quarantined, aside } = store.commit([messageOf("", sent, { topic, ...given })]);
  expect(quarantined).toBe(1);
  return aside.flatMap(({ alarms }) => alarms);
}

const EVENTS = "bwts/BWTS-001/events";
const typed = (type: unknown, more: object = {}) => alarm("A1", { event_type: type, ...more });

test.each<[string, topic: string, sent: unknown, name: string]>([
  ["cut", EVENTS, JSON.stringify(alarm("A1")).slice(0, -6), "A1"],
  ["cut before its code", EVENTS, '{"event_type":"ALARM_TRI', "ALARM_TRI"],
  ["no JSON", EVENTS, "\u0001\u0002", "that can't be read"],
  ["of an unknown type", EVENTS, typed("ALARM"), "A1"],
  ["a shutdown", EVENTS, typed("EMERGENCY_SHUTDOWN"), "A1"],
  ["in lower case", EVENTS, typed("alarm_triggered"), "A1"],
  ["active", EVENTS, typed("ALARM_ACTIVE"), "A1"],
  ["of a type that is no alarm's word", EVENTS, typed("LAMP_BROKEN"), "A1"],
  ["without a type", EVENTS, typed(undefined), "A1"],
  ["without a type and a code", EVENTS, { timestamp: AT, x: 1 }, "without a code"],
  ["with a text as data", EVENTS, typed("ALARM_TRIGGERED", { data: "UV LOW" }), "A1"],
  ["an array whose second isn't one", EVENTS, [typed("TRIP"), { x: 1 }], "A1"],
  ["a bare text", EVENTS, '"UV LOW"', "UV LOW"],
  ["on a topic of alarms", "bwts/BWTS-001/alarms", typed("ALARM_TRIGGERED"), "A1"],
  ["on a topic below", "bwts/BWTS-001/alarms/7", { code: 7 }, "7"],
  ["on a topic of one event", "bwts/BWTS-001/Event", typed("ALARM_TRIGGERED"), "A1"],
  ["on another prefix", "ship/BWTS-001/uv", typed("ALARM_TRIGGERED"), "A1"],
  ["of another id", "bwts/BWTS-002/events", typed("ALARM_TRIGGERED"), "A1"],
  ["among telemetry", "bwts/BWTS-001/telemetry", typed("ALARM_TRIGGERED"), "A1"],
  ["of a lamp", "bwts/BWTS-001/lamps", typed("ALARM_TRIGGERED"), "A1"],
  ["by a member's name", "ship/uv", { Alarm: "UV LOW" }, "UV LOW"],
  ["inside another object", "ship/uv", { d: { Type: "Trip", code: "A1" } }, "A1"],
])("an alarm that is %s is named", (_, topic, sent, name) => {
  expect(namedOf(topic, sent)).toContain(name);
});

test("a PLC at the embedded broker retains what it says now, a ship's broker what was", () => {
  const sent = typed("ALARM_TRIGGERED", { timestamp: undefined });
  expect(namedOf(EVENTS, sent, { retain: true, client: "plc" })).toEqual(["A1"]);
  expect(namedOf(EVENTS, sent, { retain: true, client: "" })).toEqual([]);
});

test.each<[string, topic: string, sent: unknown]>([
  ["a start", EVENTS, typed("PROCESS_START", { timestamp: "?" })],
  ["a cut stop", EVENTS, '{"event_type":"PROCESS_STOP","data":{"code":'],
  ["an alarm's end", EVENTS, typed("ALARM_CLEARED", { timestamp: "?" })],
  ["an alarm's end in other words", EVENTS, typed("alarm_reset")],
  ["a start in other words", EVENTS, typed("ballast_started")],
  ["a reading", "bwts/BWTS-001/telemetry", { timestamp: "?", PROCESS_STATE: "FAULT" }],
  ["a reading that tells of no alarm", "ship/uv", { alarm: 0, type: "telemetry" }],
  ["cut telemetry", "bwts/BWTS-001/telemetry", '{"FAILED_LAMP_COUNT":1,"operation_type":"BAL'],
])("%s isn't an alarm", (_, topic, sent) => {
  expect(namedOf(topic, sent)).toEqual([]);
});
