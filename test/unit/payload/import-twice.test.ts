// A member that a line of an import has twice.

import { expect, test } from "vitest";
import { decodeImported } from "../../../src/payload/import.ts";
import { AT } from "../../rig/decoding.ts";

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
