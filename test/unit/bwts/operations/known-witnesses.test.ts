// Operations of which the truth is known: where flow and totaliser, or both totalisers, contradict
// each other for a part of the time.

import { during, HOUR, type Truth, testTruths, total } from "../../../rig/known-truths.ts";

/** A totaliser of steps, of water at 800 m3/h but at another flow between two minutes. */
const stepped = (step_m3: number, other: (minute: number) => number) => (minute: number) => {
  let risen = 0;
  for (let passed = 0; passed < minute; passed += 1) risen += other(passed) / 60;
  return { SYS_TOTAL_BALLAST_VOL: 5000 + Math.floor(risen / step_m3) * step_m3 };
};
const between =
  (from: number, to: number, flow: number, others = 800) =>
  (minute: number) =>
    during(minute, from, to) ? flow : others;

testTruths([
  ...[0.1, 1, 10].map((step_m3): Truth => {
    const counted = stepped(step_m3, between(60, 100, 1450, 900));
    return [
      `a meter that tells 990 m3/h while a totaliser of ${step_m3} m3 shows 1450 of certified 1000`,
      [60, 240],
      (minute) => ({ SYS_FLOW_RATE: during(minute, 60, 100) ? 990 : 900, ...counted(minute) }),
      "cannot_tell",
      [["flow_contradicted", 0, 240]],
    ];
  }),
  ...[0.1, 10, 50, 100].map((step_m3): Truth => {
    const counted = stepped(step_m3, () => 600);
    return [
      `a meter tells 0 for half an hour, without light, and a totaliser of ${step_m3} m3 rises`,
      [60, 480],
      (minute) => ({
        ...{ SYS_FLOW_RATE: during(minute, 60, 90) ? 0 : 600 },
        ...{ UVR_INTENSITY: during(minute, 60, 90) ? 0 : 600, ...counted(minute) },
      }),
      "outside_limits",
      [["uv_below_limit", 60, 90]],
    ];
  }),
  [
    "the totaliser of the other type rises, and that of its own stands",
    HOUR,
    (minute) => ({
      ...{ SYS_FLOW_RATE: null, SYS_TOTAL_BALLAST_VOL: 5000 },
      SYS_TOTAL_DEBALLAST_VOL: 3000 + 10 * minute,
    }),
    "cannot_tell",
    [["flow_contradicted", 0, 180]],
    null,
  ],
  [
    "the same with a flow",
    HOUR,
    (minute) => ({
      SYS_TOTAL_BALLAST_VOL: 5000,
      SYS_TOTAL_DEBALLAST_VOL: 3000 + (800 * minute) / 60,
    }),
    "cannot_tell",
    [["flow_contradicted", 0, 180]],
  ],
  ...[
    [0.1, 10],
    [0.3, 10],
    [0.3, 60],
    [0.45, 5],
  ].map(
    ([by_m3, every_s]): Truth => [
      `a totaliser that trembles by ${by_m3} m3, read each ${every_s} s, also at rest`,
      [every_s, 120],
      (minute) => {
        const isAtRest = minute < 20 || minute >= 100;
        const trembling = ((Math.round(minute * 42) % 3) - 1) * by_m3;
        const { SYS_TOTAL_BALLAST_VOL } = total(Math.min(80, Math.max(0, minute - 20)));
        return {
          ...(isAtRest ? { SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 } : {}),
          PROCESS_STATE: isAtRest ? (minute < 20 ? "WARMUP" : "IDLE") : "RUNNING",
          SYS_TOTAL_BALLAST_VOL: SYS_TOTAL_BALLAST_VOL + trembling,
        };
      },
      "within_limits",
      [],
    ],
  ),
  [
    "the type CIP, and 600 m3/h without a totaliser",
    HOUR,
    () => ({
      ...{ operation_type: "CIP", PROCESS_STATE: "CIP", SYS_FLOW_RATE: 600, UVR_INTENSITY: 0 },
      ...{ SYS_TOTAL_BALLAST_VOL: null, SYS_TOTAL_DEBALLAST_VOL: null },
    }),
    "outside_limits",
    [["untreated", 0, 180]],
  ],
]);
