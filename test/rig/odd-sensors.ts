// Operations with odd sensors, and their truth: wrong units, counters that fall, values that stop.

import { flowAt, type Odd, total, volumeAt } from "./odd-operations.ts";

const half = (minute: number) => minute >= 60;

const lamps = (status: string) =>
  Object.fromEntries(
    Array.from({ length: 16 }, (_, lamp) => [
      `LAMP_${String(lamp + 1).padStart(2, "0")}_STATUS`,
      status,
    ]),
  );

const NO_TOTALS = { SYS_TOTAL_BALLAST_VOL: null, SYS_TOTAL_DEBALLAST_VOL: null };

const WHOLE = volumeAt(120);

export const UNITS_ODD: readonly Odd[] = [
  ["nothing odd", {}, ["within_limits"], WHOLE],
  ["UV in mW/cm2", { but: (m) => ({ UVR_INTENSITY: 60 + Math.sin(m) }) }, ["outside_limits"]],
  ["UV in per cent", { but: (m) => ({ UVR_INTENSITY: 95 + Math.sin(m) }) }, ["outside_limits"]],
  ["UV as a raw count", { but: (m) => ({ UVR_INTENSITY: 13_824 + Math.sin(m) }) }, ["cannot_tell"]],
  ["flow in l/s", { but: (m) => ({ SYS_FLOW_RATE: flowAt(m) / 3.6 }) }, ["cannot_tell"], null],
  ["flow in m3/min", { but: (m) => ({ SYS_FLOW_RATE: flowAt(m) / 60 }) }, ["cannot_tell"], null],
  [
    "flow in l/min",
    { but: (m) => ({ SYS_FLOW_RATE: flowAt(m) / 0.06 }) },
    ["within_limits"],
    WHOLE,
  ],
  [
    "flow in l/min, and no totaliser",
    { but: (m) => ({ SYS_FLOW_RATE: flowAt(m) / 0.06, ...NO_TOTALS }) },
    ["cannot_tell"],
    null,
  ],
  ...[1, 60, 600].map(
    (every_s): Odd => [
      `a totaliser in litres, every ${every_s} s`,
      {
        ...{ every_s, minutes: every_s === 1 ? 15 : 240 },
        but: (m) => ({ SYS_TOTAL_BALLAST_VOL: 1000 * (40_000 + volumeAt(m)) }),
      },
      ["cannot_tell"],
    ],
  ),
];

export const COUNTERS_ODD: readonly Odd[] = [
  [
    "a totaliser that is reset",
    { but: (m) => (half(m) ? { SYS_TOTAL_BALLAST_VOL: volumeAt(m) - volumeAt(60) } : {}) },
    ["within_limits"],
    WHOLE,
  ],
  [
    "a totaliser that rolls over",
    { but: (m) => ({ SYS_TOTAL_BALLAST_VOL: (99_500 + volumeAt(m)) % 100_000 }) },
    ["within_limits"],
    WHOLE,
  ],
  [
    "a totaliser that rolls over without a flow",
    {
      but: (m) => ({
        ...{ SYS_FLOW_RATE: null, SYS_TOTAL_BALLAST_VOL: (99_500 + volumeAt(m)) % 100_000 },
      }),
    },
    ["within_limits"],
    1203,
  ],
  [
    "two counters in turn under one name",
    { but: (m, i) => (i % 2 === 0 ? total(m) : { SYS_TOTAL_BALLAST_VOL: 900 + volumeAt(m) }) },
    ["cannot_tell"],
  ],
  [
    "a totaliser of 3.4e38 now and then",
    { but: (_, i) => (i % 17 === 0 ? { SYS_TOTAL_BALLAST_VOL: 3.4e38 } : {}) },
    ["within_limits"],
    WHOLE,
  ],
  [
    "a totaliser in steps of 10 m3, every second",
    {
      ...{ every_s: 1, minutes: 20 },
      but: (m) => ({ SYS_TOTAL_BALLAST_VOL: 10 * Math.floor((40_000 + volumeAt(m)) / 10) }),
    },
    ["within_limits"],
  ],
  [
    "a flow that is stuck while the totaliser runs at 2,000 m3/h for half an hour",
    {
      minutes: 600,
      but: (m) => ({
        SYS_FLOW_RATE: 600,
        SYS_TOTAL_BALLAST_VOL: 10 * m + (m < 300 ? 0 : 23.3 * Math.min(30, m - 300)),
      }),
    },
    ["cannot_tell"],
  ],
  [
    "no flow from the middle on, and the other type's totaliser rises at UV 0",
    {
      but: (m) =>
        half(m)
          ? {
              ...{ SYS_FLOW_RATE: null, UVR_INTENSITY: 0, ...total(60) },
              SYS_TOTAL_DEBALLAST_VOL: 7000 + volumeAt(m) - volumeAt(60),
            }
          : {},
    },
    ["outside_limits"],
  ],
  [
    "a flow of 0 from the middle on, no type told, and a totaliser rises at UV 0",
    {
      isBare: true,
      but: (m) => (half(m) ? { SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 } : {}),
    },
    ["outside_limits"],
  ],
];

export const SENSORS_ODD: readonly Odd[] = [
  [
    "each second UV missing",
    { but: (_, i) => (i % 2 ? { UVR_INTENSITY: null } : {}) },
    ["within_limits"],
    WHOLE,
  ],
  [
    "each second UV missing, the others too low",
    { but: (m, i) => ({ UVR_INTENSITY: i % 2 ? null : 100 + Math.sin(m) }) },
    ["outside_limits"],
  ],
  ["UV at the end of its span", { but: () => ({ UVR_INTENSITY: 5000 }) }, ["cannot_tell"]],
  [
    "UV of which the quality is bad",
    { but: () => ({ UVR_INTENSITY_quality: "Bad_Stale" }) },
    ["cannot_tell"],
  ],
  [
    "light with all lamps out",
    { but: (m) => lamps(half(m) ? "FAILED" : "ACTIVE") },
    ["cannot_tell"],
  ],
  [
    "light without power",
    { but: (m) => (half(m) ? { UVR_POWER_OUTPUT: 0 } : {}) },
    ["cannot_tell"],
  ],
  [
    "UV frozen twice for 31 minutes",
    { but: (m) => ((m > 10 && m < 42) || (m > 60 && m < 92) ? { UVR_INTENSITY: 612.4 } : {}) },
    ["cannot_tell"],
  ],
  [
    "UV frozen while it is sent every second",
    { every_s: 10, but: (m) => (half(m) ? { UVR_INTENSITY: 612.4 } : {}) },
    ["cannot_tell"],
  ],
];
