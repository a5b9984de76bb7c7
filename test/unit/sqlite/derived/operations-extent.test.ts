// Beginning and end of operations, as they are stored: two that lost the stop and the start between
// them, in any order of arrival and whatever is changed afterwards.

import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, printTime } from "../../../../src/ground/clock.ts";
import { prepare } from "../../../../src/sqlite/file/open.ts";
import { giveOut } from "../../../../src/sqlite/records/give-out.ts";
import { type Rig, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import {
  eventsOfRun,
  idleReadings,
  judgedOperations,
  readingsOfRun,
  type Sent,
} from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const BY = { actor: "engineer", address: null, at_ms: AT_MS };
const DAY_MS = Math.floor(AT_MS / (24 * HOUR_MS)) * 24 * HOUR_MS - 48 * HOUR_MS;
const at = (hours: number, minutes = 0) => DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS;

/** A morning within the limits, five hours at rest, and an afternoon at 100 W/m2. */
const MORNING = { start_ms: at(6), minutes: 180 };
const AFTERNOON = { start_ms: at(14), minutes: 162, at: () => ({ UVR_INTENSITY: 100 }) };
const START = eventsOfRun(MORNING).start;
const STOP = eventsOfRun(AFTERNOON).stop;
const READINGS: readonly Sent[] = [
  ...readingsOfRun(MORNING),
  ...idleReadings(at(9, 1), 299),
  ...readingsOfRun(AFTERNOON),
  ...idleReadings(at(16, 43), 120),
];
/** A reading of the morning that comes late. */
const LATE = { ...READINGS[60], timestamp: at(7) + 30_000 };

const FOUND = [
  [printTime(at(6)), printTime(at(9, 1)), "within_limits", ["no_stop"]],
  [printTime(at(14)), printTime(at(16, 42)), "outside_limits", ["no_start"]],
];

function send({ store }: Rig, sent: readonly (Sent | typeof START)[]): void {
  store.commit(sent.map((one) => messageOf("event_type" in one ? "events" : "telemetry", one)));
}

const told = (rig: Rig) =>
  judgedOperations(rig)
    .filter(({ remarks }) => !remarks.includes("withdrawn"))
    .map(({ start, end, verdict, remarks }) => [
      ...[start, end, verdict],
      remarks.filter((one) => one !== "readings_hidden"),
    ])
    .reverse();

test("a day with both events and a rest of five hours is two operations, as one batch", () => {
  const rig = rigOf();
  send(rig, [START, STOP, ...READINGS]);
  expect(told(rig)).toEqual(FOUND);
});

test("a late reading, a void of a second and its undoing leave it so", () => {
  const rig = rigOf();
  send(rig, [START, STOP, ...READINGS]);
  judgedOperations(rig);
  send(rig, [LATE]);
  expect(told(rig)).toEqual(FOUND);
  const second = { start_ms: at(8), end_ms: at(8) + 1000, reason: "odd" };
  rig.store.addVoid(second, BY);
  expect(told(rig)).toEqual(FOUND);
  rig.store.undoVoid(1, BY);
  expect(told(rig)).toEqual(FOUND);
});

test("sent live, an hour at a time, it is the same", () => {
  const rig = rigOf();
  const all = [START, STOP, ...READINGS].toSorted((one, other) => one.timestamp - other.timestamp);
  for (let from_ms = at(6); from_ms < at(19); from_ms += HOUR_MS) {
    send(
      rig,
      all.filter(({ timestamp }) => timestamp >= from_ms && timestamp < from_ms + HOUR_MS),
    );
    judgedOperations(rig);
  }
  expect(told(rig)).toEqual(FOUND);
});

test("the rest that comes last divides what was one, and the printed version says so", () => {
  const rig = rigOf();
  const isRest = ({ timestamp }: Sent) => timestamp > at(9) && timestamp < at(14);
  send(rig, [START, STOP, ...READINGS.filter((one) => !isRest(one))]);
  const before = told(rig).map((one) => one.slice(0, 3));
  expect(before).toEqual([[printTime(at(6)), printTime(at(16, 42)), "outside_limits"]]);
  rig.db.transaction(() =>
    giveOut(rig.db, { ids: null, range: { start_ms: 0, end_ms: AT_MS } }, AT_MS),
  )();
  send(rig, READINGS.filter(isRest));
  expect(told(rig)).toEqual(FOUND);
  const [, first] = judgedOperations(rig);
  expect(first).toMatchObject({ id: 1, version: 2 });
  expect(first.versions[1].because).toContain("the version before was given out");
  expect(prepare(rig.db, "ledger.statements").all({ kind: "verdict" })).toHaveLength(3);
});

test("a lost stop and the lost start of the next day, in another port, are two operations", () => {
  const rig = rigOf();
  const busan = { start_ms: at(0), minutes: 180, location: "Busan" };
  const ulsan = { start_ms: at(24), minutes: 120, location: "Ulsan" };
  send(rig, [
    ...[eventsOfRun(busan).start, eventsOfRun(ulsan).stop],
    ...readingsOfRun(busan),
    ...idleReadings(at(3, 1), 21 * 60 - 1),
    ...readingsOfRun(ulsan),
  ]);
  expect(judgedOperations(rig)).toMatchObject([
    { start: printTime(at(24)), end: printTime(at(26)), location: "Ulsan", remarks: ["no_start"] },
    { start: printTime(at(0)), end: printTime(at(3, 1)), location: "Busan", remarks: ["no_stop"] },
  ]);
});

test("runs that are days apart with nothing between them are seen whole by the totaliser", () => {
  const runs = [-20, -15, -15 + 1 / 4, -3].map((days, place) =>
    readingsOfRun({
      ...{ start_ms: at(24 * days), minutes: 120 },
      at: (minute) => ({
        UVR_INTENSITY: 600 + Math.sin(minute),
        SYS_TOTAL_BALLAST_VOL: 1000 + 1200 * place + 10 * minute,
      }),
    }),
  );
  const verdicts = (rig: Rig) => told(rig).map(([, , verdict]) => verdict);
  const first = rigOf();
  const live = runs.map((run) => {
    send(first, run);
    return verdicts(first);
  });
  const [within, unknown] = ["within_limits", "cannot_tell"];
  expect(live).toEqual([
    [unknown],
    [unknown, unknown],
    [unknown, within, unknown],
    [unknown, within, within, unknown],
  ]);
  for (const order of [
    [0, 1, 2, 3],
    [3, 0, 2, 1],
    [2, 3, 1, 0],
  ]) {
    const [batch, shuffled] = [rigOf(), rigOf()];
    send(
      batch,
      order.flatMap((place) => runs[place]),
    );
    expect(told(batch)).toEqual(told(first));
    for (const place of order) {
      send(shuffled, runs[place]);
      told(shuffled);
    }
    expect(told(shuffled)).toEqual(told(first));
  }
});
