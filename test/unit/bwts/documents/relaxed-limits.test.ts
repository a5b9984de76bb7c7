// Limits that were relaxed around an operation and set back make an exception of it.

import { expect, test } from "vitest";
import { isRelaxed, relaxedLimits } from "../../../../src/bwts/documents/relaxed-limits.ts";
import { exceptionLine } from "../../../../src/bwts/documents/sheet-lines.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import { judged } from "../../../rig/judged-operations.ts";

const START_MS = Date.parse("2026-05-01T00:00:00Z");
const HOUR_MS = 3_600_000;
const operation = judged(1, START_MS);

/** The limits from hours on, before and after the operation's start. */
const history = (...told: readonly (readonly [hours: number, limits: object])[]) =>
  told.map(([hours, limits]) => ({
    from_ms: hours === 0 ? 0 : START_MS + hours * HOUR_MS,
    limits: { ...LAMP_CONFIG.limits, uv_imo: 252, flow_max_imo: 1000, ...limits },
  }));

test("a limit that was relaxed for an operation and set back is an exception", () => {
  const relaxed = relaxedLimits(operation, history([0, {}], [-1, { uv_imo: 100 }], [9, {}]));
  expect(relaxed).toEqual(["UV, IMO, at least 100 W/m\u00b2: relaxed from 252, and set back"]);
  expect(isRelaxed(operation, relaxed)).toBe(true);
  expect(exceptionLine(operation, relaxed).what).toBe(relaxed[0]);
  const flow = history([0, {}], [3, { flow_max_imo: 2000 }], [4, {}]);
  expect(relaxedLimits(operation, flow)).toHaveLength(1);
});

test.each([
  ["never changed", history([0, {}])],
  ["changed for good", history([0, {}], [-1, { uv_imo: 100 }])],
  ["stricter for a time", history([0, {}], [-1, { uv_imo: 300 }], [9, {}])],
  ["relaxed before it", history([0, {}], [-9, { uv_imo: 100 }], [-1, {}])],
  ["relaxed in the other mode", history([0, {}], [-1, { uv_uscg: 1 }], [9, {}])],
])("a limit that was %s is none", (_, limits) => {
  expect(relaxedLimits(operation, limits)).toEqual([]);
});
