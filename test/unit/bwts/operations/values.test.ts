// The spread of an operation's values is of treated water alone, and the time beyond a limit is
// told for the modes that were in force.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import { printTime } from "../../../../src/ground/clock.ts";
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
  expect(found.verdict).toBe("outside_limits");
  expect(found.values).toMatchObject({
    UVR_INTENSITY: { readings: 61, min: 600, mean: 600, max: 600 },
    UVR_POWER_OUTPUT: { readings: 61, min: 80 },
    SYS_FLOW_RATE: { readings: 61, max: 800 },
    SYS_PRESSURE: { readings: 81, min: 1, max: 4 },
  });
  const cip = (at_ms: number) => ({
    ...{ ...but(at_ms), PROCESS_STATE: "CIP", SYS_TOTAL_BALLAST_VOL: 5000 },
    SYS_TOTAL_DEBALLAST_VOL: 7000,
  });
  const cleaned = runsOf(steady({ from_ms: at(10), to_ms: at(14), but: cip }));
  const { values } = judged({ ...SPAN, operation_type: "CIP" }, cleaned, AROUND);
  expect(values).toMatchObject({
    UVR_INTENSITY: { readings: 81, min: 20, max: 600 },
    SYS_FLOW_RATE: { readings: 81, max: 1100 },
  });
});

test("without a state, values are those of a moving flow", () => {
  const but = (at_ms: number) => ({
    PROCESS_STATE: null,
    ...(at_ms < at(10, 30)
      ? { SYS_FLOW_RATE: 15, UVR_INTENSITY: 20, SYS_TOTAL_BALLAST_VOL: null }
      : {}),
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

test("a limit that was changed, and changed back, tells from when on each value held", () => {
  const readings = steady({
    ...{ from_ms: at(10), to_ms: at(14) },
    but: () => ({ UVR_INTENSITY: 280, COMPLIANCE_MODE: "IMO" }),
  });
  const limitsFrom = (from_ms: number, uv_imo: number) => ({
    ...{ from_ms, limits: { ...LIMITS, uv_imo } },
  });
  const { limits } = judged(SPAN, runsOf(readings), {
    ...AROUND,
    limits: [limitsFrom(0, 252), limitsFrom(at(11), 300), limitsFrom(at(13, 30), 252)],
  });
  const told = ([value, from_ms, seconds_beyond]: readonly number[]) => ({
    ...{ key: "limits.uv_imo", value, unit: "W/m2", from: printTime(from_ms), seconds_beyond },
  });
  expect(limits.filter(({ key }) => key === "limits.uv_imo")).toEqual(
    [
      [252, at(10), 0],
      [300, at(11), 9000],
      [252, at(13, 30), 0],
    ].map(told),
  );
  const [flow] = limits.filter(({ key }) => key === "limits.flow_max_imo");
  expect(flow).toMatchObject({ from: printTime(at(10)) });
});
