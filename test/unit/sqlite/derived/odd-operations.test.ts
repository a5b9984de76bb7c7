// Odd operations of which the truth is known, sent, stored, found and judged as aboard: wrong units,
// counters that fall, states in turn, values that stop, cadences from a second to half an hour, lost
// events. None of them may be within limits unless all of it was.

import { expect, test } from "vitest";
import { OPERATIONS } from "../../../../src/sqlite/derived/operations.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { derived } from "../../../rig/derive.ts";
import { flowAt, type OddOperation, sentOf, total, volumeAt } from "../../../rig/odd-operations.ts";
import { storedOperations } from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const APART_MS = 3 * 86_400_000;

type Verdict = "within_limits" | "outside_limits" | "cannot_tell" | null;
type Odd = readonly [
  title: string,
  odd: OddOperation,
  verdicts: readonly Verdict[] | Verdict,
  volume_m3?: number | null,
];

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
const AT = { operation_type: "BALLAST", location: "Busan" };
const bursts = Array.from({ length: 24 }, (_, at) =>
  Array.from({ length: 20 }, (_, second) => at * 5 + second / 60),
).flat();

const UNITS: readonly Odd[] = [
  ["nothing odd", {}, "within_limits", WHOLE],
  ["UV in mW/cm2", { but: (m) => ({ UVR_INTENSITY: 60 + Math.sin(m) }) }, "outside_limits"],
  ["UV in per cent", { but: (m) => ({ UVR_INTENSITY: 95 + Math.sin(m) }) }, "outside_limits"],
  ["UV as a raw count", { but: (m) => ({ UVR_INTENSITY: 13_824 + Math.sin(m) }) }, "cannot_tell"],
  ["flow in l/s", { but: (m) => ({ SYS_FLOW_RATE: flowAt(m) / 3.6 }) }, "cannot_tell", null],
  ["flow in m3/min", { but: (m) => ({ SYS_FLOW_RATE: flowAt(m) / 60 }) }, "cannot_tell", null],
  ["flow in l/min", { but: (m) => ({ SYS_FLOW_RATE: flowAt(m) / 0.06 }) }, "within_limits", WHOLE],
  [
    "flow in l/min, and no totaliser",
    { but: (m) => ({ SYS_FLOW_RATE: flowAt(m) / 0.06, ...NO_TOTALS }) },
    "cannot_tell",
    null,
  ],
  ...[1, 60, 600].map(
    (every_s): Odd => [
      `a totaliser in litres, every ${every_s} s`,
      {
        ...{ every_s, minutes: every_s === 1 ? 15 : 240 },
        but: (m) => ({ SYS_TOTAL_BALLAST_VOL: 1000 * (40_000 + volumeAt(m)) }),
      },
      "cannot_tell",
    ],
  ),
];

const COUNTERS: readonly Odd[] = [
  [
    "a totaliser that is reset",
    { but: (m) => (half(m) ? { SYS_TOTAL_BALLAST_VOL: volumeAt(m) - volumeAt(60) } : {}) },
    "within_limits",
    WHOLE,
  ],
  [
    "a totaliser that rolls over",
    { but: (m) => ({ SYS_TOTAL_BALLAST_VOL: (99_500 + volumeAt(m)) % 100_000 }) },
    "within_limits",
    WHOLE,
  ],
  [
    "a totaliser that rolls over without a flow",
    {
      but: (m) => ({
        ...{ SYS_FLOW_RATE: null, SYS_TOTAL_BALLAST_VOL: (99_500 + volumeAt(m)) % 100_000 },
      }),
    },
    "within_limits",
    null,
  ],
  [
    "two counters in turn under one name",
    { but: (m, i) => (i % 2 === 0 ? total(m) : { SYS_TOTAL_BALLAST_VOL: 900 + volumeAt(m) }) },
    "cannot_tell",
  ],
  [
    "a totaliser of 3.4e38 now and then",
    { but: (_, i) => (i % 17 === 0 ? { SYS_TOTAL_BALLAST_VOL: 3.4e38 } : {}) },
    "within_limits",
    WHOLE,
  ],
  [
    "a totaliser in steps of 10 m3, every second",
    {
      ...{ every_s: 1, minutes: 20 },
      but: (m) => ({ SYS_TOTAL_BALLAST_VOL: 10 * Math.floor((40_000 + volumeAt(m)) / 10) }),
    },
    "within_limits",
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
    "cannot_tell",
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
    "outside_limits",
  ],
  [
    "a flow of 0 from the middle on, no type told, and a totaliser rises at UV 0",
    {
      isBare: true,
      but: (m) => (half(m) ? { SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 } : {}),
    },
    "outside_limits",
  ],
];

const STATES: readonly Odd[] = [
  [
    "warm-up and running in turn, a minute each",
    { but: (_, i) => (i % 2 === 0 ? { PROCESS_STATE: "WARMUP", UVR_INTENSITY: 20 } : {}) },
    "outside_limits",
  ],
  [
    "warm-up, running and stopping in turn, a minute each",
    {
      but: (_, i) =>
        i % 3 === 0
          ? { PROCESS_STATE: "WARMUP", UVR_INTENSITY: 20 }
          : i % 3 === 1
            ? { PROCESS_STATE: "STOPPING", UVR_INTENSITY: 20 }
            : {},
    },
    "outside_limits",
  ],
  [
    "running and idle in turn",
    { but: (_, i) => (i % 2 ? { PROCESS_STATE: "IDLE" } : {}) },
    "outside_limits",
  ],
  [
    "running and AUTO in turn",
    { but: (_, i) => (i % 2 ? { PROCESS_STATE: "AUTO" } : {}) },
    "cannot_tell",
  ],
  ["the state as a number", { but: () => ({ PROCESS_STATE: 3 }) }, "cannot_tell"],
  [
    "the state as ' running '",
    { but: () => ({ PROCESS_STATE: " running " }) },
    "within_limits",
    WHOLE,
  ],
  [
    "no state from the middle on",
    { but: (m) => (half(m) ? { PROCESS_STATE: null } : {}) },
    "cannot_tell",
  ],
  [
    "no state from the middle on, at UV 0",
    { but: (m) => (half(m) ? { PROCESS_STATE: null, UVR_INTENSITY: 0 } : {}) },
    "outside_limits",
  ],
  [
    "a state that is sent on change",
    {
      but: (m) =>
        m === 0 || m === 62
          ? { PROCESS_STATE: "RUNNING" }
          : { PROCESS_STATE: m === 60 ? "BACKFLUSH" : null },
    },
    "within_limits",
    WHOLE,
  ],
  [
    "no mode from the middle on, and UV between both limits",
    {
      but: (m) => ({
        UVR_INTENSITY: 400 + Math.sin(m),
        ...(half(m) ? { COMPLIANCE_MODE: null } : {}),
      }),
    },
    "cannot_tell",
  ],
  [
    "IMO and USCG in turn, and UV between both limits",
    {
      but: (m, i) => ({
        UVR_INTENSITY: 400 + Math.sin(m),
        ...(i % 2 ? { COMPLIANCE_MODE: "USCG" } : {}),
      }),
    },
    "outside_limits",
  ],
  [
    "running without any flow",
    { but: () => ({ SYS_FLOW_RATE: 0, ...total(0) }) },
    "cannot_tell",
    0,
  ],
  [
    "in fault for 20 minutes without flow and totaliser",
    {
      but: (m) => ({
        ...NO_TOTALS,
        ...(m >= 60 && m < 80 ? { PROCESS_STATE: "FAULT", SYS_FLOW_RATE: null } : {}),
      }),
    },
    "cannot_tell",
  ],
  [
    "bypassed for a second",
    { every_s: 1, minutes: 10, but: (_, i) => (i === 300 ? { PROCESS_STATE: "BYPASS" } : {}) },
    "outside_limits",
  ],
];

const SENSORS: readonly Odd[] = [
  [
    "each second UV missing",
    { but: (_, i) => (i % 2 ? { UVR_INTENSITY: null } : {}) },
    "within_limits",
    WHOLE,
  ],
  [
    "each second UV missing, the others too low",
    { but: (m, i) => ({ UVR_INTENSITY: i % 2 ? null : 100 + Math.sin(m) }) },
    "outside_limits",
  ],
  ["UV at the end of its span", { but: () => ({ UVR_INTENSITY: 5000 }) }, "cannot_tell"],
  [
    "UV of which the quality is bad",
    { but: () => ({ UVR_INTENSITY_quality: "Bad_Stale" }) },
    "cannot_tell",
  ],
  ["light with all lamps out", { but: (m) => lamps(half(m) ? "FAILED" : "ACTIVE") }, "cannot_tell"],
  ["light without power", { but: (m) => (half(m) ? { UVR_POWER_OUTPUT: 0 } : {}) }, "cannot_tell"],
  [
    "UV frozen twice for 31 minutes",
    { but: (m) => ((m > 10 && m < 42) || (m > 60 && m < 92) ? { UVR_INTENSITY: 612.4 } : {}) },
    "cannot_tell",
  ],
  [
    "UV frozen while it is sent every second",
    { every_s: 10, but: (m) => (half(m) ? { UVR_INTENSITY: 612.4 } : {}) },
    "cannot_tell",
  ],
];

const TIMES: readonly Odd[] = [
  ["every 30 minutes", { every_s: 1800, minutes: 600 }, "within_limits", volumeAt(600)],
  [
    "every 30 minutes, two of them too low",
    {
      every_s: 1800,
      minutes: 600,
      but: (_, i) => (i === 4 || i === 9 ? { UVR_INTENSITY: 90 } : {}),
    },
    "outside_limits",
  ],
  ["bursts of 20 s every 5 minutes", { minutesAt: bursts }, "cannot_tell"],
  [
    "a reading a second, then every 30 minutes",
    {
      minutes: 310,
      minutesAt: [
        ...Array.from({ length: 600 }, (_, at) => at / 60),
        ...Array.from({ length: 11 }, (_, at) => 10 + at * 30),
      ],
    },
    "within_limits",
  ],
  ["a gap of half an hour", { but: (m) => (m > 50 && m < 80 ? null : {}) }, "cannot_tell", WHOLE],
  [
    "two gaps of 7 minutes",
    { minutes: 480, but: (m) => (m % 200 > 8 || m < 9 ? {} : null) },
    "within_limits",
  ],
  ["no readings", { but: () => null }, "cannot_tell", null],
  ["two minutes", { minutes: 2 }, "within_limits", volumeAt(2)],
];

const EVENTS: readonly Odd[] = [
  ["no stop", { events: [["PROCESS_START", 0, AT]] }, "within_limits"],
  ["no events", { events: [] }, "within_limits"],
  [
    "the start again as 'Ballast' after 30 s",
    {
      events: [
        ["PROCESS_START", 0, AT],
        ["PROCESS_START", 0.5, { ...AT, operation_type: "Ballast" }],
        ["PROCESS_STOP", 120, AT],
      ],
    },
    "within_limits",
    WHOLE,
  ],
  [
    "no stop, and water goes on at rest by the flow",
    {
      events: [["PROCESS_START", 0, AT]],
      but: (m) => (half(m) ? { PROCESS_STATE: "IDLE", UVR_INTENSITY: 0 } : {}),
    },
    "outside_limits",
  ],
  [
    "no stop, and water goes on at rest by the totaliser alone",
    {
      events: [["PROCESS_START", 0, AT]],
      but: (m) => (half(m) ? { PROCESS_STATE: "IDLE", UVR_INTENSITY: 0, SYS_FLOW_RATE: 0 } : {}),
    },
    "outside_limits",
  ],
  [
    "another place from the middle on, and no events",
    { events: [], but: (m) => ({ location: half(m) ? "Ulsan" : "Busan" }) },
    ["within_limits", "within_limits"],
  ],
  [
    "a stop and the next start lost, and a day between",
    {
      minutes: 1560,
      events: [
        ["PROCESS_START", 0, AT],
        ["PROCESS_STOP", 1560, { ...AT, location: "Ulsan" }],
      ],
      but: (m) =>
        m < 120 || m > 1440
          ? { location: m < 120 ? "Busan" : "Ulsan", UVR_INTENSITY: m < 120 ? 600 + m / 9 : 90 }
          : { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0, ...total(120) },
    },
    ["within_limits", "outside_limits"],
  ],
  [
    "both types at once, and UV too low while they overlap",
    {
      minutes: 180,
      events: [
        ["PROCESS_START", 0, AT],
        ["PROCESS_START", 60, { ...AT, operation_type: "DEBALLAST" }],
        ["PROCESS_STOP", 120, AT],
        ["PROCESS_STOP", 180, { ...AT, operation_type: "DEBALLAST" }],
      ],
      but: (m) => ({
        ...(m > 70 && m < 75 ? { UVR_INTENSITY: 90 } : {}),
        SYS_TOTAL_DEBALLAST_VOL: 7000 + (m < 60 ? 0 : volumeAt(m) - volumeAt(60)),
      }),
    },
    ["outside_limits", "outside_limits"],
  ],
];

const ALL: readonly Odd[] = [...UNITS, ...COUNTERS, ...STATES, ...SENSORS, ...TIMES, ...EVENTS];

test(`${ALL.length} odd operations have the verdicts and volumes that are true`, () => {
  const rig = rigOf();
  rig.db.pragma("synchronous = off");
  const startOf = (at: number) => AT_MS - (ALL.length - at + 1) * APART_MS;
  for (const [at, [, odd]] of ALL.entries())
    rig.store.commit(sentOf(startOf(at), odd).map(({ kind, content }) => messageOf(kind, content)));
  derived(rig, OPERATIONS);
  const found = storedOperations(rig).toReversed();
  const told = ALL.map(([title, , , volume_m3], at) => {
    const own = found.filter(
      ({ start }) => Math.abs(Date.parse(start) - startOf(at)) < APART_MS / 2,
    );
    const volume = own.at(0)?.volume_m3 ?? null;
    return [title, own.map(({ verdict }) => verdict), volume_m3 === undefined ? undefined : volume];
  });
  const truths = ALL.map(([title, , verdicts, volume_m3]) => [
    title,
    Array.isArray(verdicts) ? verdicts : [verdicts],
    typeof volume_m3 === "number" ? expect.closeTo(volume_m3, 0) : volume_m3,
  ]);
  expect(told).toEqual(truths);
});
