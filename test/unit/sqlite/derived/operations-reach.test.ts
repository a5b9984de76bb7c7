// Late readings that change an operation beyond a rest, or hours later: it is judged again, so that
// they leave nothing that a database lacks that got all in order. Each history is the smallest that
// stayed as it was.

import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";
import { type Rig, rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf } from "../../../rig/decoding.ts";
import { judgedOperations, type Sent } from "../../../rig/operations.ts";

const rigOf = rigsOfTests();
const DAY_MS = Math.floor(AT_MS / (24 * HOUR_MS)) * 24 * HOUR_MS - 48 * HOUR_MS;
const STATES = { rest: "IDLE", run: "RUNNING" } as const;
const FLOW_M3_H = 500;

interface Reading {
  readonly minute: number;
  readonly state: keyof typeof STATES;
  readonly total: number | null;
}

const contentOf = ({ minute, state, total }: Reading): Sent => ({
  timestamp: DAY_MS + minute * MINUTE_MS,
  ...{ PROCESS_STATE: STATES[state], operation_type: state === "run" ? "BALLAST" : null },
  ...{ SYS_FLOW_RATE: state === "run" ? FLOW_M3_H : 0, COMPLIANCE_MODE: "IMO" },
  ...{ UVR_INTENSITY: state === "run" ? 600 : 0, SYS_TOTAL_BALLAST_VOL: total },
});

/** Readings at some minutes; the totaliser counts the flow from reading to reading. */
function plant(minutes: readonly number[], stateAt: (minute: number) => Reading["state"]) {
  let total = 1000;
  return minutes.map((minute, index): Reading => {
    const before = minutes[index - 1] ?? minute;
    if (stateAt(before) === "run") total += ((minute - before) / 60) * FLOW_M3_H;
    return { minute, state: stateAt(minute), total };
  });
}

const every = (step: number, from: number, to: number) =>
  Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);

const send = ({ store }: Rig, readings: readonly Reading[]) =>
  store.commit(readings.map((one) => messageOf("telemetry", contentOf(one))));

const told = (rig: Rig) =>
  judgedOperations(rig)
    .filter(({ remarks }) => !remarks.includes("withdrawn"))
    .map(({ start, end, verdict, remarks }) => ({ start, end, verdict, remarks }))
    .toReversed();

/** The operations before the late readings, and after them. */
function judgedTwice(readings: readonly Reading[], isLate: (one: Reading) => boolean) {
  const [ordered, late] = [rigOf(), rigOf()];
  send(
    late,
    readings.filter((one) => !isLate(one)),
  );
  const before = told(late);
  send(late, readings.filter(isLate));
  send(ordered, readings);
  const after = told(late);
  expect(after).toEqual(told(ordered));
  return { before, after };
}

const UNSEEN = { remarks: expect.arrayContaining(["water_unseen"]) };
const SEEN = { remarks: expect.not.arrayContaining(["water_unseen"]) };

test("a silence of the next operation is filled: the one before the rest is judged again", () => {
  const runs = (minute: number) =>
    (minute >= 300 && minute < 355) || (minute >= 395 && minute < 600) ? "run" : "rest";
  const readings = plant([...every(5, 0, 405), ...every(5, 420, 900)], runs);
  const isLate = ({ minute }: Reading) => minute >= 420 && minute < 580;
  const { before, after } = judgedTwice(readings, isLate);
  expect(before[0]).toMatchObject(UNSEEN);
  expect(after).toMatchObject([SEEN, SEEN]);
});

test("a totaliser without values across a rest of 70 minutes reaches as far", () => {
  const runs = (minute: number) =>
    (minute >= 300 && minute < 345) || (minute >= 415 && minute < 700) ? "run" : "rest";
  const readings = plant(every(5, 0, 900), runs).map((one) =>
    one.minute > 350 && one.minute < 640 ? { ...one, total: null } : one,
  );
  const isLate = ({ minute }: Reading) => minute > 425 && minute < 640;
  const { before, after } = judgedTwice(readings, isLate);
  expect(before[0]).toMatchObject(UNSEEN);
  expect(after).toMatchObject([SEEN, SEEN]);
});

test("a late reading makes the cadence longer, and a silence of seven hours later is none", () => {
  const thirties = every(30, 120, 360);
  const minutes = [
    ...[...every(10, -400, 40), 58, ...thirties],
    ...[...every(10, 370, 460), ...every(10, 525, 665), ...every(10, 675, 1000)],
  ];
  const runs = (minute: number) =>
    (minute >= 300 && minute < 420) || (minute >= 525 && minute < 665) ? "run" : "rest";
  const readings = plant(minutes, runs).map((one) => ({ ...one, total: null }));
  const { before, after } = judgedTwice(readings, ({ minute }) => minute === 58);
  expect(before[1]).toMatchObject(UNSEEN);
  expect(after[1]).toMatchObject(SEEN);
});
