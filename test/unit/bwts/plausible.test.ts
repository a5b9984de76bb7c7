// The spans of the catalogue, and which values they believe.

import { describe, expect, test } from "vitest";
import { isPlausible, plausibleValue, spansOf } from "../../../src/bwts/plausible.ts";
import { indexOfTag, type Span, TAGS, type TagName } from "../../../src/bwts/tags.ts";

const aboard = spansOf({ flow_max_imo: 500 });
const FLT_MAX = 3.4028234663852886e38;

describe("the catalogue", () => {
  test("has a span for every number, and for nothing else", () => {
    for (const { name, type, span } of TAGS)
      expect(span !== null, name).toBe(type === "number" || type === "integer");
  });

  test("has typical values inside each span, and no code of a broken real", () => {
    for (const { name, typical, span } of TAGS) {
      if (span === null || typical === null || typeof typical !== "object") continue;
      expect(isPlausible(typical[0], span) && isPlausible(typical[1], span), name).toBe(true);
      for (const code of [FLT_MAX, -FLT_MAX, 3.4028235e38, -3.4028235e38, 3.4e38])
        expect(isPlausible(code, span), name).toBe(false);
    }
  });
});

const cases: readonly (readonly [TagName, number, boolean])[] = [
  ["UVR_INTENSITY", 0, true],
  ["UVR_INTENSITY", -0, true],
  ["UVR_INTENSITY", 5000, true],
  ["UVR_INTENSITY", 5000.1, false],
  ["UVR_INTENSITY", -0.1, false],
  ["SYS_FLOW_RATE", 1500, true],
  ["SYS_FLOW_RATE", 1500.5, false],
  ["SYS_FLOW_RATE", -12, false],
  ["UVR_WATER_TEMP", -5, true],
  ["UVR_WATER_TEMP", -5.5, false],
  ["LDC_AIR_TEMP", 121, false],
  ["SYS_PRESSURE", -1, true],
  ["FLT_DIFF_PRESSURE", 20.5, false],
  ["LAMP_07_EFFICIENCY", 150, true],
  ["LAMP_07_EFFICIENCY", 151, false],
  ["SYS_TOTAL_BALLAST_VOL", -1, false],
  ["SYS_TOTAL_BALLAST_VOL", 4294967295, false],
  ["FLT_BACKFLUSH_COUNT", 65535, false],
  ["LAMP_16_RUNTIME", 200_000, true],
  ["LAMP_16_RUNTIME", 200_001, false],
  ["FAILED_LAMP_COUNT", 17, false],
];

test.each(cases)("%s of %d is plausible: %s", (name, value, expected) => {
  const tag = indexOfTag(name);
  expect(isPlausible(value, aboard[tag])).toBe(expected);
  expect(plausibleValue(value, tag, aboard)).toBe(expected ? value : null);
});

test("a raw code of a broken wire is no value of any field that has a span", () => {
  for (const [index, { name }] of TAGS.entries())
    for (const code of [32767, -32768, 65535])
      expect(isPlausible(code, aboard[index]), name).toBe(aboard[index] === null);
});

test("the configuration's span counts instead, a code of a broken wire stays none", () => {
  const own = new Map<string, Span>([["SYS_TOTAL_BALLAST_VOL", [-10, 1e12]]]);
  const [tag, spans] = [indexOfTag("SYS_TOTAL_BALLAST_VOL"), spansOf({ flow_max_imo: 500, own })];
  expect([-10, 5e11, 65535].map((value) => isPlausible(value, spans[tag]))).toEqual([
    true,
    true,
    false,
  ]);
});

test("what is no number is believed: words and switches have no span", () => {
  expect(isPlausible("RUNNING", aboard[indexOfTag("PROCESS_STATE")])).toBe(true);
  expect(isPlausible(null, aboard[indexOfTag("UVR_INTENSITY")])).toBe(true);
});
