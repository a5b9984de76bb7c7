// Operations of which the truth is known: sensors that tell what cannot be, and gaps.

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

const BROKEN = [32767, 65535, -32768, 3.4e38, 5001, -1];
const LAMPS = Object.fromEntries(
  Array.from({ length: 16 }, (_, lamp) => [
    `LAMP_${String(lamp + 1).padStart(2, "0")}_STATUS`,
    "FAILED",
  ]),
);

const lampsAt = (POWER: number, count = 16) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, lamp) => [
      `LAMP_${String(lamp + 1).padStart(2, "0")}_POWER`,
      POWER,
    ]),
  );

testTruths([
  [
    "light while all lamps draw no power, and nothing is commanded",
    HOUR,
    (minute) => ({
      ...lampsAt(0),
      ...{ UVR_INTENSITY: 600 + Math.sin(minute), UVR_POWER_SETPOINT: 0, UVR_POWER_OUTPUT: null },
    }),
    "cannot_tell",
    [["light_without_lamps", 0, 180]],
  ],
  [
    "light while all lamps draw no power, whatever the reactor's says",
    HOUR,
    (minute) => ({ ...lampsAt(0), UVR_INTENSITY: 600 + Math.sin(minute) }),
    "cannot_tell",
    [["light_without_lamps", 0, 180]],
  ],
  [
    "light while nothing is commanded, and no power is reported",
    HOUR,
    (minute) => ({
      ...{ UVR_INTENSITY: 600 + Math.sin(minute), UVR_POWER_SETPOINT: 0, UVR_POWER_OUTPUT: null },
    }),
    "cannot_tell",
    [["light_without_lamps", 0, 180]],
  ],
  [
    "power that is drawn though nothing is commanded",
    HOUR,
    (minute) => ({
      ...lampsAt(3100),
      ...{ UVR_INTENSITY: 600 + Math.sin(minute), UVR_POWER_SETPOINT: 0 },
    }),
    "within_limits",
    [],
  ],
  [
    "few lamps whose power is reported",
    HOUR,
    (minute) => ({ ...lampsAt(0, 4), UVR_INTENSITY: 600 + Math.sin(minute) }),
    "within_limits",
    [],
  ],
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
  [
    "one UV of 32767",
    HOUR,
    when(60, 61, { UVR_INTENSITY: 32767 }),
    "within_limits",
    [["no_intensity", 60, 61]],
  ],
  [
    "a plausible UV in each fourth reading",
    HOUR,
    (minute) => (minute % 4 === 0 ? {} : { UVR_INTENSITY: 6000 }),
    "cannot_tell",
    Array.from({ length: 45 }, (_, part) => ["no_intensity", 4 * part + 1, 4 * part + 4]),
  ],
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
    "the same with a totaliser of 10 m3 that is in step with a steady flow",
    HOUR,
    (minute) => ({ SYS_TOTAL_BALLAST_VOL: 10 * Math.floor((800 * minute) / 600) }),
    "within_limits",
    [],
  ],
  [
    "UV and flow frozen alike, while the totaliser tells of a flow that swings",
    HOUR,
    (minute) => ({
      SYS_TOTAL_BALLAST_VOL: 5000 + (800 / 60) * (minute + 12 * Math.sin(minute / 20)),
    }),
    "cannot_tell",
    [
      ["uv_frozen", 0, 180],
      ["flow_frozen", 0, 180],
      ["flow_contradicted", 0, 180],
    ],
  ],
  [
    "light with all lamps failed",
    HOUR,
    when(60, 90, LAMPS, Object.fromEntries(Object.keys(LAMPS).map((name) => [name, "ACTIVE"]))),
    "cannot_tell",
    [["light_without_lamps", 60, 90]],
  ],
  [
    "light with sixteen failed lamps, as their count says",
    HOUR,
    when(60, 90, { FAILED_LAMP_COUNT: 16 }, { FAILED_LAMP_COUNT: 0 }),
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
    [
      ["untreated_once", 61, 110],
      ["no_readings", 66, 110],
    ],
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
]);
