// Operations of which the truth is known: each word of the state, with and without moving water.

import {
  always,
  during,
  HOUR,
  type Truth,
  testTruths,
  total,
  when,
} from "../../../rig/known-truths.ts";

const NO_WATER = { SYS_FLOW_RATE: 0, SYS_TOTAL_BALLAST_VOL: 5000 };

/** Warms up for 7 minutes, treats for 160, stops for 4; water only while it treats. */
const PHASES: Truth[2] = (minute) => {
  const treated = total(Math.min(Math.max(0, minute - 7), 160));
  if (during(minute, 7, 167)) return treated;
  const state = minute < 7 ? "WARMUP" : minute < 171 ? "STOPPING" : "STOPPED";
  return { ...treated, PROCESS_STATE: state, SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 };
};

testTruths([
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
    "cannot_tell",
    [["unknown_state", 30, 31]],
  ],
  [
    "a second of an unknown word",
    [1, 10],
    when(5, 5.01, { PROCESS_STATE: "7" }),
    "cannot_tell",
    [["unknown_state", 5, 5 + 1 / 60]],
  ],
  [
    "an unknown word while no water moves",
    HOUR,
    (minute) =>
      minute < 60
        ? total(minute)
        : minute < 70
          ? { PROCESS_STATE: "READY", SYS_FLOW_RATE: 0, ...total(60) }
          : total(minute - 10),
    "within_limits",
    [],
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
  ...[1, 10, 60, 180, 240, 300].map(
    (every_s): Truth => [
      `water in no phase but treatment, read every ${every_s} s`,
      [every_s, 180],
      PHASES,
      "within_limits",
      [],
      (160 * 800) / 60,
    ],
  ),
  [
    "a start that can't be told, at ten minutes' cadence",
    [600, 180],
    PHASES,
    "cannot_tell",
    [["untreated_once", 0, 10]],
  ],
  [
    "a fault without water, before treatment goes on",
    [180, 180],
    (minute) =>
      during(minute, 60, 66)
        ? { PROCESS_STATE: "FAULT", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0, ...total(60) }
        : total(minute < 60 ? minute : minute - 5),
    "within_limits",
    [],
  ],
  [
    "a warm-up in which the totaliser alone tells of water",
    [180, 180],
    (minute) =>
      minute < 9
        ? { PROCESS_STATE: "WARMUP", SYS_FLOW_RATE: 0, UVR_INTENSITY: 20, ...total(minute) }
        : total(minute),
    "outside_limits",
    [["warmup_stopping", 0, 9]],
  ],
  ...([100, 1000] as const).map(
    (rise_m3): Truth => [
      `${rise_m3} m3 that rise in ten silent minutes of IDLE`,
      [60, 480],
      (minute) => {
        const risen = (m3: number, until: number) => ({
          SYS_TOTAL_BALLAST_VOL: 5000 + 800 * 2 + m3 + (800 * until) / 60,
        });
        if (minute < 120) return total(minute);
        if (minute > 121 && minute < 131) return null;
        const rest = { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 };
        if (minute < 131) return { ...rest, ...risen(0, 0) };
        if (minute < 134) return { ...rest, ...risen(rise_m3, 0) };
        return risen(rise_m3, minute - 134);
      },
      "cannot_tell",
      [
        ["untreated_once", 121, 131],
        ["no_readings", 126, 131],
      ],
    ],
  ),
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
  [
    "a state that the first four readings tell, and no more",
    [600, 720],
    (minute) => (minute < 40 ? {} : { PROCESS_STATE: null }),
    "cannot_tell",
    [["no_state", 40, 720]],
  ],
  [
    "a state that is sent on change",
    [600, 720],
    (minute) => ({ PROCESS_STATE: minute === 0 ? "RUNNING" : null }),
    "within_limits",
    [],
  ],
  [
    "a state that is sent on change, with three backflushes",
    [600, 720],
    (minute) => ({
      PROCESS_STATE: { 0: "RUNNING", 27: "BACKFLUSH" }[minute % 30] ?? null,
    }),
    "within_limits",
    [],
  ],
]);
