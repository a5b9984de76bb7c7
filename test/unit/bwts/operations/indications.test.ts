// Indications that may explain an operation: the water, the equipment, the filter, the cabinet, a
// cleaning that was due. Each is told with its evidence, and changes no verdict.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import { printTime } from "../../../../src/ground/clock.ts";
import {
  AROUND,
  at,
  type PlantReading,
  runsOf,
  spanOf,
  steady,
} from "../../../rig/operation-plant.ts";

type Values = PlantReading["values"];
const isLate = (at_ms: number) => at_ms >= at(12);

function indicationsOf(but: (at_ms: number) => Values, operation_type = "BALLAST") {
  const readings = steady({ from_ms: at(10), to_ms: at(14), but });
  return judged({ ...spanOf(at(10), at(14)), operation_type }, runsOf(readings), AROUND);
}

const FROM_NOON = { start: printTime(at(12)), end: printTime(at(14)) };

interface Case {
  readonly title: string;
  readonly late: Values;
  /** Before noon. */
  readonly early?: Values;
  readonly type?: string;
  readonly found: readonly object[];
}

const CASES: readonly Case[] = [
  {
    title: "low UV with the lamps' power kept and a clogging filter points to the water",
    late: { UVR_INTENSITY: 200, FLT_DIFF_PRESSURE: 0.4, FLT_BACKFLUSH_COUNT: 15 },
    found: [
      {
        ...{ indication: "challenging_water", ...FROM_NOON },
        evidence: {
          ...{ intensity_mean_w_m2: 200, power_mean_percent: 80, power_mean_before_percent: 80 },
          ...{ efficiency_mean_percent: 90, efficiency_mean_before_percent: 90 },
          ...{ dp_mean_bar: 0.4, dp_mean_before_bar: 0.2, backflushes: 3, lamps_out: 0 },
        },
      },
    ],
  },
  {
    title: "low UV with falling lamp power points to the equipment, whatever the filter does",
    late: { UVR_INTENSITY: 200, UVR_POWER_OUTPUT: 60, FLT_DIFF_PRESSURE: 0.4 },
    found: [{ indication: "failing_equipment", evidence: { power_mean_percent: 60 } }],
  },
  {
    title: "low UV with lamps that lost efficiency points to the equipment",
    late: { UVR_INTENSITY: 200, AVG_LAMP_EFFICIENCY: 87 },
    found: [{ indication: "failing_equipment", evidence: { efficiency_mean_percent: 87 } }],
  },
  {
    title: "low UV with three lamps out points to the equipment",
    late: {
      ...{ UVR_INTENSITY: 200, LAMP_02_STATUS: "FAILED" },
      ...{ LAMP_09_STATUS: "failed", LAMP_16_STATUS: "FAILED" },
    },
    found: [
      { indication: "failing_equipment", evidence: { lamps_out: 3 } },
      { indication: "lamp_out", evidence: { lamp: 2 }, ...FROM_NOON },
      { indication: "lamp_out", evidence: { lamp: 9 }, ...FROM_NOON },
      { indication: "lamp_out", evidence: { lamp: 16 }, ...FROM_NOON },
    ],
  },
  {
    title: "low UV by itself points to nothing",
    late: { UVR_INTENSITY: 200 },
    found: [],
  },
  {
    title: "a clogging filter by itself is told, and a hot cabinet",
    late: { FLT_DIFF_PRESSURE: 0.6, LDC_AIR_TEMP: 50 },
    found: [
      {
        ...{ indication: "cabinet_hot", ...FROM_NOON },
        evidence: { highest_degc: 50, limit_degc: 45, readings: 41 },
      },
      {
        ...{ indication: "filter_dp_high", ...FROM_NOON },
        evidence: { highest_bar: 0.6, limit_bar: 0.5, readings: 41 },
      },
    ],
  },
  {
    title: "deballasting goes past the filter",
    late: { FLT_DIFF_PRESSURE: 0.6 },
    type: "DEBALLAST",
    found: [],
  },
  {
    title: "a cleaning that was due when it began is told of the whole",
    ...{ early: { CIP_HOURS_SINCE_LAST: 800 }, late: { CIP_HOURS_SINCE_LAST: 802 } },
    found: [
      {
        ...{ indication: "cip_due", start: printTime(at(10)), end: printTime(at(14)) },
        evidence: { hours_since_cip_h: 800, limit_h: 720 },
      },
    ],
  },
];

for (const { title, late, early = {}, type, found } of CASES)
  test(title, () => {
    const { indications, verdict } = indicationsOf((at_ms) => (isLate(at_ms) ? late : early), type);
    const inOrder = indications.toSorted((one, other) =>
      one.indication < other.indication ? -1 : one.indication > other.indication ? 1 : 0,
    );
    expect(inOrder).toMatchObject(found);
    expect(inOrder).toHaveLength(found.length);
    expect(verdict).toBe(late.UVR_INTENSITY === 200 ? "outside_limits" : "within_limits");
  });

test("backflushes are counted by the counter, over a reset, or else by readings", () => {
  const byCounter = indicationsOf((at_ms) => ({
    FLT_BACKFLUSH_COUNT: at_ms < at(11) ? 12 : at_ms < at(12) ? 14 : at_ms < at(13) ? 0 : 1,
  }));
  expect(byCounter.backflushes).toBe(3);
  const byReadings = indicationsOf((at_ms) => ({
    FLT_BACKFLUSH_COUNT: null,
    ...(at_ms === at(11) || at_ms === at(12) ? { PROCESS_STATE: "BACKFLUSH" } : {}),
    FLT_BACKFLUSH_ACTIVE: at_ms === at(12) || at_ms === at(13),
  }));
  expect(byReadings.backflushes).toBe(3);
});
