// Operations that are hard to judge, each with its known truth: the interval, the verdict, the
// volume. The plant takes in 800 m3/h and sends a reading every 3 minutes.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import type { JudgingContext } from "../../../../src/bwts/operations/judging.ts";
import { printTime } from "../../../../src/ground/clock.ts";
import {
  AROUND,
  at,
  LIMITS,
  type PlantReading,
  runsOf,
  spanOf,
  steady,
} from "../../../rig/operation-plant.ts";

const SPAN = spanOf(at(10), at(14));

interface Case {
  readonly title: string;
  readonly but?: (at_ms: number) => PlantReading["values"] | null;
  readonly every_s?: number;
  readonly around?: Partial<JudgingContext>;
  /** Rule, start and end of each reason, in hours and minutes. */
  readonly reasons: readonly (readonly [rule: string, start_ms: number, end_ms: number])[];
  readonly is: Readonly<Record<string, unknown>>;
}

const between = (at_ms: number, from_ms: number, to_ms: number) =>
  at_ms >= from_ms && at_ms < to_ms;
const minutesOf = (at_ms: number) => Math.round((at_ms - at(10)) / 60_000);
const bad = (at_ms: number) => (between(at_ms, at(11), at(12)) ? { UVR_INTENSITY: 200 } : {});
const VOID = { id: 3, start_ms: at(11), end_ms: at(11, 59), reason: "sensor cleaned" };
const STRICT = { ...LIMITS, uv_imo: 650, source: "certificate 2" };

const CASES: readonly Case[] = [
  {
    title: "one within its limits is within, with its volume by both ways",
    reasons: [],
    is: {
      ...{ verdict: "within_limits", verdict_with_hidden: null, remarks: [], mode: "IMO" },
      ...{ volume_m3: 3200, volume_source: "totaliser", volume_flow_m3: 3200 },
      ...{ volume_difference_percent: 0, readings: 81, bypass_seconds: 0, backflushes: 0 },
      ...{ hours_since_cip: 120, gaps: [], lamps_out: [], indications: [], rules_version: 5 },
    },
  },
  {
    title: "40 minutes under the limit are an interval of 42, to the first reading that is above",
    but: (at_ms) => (between(at_ms, at(11), at(11, 40)) ? { UVR_INTENSITY: 251.9 } : {}),
    reasons: [["uv_below_limit", at(11), at(11, 42)]],
    is: { verdict: "outside_limits", volume_m3: 3200 },
  },
  {
    title: "one reading under the limit stands for three minutes: it can't be told",
    but: (at_ms) => (at_ms === at(12) ? { UVR_INTENSITY: 100 } : {}),
    reasons: [["uv_below_once", at(12), at(12, 3)]],
    is: { verdict: "cannot_tell" },
  },
  {
    title: "60 seconds under the limit are allowed, at a reading a second",
    every_s: 1,
    but: (at_ms) => (between(at_ms, at(12), at(12) + 60_000) ? { UVR_INTENSITY: 100 } : {}),
    reasons: [],
    is: { verdict: "within_limits" },
  },
  {
    title: "61 seconds under the limit aren't, at a reading a second",
    every_s: 1,
    but: (at_ms) => (between(at_ms, at(12), at(12) + 61_000) ? { UVR_INTENSITY: 100 } : {}),
    reasons: [["uv_below_limit", at(12), at(12) + 61_000]],
    is: { verdict: "outside_limits" },
  },
  {
    title: "flicker around the limit is one interval, until the value is 2 % above it",
    but: (at_ms) =>
      between(at_ms, at(11), at(12))
        ? { UVR_INTENSITY: minutesOf(at_ms) % 2 === 0 ? 251 : 256 }
        : at_ms === at(12)
          ? { UVR_INTENSITY: 257 }
          : {},
    reasons: [["uv_below_limit", at(11), at(12, 3)]],
    is: { verdict: "outside_limits" },
  },
  {
    title: "the limit itself is within",
    but: (at_ms) => ({
      ...{ UVR_INTENSITY: 252, SYS_FLOW_RATE: 1000 },
      SYS_TOTAL_BALLAST_VOL: (1000 * (at_ms - at(10))) / 3_600_000,
    }),
    reasons: [],
    is: { verdict: "within_limits" },
  },
  {
    title: "low UV in warm-up and while stopping isn't judged, if no water moves",
    but: (at_ms) => {
      const total = (800 * (Math.min(at_ms, at(13, 51)) - at(10, 9))) / 3_600_000;
      const still = { SYS_FLOW_RATE: 0, UVR_INTENSITY: 20 };
      return at_ms < at(10, 9)
        ? { ...still, PROCESS_STATE: "WARMUP", SYS_TOTAL_BALLAST_VOL: 0 }
        : at_ms > at(13, 50)
          ? { ...still, PROCESS_STATE: "stopping ", SYS_TOTAL_BALLAST_VOL: total }
          : { PROCESS_STATE: "running", SYS_TOTAL_BALLAST_VOL: total };
    },
    reasons: [],
    is: { verdict: "within_limits" },
  },
  {
    title: "a bypass of 12 minutes is outside, and a part with its volume",
    but: (at_ms) => (between(at_ms, at(12), at(12, 12)) ? { PROCESS_STATE: "BYPASS" } : {}),
    reasons: [["bypass", at(12), at(12, 12)]],
    is: {
      ...{ verdict: "outside_limits", bypass_seconds: 720 },
      parts: [
        part("within_limits", at(10), at(12), 1600),
        part("bypassed", at(12), at(12, 12), 160),
        part("within_limits", at(12, 12), at(14), 1440),
      ],
    },
  },
  {
    title: "water that moves in fault is outside, and standing water isn't",
    but: (at_ms) =>
      between(at_ms, at(11), at(11, 30))
        ? { PROCESS_STATE: "FAULT", SYS_FLOW_RATE: 300, SYS_TOTAL_BALLAST_VOL: null }
        : between(at_ms, at(12), at(12, 30))
          ? { PROCESS_STATE: "FAULT", SYS_FLOW_RATE: 0, SYS_TOTAL_BALLAST_VOL: null }
          : { SYS_TOTAL_BALLAST_VOL: null },
    reasons: [["fault", at(11), at(11, 30)]],
    is: { verdict: "outside_limits" },
  },
  {
    title: "a lamp out for 3 readings is told, and no finding",
    but: (at_ms) => ({ LAMP_07_STATUS: between(at_ms, at(12), at(12, 9)) ? "FAILED" : "ACTIVE" }),
    reasons: [],
    is: {
      verdict: "within_limits",
      lamps_out: [{ lamp: 7, ...interval(at(12), at(12, 9)) }],
      indications: [{ indication: "lamp_out", ...ends(at(12), at(12, 9)), evidence: { lamp: 7 } }],
    },
  },
  {
    title: "a totaliser that is reset in the middle: the flow fills the step",
    but: (at_ms) =>
      at_ms < at(12) ? {} : { SYS_TOTAL_BALLAST_VOL: (800 * (at_ms - at(12))) / 3_600_000 },
    reasons: [],
    is: {
      ...{ verdict: "within_limits", remarks: ["totaliser_reset"], volume_source: "totaliser" },
      ...{ volume_m3: 3200, volume_totaliser_m3: 3200, volume_difference_percent: 0 },
    },
  },
  {
    title: "a flow that is 5 % too high differs from the totaliser",
    but: () => ({ SYS_FLOW_RATE: 840 }),
    reasons: [],
    is: {
      ...{ remarks: ["volume_differs"], volume_m3: 3200, volume_source: "totaliser" },
      ...{ volume_flow_m3: 3360, volume_difference_percent: 5 },
    },
  },
  {
    title: "30 minutes without readings, of which one stands for 15: that is more than 5 %",
    but: (at_ms) => (between(at_ms, at(12, 3), at(12, 30)) ? null : {}),
    reasons: [["no_readings", at(12, 15), at(12, 30)]],
    is: {
      ...{ verdict: "cannot_tell", volume_m3: 3200, volume_flow_m3: 3200 },
      ...{ gaps: [interval(at(12), at(12, 30))] },
      not_recorded: { seconds: 900, of_seconds: 14_400 },
    },
  },
  {
    title: "21 minutes are told beside the verdict",
    but: (at_ms) => (between(at_ms, at(12, 3), at(12, 21)) ? null : {}),
    reasons: [["no_readings", at(12, 15), at(12, 21)]],
    is: { verdict: "within_limits", not_recorded: { seconds: 360, of_seconds: 14_400 } },
  },
  {
    title: "a breach that a gap follows ends with the first reading within",
    but: (at_ms) =>
      between(at_ms, at(12, 3), at(12, 23))
        ? null
        : between(at_ms, at(11, 30), at(12, 3))
          ? { UVR_INTENSITY: 200 }
          : {},
    reasons: [
      ["uv_below_limit", at(11, 30), at(12, 24)],
      ["no_readings", at(12, 15), at(12, 24)],
    ],
    is: { verdict: "outside_limits" },
  },
  {
    title: "a void over the bad hour: it can't be told without, and is outside with it",
    but: bad,
    around: { voids: [VOID] },
    reasons: [
      ["hidden_readings", at(10, 57), at(12)],
      ["uv_below_limit", at(11), at(12)],
    ],
    is: {
      ...{ verdict: "cannot_tell", verdict_with_hidden: "outside_limits" },
      ...{ remarks: ["readings_hidden"], readings: 61, readings_hidden: 20 },
    },
  },
  {
    title: "limits that change in the middle: each reading by those of its time",
    around: {
      limits: [
        { from_ms: 0, limits: LIMITS },
        { from_ms: at(12), limits: STRICT },
      ],
    },
    reasons: [["uv_below_limit", at(12), at(14)]],
    is: { verdict: "outside_limits", limits_source: "certificate 1; then certificate 2" },
  },
  {
    title: "stricter limits after its end don't count",
    around: {
      limits: [
        { from_ms: 0, limits: LIMITS },
        { from_ms: at(15), limits: STRICT },
      ],
    },
    reasons: [],
    is: { verdict: "within_limits", limits_source: "certificate 1" },
  },
  {
    title: "without a mode, a value within one mode's limit only can't be told",
    but: () => ({ COMPLIANCE_MODE: null, UVR_INTENSITY: 400 }),
    reasons: [["no_mode", at(10), at(14)]],
    is: { verdict: "cannot_tell", mode: null },
  },
  {
    title: "without a mode, a value below both limits is outside",
    but: () => ({ COMPLIANCE_MODE: null, UVR_INTENSITY: 200 }),
    reasons: [["uv_below_limit", at(10), at(14)]],
    is: { verdict: "outside_limits" },
  },
  {
    title: "intensity that isn't sent for an hour can't be told",
    but: (at_ms) => (between(at_ms, at(11), at(12)) ? { UVR_INTENSITY: null } : {}),
    reasons: [["no_intensity", at(11), at(12)]],
    is: { verdict: "cannot_tell" },
  },
  {
    title: "a plant that never left the warm-up, and in which no water moved: it can't be told",
    but: () => ({ PROCESS_STATE: "WARMUP", SYS_FLOW_RATE: 0, SYS_TOTAL_BALLAST_VOL: 7 }),
    reasons: [["not_treating", at(10), at(14)]],
    is: { verdict: "cannot_tell" },
  },
  {
    title: "a flow above the certified one is outside",
    but: (at_ms) => (between(at_ms, at(11), at(11, 30)) ? { SYS_FLOW_RATE: 1000.1 } : {}),
    reasons: [["flow_above_certified", at(11), at(11, 30)]],
    is: { verdict: "outside_limits" },
  },
];

for (const { title, but, every_s = 180, around, reasons, is } of CASES)
  test(title, () => {
    const every_ms = every_s * 1000;
    const readings = steady({ from_ms: at(10), to_ms: at(14), every_ms, but });
    const found = judged(SPAN, runsOf(readings), { ...AROUND, ...around });
    expect(found.reasons.map(({ rule, start, end }) => [rule, start, end])).toEqual(
      reasons.map(([rule, start_ms, end_ms]) => [rule, printTime(start_ms), printTime(end_ms)]),
    );
    expect(found).toMatchObject(is);
  });

function ends(start_ms: number, end_ms: number) {
  return { start: printTime(start_ms), end: printTime(end_ms) };
}
function interval(start_ms: number, end_ms: number) {
  return { ...ends(start_ms, end_ms), seconds: (end_ms - start_ms) / 1000 };
}
function part(name: string, start_ms: number, end_ms: number, volume_m3: number) {
  return { part: name, ...interval(start_ms, end_ms), volume_m3 };
}
