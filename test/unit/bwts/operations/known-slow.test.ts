// Operations of which the truth is known: plants that are read seldom, and totalisers that count in
// coarse steps or aren't fitted. A doubt must have a cause in the readings.

import {
  always,
  during,
  HOUR,
  moving,
  type Truth,
  testTruths,
  total,
  when,
} from "../../../rig/known-truths.ts";

const TOTAL = "SYS_TOTAL_BALLAST_VOL";
const SLOW: readonly [number, number] = [180, 180];
/** At rest with the water of `minutes`. */
const rest = (minutes: number) => ({
  ...{ PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 },
  ...total(minutes),
});

/** Treating up to 60 min; a reading of STOPPING, after which `seconds` of its flow moved; rest. */
const stoppedAfter =
  (seconds: number): Truth[2] =>
  (minute) => {
    if (minute < 60) return total(minute);
    if (minute < 63) return { PROCESS_STATE: "STOPPING", ...total(60) };
    return rest(60 + seconds / 60);
  };

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
  ["a stop of 10 s in one reading of three minutes", SLOW, stoppedAfter(10), "within_limits", []],
  [
    "a stop of 100 s in one reading of three minutes",
    SLOW,
    stoppedAfter(100),
    "cannot_tell",
    [["untreated_once", 60, 63]],
  ],
  [
    "a stop of 10 s, without a totaliser",
    SLOW,
    (minute) => ({ ...stoppedAfter(10)(minute), [TOTAL]: null }),
    "cannot_tell",
    [["untreated_once", 60, 63]],
  ],
  [
    "a stop of 10 s, by a totaliser alone",
    SLOW,
    (minute) => ({ ...stoppedAfter(10)(minute), SYS_FLOW_RATE: null }),
    "within_limits",
    [],
  ],
  [
    "a totaliser in steps of 100 m3 in a small operation",
    [60, 120],
    (minute) => stepped(minute, 100, 180),
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
    "a steady flow with a totaliser in steps of 100 m3",
    HOUR,
    (minute) => ({ ...moving(minute), ...stepped(minute, 100, 600) }),
    "within_limits",
    [],
  ],
  [
    "a frozen flow of which a totaliser in steps of 100 m3 shows half",
    HOUR,
    (minute) => ({ ...moving(minute), ...stepped(minute, 100, 300), SYS_FLOW_RATE: 600 }),
    "cannot_tell",
    [
      ["flow_frozen", 0, 180],
      ["flow_contradicted", 0, 180],
    ],
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
  [
    "a warm-up without a flow meter, at two minutes",
    [120, 120],
    (minute) => ({
      ...when(0, 2, { PROCESS_STATE: "WARMUP", UVR_INTENSITY: 20 })(minute),
      ...{ SYS_FLOW_RATE: null, [TOTAL]: 5000 + (800 * Math.max(0, minute - 1)) / 60 },
    }),
    "within_limits",
    [],
  ],
]);
