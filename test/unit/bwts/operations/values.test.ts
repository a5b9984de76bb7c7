// The spread of an operation's values is of treated water alone, and the time beyond a limit is
// told for the modes that were in force.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/operations/judge.ts";
import { AROUND, at, LIMITS, runsOf, spanOf, steady } from "../../../rig/operation-plant.ts";

const SPAN = spanOf(at(10), at(14));

test("values are those of treated water; of a cleaning those of all readings", () => {
  const cold = { UVR_INTENSITY: 20, UVR_POWER_OUTPUT: 10, SYS_FLOW_RATE: 1100, SYS_PRESSURE: 1 };
  const but = (at_ms: number) =>
    at_ms < at(10, 30) || at_ms > at(13, 30)
      ? { ...cold, PROCESS_STATE: at_ms < at(12) ? "WARMUP" : "STOPPING" }
      : { PROCESS_STATE: at_ms === at(12) ? "BACKFLUSH" : "RUNNING" };
  const runs = () => runsOf(steady({ from_ms: at(10), to_ms: at(14), but }));
  const found = judged(SPAN, runs(), AROUND);
  expect(found.verdict).toBe("within_limits");
  expect(found.values).toMatchObject({
    UVR_INTENSITY: { readings: 61, min: 600, mean: 600, max: 600 },
    UVR_POWER_OUTPUT: { readings: 61, min: 80 },
    SYS_FLOW_RATE: { readings: 61, max: 800 },
    SYS_PRESSURE: { readings: 81, min: 1, max: 4 },
  });
  const { values } = judged({ ...SPAN, operation_type: "CIP" }, runs(), AROUND);
  expect(values).toMatchObject({
    UVR_INTENSITY: { readings: 81, min: 20, max: 600 },
    SYS_FLOW_RATE: { readings: 81, max: 1100 },
  });
});

test("without a state, values are those of a moving flow", () => {
  const but = (at_ms: number) => ({
    PROCESS_STATE: null,
    ...(at_ms < at(10, 30) ? { SYS_FLOW_RATE: 50, UVR_INTENSITY: 20 } : {}),
  });
  const readings = steady({ from_ms: at(10), to_ms: at(14), but });
  const { values } = judged(SPAN, runsOf(readings), AROUND);
  expect(values.UVR_INTENSITY).toMatchObject({ readings: 71, min: 600 });
  expect(values.SYS_FLOW_RATE).toMatchObject({ readings: 71, min: 800 });
});

test.each([
  ["of a mode that wasn't in force is null", "IMO", "IMO", [3600, null]],
  ["counts while its mode was in force", "IMO", "USCG", [1800, 1800]],
  ["of both is told if no mode was", null, null, [3600, 3600]],
  ["counts readings before the first mode for the mode that follows", null, "USCG", [null, 3600]],
])("the time beyond a limit %s", (_, first, second, expected) => {
  const readings = steady({
    ...{ from_ms: at(10), to_ms: at(14) },
    but: (at_ms) => ({
      ...(at_ms >= at(11) && at_ms < at(12) ? { UVR_INTENSITY: 200 } : {}),
      COMPLIANCE_MODE: at_ms < at(11, 30) ? first : second,
    }),
  });
  const { limits } = judged(SPAN, runsOf(readings), {
    ...AROUND,
    limits: [{ from_ms: 0, limits: { ...LIMITS, uv_uscg: 300 } }],
  });
  const beyond = (asked: string) => limits.find(({ key }) => key === asked)?.seconds_beyond;
  expect([beyond("limits.uv_imo"), beyond("limits.uv_uscg")]).toEqual(expected);
});
