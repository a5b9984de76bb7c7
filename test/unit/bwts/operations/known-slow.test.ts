// Operations of which the truth is known: totalisers that count in coarse steps or aren't fitted,
// water that a totaliser alone shows, and a mode that is told seldom. A doubt must have a cause in
// the readings.

import {
  always,
  during,
  HOUR,
  type Truth,
  testTruths,
  total,
  when,
} from "../../../rig/known-truths.ts";

const TOTAL = "SYS_TOTAL_BALLAST_VOL";
/** At rest with the water of `minutes`. */
const rest = (minutes: number) => ({
  ...{ PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 },
  ...total(minutes),
});

const stepped = (minute: number, step: number, flow: number) => ({
  UVR_INTENSITY: 600 + Math.sin(minute),
  SYS_FLOW_RATE: flow,
  [TOTAL]: 5000 + step * Math.floor((flow * minute) / 60 / step),
});

/** Rest for 40 min in the middle, without a reading for 30 of them. */
const pausedWith =
  (totals: (minutes: number) => Readonly<Record<string, number>>): Truth[2] =>
  (minute) => {
    if (minute < 60) return totals(minute);
    if (during(minute, 65, 95)) return null;
    if (minute < 100) return { ...rest(60), ...totals(60) };
    return totals(minute - 40);
  };
const dead = () => ({ [TOTAL]: 0, SYS_TOTAL_DEBALLAST_VOL: 0 });

testTruths([
  [
    "a totaliser in steps of 100 m3 in a small operation",
    [60, 120],
    (minute) => ({ ...stepped(minute, 100, 180), SYS_FLOW_RATE: 180 + Math.sin(minute) }),
    "within_limits",
    [],
  ],
  [
    "a totaliser that counts much less than flows, whatever its step",
    [60, 180],
    (minute) => ({ ...stepped(minute, 100, 400), SYS_FLOW_RATE: 800 + Math.sin(minute) }),
    "cannot_tell",
    [["flow_contradicted", 0, 180]],
  ],
  [
    "a totaliser in steps of 500 m3, by which more flowed than is certified",
    [600, 180],
    (minute) => ({ ...stepped(minute, 500, 1250), SYS_FLOW_RATE: 985 + Math.sin(minute) }),
    "cannot_tell",
    [["flow_contradicted", 0, 180]],
  ],
  ["totalisers that are always 0 aren't fitted", HOUR, always(dead()), "within_limits", []],
  [
    "a gap at rest between totalisers that are always 0 proves nothing",
    HOUR,
    pausedWith(dead),
    "cannot_tell",
    [["no_readings", 69, 95]],
  ],
  [
    "the same between totalisers that count",
    HOUR,
    pausedWith((minutes) => ({ ...total(minutes), SYS_TOTAL_DEBALLAST_VOL: 3 })),
    "within_limits",
    [],
  ],
  ...(["BYPASS", "FAULT", "TREATING"] as const).map(
    (state): Truth => [
      `${state} in one reading before treatment, of which the totaliser alone tells`,
      [180, 120],
      (minute) => ({
        ...when(0, 3, { PROCESS_STATE: state, SYS_FLOW_RATE: 0 })(minute),
        ...total(minute),
      }),
      state === "TREATING" ? "cannot_tell" : "outside_limits",
      [[{ BYPASS: "bypass", FAULT: "fault", TREATING: "unknown_state" }[state], 0, 3]],
    ],
  ),
  [
    "a mode that the first two readings tell alone",
    HOUR,
    (minute) => ({ UVR_INTENSITY: 400 + minute, COMPLIANCE_MODE: minute < 2 ? "IMO" : null }),
    "within_limits",
    [],
  ],
  [
    "a mode that the first five readings tell alone",
    HOUR,
    (minute) => ({ UVR_INTENSITY: 400, COMPLIANCE_MODE: minute < 5 ? "IMO" : null }),
    "cannot_tell",
    [["no_mode", 5, 180]],
  ],
]);
