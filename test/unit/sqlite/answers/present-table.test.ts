// THE TRUTH TABLE OF THE PRESENT, shown: states of a ship, and what is said in each. `to limit` is
// the time to the limit of the mode in hours, or the reason why there is none; `finish` if the
// operation can be finished; `tick` the tick of the page, or what there is to do; `alerts` are those
// that the readings raise. A good word stands only where all that it takes is known and holds.

import { expect, test } from "vitest";
import { rigsOfTests } from "../../../rig/database.ts";
import { type PresentSaid, type PresentState, saidOf } from "../../../rig/present-ship.ts";

const TABLE = `
state                                    | verdict      | because         | to limit     | finish  | tick                     | alerts
no data ever                             | no_reading   |                 | unknown      |         | lamps_unknown            |
treating, light steady                   | within_limit |                 | no_fall      | yes     | yes                      |
treating, simulated                      | within_limit |                 | no_fall      | yes     | yes                      |
treating, light falls                    | within_limit |                 | 3.0          | yes     | yes                      |
treating, light falls fast               | within_limit |                 | 0.3          | no      | yes                      |
light just above the limit               | within_limit |                 | no_fall      | yes     | yes                      |
light at the limit, line below it        | within_limit |                 | at_limit     | perhaps | yes                      |
light below the limit, line above it     | below_limit  |                 | below_limit  | no      | no                       |
light below the limit for minutes        | below_limit  |                 | below_limit  | no      | no                       | UV_BELOW_LIMIT
light drops, still above the limit       | within_limit |                 | jumped       | unknown | yes                      |
no mode, light between the limits        | not_judged   | no_mode         | no_limit     | unknown | no                       |
an unknown mode                          | not_judged   | no_mode         | no_limit     | unknown | no                       |
no mode, light below both limits         | below_limit  |                 | no_limit     | no      | no                       | UV_BELOW_LIMIT
newest reading without light             | not_judged   | no_light        | no_light     | unknown | no                       |
light of a broken wire                   | not_judged   | light_doubted   | no_light     | unknown | no                       | SENSOR_IMPLAUSIBLE
light of bad quality                     | not_judged   | light_doubted   | no_light     | unknown | no                       | SENSOR_BAD_QUALITY
newest reading without flow              | not_judged   | no_flow_value   | no_fall      | unknown | no                       |
flow of a broken wire                    | not_judged   | flow_doubted    | no_fall      | unknown | no                       | SENSOR_IMPLAUSIBLE
flow above the certified flow            | above_flow   |                 | no_fall      | no      | no                       | FLOW_ABOVE_CERTIFIED
flow 0 while running                     | no_flow      |                 | not_treating | unknown | no                       |
backflush                                | within_limit |                 | no_fall      | yes     | yes                      |
no state, water moves                    | not_judged   | no_state        | no_fall      | unknown | no                       |
an unknown state, water moves            | unknown      | odd_state       | unknown      | unknown | no                       |
idle, nothing open                       | not_treating |                 | not_treating |         | yes                      |
idle, flow not sent                      | not_treating |                 | not_treating |         | no                       |
idle, alarms not acknowledged            | not_treating |                 | not_treating |         | alerts                   |
idle, water moves for seconds            | unknown      | moving          | unknown      |         | no                       |
idle, water moves for minutes            | untreated    |                 | not_treating |         | no                       | WATER_UNTREATED
fault, no water moves                    | fault        |                 | not_treating | unknown | no                       |
fault, water moves                       | untreated    |                 | not_treating | no      | no                       | WATER_UNTREATED
bypass, water moves                      | untreated    |                 | not_treating | no      | no                       | WATER_UNTREATED
warm-up                                  | not_treating |                 | not_treating | unknown | no                       |
stopping, water moves for seconds        | unknown      | moving          | unknown      | unknown | no                       |
cleaning in place, water moves           | not_treating |                 | not_treating |         | no                       |
a failed lamp                            | within_limit |                 | no_fall      | yes     | lamps_failed             | LAMP_FAILED
a lamp of an unknown word                | within_limit |                 | no_fall      | yes     | lamps_unknown            |
a lamp that isn't sent                   | within_limit |                 | no_fall      | yes     | lamps_unknown            |
three lamps past their life              | within_limit |                 | no_fall      | yes     | lamps_past_life          | LAMP_NEAR_END
a lamp near its end                      | within_limit |                 | no_fall      | yes     | yes                      | LAMP_NEAR_END
a lamp near its end, alert open          | within_limit |                 | no_fall      | yes     | alerts                   | LAMP_NEAR_END
counters of lamps suspended              | within_limit |                 | no_fall      | yes     | alerts forecasts_suspended |
clock not trusted                        | not_judged   | clock           | unknown      | unknown | no                       |
clock not trusted, idle                  | not_treating |                 | not_treating |         | no                       |
clock of the plant ahead                 | ahead        |                 | unknown      | unknown | no                       |
readings stopped while treating          | silent       |                 | old          | unknown | no                       |
readings stopped while idle              | idle_silent  |                 | old          |         | no                       |
newest readings hidden                   | hidden       |                 | old          | unknown | no                       |
not ready                                | within_limit |                 | no_fall      | yes     | not_ready                |
stored data damaged                      | within_limit |                 | no_fall      | yes     | damage                   |
disk low                                 | within_limit |                 | no_fall      | yes     | alerts                   |
a job fails                              | within_limit |                 | no_fall      | yes     | alerts                   |
`;

const idle = { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0 };
/** The fields of the newest so many readings. */
const since = (minutes: number, fields: object) => (ago: number) => ({
  ...(ago < minutes ? fields : {}),
});
const last = (fields: object) => since(1, fields);
const always = (fields: object) => () => ({ ...fields });
const light = (of: (ago: number) => number) => (ago: number) => ({ UVR_INTENSITY: of(ago) });
/** A fall to `end` by so much an hour. */
const falling = (end: number, an_hour: number) => light((ago) => end + (an_hour * ago) / 60);
const resting = (fields: object = {}): PresentState => {
  return { isIdle: true, each: always({ ...idle, ...fields }) };
};
const every = (lamp: (number: string) => number | "worn") =>
  Object.fromEntries(
    Array.from({ length: 16 }, (_, index) => String(index + 1).padStart(2, "0")).map((number) => [
      number,
      lamp(number),
    ]),
  );

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
  "no mode, light between the limits": { each: always({ COMPLIANCE_MODE: null }) },
  "an unknown mode": { each: always({ COMPLIANCE_MODE: "AUTO" }) },
  "no mode, light below both limits": {
    each: always({ COMPLIANCE_MODE: null, UVR_INTENSITY: 240 }),
  },
  "newest reading without light": { each: last({ UVR_INTENSITY: null }) },
  "light of a broken wire": { each: last({ UVR_INTENSITY: 32767 }) },
  "light of bad quality": { each: last({ "UVR_INTENSITY.quality": "Bad" }) },
  "newest reading without flow": { each: last({ SYS_FLOW_RATE: null }) },
  "flow of a broken wire": { each: last({ SYS_FLOW_RATE: 32767 }) },
  "flow above the certified flow": { each: since(10, { SYS_FLOW_RATE: 1100 }) },
  "flow 0 while running": { each: since(10, { SYS_FLOW_RATE: 0 }) },
  backflush: { each: last({ PROCESS_STATE: "BACKFLUSH", UVR_INTENSITY: 380 }) },
  "no state, water moves": { each: always({ PROCESS_STATE: null }) },
  "an unknown state, water moves": { each: last({ PROCESS_STATE: "MARCHE" }) },
  "idle, nothing open": resting(),
  "idle, flow not sent": resting({ SYS_FLOW_RATE: null }),
  "idle, alarms not acknowledged": { ...resting(), plant: ["FAN", "PUMP"] },
  "idle, water moves for seconds": {
    isIdle: true,
    each: (ago) => (ago === 0 ? { ...idle, SYS_FLOW_RATE: 500 } : idle),
  },
  "idle, water moves for minutes": resting({ SYS_FLOW_RATE: 500 }),
  "fault, no water moves": { each: last({ PROCESS_STATE: "FAULT", SYS_FLOW_RATE: 0 }) },
  "fault, water moves": { each: since(3, { PROCESS_STATE: "FAULT" }) },
  "bypass, water moves": { each: since(3, { PROCESS_STATE: "BYPASS" }) },
  "warm-up": { each: always({ PROCESS_STATE: "WARMUP", SYS_FLOW_RATE: 0 }) },
  "stopping, water moves for seconds": { each: last({ PROCESS_STATE: "STOPPING" }) },
  "cleaning in place, water moves": resting({
    ...{ PROCESS_STATE: "CIP", operation_type: "CIP", SYS_FLOW_RATE: 60 },
  }),
  "a failed lamp": { lamps: { "07": "FAILED" } },
  "a lamp of an unknown word": { lamps: { "07": "NOK" } },
  "a lamp that isn't sent": { lamps: { "07": null } },
  "three lamps past their life": {
    forecasts: every((lamp) => (["02", "05", "12"].includes(lamp) ? "worn" : 1800)),
  },
  "a lamp near its end": { forecasts: every((lamp) => (lamp === "02" ? 40 : 1800)) },
  "a lamp near its end, alert open": {
    forecasts: every((lamp) => (lamp === "02" ? 40 : 1800)),
    own: ["LAMP_NEAR_END"],
  },
  "counters of lamps suspended": { own: ["LAMP_COUNTERS_FAST"] },
  "clock not trusted": { asked: { is_clock_trusted: false } },
  "clock not trusted, idle": { ...resting(), asked: { is_clock_trusted: false } },
  "clock of the plant ahead": { age_ms: -3_600_000 },
  "readings stopped while treating": { age_ms: 3_600_000 },
  "readings stopped while idle": { ...resting(), age_ms: 3_600_000 },
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

const ROWS = TABLE.trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("|").map((cell) => cell.trim()));

const rigOf = rigsOfTests();

test.each(ROWS)("%s", (state, ...cells) => {
  expect(cellsOf(saidOf(rigOf(), STATES[state]))).toEqual(cells);
});

test("every state has a row, and every row a state", () => {
  expect(ROWS.map(([state]) => state)).toEqual(Object.keys(STATES));
});
