// Lamps in all the forms in which PLCs send them.

import { describe, expect, test } from "vitest";
import { LAMP_NUMBERS } from "../../../src/bwts/tags.ts";
import { AT, decode, said, turnedAway } from "../../rig/decoding.ts";

describe("lamps", () => {
  const seven = { LAMP_07_STATUS: "ACTIVE", LAMP_07_EFFICIENCY: 91.5, LAMP_07_RUNTIME: 1200 };
  const members = { status: "ACTIVE", efficiency: "91,5", runtime: 1200, power: null };

  test.each<[string, string, object]>([
    ["on a topic of their own", "lamps/7", members],
    ["on a topic with two digits", "lamps/07", members],
    ["that say their number too", "lamps/7", { lamp: "07", ...members }],
    ["with members in capitals", "lamps/7", { STATUS: "ACTIVE", Efficiency: 91.5, RUNTIME: 1200 }],
    ["listed", "lamps", { lamps: [{ lamp: 7, ...members }] }],
    ["listed by a text", "lamps", { lamps: [{ lamp: " 07", ...members }] }],
    ["flat", "lamps", seven],
    ["flat on a topic of their own", "lamps/7", seven],
    ["one alone", "lamps", { lamp: 7, ...members }],
    ["in telemetry", "telemetry", seven],
  ])("%s are the lamp's fields", (_form, kind, given) => {
    const decoded = decode(kind, { timestamp: AT, system_id: "BWTS-001", ...given });
    expect(decoded.rejects).toEqual([]);
    expect(decoded.readings.map(said)).toEqual([seven]);
  });

  test("listed all sixteen make one reading", () => {
    const lamps = LAMP_NUMBERS.map((_, index) => ({ lamp: index + 1, power: index }));
    const { readings } = decode("lamps", { timestamp: AT, lamps, UVR_INTENSITY: 600 });
    const powers = LAMP_NUMBERS.map((lamp, index) => [`LAMP_${lamp}_POWER`, index]);
    expect(readings.map(said)).toEqual([{ UVR_INTENSITY: 600, ...Object.fromEntries(powers) }]);
  });

  test("keep members that the catalogue doesn't know as LAMP_NN_<NAME>", () => {
    const [reading] = decode("lamps/3", { timestamp: AT, serial: "A-17", LAMP_03_X: 1 }).readings;
    expect(reading && said(reading)).toEqual({ LAMP_03_SERIAL: "A-17", LAMP_03_X: 1 });
  });

  test("listed with one that can't be told keep the others", () => {
    const lamps = [{ lamp: 1, power: 5 }, { lamp: 17, power: 6 }, { power: 7 }, null, [1]];
    const decoded = decode("lamps", { timestamp: AT, lamps });
    expect(decoded.readings.map(said)).toEqual([{ LAMP_01_POWER: 5 }]);
    expect(turnedAway(decoded)).toEqual([
      "bad_value: lamp: got 17, expected 1 to 16",
      "bad_value: lamp: got none, expected 1 to 16",
      "bad_value: lamps: got null, expected an object a lamp",
      "bad_value: lamps: got [1], expected an object a lamp",
    ]);
  });

  test.each<[string, string, object]>([
    ["listed as 0", "lamps", { lamps: [{ lamp: 0, power: 5 }] }],
    ["listed as 1.5", "lamps", { lamps: [{ lamp: 1.5, power: 5 }] }],
    ["alone as 17", "lamps", { lamp: 17, power: 5 }],
    ["in no list", "lamps", { lamps: "none" }],
    ["as another than the topic", "lamps/7", { lamp: 8, power: 5 }],
  ])("%s make no reading", (_form, kind, given) => {
    const decoded = decode(kind, { timestamp: AT, ...given });
    expect(decoded.rejects.map(({ reason }) => reason)).toEqual(["bad_value"]);
    expect(decoded.readings).toEqual([]);
  });

  test("given twice in one message keep the first, and the contradiction is reported", () => {
    const lamps = [
      { lamp: 1, power: 5, serial: "A" },
      { lamp: 1, power: 6, serial: "B", runtime: 9 },
      { lamp: 1, power: "5" },
    ];
    const decoded = decode("lamps", { timestamp: AT, lamps });
    const kept = { LAMP_01_POWER: 5, LAMP_01_SERIAL: "A", LAMP_01_RUNTIME: 9 };
    expect(decoded.readings.map(said)).toEqual([kept]);
    expect(turnedAway(decoded)).toEqual([
      "conflict: LAMP_01_POWER: got 6, before it 5",
      'conflict: LAMP_01_SERIAL: got "B", before it "A"',
    ]);
  });
});
