// An operation that the PLC calls CIP: a cleaning isn't judged, and water that is treated, taken in
// or discharged under that type is.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import {
  AROUND,
  at,
  type PlantReading,
  runsOf,
  spanOf,
  steady,
} from "../../../rig/operation-plant.ts";

type Values = PlantReading["values"];

const [FROM_MS, TO_MS] = [at(10), at(12)];
const discharged = (at_ms: number) => ({
  SYS_TOTAL_BALLAST_VOL: 5000,
  SYS_TOTAL_DEBALLAST_VOL: 7000 + (800 * (at_ms - FROM_MS)) / 3_600_000,
});
const STANDS = { SYS_TOTAL_BALLAST_VOL: 5000, SYS_TOTAL_DEBALLAST_VOL: 7000 };

function judgedAs(values: (at_ms: number) => Values, voided: boolean = false) {
  const but = (at_ms: number) => ({ operation_type: "CIP", ...values(at_ms) });
  const readings = steady({ from_ms: FROM_MS, to_ms: TO_MS, every_ms: 60_000, but });
  const span = { ...spanOf(FROM_MS, TO_MS), operation_type: "CIP" };
  const hidden = { id: 1, start_ms: FROM_MS, end_ms: TO_MS - 60_000, reason: "wrong" };
  return judged(span, runsOf(readings), { ...AROUND, voids: voided ? [hidden] : [] });
}

test.each<readonly [string, (at_ms: number) => Values]>([
  ["water that is moved in the state CIP", () => ({ ...STANDS, PROCESS_STATE: "CIP" })],
  ["no water", () => ({ ...STANDS, PROCESS_STATE: "CIP", SYS_FLOW_RATE: 0 })],
  ["lamps that burn in standing water", () => ({ ...STANDS, SYS_FLOW_RATE: 0 })],
  [
    "a cleaning's flow without totalisers",
    () => ({ PROCESS_STATE: "CIP", SYS_FLOW_RATE: 60, SYS_TOTAL_BALLAST_VOL: null }),
  ],
])("%s is a cleaning, without a verdict", (_, values) => {
  expect(judgedAs(values)).toMatchObject({ operation_type: "CIP", verdict: null, reasons: [] });
});

test.each<readonly [string, (at_ms: number) => Values, string, string | null]>([
  ["treated water is within limits", (at_ms) => discharged(at_ms), "within_limits", null],
  [
    "treated water at too little light is outside",
    (at_ms) => ({ ...discharged(at_ms), UVR_INTENSITY: 100 }),
    "outside_limits",
    "uv_below_limit",
  ],
  [
    "a discharge in the state CIP is outside",
    (at_ms) => ({ ...discharged(at_ms), PROCESS_STATE: "CIP" }),
    "outside_limits",
    "untreated",
  ],
  [
    "a discharge in the state CIP that the totaliser alone tells is outside",
    (at_ms) => ({ ...discharged(at_ms), PROCESS_STATE: "CIP", SYS_FLOW_RATE: 0 }),
    "outside_limits",
    "untreated",
  ],
  [
    "water that moves past the plant is outside",
    () => ({ ...STANDS, PROCESS_STATE: "BYPASS" }),
    "outside_limits",
    "bypass",
  ],
])("under the type CIP %s", (_, values, verdict, rule) => {
  const found = judgedAs(values);
  expect(found).toMatchObject({ operation_type: "CIP", verdict });
  if (rule !== null) expect(found.reasons.map((one) => one.rule)).toContain(rule);
});

test.each<readonly [string, Values]>([
  ["not told", { SYS_TOTAL_BALLAST_VOL: null }],
  ["always 0", { SYS_TOTAL_BALLAST_VOL: 0, SYS_TOTAL_DEBALLAST_VOL: 0 }],
  ["told of one type alone", { SYS_TOTAL_BALLAST_VOL: 5000 }],
])("under the type CIP as much water as is taken in can't be told: totalisers %s", (_, totals) => {
  const found = judgedAs(() => ({ PROCESS_STATE: "CIP", SYS_FLOW_RATE: 600, ...totals }));
  expect(found).toMatchObject({ operation_type: "CIP", verdict: "cannot_tell" });
  expect(found.reasons.map((one) => one.rule)).toEqual(["not_treating"]);
});

test("a void over a discharge makes no cleaning of it", () => {
  const found = judgedAs((at_ms) => ({ ...discharged(at_ms), PROCESS_STATE: "CIP" }), true);
  expect(found).toMatchObject({ verdict_with_hidden: "outside_limits" });
  expect(found.verdict).toBe("cannot_tell");
});
