// Operations of which the truth is known: flow and totaliser as witnesses of moving water, each
// kind of damage of both, and the volume.

import {
  always,
  during,
  HOUR,
  type Truth,
  testTruths,
  total,
  when,
} from "../../../rig/known-truths.ts";

testTruths([
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
  ...(["RUNNING", "IDLE"] as const).flatMap((PROCESS_STATE): readonly Truth[] => [
    [
      `a trickle in ${PROCESS_STATE} after an hour of water`,
      [60, 600],
      (minute) =>
        minute < 60
          ? total(minute)
          : {
              ...{ PROCESS_STATE, SYS_FLOW_RATE: 15, UVR_INTENSITY: 100 + minute / 100 },
              SYS_TOTAL_BALLAST_VOL: 5800 + (15 * (minute - 60)) / 60,
            },
      "outside_limits",
      // The totaliser over five minutes still has some of the hour's water.
      [
        [PROCESS_STATE === "IDLE" ? "untreated" : "uv_below_limit", 60, 64],
        ["trickle", 64, 600],
      ],
      935,
    ],
    [
      `a trickle in ${PROCESS_STATE} that the flow alone tells`,
      [60, 600],
      (minute) => ({
        SYS_TOTAL_BALLAST_VOL: null,
        ...(minute < 60
          ? {}
          : { PROCESS_STATE, SYS_FLOW_RATE: 15 + Math.sin(minute), UVR_INTENSITY: 0 }),
      }),
      "cannot_tell",
      [["trickle", 60, 600]],
    ],
  ]),
  [
    "a flow meter that isn't quite at zero while the plant rests",
    [60, 300],
    (minute) =>
      minute < 180
        ? { ...total(minute), UVR_INTENSITY: 600 + Math.sin(minute) }
        : { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 5 + Math.sin(minute), ...total(180) },
    "within_limits",
    [],
    2400,
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
  [
    "a flow of 0 at both ends, and none that can be believed between them",
    HOUR,
    (minute) => ({ SYS_FLOW_RATE: minute === 0 || minute === 180 ? 0 : -600 }),
    "within_limits",
    [],
    2400,
  ],
  [
    "the same for the eight minutes of a pause that wasn't one",
    HOUR,
    (minute) => ({
      SYS_FLOW_RATE: during(minute, 61, 68) ? 32767 : minute === 60 || minute === 68 ? 0 : 800,
    }),
    "within_limits",
    [],
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
    [["no_flow", 60, 61]],
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
  ...(
    [
      ["first", 0, 3],
      ["first", 0, 15],
      ["last", 178, 181],
      ["last", 166, 181],
    ] as const
  ).flatMap(([which, from, to]): readonly Truth[] => [
    [
      `a totaliser of 0 for the ${which} ${to - from} minutes`,
      HOUR,
      when(from, to, { SYS_TOTAL_BALLAST_VOL: 0 }),
      "within_limits",
      [],
      2400,
    ],
    [
      `a totaliser of 0 for the ${which} ${to - from} minutes, and no flow`,
      HOUR,
      when(from, to, { SYS_TOTAL_BALLAST_VOL: 0, SYS_FLOW_RATE: null }, { SYS_FLOW_RATE: null }),
      to - from < 9 ? "within_limits" : "cannot_tell",
      // Nothing tells what the totaliser rose in the step to its 0.
      [["no_flow", from === 0 ? 0 : from - 1, Math.min(to, 180)]],
      null,
    ],
  ]),
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
  ...(
    [
      ["first", 0],
      ["last", 160],
    ] as const
  ).map(
    ([which, from]): Truth => [
      `the ${which} 20 minutes are silent`,
      HOUR,
      (minute) => (minute >= from && minute <= from + 20 ? null : {}),
      "cannot_tell",
      [["no_readings", from === 0 ? 0 : 164, from === 0 ? 21 : 180]],
      null,
    ],
  ),
]);
