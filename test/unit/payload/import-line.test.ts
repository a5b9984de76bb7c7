// A line of an import: a member that it has twice, and numbers as PLCs print them.

import { expect, test } from "vitest";
import { decodeImported } from "../../../src/payload/import.ts";
import { AT, said } from "../../rig/decoding.ts";

test.each([
  ['"SYS_PRESSURE":1,"SYS_PRESSURE":2', "SYS_PRESSURE"],
  ['"SYS_PRESSURE":1,"SYS_PRESSURE":1', "SYS_PRESSURE"],
  ['"extra":{"A":1,"\\u0041":2}', "A"],
])("the line with %s is refused with a message that names it", (members, name) => {
  const json = `{"timestamp":"${AT}",${members}}`;
  expect(decodeImported({ line: 3, json }, "BWTS-001")).toEqual({
    line: 3,
    problem: expect.stringContaining(`${name}: is there twice`),
  });
});

test("numbers as PLCs print them are read, and values that are none have none", () => {
  const json =
    `{"timestamp":"${AT}","UVR_INTENSITY":+6.485000E+02,"SYS_PRESSURE":.5,"SYS_FLOW_RATE":648.,` +
    '"LAMP_01_RUNTIME":00648,"LDC_AIR_TEMP":,"extra":{"A":+1.5,},}';
  const read = decodeImported({ line: 1, json }, "BWTS-001");
  if ("problem" in read) throw new Error(read.problem);
  expect(said(read.part)).toEqual({
    ...{
      UVR_INTENSITY: 648.5,
      SYS_PRESSURE: 0.5,
      SYS_FLOW_RATE: 648,
      LAMP_01_RUNTIME: 648,
      A: 1.5,
    },
  });
});

test.each([
  ['"UVR_INTENSITY":1,200', "expected a JSON object"],
  ['"UVR_INTENSITY":"1,200"', 'UVR_INTENSITY: got "1,200"'],
  ['"UVR_INTENSITY":NaN', "UVR_INTENSITY: got NaN, expected a finite number"],
  [`"A":${"[".repeat(40)}${"]".repeat(40)}`, "expected a JSON object"],
])("a line with %s is refused", (members, problem) => {
  expect(decodeImported({ line: 1, json: `{"timestamp":"${AT}",${members}}` }, "BWTS-001")).toEqual(
    {
      line: 1,
      problem: expect.stringContaining(problem),
    },
  );
});
