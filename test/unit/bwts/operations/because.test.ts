// The reason for a new version, of two records.

import { expect, test } from "vitest";
import { becauseOf } from "../../../../src/bwts/judging/because.ts";
import { judgedOperation } from "../../../rig/judged-operation.ts";

const { versions: _, ...JUDGED } = judgedOperation(0);

function reason(before: readonly number[], after: readonly number[]): string {
  const [was, is] = [before, after].map((values) => ({
    ...JUDGED,
    limits: values.map((value) => ({
      ...{ key: "limits.uv_imo", value, unit: "W/m2", from: JUDGED.start, seconds_beyond: 0 },
    })),
  }));
  const late = { ...is, readings: is.readings + 29 };
  return becauseOf({ before: was, after: late, given_out_ms: null, cleaned_ms: null });
}

test.each([
  ["the same limit", [252], [252], "29 readings came late"],
  ["the same two limits", [252, 300], [252, 300], "29 readings came late"],
  [
    "another limit",
    [252],
    [300],
    "29 readings came late; the limit is now UV, IMO, at least 300 W/m² instead of 252",
  ],
  [
    "a second limit",
    [252],
    [252, 300],
    "29 readings came late; the limit is now UV, IMO, at least 252 and 300 W/m² instead of 252",
  ],
])("late readings and %s", (_what, before, after, because) => {
  expect(reason(before, after)).toBe(because);
});

test("readings that another end brings in didn't come late", () => {
  const end = "2030-01-01T00:00:00.000Z";
  const after = { ...JUDGED, end, readings: JUDGED.readings + 60 };
  const told = becauseOf({ before: JUDGED, after, given_out_ms: null, cleaned_ms: null });
  expect(told).toBe(`60 readings more in it; its end is ${end} instead of ${JUDGED.end}`);
});
