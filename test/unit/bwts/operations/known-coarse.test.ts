// Operations of which the truth is known, of plants with neither flow meter nor valve signal: only
// a totaliser that counts in pulses of 25 or 50 m3 shows where water moves. Neither is rest taken
// for moving water because a pulse is pending, nor moving water for rest.

import { during, moving, type Truth, testTruths } from "../../../rig/known-truths.ts";

type Flow = (minute: number) => number;

/** The readings of a flow by a totaliser that counts in steps. */
const counted = (step_m3: number, flowAt: Flow) => (minute: number) => {
  let tenths = 0;
  for (let at = 0; at < Math.round(60 * minute); at += 1) tenths += flowAt(at / 60) / 360;
  return {
    ...{ SYS_FLOW_RATE: null, ...moving(minute), UVR_INTENSITY: 600 + Math.sin(minute) },
    SYS_TOTAL_BALLAST_VOL: 5000 + step_m3 * Math.floor(tenths / 10 / step_m3 + 1e-9),
  };
};

/** A flow, but for another one from one minute to another. */
const flow =
  (m3_h: number, from = 0, to = 0, other = 0): Flow =>
  (minute) =>
    during(minute, from, to) ? other : m3_h;

const dark = (
  step_m3: number,
  flowAt: Flow,
  [from, to]: readonly [number, number],
  state = "IDLE",
) => {
  const values = counted(step_m3, flowAt);
  return (minute: number) => ({
    ...values(minute),
    ...(during(minute, from, to) ? { PROCESS_STATE: state, UVR_INTENSITY: 0 } : {}),
  });
};

testTruths([
  ...[25, 50].flatMap((step_m3): readonly Truth[] => [
    [
      `pulses of ${step_m3} m3 all along`,
      [60, 180],
      counted(step_m3, flow(800)),
      "within_limits",
      [],
    ],
    [
      `dark for four minutes in RUNNING between punctual pulses of ${step_m3} m3`,
      [10, 180],
      dark(step_m3, flow(800), [100, 104], "RUNNING"),
      "outside_limits",
      [["uv_below_limit", 100, 104]],
    ],
    [
      `twenty minutes at rest without a pulse of ${step_m3} m3`,
      [10, 180],
      dark(step_m3, flow(800, 101, 121), [101, 121]),
      "within_limits",
      [
        ["no_flow", step_m3 === 25 ? 99.5 : 97.5, 101],
        ["no_flow", 121, 121 + 1 / 6],
      ],
    ],
    [
      `twenty minutes IDLE while 800 m3/h flow in pulses of ${step_m3} m3`,
      [10, 180],
      dark(step_m3, flow(800), [101, 121]),
      "outside_limits",
      [["untreated", 101 + 1 / 3, 121]],
    ],
  ]),
  [
    "a pulse of 50 m3 every three minutes, as often as a reading comes, but for some",
    [180, 240],
    counted(50, flow(950)),
    "within_limits",
    [],
  ],
  [
    "a pulse of 25 m3 at rest, three minutes after the stop",
    [10, 180],
    dark(25, flow(800, 101, 121, 60), [101, 121]),
    "cannot_tell",
    [
      ["untreated_once", 101, 104 + 1 / 3],
      ["no_flow", 121, 121.5],
    ],
  ],
  [
    "a pulse of 25 m3 in the last reading, four minutes after the stop",
    [10, 105],
    dark(25, flow(800, 101, 106, 50), [101, 106]),
    "cannot_tell",
    [
      ["no_flow", 99.5, 101],
      ["untreated_once", 101, 105],
    ],
  ],
  [
    "two pulses of 25 m3 in half an hour of rest",
    [10, 180],
    dark(25, flow(800, 101, 131, 60), [101, 131]),
    "outside_limits",
    [["untreated", 104 + 1 / 3, 129 + 1 / 3]],
  ],
  [
    "the pump stops with the light for two minutes in RUNNING, and the pulse comes late",
    [30, 180],
    dark(25, flow(300, 100, 102), [100, 102], "RUNNING"),
    "cannot_tell",
    [["uv_below_once", 100, 102]],
  ],
]);
