// Sums, slopes and shares that are exactly at a limit are not beyond it, wherever the totaliser
// begins: binary fractions of decimal values err by a little, and that decides nothing. One tenth
// more is beyond.

import { describe, expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import { isMovingFlow, isStillFlow } from "../../../../src/bwts/treating.ts";
import {
  AROUND,
  at,
  LIMITS,
  type PlantReading,
  runsOf,
  spanOf,
  steady,
} from "../../../rig/operation-plant.ts";

type Values = PlantReading["values"];

const FIRST_M3 = [0.1, 5000.1, 65_000.7, 279_900.3, 999_999.9, 8_388_608.2, 123_456_789.4];
const tenth = (value: number) => Math.round(value * 10) / 10;

function judgedPlant(
  [every_s, minutes]: readonly [number, number],
  but: (minute: number) => Values | null,
  limits: Partial<typeof LIMITS> = {},
) {
  const [from_ms, to_ms] = [at(10), at(10, minutes)];
  const readings = steady({
    ...{ from_ms, to_ms, every_ms: every_s * 1000 },
    but: (at_ms) => but((at_ms - from_ms) / 60_000),
  });
  const around = { ...AROUND, limits: [{ from_ms: 0, limits: { ...LIMITS, ...limits } }] };
  const { verdict, reasons, remarks } = judged(spanOf(from_ms, to_ms), runsOf(readings), around);
  return { verdict, rules: [...new Set(reasons.map(({ rule }) => rule))], remarks };
}

type Plant = readonly [
  title: string,
  plant: readonly [every_s: number, minutes: number],
  /** Values at a minute; the totaliser rises by `more` than the limit each time, m3. */
  but: (minute: number, more: number) => Values & { readonly risen_m3: number },
  /** The rule that one tenth more breaks. */
  rule: string,
  limits?: Partial<typeof LIMITS>,
];

/** So that the volumes at a limit have all tenths. */
const certified = (flow_m3_h: number) => ({ flow_max_imo: flow_m3_h, flow_max_uscg: flow_m3_h });
const idle = { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: null, UVR_INTENSITY: 0 };

const PLANTS: readonly Plant[] = [
  ...[3, 6, 15, 21, 27, 39].map(
    (every_min): Plant => [
      `the totaliser's slope each ${every_min} min, and the certified flow`,
      [60 * every_min, 10 * every_min],
      (minute, more) => ({
        SYS_FLOW_RATE: null,
        risen_m3: (minute / every_min) * ((998 * every_min) / 60 + more),
      }),
      "flow_above_certified",
      certified(998),
    ],
  ),
  [
    "a rise at rest, and 2 % of the certified flow",
    [900, 180],
    (minute, more) =>
      minute < 90
        ? { risen_m3: (minute / 60) * 800 }
        : { ...idle, risen_m3: 1200 + ((minute - 90) / 15) * (4.6 + more) },
    "untreated",
    certified(920),
  ],
  [
    "totaliser and flow, and 10 %",
    [360, 180],
    (minute, more) => ({
      ...{ SYS_FLOW_RATE: 810, UVR_INTENSITY: 600 + (minute % 7) },
      risen_m3: (minute / 6) * (72.9 - more),
    }),
    "flow_contradicted",
  ],
  [
    "a rise across a gap of rest, and 2 % of five minutes",
    [60, 120],
    (minute, more) => ({
      ...(minute < 60 || minute > 75
        ? { risen_m3: 13 * Math.min(minute, 58) + 13 * Math.max(0, minute - 77) }
        : { gap: null, risen_m3: 0 }),
      ...(minute > 57 && minute < 78 ? { ...idle, SYS_FLOW_RATE: 0 } : {}),
      ...(minute > 75 ? { risen_m3: 13 * 58 + 1.6 + more + 13 * Math.max(0, minute - 77) } : {}),
      SYS_TOTAL_DEBALLAST_VOL: 3000,
    }),
    "no_readings",
    certified(960),
  ],
];

describe.each(PLANTS.map((plant) => ({ title: plant[0], plant })))("$title", ({ plant: one }) => {
  const [, plant, but, rule, limits] = one;
  const judgedFrom = (first_m3: number, more: number) =>
    judgedPlant(
      plant,
      (minute) => {
        const { risen_m3, ...values } = but(minute, more);
        if ("gap" in values) return null;
        return { ...values, SYS_TOTAL_BALLAST_VOL: tenth(first_m3 + risen_m3) };
      },
      limits,
    );

  test.each(FIRST_M3)("from %s m3 on", (first_m3) => {
    expect(judgedFrom(first_m3, 0)).toMatchObject({ verdict: "within_limits", rules: [] });
    expect(judgedFrom(first_m3, 0.1).rules).toContain(rule);
  });
});

test("a value ends an interval beyond each whole limit at exactly 2 % within it", () => {
  const wrong: string[] = [];
  for (let limit = 250; limit < 550; limit += 1) {
    const limits = { ...{ uv_imo: limit, uv_uscg: limit }, flow_max_imo: limit + 1000 };
    const found = judgedPlant(
      [30, 5],
      (minute) =>
        minute === 0 ? { UVR_INTENSITY: limit - 1 } : { UVR_INTENSITY: (limit * 102) / 100 },
      limits,
    );
    if (found.verdict !== "within_limits") wrong.push(`UV ${limit}`);
    const flows = judgedPlant(
      [30, 5],
      (minute) => {
        const flow = minute === 0 ? limit + 1 : (limit * 98) / 100;
        return { SYS_FLOW_RATE: flow, SYS_TOTAL_BALLAST_VOL: null };
      },
      { flow_max_imo: limit, flow_max_uscg: limit },
    );
    if (flows.verdict !== "within_limits") wrong.push(`flow ${limit}`);
  }
  expect(wrong).toEqual([]);
});

test("a flow of exactly 2 % of a whole certified flow doesn't move", () => {
  const limits = Array.from({ length: 5000 }, (_, index) => index + 1);
  expect(limits.filter((limit) => isMovingFlow((limit * 2) / 100, limit))).toEqual([]);
  expect(limits.filter((limit) => !isStillFlow((limit * 2) / 100, limit))).toEqual([]);
  expect(limits.filter((limit) => !isMovingFlow((limit * 2 + 1) / 100, limit))).toEqual([]);
  expect(isStillFlow(Number.NaN, 1000)).toBe(false);
});
