// Telemetry, as liberally as it is read: single values in every form that PLCs send, unknown tags.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AT, decode, said, telemetry, turnedAway } from "../../rig/decoding.ts";

/** The decoded value of a payload's one field, or the text of its rejection. */
function field(name: string, json: string): unknown {
  const decoded = decode("telemetry", `{"timestamp":"${AT}","N":1,"${name}":${json}}`);
  const { N, ...rest } = said(decoded.readings[0] ?? { values: [], extra: new Map() });
  expect(N, "the rest of the reading stands").toBe(1);
  return decoded.rejects.length > 0 ? turnedAway(decoded).join() : (rest[name] ?? null);
}

describe("a number", () => {
  test.each([
    ["612.5", 612.5],
    ["-0.25", -0.25],
    ["1e2", 100],
    ['"612.5"', 612.5],
    ['"612,5"', 612.5],
    ['" +612,5 "', 612.5],
    ['",5"', 0.5],
    ['".5"', 0.5],
    ['"7,"', 7],
    ['"-1,5E-2"', -0.015],
    ['"\\t7\\n"', 7],
    ["null", null],
    ['""', null],
  ])("written %s is %s", (json, value) => {
    expect(field("UVR_INTENSITY", json)).toBe(value);
  });

  test.each([
    ['"1.234,5"', '"1.234,5"'],
    ['"1,234.5"', '"1,234.5"'],
    ['"1 234"', '"1 234"'],
    ['"0x10"', '"0x10"'],
    ['"12 W"', '"12 W"'],
    ['"."', '"."'],
    ['"e5"', '"e5"'],
    ['"--1"', '"--1"'],
    ['" "', '" "'],
    ['"Infinity"', '"Infinity"'],
    ['"1e999"', '"1e999"'],
    ["1e999", "Infinity"],
    ["-1e999", "-Infinity"],
    ["true", "true"],
    ["[1]", "[1]"],
    ["{}", "{}"],
  ])("written %s is turned away, the field alone", (json, shown) => {
    const words = `bad_value: UVR_INTENSITY: got ${shown}, expected a finite number`;
    expect(field("UVR_INTENSITY", json)).toBe(words);
  });

  test("as text with either separator is the number itself", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = Object.is(value, -0) ? "-0" : String(value);
        expect(field("UVR_INTENSITY", JSON.stringify(text))).toBe(value);
        fc.pre(!/\.\d{3}(?!\d)/.test(text));
        expect(field("UVR_INTENSITY", JSON.stringify(text.replace(".", ",")))).toBe(value);
      }),
      { seed: 21 },
    );
  });
});

describe("a comma in a number's text", () => {
  test.each(["1,200", "12,345", "-1,200", "+1,200", " 1,200 ", "0,500", ",500", "6,485E+02"])(
    "with three digits behind it, %j, could be two numbers and is turned away",
    (text) => {
      const words = `bad_value: UVR_INTENSITY: got ${JSON.stringify(text)}, expected a number that`;
      expect(field("UVR_INTENSITY", JSON.stringify(text))).toContain(words);
      expect(field("FAILED_LAMP_COUNT", JSON.stringify(text))).toContain("expected a number that");
    },
  );

  test.each([
    ["648,5", 648.5],
    ["648,50", 648.5],
    ["648,5000", 648.5],
    ["648,", 648],
    ["1.200", 1.2],
  ])("with fewer or more digits behind it, %j, is a decimal", (text, value) => {
    expect(field("UVR_INTENSITY", JSON.stringify(text))).toBe(value);
  });

  test("of a lamp costs that field alone", () => {
    const lamps = [{ lamp: 7, runtime: "1,200", power: 2000 }];
    const decoded = decode("lamps", { timestamp: AT, lamps });
    expect(decoded.readings.map(said)).toEqual([{ LAMP_07_POWER: 2000 }]);
    expect(turnedAway(decoded)).toEqual([expect.stringContaining('LAMP_07_RUNTIME: got "1,200"')]);
  });

  test("in a time leaves no doubt", () => {
    const [reading] = decode("telemetry", { timestamp: "1777629570,123", A: 1 }).readings;
    expect(reading.at_ms).toBe(1_777_629_570_123);
  });
});

describe("a number as PLCs print it, without quotes,", () => {
  test.each([
    ["+6.485000E+02", 648.5],
    ["-6.485000e+02", -648.5],
    [".5", 0.5],
    ["-.5", -0.5],
    ["648.", 648],
    ["+648.E-1", 64.8],
    ["00648", 648],
    ["-00.50", -0.5],
    ["000", 0],
    ["", null],
    ["  ", null],
  ])("%j is %j", (bare, value) => {
    expect(field("UVR_INTENSITY", bare)).toBe(value);
    const decoded = decode("telemetry", `[{"UVR_INTENSITY":${bare},"timestamp":"${AT}",},]`);
    expect(decoded.rejects).toEqual([]);
    expect(decoded.readings.map(said)).toEqual([value === null ? {} : { UVR_INTENSITY: value }]);
    const lamps = `{"timestamp":"${AT}","lamps":[{"lamp":03,"power":${bare}},],}`;
    const { readings, rejects } = decode("lamps", lamps);
    expect(rejects).toEqual([]);
    expect(readings.map(said)).toEqual([value === null ? {} : { LAMP_03_POWER: value }]);
  });

  test("keeps all digits of a whole number, and texts as they are", () => {
    const members = `"A":+9007199254740993,"B":", }:,",""C":1`.replace('""C', '"C');
    expect(telemetry(`${members},`)).toEqual({ A: 9007199254740993n, B: ", }:,", C: 1 });
  });

  test.each(["1..5", "1.2.3", ".", "+", "1-2", "1e", "0x10", "2026-05-01", "1,200", "++1", "1 2"])(
    "%s is none",
    (bare) => {
      const decoded = decode("telemetry", `{"timestamp":"${AT}","UVR_INTENSITY":${bare}}`);
      expect(turnedAway(decoded)).toEqual(["bad_json: not JSON"]);
    },
  );
});

describe("NaN and infinities as bare tokens", () => {
  test.each([
    ["NaN", ["NaN", "nan", "-nan", "-nan(ind)", "NAN(snan)"]],
    ["NaN", ["1.#QNAN", "1.#QNAN0", "-1.#IND000", "-1.#SNAN"]],
    ["Infinity", ["Infinity", "+inf", "INF", "1.#INF", "1.#INF00"]],
    ["-Infinity", ["-Infinity", "-inf", "-1.#INF"]],
  ])("cost the field, not the message, and %s is told for %j", (told, tokens) => {
    for (const token of tokens)
      for (const name of ["UVR_INTENSITY", "SOMETHING"])
        expect(field(name, token)).toContain(`got ${told}, expected a finite number`);
  });

  test("are left alone inside texts", () => {
    const members = '"A":"NaN \\"Infinity\\" 1.#QNAN","B":NaN,"WATER_QUALITY":"TRUE \\\\","C":1';
    expect(telemetry(members)).toEqual({
      A: 'NaN "Infinity" 1.#QNAN',
      WATER_QUALITY: "TRUE \\",
      C: 1,
    });
  });
});

describe("integers, booleans and texts", () => {
  test.each<[string, string, unknown]>([
    ["FLT_BACKFLUSH_COUNT", "7.0", 7],
    ["FLT_BACKFLUSH_COUNT", '"7,0"', 7],
    ["FLT_BACKFLUSH_COUNT", "9007199254740991", 9007199254740991],
    ...["true", "TRUE", "True", "1", '"1"', '"TRUE"', '" true "', "1.0"].map(
      (json): [string, string, unknown] => ["LDC_WATER_ALARM", json, true],
    ),
    ...["false", "FALSE", "0", "-0", '"0"', '"False"'].map((json): [string, string, unknown] => [
      "LDC_WATER_ALARM",
      json,
      false,
    ]),
    ["LDC_WATER_ALARM", "NULL", null],
    ["PROCESS_STATE", '" running "', " running "],
    ["LAMP_01_STATUS", '"OK"', "OK"],
    ["location", '"横浜 🚢"', "横浜 🚢"],
  ])("%s written %s is %j", (name, json, value) => {
    expect(field(name, json)).toBe(value);
  });

  test.each([
    ["FLT_BACKFLUSH_COUNT", "7.5", "an integer"],
    ["FLT_BACKFLUSH_COUNT", '"7,5"', "an integer"],
    ["FLT_BACKFLUSH_COUNT", "9007199254740993", "an integer"],
    ["FLT_BACKFLUSH_COUNT", "true", "an integer"],
    ["LDC_WATER_ALARM", "2", "true, false, 1 or 0"],
    ["LDC_WATER_ALARM", '"yes"', "true, false, 1 or 0"],
    ["LDC_WATER_ALARM", '"1,0"', "true, false, 1 or 0"],
    ["LDC_WATER_ALARM", "[true]", "true, false, 1 or 0"],
    ["PROCESS_STATE", "3", "a text"],
    ["PROCESS_STATE", "true", "a text"],
    ["PROCESS_STATE", '"\\ud800"', "a text"],
  ])("%s written %s is turned away", (name, json, expected) => {
    expect(field(name, json)).toMatch(
      new RegExp(`^bad_value: ${name}: got .*expected ${expected}`),
    );
  });
});

describe("unknown tags", () => {
  test("are kept verbatim, whatever prototypes are called", () => {
    const members = '"__proto__":1,"constructor":"x","toString":true,"a.b-C_9":"1,5","z":0.1';
    const parsed: unknown = JSON.parse(`{${members}}`);
    expect(Object.entries(telemetry(members))).toEqual(Object.entries(parsed ?? {}));
  });

  test.each([
    ["nested", '{"a":1}', "expected a number, a text, true or false"],
    ["lamps", "[]", "expected a number, a text, true or false"],
    ["__proto__", '{"UVR_INTENSITY":1}', "expected a number, a text, true or false"],
    ["torn", '"\\udfff"', "expected a text"],
    ["two words", "1", "a tag's name has 1 to 64"],
    ["", "1", "a tag's name has 1 to 64"],
    ["N".repeat(65), "1", "a tag's name has 1 to 64"],
    ["UVR_ÍNTENSITY", "1", "a tag's name has 1 to 64"],
  ])("named %j with %s go to quarantine", (name, json, words) => {
    expect(field(name, json)).toContain(words);
  });

  test("are 256 at most, and the 257th is named", () => {
    const names = Array.from({ length: 256 }, (_, index) => `T${index}`);
    const tags = Object.fromEntries(names.map((name) => [name, 1]));
    const decoded = decode("telemetry", { timestamp: AT, ...tags, LAST: 1 });
    expect(decoded.readings.map(said)).toEqual([tags]);
    expect(turnedAway(decoded)).toEqual(["bad_value: LAST: more than 256 unknown tags"]);
  });
});

test("a message of which every field is bad is still a reading of its time", () => {
  const decoded = decode("telemetry", `{"timestamp":"${AT}","UVR_INTENSITY":NaN}`);
  expect(decoded.readings.map(said)).toEqual([{}]);
  expect(decoded.rejects).toHaveLength(1);
});
