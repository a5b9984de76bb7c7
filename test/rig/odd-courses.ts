// Operations with an odd course, and their truth: states in turn, cadences from a second to half an
// hour, lost events.

import { type Odd, total, volumeAt } from "./odd-operations.ts";

const half = (minute: number) => minute >= 60;

const NO_TOTALS = { SYS_TOTAL_BALLAST_VOL: null, SYS_TOTAL_DEBALLAST_VOL: null };

const WHOLE = volumeAt(120);

const AT = { operation_type: "BALLAST", location: "Busan" };

const bursts = Array.from({ length: 24 }, (_, at) =>
  Array.from({ length: 20 }, (_, second) => at * 5 + second / 60),
).flat();

export const STATES_ODD: readonly Odd[] = [
  [
    "warm-up and running in turn, a minute each",
    { but: (_, i) => (i % 2 === 0 ? { PROCESS_STATE: "WARMUP", UVR_INTENSITY: 20 } : {}) },
    ["outside_limits"],
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
    ["outside_limits"],
  ],
  [
    "running and idle in turn",
    { but: (_, i) => (i % 2 ? { PROCESS_STATE: "IDLE" } : {}) },
    ["outside_limits"],
  ],
  [
    "running and AUTO in turn",
    { but: (_, i) => (i % 2 ? { PROCESS_STATE: "AUTO" } : {}) },
    ["cannot_tell"],
  ],
  ["the state as a number", { but: () => ({ PROCESS_STATE: 3 }) }, ["cannot_tell"]],
  [
    "the state as ' running '",
    { but: () => ({ PROCESS_STATE: " running " }) },
    ["within_limits"],
    WHOLE,
  ],
  [
    "no state from the middle on",
    { but: (m) => (half(m) ? { PROCESS_STATE: null } : {}) },
    ["cannot_tell"],
  ],
  [
    "no state from the middle on, at UV 0",
    { but: (m) => (half(m) ? { PROCESS_STATE: null, UVR_INTENSITY: 0 } : {}) },
    ["outside_limits"],
  ],
  [
    "a state that is sent on change",
    {
      but: (m) =>
        m === 0 || m === 62
          ? { PROCESS_STATE: "RUNNING" }
          : { PROCESS_STATE: m === 60 ? "BACKFLUSH" : null },
    },
    ["within_limits"],
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
    ["cannot_tell"],
  ],
  [
    "IMO and USCG in turn, and UV between both limits",
    {
      but: (m, i) => ({
        UVR_INTENSITY: 400 + Math.sin(m),
        ...(i % 2 ? { COMPLIANCE_MODE: "USCG" } : {}),
      }),
    },
    ["outside_limits"],
  ],
  [
    "running without any flow",
    { but: () => ({ SYS_FLOW_RATE: 0, ...total(0) }) },
    ["cannot_tell"],
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
    ["cannot_tell"],
  ],
  [
    "bypassed for a second",
    { every_s: 1, minutes: 10, but: (_, i) => (i === 300 ? { PROCESS_STATE: "BYPASS" } : {}) },
    ["outside_limits"],
  ],
];

export const TIMES_ODD: readonly Odd[] = [
  ["every 30 minutes", { every_s: 1800, minutes: 600 }, ["within_limits"], volumeAt(600)],
  [
    "every 30 minutes, two of them too low",
    {
      every_s: 1800,
      minutes: 600,
      but: (_, i) => (i === 4 || i === 9 ? { UVR_INTENSITY: 90 } : {}),
    },
    ["outside_limits"],
  ],
  ["bursts of 20 s every 5 minutes", { minutesAt: bursts }, ["cannot_tell"]],
  [
    "a reading a second, then every 30 minutes",
    {
      minutes: 760,
      minutesAt: [
        ...Array.from({ length: 600 }, (_, at) => at / 60),
        ...Array.from({ length: 26 }, (_, at) => 10 + at * 30),
      ],
    },
    ["within_limits"],
  ],
  ["a gap of half an hour", { but: (m) => (m > 50 && m < 80 ? null : {}) }, ["cannot_tell"], WHOLE],
  [
    "two gaps of 7 minutes",
    { minutes: 480, but: (m) => (m % 200 > 8 || m < 9 ? {} : null) },
    ["within_limits"],
  ],
  ["no readings", { but: () => null }, ["cannot_tell"], null],
  ["two minutes", { minutes: 2 }, ["within_limits"], volumeAt(2)],
];

export const EVENTS_ODD: readonly Odd[] = [
  ["no stop", { events: [["PROCESS_START", 0, AT]] }, ["within_limits"]],
  ["no events", { events: [] }, ["within_limits"]],
  [
    "the start again as 'Ballast' after 30 s",
    {
      events: [
        ["PROCESS_START", 0, AT],
        ["PROCESS_START", 0.5, { ...AT, operation_type: "Ballast" }],
        ["PROCESS_STOP", 120, AT],
      ],
    },
    ["within_limits"],
    WHOLE,
  ],
  [
    "no stop, and water goes on at rest by the flow",
    {
      events: [["PROCESS_START", 0, AT]],
      but: (m) => (half(m) ? { PROCESS_STATE: "IDLE", UVR_INTENSITY: 0 } : {}),
    },
    ["outside_limits"],
  ],
  [
    "no stop, and water goes on at rest by the totaliser alone",
    {
      events: [["PROCESS_START", 0, AT]],
      but: (m) => (half(m) ? { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 } : {}),
    },
    ["outside_limits"],
  ],
  [
    "water at rest by the totaliser alone, and no events",
    {
      events: [],
      but: () => ({ PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, UVR_INTENSITY: 0 }),
    },
    ["outside_limits"],
  ],
  [
    "a stop, and a totaliser that is told late",
    { but: (m) => (m >= 118 ? total(116) : {}), minutes: 120 },
    ["within_limits"],
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
