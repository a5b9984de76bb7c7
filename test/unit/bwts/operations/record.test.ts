// The record of a judged operation beside its verdict, and operations without one.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import { printTime } from "../../../../src/ground/clock.ts";
import { AROUND, at, runsOf, spanOf, steady } from "../../../rig/operation-plant.ts";

const SPAN = spanOf(at(10), at(14));
const bad = (at_ms: number) => (at_ms >= at(11) && at_ms < at(12) ? { UVR_INTENSITY: 200 } : {});

test("a reason has the limit in force, its key, the worst value and the volume", () => {
  const readings = steady({
    ...{ from_ms: at(10), to_ms: at(14) },
    but: (at_ms) => (at_ms === at(11, 30) ? { UVR_INTENSITY: 150 } : bad(at_ms)),
  });
  const hour = { start: printTime(at(11)), end: printTime(at(12)), seconds: 3600 };
  const { reasons, limits } = judged(SPAN, runsOf(readings), AROUND);
  expect(reasons).toEqual([
    {
      ...{ rule: "uv_below_limit", verdict: "outside_limits", ...hour },
      ...{ readings: 20, parameter: "UVR_INTENSITY", unit: "W/m2", limit: 252 },
      ...{ limit_key: "limits.uv_imo", worst: 150, worst_at: printTime(at(11, 30)) },
      ...{ volume_m3: 800, is_hidden: false },
    },
  ]);
  const [uv_imo, uv_uscg, flow_imo] = limits.map(({ seconds_beyond }) => seconds_beyond);
  expect([uv_imo, uv_uscg, flow_imo]).toEqual([3600, null, 0]);
});

test("a cleaning and an operation that runs have no verdict", () => {
  const runs = () => runsOf(steady({ from_ms: at(10), to_ms: at(14), but: bad }));
  const cip = (at_ms: number) => ({
    ...{ ...bad(at_ms), PROCESS_STATE: "CIP", SYS_TOTAL_BALLAST_VOL: 5000 },
    SYS_TOTAL_DEBALLAST_VOL: 7000,
  });
  const cleaned = runsOf(steady({ from_ms: at(10), to_ms: at(14), but: cip }));
  const cleaning = judged({ ...SPAN, operation_type: "CIP" }, cleaned, AROUND);
  expect(cleaning).toMatchObject({ verdict: null, reasons: [], parts: [] });
  const running = judged({ ...SPAN, end_ms: null }, runs(), AROUND);
  expect(running).toMatchObject({ verdict: null, end: null, volume_m3: 3200 });
  expect(running.reasons.map(({ rule }) => rule)).toEqual(["uv_below_limit"]);
});

test("an operation without a reading can't be told", () => {
  const found = judged(SPAN, [], AROUND);
  expect(found).toMatchObject({ verdict: "cannot_tell", volume_m3: null, readings: 0 });
  expect(found.reasons.map(({ rule }) => rule)).toEqual(["no_readings"]);
});

test.each<[string, [number, number], number | null]>([
  ["nearly all of it", [1, 180], null],
  ["eight minutes", [61, 68], 2400 - 800 / 60],
])("where no flow can be believed for %s, the volume by flow isn't 0", (_, [from, to], flow_m3) => {
  const but = (at_ms: number) => {
    const minute = (at_ms - at(10)) / 60_000;
    if (minute >= from && minute < to) return { SYS_FLOW_RATE: 32767 };
    return minute === from - 1 || minute === to ? { SYS_FLOW_RATE: 0 } : {};
  };
  const readings = steady({ from_ms: at(10), to_ms: at(13), every_ms: 60_000, but });
  const found = judged(spanOf(at(10), at(13)), runsOf(readings), AROUND);
  expect(found).toMatchObject({ volume_m3: 2400, volume_totaliser_m3: 2400 });
  if (flow_m3 === null) expect(found.volume_flow_m3).toBeNull();
  else expect(found.volume_flow_m3).toBeCloseTo(flow_m3, 5);
  expect(found.remarks).toEqual(["implausible_values"]);
});

test("a flow within its limit beside a totaliser 9 % above it is told as a difference", () => {
  const but = (at_ms: number) => ({
    SYS_FLOW_RATE: 990,
    SYS_TOTAL_BALLAST_VOL: 5000 + (1080 * (at_ms - at(10))) / 3_600_000,
  });
  const readings = steady({ from_ms: at(10), to_ms: at(13), but });
  const found = judged(spanOf(at(10), at(13)), runsOf(readings), AROUND);
  expect(found).toMatchObject({ verdict: "within_limits", remarks: ["volume_differs"] });
  expect(found.volume_difference_percent).toBeCloseTo(-8.333, 3);
});

test.each([
  [0, 20, ["sensor_contradicted"]],
  [0, 5, []],
  [40, 20, []],
])("a valve at %i %% for %i minutes while water flows", (SYS_VALVE_POSITION, minutes, remarks) => {
  const but = (at_ms: number) => ({
    SYS_VALVE_POSITION: at_ms < at(10, minutes) ? SYS_VALVE_POSITION : 100,
  });
  const readings = steady({ from_ms: at(10), to_ms: at(14), every_ms: 60_000, but });
  const found = judged(SPAN, runsOf(readings), AROUND);
  expect(found).toMatchObject({ verdict: "within_limits", remarks });
});
