// Operations of which the truth is known: no flow is told, and the totaliser, the only witness,
// stands for a time, counts in coarse steps, or trembles.

import { during, type Truth, testTruths } from "../../../rig/known-truths.ts";

/** Without a flow; the totaliser counts 600 m3/h, or another flow, in steps. */
const counting =
  (step_m3: number, flowAt: (minute: number) => number = () => 600) =>
  (minute: number) => {
    let risen = 0;
    for (let passed = 0; passed < Math.round(6 * minute); passed += 1)
      risen += flowAt(passed / 6) / 360;
    return {
      ...{ SYS_FLOW_RATE: null, SYS_TOTAL_DEBALLAST_VOL: 3000 },
      UVR_INTENSITY: 600 + (Math.round(6 * minute) % 7),
      SYS_TOTAL_BALLAST_VOL:
        5000 + Math.round(10 * Math.floor(risen / step_m3 + 1e-6) * step_m3) / 10,
    };
  };
const but = (from: number, to: number, flow: number) => (minute: number) =>
  during(minute, from, to) ? flow : 600;

const stuck = counting(0.1, but(60, 120, 0));
const leaping = (minute: number) => ({
  ...counting(0.1)(minute),
  ...(during(minute, 60, 90) ? { SYS_TOTAL_BALLAST_VOL: 5600 } : {}),
});
const dark = (minute: number, from: number, to: number) =>
  during(minute, from, to) ? { UVR_INTENSITY: 0 } : {};

testTruths([
  ...[10, 60].map(
    (every_s): Truth => [
      `the only totaliser sticks at half, read each ${every_s} s`,
      [every_s, 120],
      stuck,
      "cannot_tell",
      [["no_flow", 60, 120]],
      null,
    ],
  ),
  [
    "the same without light",
    [10, 120],
    (minute) => ({ ...stuck(minute), ...dark(minute, 61, 121) }),
    "cannot_tell",
    [
      ["no_flow", 60, 120],
      ["uv_below_once", 61, 120],
    ],
    null,
  ],
  [
    "the same, and a single reading without light",
    [180, 120],
    (minute) => ({ ...stuck(minute), ...dark(minute, 90, 93) }),
    "cannot_tell",
    [
      ["no_flow", 60, 120],
      ["uv_below_once", 90, 93],
    ],
    null,
  ],
  [
    "the same, and the plant is bypassed",
    [10, 120],
    (minute) => ({
      ...stuck(minute),
      PROCESS_STATE: during(minute, 70, 110) ? "BYPASS" : "RUNNING",
    }),
    "cannot_tell",
    [
      ["no_flow", 60, 120],
      ["untreated_once", 70, 110],
    ],
    null,
  ],
  [
    "it sticks, and that of the other type rises instead",
    [10, 120],
    (minute) => ({
      ...stuck(minute),
      SYS_TOTAL_DEBALLAST_VOL: 3000 + Math.max(0, Math.floor((minute - 60) * 100) / 10),
    }),
    "cannot_tell",
    [["flow_contradicted", 0, 120]],
  ],
  [
    "the same in fault",
    [10, 120],
    (minute) => ({
      ...stuck(minute),
      PROCESS_STATE: during(minute, 60, 121) ? "FAULT" : "RUNNING",
    }),
    "within_limits",
    [],
    600,
  ],
  [
    "it stands at first, for as long as is allowed without data",
    [10, 120],
    counting(0.1, but(0, 5.5, 0)),
    "within_limits",
    [["no_flow", 0, 5.5]],
    1145,
  ],
  [
    "it sticks for half an hour, and leaps by what flowed, without light",
    [10, 120],
    (minute) => ({ ...leaping(minute), ...dark(minute, 62, 88) }),
    "outside_limits",
    [["uv_below_limit", 62, 88]],
  ],
  ["it sticks for half an hour, and leaps by what flowed", [10, 120], leaping, "within_limits", []],
  [
    "it sticks for four minutes, and leaps by what flowed, read each minute",
    [60, 120],
    (minute) => ({
      ...counting(10)(minute),
      ...(during(minute, 60, 64) ? { SYS_TOTAL_BALLAST_VOL: 5590 } : {}),
    }),
    "within_limits",
    [],
  ],
  [
    "it sticks for four minutes, and leaps by what flowed, without light, read each minute",
    [60, 120],
    (minute) => ({
      ...counting(10)(minute),
      ...(during(minute, 60, 64) ? { SYS_TOTAL_BALLAST_VOL: 5590 } : {}),
      ...dark(minute, 60, 64),
    }),
    "outside_limits",
    [
      ["uv_below_limit", 60, 64],
      ["flow_above_certified", 63, 64],
    ],
  ],
  ...[50, 100, 200].map(
    (step_m3): Truth => [
      `the only totaliser counts in steps of ${step_m3} m3`,
      [10, 240],
      counting(step_m3),
      "within_limits",
      [],
      2400,
    ],
  ),
  [
    "it counts in steps of 100 m3, and half an hour is without light",
    [10, 240],
    (minute) => ({ ...counting(100)(minute), ...dark(minute, 101, 131) }),
    "outside_limits",
    [["uv_below_limit", 101, 131]],
  ],
  [
    "it counts in steps of 100 m3, and sticks",
    [10, 240],
    counting(100, but(120, 240, 0)),
    "cannot_tell",
    [["no_flow", 120, 240]],
    null,
  ],
  [
    "it counts in steps of 100 m3 while the plant is idle for 40 minutes",
    [10, 240],
    (minute) => ({
      ...counting(100)(minute),
      PROCESS_STATE: during(minute, 100, 140.1) ? "IDLE" : "RUNNING",
    }),
    "outside_limits",
    [["untreated", 100, 140 + 1 / 6]],
  ],
  ...[0.1, 100].map(
    (step_m3): Truth => [
      `a pause of four minutes, by a totaliser of ${step_m3} m3 alone`,
      [10, 240],
      (minute) => ({
        ...counting(step_m3, but(104, 108, 0))(minute),
        PROCESS_STATE: during(minute, 104, 108) ? "IDLE" : "RUNNING",
      }),
      "within_limits",
      [],
    ],
  ),
  ...[25, 50, 100].map(
    (step_m3): Truth => [
      `idle without light for five minutes between two punctual rises of ${step_m3} m3`,
      [10, 240],
      (minute) => ({
        ...counting(step_m3)(minute),
        ...(during(minute, 102.5, 107.5) ? { PROCESS_STATE: "IDLE", UVR_INTENSITY: 0 } : {}),
      }),
      "outside_limits",
      [["untreated", 102.5, 107.5]],
    ],
  ),
  [
    "it stands for its first four minutes, without light",
    [10, 240],
    (minute) => ({ ...counting(0.1, but(0, 4, 0))(minute), ...dark(minute, 0, 3) }),
    "cannot_tell",
    [["uv_below_once", 0, 3]],
  ],
  [
    "the valves are shut for three minutes in RUNNING, without light",
    [10, 240],
    (minute) => ({ ...counting(0.1, but(104, 107, 0))(minute), ...dark(minute, 104, 107) }),
    "within_limits",
    [],
  ],
  [
    "it trembles by 4 m3 while the plant rests for ten minutes",
    [10, 240],
    (minute) => {
      const { SYS_TOTAL_BALLAST_VOL: total, ...others } = counting(0.1, but(104, 114, 0))(minute);
      return {
        ...{ ...others, SYS_TOTAL_BALLAST_VOL: total + (Math.round(6 * minute) % 3) * 2 },
        PROCESS_STATE: during(minute, 104, 114) ? "IDLE" : "RUNNING",
      };
    },
    "within_limits",
    [],
  ],
]);
