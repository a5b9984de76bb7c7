// Operations of which the truth is known, each with its verdict, reasons and volume: every word of
// the state, cadences from a second to half an hour, each kind of damage, and normal operations.
// A plant takes in 800 m3/h; minutes are counted from the start.

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
type Reason = readonly [rule: string, from_min: number, to_min: number];
type Truth = readonly [
  title: string,
  /** Cadence in seconds, length in minutes. */
  plant: readonly [every_s: number, minutes: number],
  but: (minute: number) => Values | null,
  verdict: "within_limits" | "outside_limits" | "cannot_tell",
  reasons: readonly Reason[],
  volume_m3?: number | null,
];

const MIN_MS = 60_000;
const during = (minute: number, from: number, to: number) => minute >= from && minute < to;
const when =
  (from: number, to: number, values: Values, others: Values = {}) =>
  (minute: number): Values =>
    during(minute, from, to) ? values : others;
const always = (values: Values) => () => values;
/** The totaliser of a constant flow. */
const total = (minute: number, flow = 800) => ({
  SYS_TOTAL_BALLAST_VOL: 5000 + (flow * minute) / 60,
});
/** Values that move to the digit. */
const moving = (minute: number): Values => ({
  UVR_WATER_TEMP: 20 + Math.sin(minute),
  SYS_PRESSURE: 3 + Math.cos(minute),
});
const NO_WATER = { SYS_FLOW_RATE: 0, SYS_TOTAL_BALLAST_VOL: 5000 };
const BROKEN = [32767, 65535, -32768, 3.4e38, 5001, -1];
const LAMPS = Object.fromEntries(
  Array.from({ length: 16 }, (_, lamp) => [
    `LAMP_${String(lamp + 1).padStart(2, "0")}_STATUS`,
    "FAILED",
  ]),
);
const HOUR: readonly [number, number] = [60, 180];

const TRUTHS: readonly Truth[] = [
  // States.
  [
    "an unknown word for most of it",
    HOUR,
    when(5, 175, { PROCESS_STATE: "TREATING", UVR_INTENSITY: 100 }),
    "cannot_tell",
    [["unknown_state", 5, 175]],
  ],
  [
    "20 minutes of MANUAL",
    HOUR,
    when(30, 50, { PROCESS_STATE: "MANUAL", UVR_INTENSITY: 0 }),
    "cannot_tell",
    [["unknown_state", 30, 50]],
  ],
  [
    "a minute of an unknown word",
    HOUR,
    when(30, 31, { PROCESS_STATE: "STARTING" }),
    "within_limits",
    [],
  ],
  [
    "a moving minute of an unknown word too many",
    HOUR,
    when(30, 32, { PROCESS_STATE: "STARTING" }),
    "cannot_tell",
    [["unknown_state", 30, 32]],
  ],
  ...(["IDLE", "STOPPED", "STANDBY", "CIP", " idle "] as const).map(
    (state): Truth => [
      `20 minutes of moving water in ${state}`,
      HOUR,
      when(30, 50, { PROCESS_STATE: state, UVR_INTENSITY: 0 }),
      "outside_limits",
      [["untreated", 30, 50]],
      2400,
    ],
  ),
  [
    "a minute of IDLE is allowed",
    HOUR,
    when(30, 31, { PROCESS_STATE: "IDLE" }),
    "within_limits",
    [],
  ],
  [
    "two half minutes of IDLE at different times",
    [10, 60],
    (minute) =>
      during(minute, 10, 10.5) || during(minute, 20, 20.5) ? { PROCESS_STATE: "IDLE" } : {},
    "within_limits",
    [],
  ],
  [
    "three half minutes of IDLE add up",
    [10, 60],
    (minute) => (minute % 10 < 0.5 && during(minute, 10, 31) ? { PROCESS_STATE: "IDLE" } : {}),
    "outside_limits",
    [
      ["untreated", 10, 10.5],
      ["untreated", 20, 20.5],
      ["untreated", 30, 30.5],
    ],
  ],
  [
    "one reading of IDLE at three minutes",
    [180, 180],
    when(30, 33, { PROCESS_STATE: "IDLE" }),
    "cannot_tell",
    [["untreated_once", 30, 33]],
  ],
  [
    "IDLE without a flow, while the totaliser rises",
    HOUR,
    when(30, 50, { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: null }),
    "outside_limits",
    [["untreated", 30, 50]],
  ],
  [
    "IDLE at flow 0, while the totaliser rises",
    HOUR,
    when(30, 40, { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0 }),
    "outside_limits",
    [["untreated", 30, 40]],
  ],
  [
    "a warm-up with water",
    HOUR,
    when(0, 10, { PROCESS_STATE: "WARMUP", UVR_INTENSITY: 20 }),
    "outside_limits",
    [["warmup_stopping", 0, 10]],
  ],
  [
    "a minute of warm-up",
    HOUR,
    when(0, 1, { PROCESS_STATE: "WARMUP", UVR_INTENSITY: 20 }),
    "within_limits",
    [],
  ],
  [
    "stopping with water for 20 minutes",
    HOUR,
    when(160, 181, { PROCESS_STATE: "STOPPING", UVR_INTENSITY: 0 }),
    "outside_limits",
    [["warmup_stopping", 160, 180]],
  ],
  [
    "stopping twice for a minute each",
    HOUR,
    (minute) => (minute === 60 || minute === 120 ? { PROCESS_STATE: "STOPPING" } : {}),
    "within_limits",
    [],
  ],
  [
    "one slow reading of stopping with water",
    [180, 180],
    when(177, 180, { PROCESS_STATE: "STOPPING" }),
    "cannot_tell",
    [["untreated_once", 177, 180]],
  ],
  [
    "FAULT at 45 m3/h, one reading",
    HOUR,
    when(60, 61, { PROCESS_STATE: "FAULT", SYS_FLOW_RATE: 45 }),
    "outside_limits",
    [["fault", 60, 61]],
  ],
  [
    "RUNNING and FAULT in turn",
    HOUR,
    (minute) => (minute % 2 === 1 && during(minute, 60, 64) ? { PROCESS_STATE: "FAULT" } : {}),
    "outside_limits",
    [
      ["fault", 61, 62],
      ["fault", 63, 64],
    ],
  ],
  [
    "FAULT at rest",
    HOUR,
    (minute) =>
      minute < 60
        ? total(minute)
        : minute < 70
          ? { PROCESS_STATE: "FAULT", SYS_FLOW_RATE: 0, ...total(60) }
          : total(minute - 10),
    "within_limits",
    [],
  ],
  [
    "BYPASS for a second",
    [1, 10],
    when(5, 5.01, { PROCESS_STATE: "BYPASS" }),
    "outside_limits",
    [["bypass", 5, 5 + 1 / 60]],
  ],
  [
    "BYPASS without any witness",
    HOUR,
    when(60, 70, { PROCESS_STATE: "BYPASS", SYS_FLOW_RATE: null, SYS_TOTAL_BALLAST_VOL: null }),
    "outside_limits",
    [["bypass", 60, 70]],
  ],
  ["no state at all", HOUR, always({ PROCESS_STATE: null }), "cannot_tell", [["no_state", 0, 180]]],
  [
    "no state, and UV below the limit",
    HOUR,
    always({ PROCESS_STATE: null, UVR_INTENSITY: 100 }),
    "outside_limits",
    [
      ["uv_below_limit", 0, 180],
      ["no_state", 0, 180],
    ],
  ],
  ["nothing moved", HOUR, always(NO_WATER), "cannot_tell", [["not_treating", 0, 180]], 0],
  [
    "a backflush with low flow",
    HOUR,
    when(60, 63, { PROCESS_STATE: "BACKFLUSH", SYS_FLOW_RATE: 700 }),
    "within_limits",
    [],
  ],
  // Limits and sums of time.
  [
    "every second reading of half an hour",
    [1800, 720],
    (minute) => (minute % 60 === 0 ? { UVR_INTENSITY: 0 } : {}),
    "outside_limits",
    Array.from(
      { length: 13 },
      (_, hour): Reason => ["uv_below_limit", 60 * hour, Math.min(720, 60 * hour + 30)],
    ),
  ],
  [
    "29 of 30 seconds",
    [1, 5],
    (minute) => (Math.round(minute * 60) % 30 === 0 ? {} : { UVR_INTENSITY: 50 }),
    "outside_limits",
    Array.from(
      { length: 10 },
      (_, half): Reason => ["uv_below_limit", half / 2 + 1 / 60, (half + 1) / 2],
    ),
  ],
  [
    "60 seconds in six pieces",
    [10, 60],
    (minute) => (minute % 10 === 0 && minute > 0 && minute < 60 ? { UVR_INTENSITY: 50 } : {}),
    "within_limits",
    [],
  ],
  [
    "70 seconds in seven pieces, of UV and flow",
    [10, 60],
    (minute) =>
      minute % 8 === 0 && minute > 0 && minute < 58
        ? minute > 40
          ? { SYS_FLOW_RATE: 1100 }
          : { UVR_INTENSITY: 50 }
        : {},
    "outside_limits",
    [8, 16, 24, 32, 40, 48, 56].map(
      (m): Reason => [m > 40 ? "flow_above_certified" : "uv_below_limit", m, m + 1 / 6],
    ),
  ],
  [
    "one low reading in half an hour",
    [1800, 720],
    when(60, 90, { UVR_INTENSITY: 100 }),
    "cannot_tell",
    [["uv_below_once", 60, 90]],
  ],
  [
    "one high flow at three minutes",
    [180, 180],
    when(60, 63, { SYS_FLOW_RATE: 1200 }),
    "cannot_tell",
    [["flow_above_once", 60, 63]],
  ],
  [
    "a short spike of the flow",
    [5, 60],
    when(30, 30.5, { SYS_FLOW_RATE: 1200 }),
    "within_limits",
    [],
    800,
  ],
  [
    "low UV with standing water",
    HOUR,
    (minute) =>
      minute < 60
        ? total(minute)
        : minute < 70
          ? { SYS_FLOW_RATE: 0, UVR_INTENSITY: 0, ...total(60) }
          : total(minute - 10),
    "within_limits",
    [],
  ],
  // Flow and totaliser as witnesses.
  [
    "no flow, and the totaliser above what is certified",
    HOUR,
    (minute) => ({ SYS_FLOW_RATE: null, ...total(minute, 2000) }),
    "outside_limits",
    [["flow_above_certified", 0, 180]],
    null,
  ],
  [
    "no flow, and a totaliser within",
    HOUR,
    always({ SYS_FLOW_RATE: null }),
    "within_limits",
    [],
    2400,
  ],
  [
    "no flow and no totaliser",
    HOUR,
    always({ SYS_FLOW_RATE: null, SYS_TOTAL_BALLAST_VOL: null }),
    "cannot_tell",
    [["no_flow", 0, 180]],
    null,
  ],
  ["no totaliser", HOUR, always({ SYS_TOTAL_BALLAST_VOL: null }), "within_limits", [], 2400],
  [
    "a flow that is 20 % below the totaliser",
    HOUR,
    always({ SYS_FLOW_RATE: 640 }),
    "cannot_tell",
    [["flow_contradicted", 0, 180]],
    null,
  ],
  ["a flow that is 8 % below it", HOUR, always({ SYS_FLOW_RATE: 736 }), "within_limits", [], 2400],
  [
    "a totaliser that stands still",
    HOUR,
    always({ SYS_TOTAL_BALLAST_VOL: 5000 }),
    "cannot_tell",
    [["flow_contradicted", 0, 180]],
    2400,
  ],
  ["negative flow", HOUR, always({ SYS_FLOW_RATE: -600 }), "within_limits", [], 2400],
  [
    "negative flow without a totaliser",
    HOUR,
    always({ SYS_FLOW_RATE: -600, SYS_TOTAL_BALLAST_VOL: null }),
    "cannot_tell",
    [["no_flow", 0, 180]],
    null,
  ],
  [
    "one flow of 3.4e38 without a totaliser",
    HOUR,
    when(
      60,
      61,
      { SYS_FLOW_RATE: 3.4e38, SYS_TOTAL_BALLAST_VOL: null },
      { SYS_TOTAL_BALLAST_VOL: null },
    ),
    "within_limits",
    [],
    2400,
  ],
  [
    "a totaliser of 0 at the start",
    HOUR,
    when(0, 1, { SYS_TOTAL_BALLAST_VOL: 0 }),
    "within_limits",
    [],
    2400,
  ],
  [
    "a totaliser of 0 at the end",
    HOUR,
    when(180, 181, { SYS_TOTAL_BALLAST_VOL: 0 }),
    "within_limits",
    [],
    2400,
  ],
  [
    "a totaliser of 4.2e9 at the end",
    HOUR,
    when(180, 181, { SYS_TOTAL_BALLAST_VOL: 4.2e9 }),
    "within_limits",
    [],
    2400,
  ],
  [
    "a totaliser of 900,000 in the middle",
    HOUR,
    when(90, 91, { SYS_TOTAL_BALLAST_VOL: 900_000 }),
    "within_limits",
    [],
    2400,
  ],
  [
    "a totaliser that begins anew",
    HOUR,
    (minute) => (minute < 90 ? {} : { SYS_TOTAL_BALLAST_VOL: (800 * (minute - 90)) / 60 }),
    "within_limits",
    [],
    2400,
  ],
  [
    "a totaliser in steps of ten",
    [10, 60],
    (minute) => ({ SYS_TOTAL_BALLAST_VOL: 5000 + 10 * Math.floor((80 * minute) / 60) }),
    "within_limits",
    [],
    800,
  ],
  [
    "a pulsating flow",
    [10, 60],
    (minute) => ({
      SYS_FLOW_RATE: Math.round(minute * 6) % 2 === 0 ? 500 : 1000,
      UVR_INTENSITY: 600 + Math.sin(minute),
      ...total(minute, 750),
    }),
    "within_limits",
    [],
    750,
  ],
  // Sensors.
  ...BROKEN.map(
    (value): Truth => [
      `UV of ${value} throughout`,
      HOUR,
      always({ UVR_INTENSITY: value }),
      "cannot_tell",
      [["no_intensity", 0, 180]],
      2400,
    ],
  ),
  ["one UV of 32767", HOUR, when(60, 61, { UVR_INTENSITY: 32767 }), "within_limits", []],
  [
    "eight minutes without UV",
    HOUR,
    when(60, 68, { UVR_INTENSITY: null }),
    "within_limits",
    [["no_intensity", 60, 68]],
  ],
  [
    "ten minutes without UV",
    HOUR,
    when(60, 70, { UVR_INTENSITY: null }),
    "cannot_tell",
    [["no_intensity", 60, 70]],
  ],
  [
    "UV that is frozen for an hour",
    HOUR,
    (minute) => ({
      ...moving(minute),
      UVR_INTENSITY: during(minute, 60, 120) ? 612.3 : 600 + Math.sin(minute),
    }),
    "cannot_tell",
    [["uv_frozen", 60, 120]],
  ],
  [
    "UV that is the same for 29 minutes",
    HOUR,
    (minute) => ({
      ...moving(minute),
      UVR_INTENSITY: during(minute, 60, 90) ? 612.3 : 600 + Math.sin(minute),
    }),
    "within_limits",
    [],
  ],
  [
    "a frozen flow without a totaliser",
    HOUR,
    (minute) => ({
      ...moving(minute),
      UVR_INTENSITY: 600 + Math.sin(minute),
      SYS_TOTAL_BALLAST_VOL: null,
    }),
    "cannot_tell",
    [["flow_frozen", 0, 180]],
  ],
  ["a plant of which nothing moves to the digit", HOUR, always({}), "within_limits", [], 2400],
  [
    "light with all lamps failed",
    HOUR,
    when(60, 90, LAMPS, Object.fromEntries(Object.keys(LAMPS).map((name) => [name, "ACTIVE"]))),
    "cannot_tell",
    [["light_without_lamps", 60, 90]],
  ],
  [
    "light without power",
    HOUR,
    when(60, 90, { UVR_POWER_OUTPUT: 0 }),
    "cannot_tell",
    [["light_without_lamps", 60, 90]],
  ],
  [
    "one lamp of sixteen failed",
    HOUR,
    always({
      ...LAMPS,
      ...Object.fromEntries(
        Object.keys(LAMPS)
          .slice(1)
          .map((name) => [name, "OK"]),
      ),
    }),
    "within_limits",
    [],
  ],
  // Gaps.
  [
    "a gap between IDLE readings in which the totaliser rose",
    HOUR,
    (minute) =>
      minute < 60
        ? total(minute)
        : minute < 62
          ? { ...total(60), PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, SYS_TOTAL_DEBALLAST_VOL: 3 }
          : minute < 110
            ? null
            : minute < 112
              ? {
                  ...total(90),
                  PROCESS_STATE: "IDLE",
                  SYS_FLOW_RATE: 0,
                  SYS_TOTAL_DEBALLAST_VOL: 3,
                }
              : total(minute - 22),
    "cannot_tell",
    [["no_readings", 66, 110]],
  ],
  [
    "a gap between IDLE readings in which both totalisers stood",
    HOUR,
    (minute) =>
      minute < 60
        ? total(minute)
        : minute < 62
          ? { ...total(60), PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, SYS_TOTAL_DEBALLAST_VOL: 3 }
          : minute < 110
            ? null
            : minute < 112
              ? {
                  ...total(60),
                  PROCESS_STATE: "IDLE",
                  SYS_FLOW_RATE: 0,
                  SYS_TOTAL_DEBALLAST_VOL: 3,
                }
              : total(minute - 52),
    "within_limits",
    [],
  ],
  [
    "a gap between IDLE readings of which one totaliser isn't told",
    HOUR,
    (minute) =>
      minute < 60
        ? total(minute)
        : minute < 62
          ? { ...total(60), PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0 }
          : minute < 110
            ? null
            : minute < 112
              ? { ...total(60), PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0 }
              : total(minute - 52),
    "cannot_tell",
    [["no_readings", 66, 110]],
  ],
];

for (const [title, [every_s, minutes], but, verdict, reasons, volume_m3] of TRUTHS)
  test(`${title}: ${verdict}`, () => {
    const [from_ms, to_ms] = [at(10), at(10, minutes)];
    const minuteOf = (at_ms: number) => (at_ms - from_ms) / MIN_MS;
    const readings = steady({
      ...{ from_ms, to_ms, every_ms: every_s * 1000 },
      but: (at_ms) => but(minuteOf(at_ms)),
    });
    const found = judged(spanOf(from_ms, to_ms), runsOf(readings), AROUND);
    const told = found.reasons.map(({ rule, start, end }) => [rule, start, end]);
    const time = (minute: number) => printTime(from_ms + Math.round(minute * MIN_MS));
    expect(told).toEqual(reasons.map(([rule, from, to]) => [rule, time(from), time(to)]));
    expect(found.verdict).toBe(verdict);
    if (volume_m3 === null) expect(found.volume_m3).toBeNull();
    else if (volume_m3 !== undefined) expect(found.volume_m3).toBeCloseTo(volume_m3, 6);
  });
