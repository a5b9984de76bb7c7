// Cleanings that come late, are moved or are withdrawn: the operations after them, up to the next
// one, are judged anew where the PLC doesn't tell the hours since the last cleaning.

import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, printTime } from "../../../../src/ground/clock.ts";
import { startsAfterCleaning } from "../../../../src/sqlite/derived/cleanings.ts";
import { type Rig, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { LAMP_CONFIG } from "../../../rig/fleet.ts";
import {
  eventsOfRun,
  idleReadings,
  judgedOperations,
  readingsOfRun,
} from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const BY = { actor: "engineer", address: null, at_ms: AT_MS };
const START_MS = AT_MS - 900 * HOUR_MS;
const MINUTES = 30;

interface Ran {
  readonly hour: number;
  readonly type?: string;
  readonly at?: () => object;
}

/** An operation of half an hour; of a cleaning the plant says nothing but its events. */
function run({ store }: Rig, { hour, type = "BALLAST", at }: Ran): void {
  const given = { start_ms: START_MS + hour * HOUR_MS, minutes: MINUTES, type };
  const end_ms = given.start_ms + MINUTES * MINUTE_MS;
  const { start, stop } = eventsOfRun(given);
  const readings = type === "CIP" ? [] : readingsOfRun(at === undefined ? given : { ...given, at });
  store.commit([
    ...[start, stop].map((one) => messageOf("events", one)),
    ...[...readings, ...idleReadings(end_ms + MINUTE_MS, 5)].map((one) =>
      messageOf("telemetry", one),
    ),
  ]);
}

const clean = (rig: Rig, hour: number) => run(rig, { hour, type: "CIP" });
const endOf = (hour: number) => printTime(START_MS + hour * HOUR_MS + MINUTES * MINUTE_MS);

/** The operations that aren't cleanings, oldest first, after the two turns of a late cleaning. */
function judged(rig: Rig) {
  judgedOperations(rig);
  return judgedOperations(rig)
    .filter(({ operation_type }) => operation_type !== "CIP")
    .reverse();
}
const hours = (rig: Rig) => judged(rig).map((one) => one.hours_since_cip);
const because = (rig: Rig) => judged(rig).map(({ versions }) => versions.at(-1)?.because);
const ENDED = "the operation ended";

test("one that comes late renews those up to the next cleaning, and says why", () => {
  const rig = rigOf();
  for (const hour of [10, 30, 50, 70]) run(rig, { hour });
  clean(rig, 60);
  expect(hours(rig)).toEqual([null, null, null, 9.5]);
  clean(rig, 5);
  expect(hours(rig)).toEqual([4.5, 24.5, 44.5, 9.5]);
  const first = `a cleaning came late: the last one before it ended at ${endOf(5)}`;
  expect(because(rig)).toEqual([first, first, first, ENDED]);
  clean(rig, 40);
  expect(hours(rig)).toEqual([4.5, 24.5, 9.5, 9.5]);
  const second = `a cleaning came late: the last one before it ended at ${endOf(40)}`;
  expect(because(rig)).toEqual([first, first, `${second} instead of ${endOf(5)}`, ENDED]);
});

test("one that only readings call a cleaning is one operation however often it is judged", () => {
  const rig = rigOf();
  const given = { start_ms: START_MS, minutes: MINUTES, type: "CIP" };
  const states = { PROCESS_STATE: "CIP", SYS_FLOW_RATE: 0, SYS_TOTAL_BALLAST_VOL: 1000 };
  const readings = readingsOfRun({ ...given, at: () => states });
  const stop = { timestamp: START_MS + MINUTES * MINUTE_MS, event_type: "PROCESS_STOP", data: {} };
  rig.store.commit([
    ...readings.map((one) => messageOf("telemetry", one)),
    messageOf("events", stop),
  ]);
  run(rig, { hour: 10 });
  for (let round = 0; round < 3; round += 1) {
    judgedOperations(rig);
    // As a late reading of the hour does.
    rig.db.exec(`insert or ignore into due values ('operations', ${START_MS})`);
  }
  expect(judgedOperations(rig)).toMatchObject([
    { id: 2, operation_type: "BALLAST", hours_since_cip: 9.5 },
    { id: 1, operation_type: "CIP", versions: [{ because: ENDED }] },
  ]);
});

test("one of which only the stop is known isn't the last one before itself", () => {
  const rig = rigOf();
  const { stop } = eventsOfRun({ start_ms: START_MS, minutes: MINUTES, type: "CIP" });
  const idle = idleReadings(START_MS + 3 * HOUR_MS, 60);
  rig.store.commit([messageOf("events", stop), ...idle.map((one) => messageOf("telemetry", one))]);
  for (let round = 0; round < 3; round += 1) {
    rig.db.exec(`insert or ignore into due values ('operations', ${START_MS})`);
    expect(judgedOperations(rig)).toMatchObject([
      { operation_type: "CIP", hours_since_cip: null, version: 1 },
    ]);
  }
});

test("one that comes late renews also the next one, of which only the stop is known", () => {
  const rig = rigOf();
  run(rig, { hour: 30 });
  const { stop } = eventsOfRun({ start_ms: START_MS, minutes: MINUTES, type: "CIP" });
  const next_ms = stop.timestamp + 60 * HOUR_MS;
  const idle = idleReadings(next_ms + 3 * HOUR_MS, 60);
  rig.store.commit([
    messageOf("events", { ...stop, timestamp: next_ms }),
    ...idle.map((one) => messageOf("telemetry", one)),
  ]);
  expect(judgedOperations(rig)[0]).toMatchObject({ operation_type: "CIP", known_by: "events" });
  const late = { id: 99, was_ms: null, is_ms: START_MS };
  expect(startsAfterCleaning(rig.db, late)).toEqual([START_MS + 30 * HOUR_MS, next_ms]);
});

test("one that is withdrawn doesn't count any more", () => {
  const rig = rigOf();
  for (const hour of [20, 40]) run(rig, { hour });
  clean(rig, 0);
  clean(rig, 10);
  expect(hours(rig)).toEqual([9.5, 29.5]);
  const around = { start_ms: START_MS + 10 * HOUR_MS - 1, end_ms: START_MS + 11 * HOUR_MS };
  rig.store.addVoid({ ...around, what: "events", reason: "never happened" }, BY);
  expect(hours(rig)).toEqual([19.5, 39.5]);
  const text = `a cleaning was withdrawn or corrected: the last one before it ended at ${endOf(0)}`;
  expect(because(rig)[0]).toBe(`${text} instead of ${endOf(10)}`);
  rig.store.undoVoid(1, BY);
  expect(hours(rig)).toEqual([9.5, 29.5]);
  rig.store.addVoid({ ...around, start_ms: START_MS - 1, what: "events", reason: "neither" }, BY);
  expect(hours(rig)).toEqual([null, null]);
  expect(because(rig)[1]).toBe("a cleaning was withdrawn or corrected: none is known before it");
});

test("where the PLC tells the hours, nothing changes and no version is made", () => {
  const rig = rigOf();
  const at = () => ({ CIP_HOURS_SINCE_LAST: 123 });
  for (const hour of [10, 30]) run(rig, { hour, at });
  const before = judged(rig);
  clean(rig, 5);
  expect(judged(rig)).toEqual(before);
  expect(before.map((one) => one.hours_since_cip)).toEqual([123, 123]);
});

test("a history that comes at once makes one version of each, with its own cleaning", () => {
  const rig = rigOf();
  for (const hour of [0, 200, 400]) clean(rig, hour);
  for (const hour of [100, 300, 500, 700]) run(rig, { hour });
  expect(hours(rig)).toEqual([99.5, 99.5, 99.5, 299.5]);
  expect(because(rig)).toEqual([ENDED, ENDED, ENDED, ENDED]);
});

test("a cleaning is due by what is stored, and isn't once a late one is known", () => {
  const rig = rigOf();
  clean(rig, 0);
  const hour = LAMP_CONFIG.limits.cip_hours + 100;
  run(rig, { hour });
  const evidence = { hours_since_cip_h: hour - 0.5, limit_h: LAMP_CONFIG.limits.cip_hours };
  expect(judged(rig)[0].indications).toMatchObject([{ indication: "cip_due", evidence }]);
  clean(rig, hour - 10);
  expect(judged(rig)[0]).toMatchObject({ indications: [], hours_since_cip: 9.5, version: 2 });
});
