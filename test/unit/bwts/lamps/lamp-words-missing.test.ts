// Lamps of a PLC that sends no status, or words of its own: what light and power tell.

import { describe, expect, test } from "vitest";
import { sightOf } from "../../../../src/bwts/light/lamp-fields.ts";
import { TAGS } from "../../../../src/bwts/tags.ts";

const LIMITS = { flow_max_imo: 1000 };

function lampOf(members: Readonly<Record<string, string | number>>) {
  return sightOf(0, (tag) => members[TAGS[tag].name] ?? null, LIMITS).lamps[6];
}

const RUNNING = { PROCESS_STATE: "RUNNING" };
const IDLE = { PROCESS_STATE: "IDLE" };
const light = (efficiency: number, power?: number) => ({
  LAMP_07_EFFICIENCY: efficiency,
  ...(power === undefined ? {} : { LAMP_07_POWER: power }),
});

describe.each([
  ["no status", {}],
  ["a word of another language", { LAMP_07_STATUS: "EIN" }],
  ["a number", { LAMP_07_STATUS: "1" }],
])("%s", (_name, status) => {
  test.each([
    ["with light", { ...RUNNING, ...light(92) }, "lit"],
    ["with light and power", { ...RUNNING, ...light(92, 3000) }, "lit"],
    ["with power alone", { ...RUNNING, LAMP_07_POWER: 3000 }, "lit"],
    ["without light", { ...RUNNING, ...light(0) }, "dark"],
    ["without power, its last light kept", { ...RUNNING, ...light(92, 0) }, "dark"],
    ["while the plant is idle", { ...IDLE, ...light(92) }, "dark"],
    ["nothing of the lamp", RUNNING, null],
    ["light alone", light(92), null],
  ])("%s", (_title, members, expected) => {
    expect(lampOf({ ...members, ...status }).burning).toBe(expected);
  });
});

test.each([
  ["OFF", "dark"],
  ["standby", "dark"],
  ["FAILED", "failed"],
  ["on", "lit"],
])("%s is known, whatever light and power say", (word, expected) => {
  expect(lampOf({ ...RUNNING, ...light(92, 3000), LAMP_07_STATUS: word }).burning).toBe(expected);
});

test("light in fractions of 1 is none: no lamp is worn by it", () => {
  const light = (efficiency: number) =>
    lampOf({ ...RUNNING, LAMP_07_STATUS: "ON", LAMP_07_EFFICIENCY: efficiency }).efficiency_pct;
  expect([0.92, 0.5, 1].map(light)).toEqual([null, null, null]);
  expect([2, 50, 92].map(light)).toEqual([2, 50, 92]);
});
