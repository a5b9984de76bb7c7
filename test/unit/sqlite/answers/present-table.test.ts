// THE TRUTH TABLE OF THE PRESENT, shown in test/data/present-table.md: states of a ship, and what
// is said in each. `to limit` is the time to the limit of the mode in hours, or the reason why
// there is none; `finish` if the operation can be finished; `tick` the tick of the page, or what
// there is to do; `alerts` are those that the readings raise. A good word stands only where all
// that it takes is known and holds.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rigsOfTests } from "../../../rig/database.ts";
import { type PresentSaid, type PresentState, saidOf } from "../../../rig/present-ship.ts";

const TABLE = readFileSync(new URL("../../../data/present-table.md", import.meta.url), "utf8");

const still = { SYS_FLOW_RATE: 0, SYS_TOTAL_BALLAST_VOL: 140_000 };
const idle = { PROCESS_STATE: "IDLE", ...still };
/** The fields of the newest so many readings. */
const since = (minutes: number, fields: object) => (ago: number) => ({
  ...(ago < minutes ? fields : {}),
});
const last = (fields: object) => since(1, fields);
const always = (fields: object) => () => ({ ...fields });
const light = (of: (ago: number) => number) => (ago: number) => ({ UVR_INTENSITY: of(ago) });
/** While the power moves, as a sensor does. */
const frozen = (fields: object) => (ago: number) => ({
  ...{ UVR_POWER_OUTPUT: 90 + (ago % 7) / 10, ...fields },
});
/** A fall to `end` by so much an hour. */
const falling = (end: number, an_hour: number) => light((ago) => end + (an_hour * ago) / 60);
const isEarlier = (ago: number) => ago >= 20 && ago < 40;
const resting = (fields: object = {}): PresentState => {
  return { isIdle: true, each: always({ ...idle, ...fields }) };
};
/** At rest for 40 min, after an operation whose stop was lost. */
const rested = (fields: Readonly<Record<string, number | null>>): PresentState => ({
  isJudged: true,
  each: (ago) => (ago < 40 ? { ...idle, SYS_TOTAL_BALLAST_VOL: 142_800 } : fields),
});
const every = <Said>(lamp: (number: string) => Said): Readonly<Record<string, Said>> =>
  Object.fromEntries(
    Array.from({ length: 16 }, (_, index) => String(index + 1).padStart(2, "0")).map((number) => [
      number,
      lamp(number),
    ]),
  );

/** Bright lamps, but for `fields`. */
const shining = (fields: object) => ({
  ...Object.fromEntries(Object.keys(every(() => 0)).map((lamp) => [`LAMP_${lamp}_EFFICIENCY`, 96])),
  ...fields,
});

/** A clock that is wrong makes the ship not ready, and so do quarantined messages. */
const OFF = { is_ready: false };
const QUARANTINING = { is_ready: false, is_quarantining: true };

const STATES: Readonly<Record<string, PresentState>> = {
  "no data ever": { isEmpty: true },
  "treating, light steady": {},
  "treating, simulated": { asked: { simulated: true } },
  "treating, light falls": { each: falling(342, 30) },
  "treating, light falls fast": { each: falling(276, 80) },
  "light just above the limit": { each: light((ago) => 253 + (ago % 2) / 4) },
  "light at the limit, line below it": { each: light((ago) => (ago === 0 ? 252 : 251)) },
  "light below the limit, line above it": { each: light((ago) => (ago === 0 ? 230 : 270 + ago)) },
  "light below the limit for minutes": { each: light((ago) => (ago < 6 ? 230 : 270 + ago)) },
  "light drops, still above the limit": { each: light((ago) => (ago === 0 ? 260 : 420)) },
  "light below the limit half an hour ago": { each: light((ago) => (isEarlier(ago) ? 100 : 420)) },
  "bypass half an hour ago": {
    each: (ago) => ({ PROCESS_STATE: isEarlier(ago) ? "BYPASS" : "RUNNING" }),
  },
  "no light for long half an hour ago": { each: light((ago) => (isEarlier(ago) ? 32_767 : 420)) },
  "mode not sent any more": { each: since(10, { COMPLIANCE_MODE: null }) },
  "state not sent any more": { each: since(10, { PROCESS_STATE: null }) },
  "water in the cabinet": { each: last({ LDC_WATER_ALARM: true }) },
  "a motor in fault": { each: last({ FLT_MOTOR_STATUS: "FAULT" }) },
  "filter's pressure at its alarm limit": { each: last({ FLT_DIFF_PRESSURE: 1.2 }) },
  "cooling water at its trip limit": { each: last({ UVR_WATER_TEMP: 45 }) },
  "no mode, light between the limits": { each: always({ COMPLIANCE_MODE: null }) },
  "an unknown mode": { each: always({ COMPLIANCE_MODE: "AUTO" }) },
  "no mode, light below both limits": {
    each: always({ COMPLIANCE_MODE: null, UVR_INTENSITY: 240 }),
  },
  "newest reading without light": { each: last({ UVR_INTENSITY: null }) },
  "light of a broken wire": { each: last({ UVR_INTENSITY: 32767 }) },
  "light of bad quality": { each: last({ "UVR_INTENSITY.quality": "Bad" }) },
  "light the same to the digit for an hour": { each: frozen({ UVR_INTENSITY: 420 }) },
  "flow the same to the digit, no totaliser": { each: frozen({ SYS_TOTAL_BALLAST_VOL: null }) },
  "flow the same to the digit, as a totaliser says": { each: frozen({}) },
  "flow, and its totaliser stands still": {
    each: (ago) => ({ SYS_FLOW_RATE: 600 + (ago % 5), SYS_TOTAL_BALLAST_VOL: 140_000.5 }),
  },
  "flow, and its totaliser stands still at a round value": {
    each: (ago) => ({ SYS_FLOW_RATE: 600 + (ago % 5), SYS_TOTAL_BALLAST_VOL: 140_000 }),
  },
  "flow, and its totaliser runs back": {
    each: (ago) => ({ SYS_TOTAL_BALLAST_VOL: 140_000 + 10 * ago }),
  },
  "a lamp's status not sent any more": { each: since(10, { LAMP_07_STATUS: null }) },
  "light with all lamps on standby": { lamps: every(() => "STANDBY") },
  "light without power": { each: always({ UVR_POWER_OUTPUT: 0 }) },
  "newest reading without flow": { each: last({ SYS_FLOW_RATE: null }) },
  "flow of a broken wire": { each: last({ SYS_FLOW_RATE: 32767 }) },
  "flow above the certified flow": { each: since(10, { SYS_FLOW_RATE: 1100 }) },
  "flow 0 while running": { each: since(10, still) },
  "flow 0 since now, a totaliser rose": { each: last({ SYS_FLOW_RATE: 0 }) },
  "flow 0 while running, a totaliser rises": { each: since(10, { SYS_FLOW_RATE: 0 }) },
  backflush: { each: last({ PROCESS_STATE: "BACKFLUSH", UVR_INTENSITY: 380 }) },
  "no state, water moves": { each: always({ PROCESS_STATE: null }) },
  "an unknown state, water moves": { each: last({ PROCESS_STATE: "MARCHE" }) },
  "idle, nothing open": resting(),
  "idle, the operation before was within": rested({}),
  "idle, the operation before was outside": rested({ UVR_INTENSITY: 100 }),
  "idle, the operation before can't be judged": rested({ UVR_INTENSITY: null }),
  "idle, water in the cabinet": resting({ LDC_WATER_ALARM: true }),
  "idle, state not sent any more": {
    isIdle: true,
    each: (ago) => ({ ...idle, PROCESS_STATE: ago < 10 ? null : "IDLE" }),
  },
  "idle, flow not sent": resting({ SYS_FLOW_RATE: null }),
  "idle, alarms not acknowledged": { ...resting(), plant: ["FAN", "PUMP"] },
  "idle, water moves for seconds": {
    isIdle: true,
    each: (ago) => (ago === 0 ? { ...idle, SYS_FLOW_RATE: 500 } : idle),
  },
  "idle, water moves for minutes": resting({ SYS_FLOW_RATE: 500 }),
  "idle, a totaliser rises": {
    isIdle: true,
    each: (ago) => ({ ...idle, SYS_TOTAL_BALLAST_VOL: 140_000 - 10 * ago }),
  },
  "idle, no flow sent, a totaliser rises": {
    isIdle: true,
    each: (ago) => ({
      ...{ ...idle, SYS_FLOW_RATE: null, SYS_TOTAL_BALLAST_VOL: 140_000 - 10 * ago },
    }),
  },
  "idle, no flow sent, a totaliser rose before": {
    isIdle: true,
    each: (ago) => ({
      ...{ ...idle, SYS_FLOW_RATE: null, SYS_TOTAL_BALLAST_VOL: 140_000 - 10 * Math.max(8, ago) },
    }),
  },
  "idle said once, water moves since": {
    isIdle: true,
    each: (ago) => ({
      ...{ ...idle, PROCESS_STATE: ago === 6 ? "IDLE" : null, SYS_FLOW_RATE: ago < 6 ? 800 : 0 },
    }),
  },
  "flow a fifth of what a totaliser says": { each: always({ SYS_FLOW_RATE: 120 }) },
  "fault, no water moves": { each: last({ PROCESS_STATE: "FAULT", SYS_FLOW_RATE: 0 }) },
  "fault, water moves": { each: since(3, { PROCESS_STATE: "FAULT" }) },
  "bypass, water moves": { each: since(3, { PROCESS_STATE: "BYPASS" }) },
  "warm-up": { each: always({ PROCESS_STATE: "WARMUP", ...still }) },
  "stopping, water moves for seconds": { each: last({ PROCESS_STATE: "STOPPING" }) },
  "cleaning in place, water moves": resting({
    ...{ PROCESS_STATE: "CIP", operation_type: "CIP", SYS_FLOW_RATE: 60 },
  }),
  "a failed lamp": { lamps: { "07": "FAILED" } },
  "a lamp of an unknown word": { lamps: { "07": "NOK" } },
  "two failed lamps counted, none said": { each: always({ FAILED_LAMP_COUNT: 2 }) },
  "the plant's alarm of a lamp that burns": { plant: ["LAMP_07_FAULT"] },
  "the plant's alarm of the lamp that failed": {
    ...{ plant: ["LAMP_07_FAULT"], lamps: { "07": "FAILED" } },
  },
  "a lamp that isn't sent": { lamps: { "07": null } },
  "three lamps past their life": {
    forecasts: every((lamp) => (["02", "05", "12"].includes(lamp) ? "worn" : 1800)),
  },
  "a dim lamp, no forecast yet": { each: always(shining({ LAMP_05_EFFICIENCY: 66 })) },
  "a lit lamp of 0 %, no forecast yet": { each: always(shining({ LAMP_05_EFFICIENCY: 0 })) },
  "a lit lamp of 0 %, the others tell none": { each: always({ LAMP_05_EFFICIENCY: 0 }) },
  "a lit lamp of 0 W": { each: always({ LAMP_05_POWER: 0, LAMP_05_EFFICIENCY: 98 }) },
  "a lamp of 0 W at rest": resting({ LAMP_05_POWER: 0 }),
  "a lamp of 0 W on standby": { lamps: { "05": "STANDBY" }, each: always({ LAMP_05_POWER: 0 }) },
  "a dim lamp, its forecast is good": {
    each: always(shining({ LAMP_05_EFFICIENCY: 66 })),
    forecasts: every(() => 1800),
  },
  "a lamp near its end": { forecasts: every((lamp) => (lamp === "02" ? 40 : 1800)) },
  "a lamp near its end, alert open": {
    forecasts: every((lamp) => (lamp === "02" ? 40 : 1800)),
    own: ["LAMP_NEAR_END"],
  },
  "counters of lamps suspended": { own: ["LAMP_COUNTERS_FAST"] },
  "no PLC connected, a reading is overdue": { age_ms: 121_000, asked: { is_cut: true } },
  "no PLC connected between two messages": { age_ms: 60_000, asked: { is_cut: true } },
  "clock not trusted": { asked: { is_clock_trusted: false } },
  "clock not trusted, idle": { ...resting(), asked: { is_clock_trusted: false } },
  "readings by two clocks": { asked: { has_two_clocks: true, is_ready: false } },
  "readings by two clocks, idle": {
    ...resting(),
    asked: { has_two_clocks: true, is_ready: false },
  },
  "clock of the plant ahead": { age_ms: -3_600_000 },
  "clock of the plant put back 1 h, light below the limit": {
    ...{ back_h: 1, asked: OFF },
    each: since(20, { UVR_INTENSITY: 100 }),
  },
  "clock of the plant put back 8 h, light below the limit": {
    ...{ back_h: 8, asked: OFF },
    each: since(20, { UVR_INTENSITY: 100 }),
  },
  "clock of the plant put back 8 h, light within": { back_h: 8, asked: OFF },
  "clock of the plant put back 8 h, idle since": {
    ...{ back_h: 8, asked: OFF },
    each: since(20, idle),
  },
  "readings kept in a cut come late, treating": { late_ms: 240_000, age_ms: 245_000 },
  "readings kept in a cut come late, idle": {
    ...{ ...resting(), late_ms: 240_000, age_ms: 245_000 },
  },
  "clock of the plant 4 min behind, treating": {
    ...{ late_ms: 240_000, age_ms: 245_000, asked: { plant_clock_offset_seconds: -240 } },
  },
  "quarantining since seconds, treating before": { asked: QUARANTINING },
  "quarantining since an hour, treating before": { asked: QUARANTINING, age_ms: 3_600_000 },
  "quarantining since an hour, idle before": {
    ...resting(),
    ...{ asked: QUARANTINING, age_ms: 3_600_000 },
  },
  "new ship, all is quarantined": { isEmpty: true, asked: QUARANTINING },
  "quarantine filling": { own: ["QUARANTINE_FULL"] },
  "alarm of the plant quarantined, idle": { ...resting(), own: ["PLANT_ALARM_QUARANTINED"] },
  "readings stopped while treating": { age_ms: 3_600_000 },
  "readings stopped while idle": { ...resting(), age_ms: 3_600_000 },
  "heartbeats alone for 3 min": { heartbeats_min: 3 },
  "heartbeats alone for 10 min, treating before": { heartbeats_min: 10 },
  "heartbeats alone for 10 min, idle before": { ...resting(), heartbeats_min: 10 },
  "heartbeats alone for 40 min, treating before": { heartbeats_min: 40, isIdle: true },
  "newest readings hidden": { hides: true },
  "not ready": { asked: { is_ready: false } },
  "stored data damaged": { asked: { is_damaged: true } },
  "disk low": { own: ["DISK_LOW"] },
  "a job fails": { own: ["JOB_FAILING"] },
};

function cellsOf({ answer, alerts }: PresentSaid): readonly string[] {
  const { verdict, because, time_to_limit, operation, tick, to_do } = answer;
  const { hours, reason } = time_to_limit;
  return [
    ...[verdict, because.join(" "), hours === null ? String(reason) : hours.toFixed(1)],
    operation?.can_finish ?? "",
    tick ? "yes" : to_do.length === 0 ? "no" : to_do.join(" "),
    alerts.join(" "),
  ];
}

/** The rows below the heads of the columns. */
const ROWS = TABLE.split("\n")
  .filter((line) => /^\| [^-]/.test(line))
  .slice(1)
  .map((line) => line.split("|").slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim()));

const rigOf = rigsOfTests();

test.each(ROWS)("%s", (state, ...cells) => {
  expect(cellsOf(saidOf(rigOf(), STATES[state]))).toEqual(cells);
});

test("every state has a row, and every row a state", () => {
  expect(ROWS.map(([state]) => state)).toEqual(Object.keys(STATES));
});
