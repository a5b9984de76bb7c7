// Operations of which the truth is known: pauses of some minutes in which no water moves, beside
// totalisers of fine and of coarse steps.

import { during, type Truth, testTruths, total } from "../../../rig/known-truths.ts";

/** A pause of three minutes at rest, within which no water moves by either witness. */
const paused =
  (step_m3: number, rest: "IDLE" | "STOPPING" = "IDLE"): Truth[2] =>
  (minute) => {
    const { SYS_TOTAL_BALLAST_VOL: whole } = total(minute < 60 ? minute : Math.max(60, minute - 3));
    const treated = { SYS_TOTAL_BALLAST_VOL: Math.floor(whole / step_m3) * step_m3 };
    if (!during(minute, 60, 63)) return treated;
    return { ...treated, PROCESS_STATE: rest, SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 };
  };

testTruths([
  ...[10, 30, 60].map(
    (every_s): Truth => [
      `a pause of three minutes at rest, each ${every_s} s`,
      [every_s, 180],
      paused(0.01),
      "within_limits",
      [],
    ],
  ),
  [
    "a pause of three minutes as STOPPING",
    [10, 180],
    paused(0.01, "STOPPING"),
    "within_limits",
    [],
  ],
  ["a pause of three minutes, a totaliser of 10 m3", [10, 180], paused(10), "within_limits", []],
  [
    "three minutes at rest in which a coarse totaliser rises on",
    [10, 180],
    (minute) => ({
      SYS_TOTAL_BALLAST_VOL: Math.floor(total(minute).SYS_TOTAL_BALLAST_VOL / 10) * 10,
      ...(during(minute, 60, 63) ? { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0 } : {}),
    }),
    "outside_limits",
    [["untreated", 60, 63]],
  ],
  [
    "a fault in which each second flow is 0, also the last, and a totaliser of 50 m3 rises on",
    [10, 120],
    (minute) => ({
      SYS_TOTAL_BALLAST_VOL: Math.floor(total(minute, 400).SYS_TOTAL_BALLAST_VOL / 50) * 50,
      SYS_FLOW_RATE: during(minute, 60, 70) && Math.round(6 * minute) % 2 === 1 ? 0 : 400,
      UVR_INTENSITY: 600 + (Math.round(6 * minute) % 7),
      PROCESS_STATE: during(minute, 60, 70) ? "FAULT" : "RUNNING",
    }),
    "outside_limits",
    [["fault", 60, 70]],
  ],
]);
