// The values that a map makes: arithmetic that shows no digit that nobody sent, meanings that are
// looked up, and what can't be taken.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mapped } from "../../rig/decoding.ts";

describe("a value", () => {
  test.each<[object, unknown, unknown]>([
    [{ factor: 0.1 }, 3, 0.3],
    [{ factor: 0.001 }, 350.5, 0.3505],
    [{ factor: "1/60" }, 72_003, 1200.05],
    [{ factor: "5/9", offset: "-160/9" }, 212, 100],
    [{ offset: -273.15 }, 273.16, 0.01],
    [{ offset: -273.15 }, "300,1", 26.95],
    [{ factor: -1 }, 0, 0],
    [{ factor: 1e-12 }, 1.5e-12, 1.5e-24],
    [{ factor: 1e12 }, 1.5e12, 1.5e24],
    [{}, 0.1 + 0.2, 0.1 + 0.2],
  ])("by %j of %j is %j", (scale, given, value) => {
    const { says, rejects } = mapped([{ tag: "T", field: "SYS_PRESSURE", ...scale }], { T: given });
    expect({ says, rejects }).toEqual({ says: { SYS_PRESSURE: value }, rejects: [] });
    expect(Object.is(says.SYS_PRESSURE, -0)).toBe(false);
  });

  test.each<[object, string, unknown]>([
    [{ comma: "decimal" }, "1,200", 1.2],
    [{ comma: "decimal" }, "1.234,5", 1234.5],
    [{ comma: "thousands" }, "1,200", 1200],
    [{ comma: "thousands" }, "1,234,567.5", 1_234_567.5],
    [{ comma: "thousands" }, "648.5", 648.5],
    [{ comma: "thousands", factor: 0.001 }, "1,200", 1.2],
    [{ comma: "thousands", field: "FAILED_LAMP_COUNT" }, "1,000", 1000],
    [{ comma: "thousands", field: "MY_TAG" }, "1,200", 1200],
  ])("by %j of %j is %j: the rule says which it is", (rule, given, value) => {
    const field = "SYS_PRESSURE";
    const { says, rejects } = mapped([{ tag: "T", field, ...rule }], { T: given });
    expect({ says: Object.values(says), rejects }).toEqual({ says: [value], rejects: [] });
  });

  test.each<[object, string]>([
    [{ comma: "thousands" }, "648,5"],
    [{ comma: "thousands" }, "1,2000"],
    [{ comma: "decimal" }, "1,234.5"],
    [{}, "1,200"],
    [{ factor: 2 }, "1,200"],
    [{ values: { 1: 5 } }, "1,000"],
  ])("by %j of %j is no number", (rule, given) => {
    const rules = [{ tag: "T", field: "SYS_PRESSURE", ...rule }];
    const { says, rejects } = mapped(rules, { T: given, U: 1 });
    expect(says).toEqual({});
    expect(rejects).toEqual([expect.stringContaining(`got "${given}", expected`)]);
  });

  test("is what a person gets with pencil and paper, to 15 digits", () => {
    // In thousandths, as integers: the decimal result is exact.
    const thousandths = fc.integer({ min: -9_999_999, max: 9_999_999 });
    fc.assert(
      fc.property(thousandths, thousandths, thousandths, (value, factor, offset) => {
        fc.pre(factor !== 0);
        const rule = { tag: "T", field: "MY_TAG", factor: factor / 1000, offset: offset / 1000 };
        const exact = BigInt(value) * BigInt(factor) + BigInt(offset) * 1000n;
        const decimal = Number(`${exact}e-6`);
        expect(mapped([rule], { T: value / 1000 }).says.MY_TAG).toBe(decimal);
      }),
      { numRuns: 300 },
    );
  });

  test.each<[object, unknown, string]>([
    [{ field: "FAILED_LAMP_COUNT", factor: 0.5 }, 3, "3, scaled 1.5, expected an integer"],
    [{ field: "SYS_PRESSURE", factor: 2 }, "fast", '"fast", expected a finite number'],
    [{ field: "SYS_PRESSURE", factor: 2 }, "1.234,5", '"1.234,5", expected a finite number'],
    [{ field: "SYS_PRESSURE", factor: 1e300 }, 1e300, "1e+300, scaled Infinity, expected"],
    [{ field: "SYS_PRESSURE" }, true, "true, expected a finite number"],
    [{ field: "PROCESS_STATE" }, 3, "3, expected a text"],
    [{ field: "PROCESS_STATE", values: { 3: "RUNNING", idle: "IDLE" } }, 4, "4, expected 3, idle"],
    [{ field: "LDC_WATER_ALARM" }, "maybe", '"maybe", expected true, false, 1 or 0'],
  ])("by %j of %j goes to quarantine with what was expected", (rule, given, words) => {
    const { says, rejects } = mapped(
      [
        { tag: "T", ...rule },
        { tag: "U", field: "U" },
      ],
      {
        T: given,
        U: 1,
      },
    );
    expect(says).toEqual({ U: 1 });
    expect(rejects).toEqual([expect.stringContaining(" (T): got ")]);
    expect(rejects[0]).toContain(words);
  });

  test.each<[unknown, unknown]>([
    [3, "RUNNING"],
    ["3", "RUNNING"],
    ["3.0", "RUNNING"],
    [" 3,0 ", "RUNNING"],
    ["Idle", "IDLE"],
    [true, "BYPASS"],
    [1, "BYPASS"],
    [false, "FAULT"],
  ])("%j is looked up", (given, value) => {
    const values = { 3: "RUNNING", IDLE: "IDLE", 1: "BYPASS", false: "FAULT" };
    const rule = { tag: "T", field: "PROCESS_STATE", values };
    expect(mapped([rule], { T: given })).toEqual({ says: { PROCESS_STATE: value }, rejects: [] });
  });

  test("of a bit turned round is a boolean", () => {
    const rule = { tag: "T", field: "LDC_WATER_ALARM", values: { 0: true, 1: false } };
    for (const given of [0, "0", false])
      expect(mapped([rule], { T: given }).says).toEqual({ LDC_WATER_ALARM: true });
  });
});
