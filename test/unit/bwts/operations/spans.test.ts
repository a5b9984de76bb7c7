// The operations that are found in events and readings, where events are missing, overlap or never
// end. The plant sends a reading every 3 minutes; what it does is written as stretches of a state.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import type { OperationEvent } from "../../../../src/bwts/operations/judging.ts";
import { operationSpans } from "../../../../src/bwts/operations/spans.ts";
import {
  AROUND,
  at,
  LIMITS,
  type PlantReading,
  runsOf,
  spanOf,
  started,
  steady,
  stopped,
} from "../../../rig/operation-plant.ts";

/** From, to (both ends included), state, type. */
type Doing = readonly [from_ms: number, to_ms: number, state: string, type?: string];

interface Case {
  readonly title: string;
  readonly events: readonly OperationEvent[];
  readonly doing: readonly Doing[];
  readonly now_ms?: number;
  /** Start, end, type, remarks and how it is known; ascending. */
  readonly found: readonly Found[];
}
type Found = readonly [
  start_ms: number,
  end_ms: number | null,
  type: string | null,
  remarks: readonly string[],
  known_by?: "readings",
];

const [BALLAST, DEBALLAST] = ["BALLAST", "DEBALLAST"];
const ALONE = ["no_start", "no_stop"];

const CASES: readonly Case[] = [
  {
    title: "a start and its stop",
    events: [started(1, at(10), BALLAST), stopped(2, at(14), BALLAST)],
    doing: [[at(9, 57), at(14, 3), "RUNNING"]],
    found: [[at(10), at(14), BALLAST, []]],
  },
  {
    title: "after a stop nothing runs on, though the plant falls silent and last said RUNNING",
    events: [started(1, at(10), BALLAST), stopped(2, at(14), BALLAST)],
    doing: [[at(9, 57), at(13, 57), "RUNNING"]],
    now_ms: at(14, 2),
    found: [[at(10), at(14), BALLAST, []]],
  },
  {
    title: "a start without a stop ends at the first reading that says IDLE",
    events: [started(1, at(10), BALLAST)],
    doing: [
      [at(10), at(13), "RUNNING"],
      [at(13, 3), at(15), "IDLE"],
    ],
    found: [[at(10), at(13, 3), BALLAST, ["no_stop"]]],
  },
  {
    title: "IDLE readings right after a start don't end it",
    events: [started(1, at(10), BALLAST), stopped(2, at(14), BALLAST)],
    doing: [
      [at(10), at(10, 6), "IDLE"],
      [at(10, 9), at(14), "RUNNING"],
    ],
    found: [[at(10), at(14), BALLAST, []]],
  },
  {
    title: "a start without a stop that ran on until the next start ends there",
    events: [started(1, at(10), BALLAST), started(2, at(12), BALLAST), stopped(3, at(14), BALLAST)],
    doing: [[at(10), at(14), "RUNNING"]],
    found: [
      [at(10), at(12), BALLAST, ["no_stop"]],
      [at(12), at(14), BALLAST, []],
    ],
  },
  {
    title: "a start that nothing ends is over at its last reading",
    events: [started(1, at(10), BALLAST)],
    doing: [[at(10), at(13), "RUNNING"]],
    now_ms: at(10 + 24 * 9),
    found: [[at(10), at(13), BALLAST, ["never_ended"]]],
  },
  {
    title: "a start without a stop still runs an hour after its last reading",
    events: [started(1, at(10), BALLAST)],
    doing: [[at(10), at(13), "RUNNING"]],
    now_ms: at(14),
    found: [[at(10), null, BALLAST, []]],
  },
  {
    title: "a start that was lost long ago doesn't take the stop of a later one",
    events: [
      ...[started(1, at(10), BALLAST), started(2, at(100), BALLAST)],
      stopped(3, at(104), BALLAST),
    ],
    doing: [
      [at(10), at(13), "RUNNING"],
      [at(100), at(104), "RUNNING"],
    ],
    now_ms: at(200),
    found: [
      [at(10), at(13), BALLAST, ["never_ended"]],
      [at(100), at(104), BALLAST, []],
    ],
  },
  {
    title: "a stop without a start: the first reading of the run tells the start",
    events: [stopped(1, at(14), BALLAST)],
    doing: [
      [at(9), at(9, 57), "IDLE"],
      [at(10), at(10, 9), "WARMUP"],
      [at(10, 12), at(14), "RUNNING"],
      [at(14, 3), at(15), "IDLE"],
    ],
    found: [[at(10), at(14), BALLAST, ["no_start"]]],
  },
  {
    title: "two of different types that overlap",
    events: [
      ...[started(1, at(10), BALLAST), started(2, at(11), DEBALLAST)],
      ...[stopped(3, at(12), BALLAST), stopped(4, at(13), DEBALLAST)],
    ],
    doing: [[at(10), at(13), "RUNNING"]],
    found: [
      [at(10), at(12), BALLAST, ["overlaps"]],
      [at(11), at(13), DEBALLAST, ["overlaps"]],
    ],
  },
  {
    title: "two of one type that overlap: two starts, then two stops",
    events: [
      ...[started(1, at(10), BALLAST), started(2, at(11), BALLAST)],
      ...[stopped(3, at(12), BALLAST), stopped(4, at(13), BALLAST)],
    ],
    doing: [[at(10), at(13), "RUNNING"]],
    found: [
      [at(10), at(12), BALLAST, ["overlaps"]],
      [at(11), at(13), BALLAST, ["overlaps"]],
    ],
  },
  {
    title: "two starts at one instant: of one type they are one, of two types two",
    events: [
      ...[started(1, at(10), BALLAST), started(2, at(10), BALLAST)],
      ...[started(3, at(10), DEBALLAST), stopped(4, at(12), BALLAST)],
      stopped(5, at(13), DEBALLAST),
    ],
    doing: [[at(10), at(13), "RUNNING"]],
    found: [
      [at(10), at(12), BALLAST, ["overlaps"]],
      [at(10), at(13), DEBALLAST, ["overlaps"]],
    ],
  },
  {
    title: "one after the other at one instant doesn't overlap",
    events: [
      ...[started(1, at(10), BALLAST), stopped(2, at(12), BALLAST)],
      ...[started(3, at(12), BALLAST), stopped(4, at(14), BALLAST)],
    ],
    doing: [[at(10), at(14), "RUNNING"]],
    found: [
      [at(10), at(12), BALLAST, []],
      [at(12), at(14), BALLAST, []],
    ],
  },
  {
    title: "readings alone, over midnight, with a bypass and 20 missing minutes in them",
    events: [],
    doing: [
      [at(20), at(20, 57), "IDLE"],
      [at(21), at(23), "RUNNING", DEBALLAST],
      [at(23, 3), at(23, 12), "BYPASS", DEBALLAST],
      [at(23, 33), at(26), "RUNNING", DEBALLAST],
      [at(26, 3), at(26, 6), "STOPPING", DEBALLAST],
      [at(26, 9), at(27), "IDLE"],
    ],
    found: [[at(21), at(26, 9), DEBALLAST, ALONE, "readings"]],
  },
  {
    title: "readings alone of a plant that is silent between operations",
    events: [],
    doing: [
      [at(10), at(13), "RUNNING", BALLAST],
      [at(20), at(22), "RUNNING", BALLAST],
    ],
    now_ms: at(22, 30),
    found: [
      [at(10), at(13), BALLAST, ALONE, "readings"],
      [at(20), null, BALLAST, ["no_start"], "readings"],
    ],
  },
  {
    title: "readings alone: another type is another operation, and a cleaning is one",
    events: [],
    doing: [
      [at(10), at(12), "RUNNING", BALLAST],
      [at(12, 3), at(14), "RUNNING", DEBALLAST],
      [at(14, 3), at(15), "CIP", DEBALLAST],
      [at(15, 3), at(16), "IDLE"],
    ],
    found: [
      [at(10), at(12, 3), BALLAST, ALONE, "readings"],
      [at(12, 3), at(14, 3), DEBALLAST, ALONE, "readings"],
      [at(14, 3), at(15, 3), "CIP", ALONE, "readings"],
    ],
  },
  {
    title: "one reading alone, and readings beside an operation, are none",
    events: [started(1, at(10), BALLAST), stopped(2, at(14), BALLAST)],
    doing: [
      [at(5), at(5), "RUNNING"],
      [at(9, 54), at(14, 6), "RUNNING"],
    ],
    found: [[at(10), at(14), BALLAST, []]],
  },
  {
    title: "a stop that no reading tells of is an operation of which nothing else is known",
    events: [stopped(1, at(14), BALLAST)],
    doing: [[at(20), at(22), "IDLE"]],
    found: [[at(14), at(14), BALLAST, ["no_start"]]],
  },
  {
    title: "a stop that comes again while nothing was done adds nothing",
    events: [
      ...[started(1, at(10), BALLAST), stopped(2, at(14), BALLAST)],
      ...[stopped(3, at(14, 0.5), BALLAST), stopped(4, at(15), BALLAST)],
    ],
    doing: [
      [at(10), at(14), "RUNNING"],
      [at(14, 3), at(16), "IDLE"],
    ],
    found: [[at(10), at(14), BALLAST, []]],
  },
  {
    title: "a start that comes again within 60 s is one, after that it is another",
    events: [
      ...[started(1, at(10), BALLAST), started(2, at(10, 1), BALLAST)],
      ...[started(3, at(12), BALLAST), started(4, at(12, 1.1), BALLAST)],
      stopped(5, at(14), BALLAST),
    ],
    doing: [[at(10), at(14), "RUNNING"]],
    found: [
      [at(10), at(12), BALLAST, ["no_stop"]],
      [at(12), at(12, 1.1), BALLAST, ["no_stop"]],
      [at(12, 1.1), at(14), BALLAST, []],
    ],
  },
  {
    title: "a lost stop and the lost start of the next day are two operations",
    events: [started(1, at(10), BALLAST), stopped(2, at(36), BALLAST)],
    doing: [
      [at(10), at(13, 57), "RUNNING"],
      [at(14), at(33, 57), "IDLE"],
      [at(34), at(36), "RUNNING"],
    ],
    found: [
      [at(10), at(14), BALLAST, ["no_stop"]],
      [at(34), at(36), BALLAST, ["no_start"]],
    ],
  },
  {
    title: "a rest of 30 minutes is a pause, a longer one an end",
    events: [started(1, at(10), BALLAST), stopped(2, at(15), BALLAST)],
    doing: [
      [at(10), at(11, 57), "RUNNING"],
      [at(12), at(12, 27), "IDLE"],
      [at(12, 30), at(12, 57), "RUNNING"],
      [at(13), at(13, 30), "STANDBY"],
      [at(13, 33), at(15), "RUNNING"],
    ],
    found: [
      [at(10), at(13), BALLAST, ["no_stop"]],
      [at(13, 33), at(15), BALLAST, ["no_start"]],
    ],
  },
  {
    title: "a plant in fault for 45 minutes goes on, in one for more than an hour it doesn't",
    events: [started(1, at(10), BALLAST), stopped(2, at(16), BALLAST)],
    doing: [
      [at(10), at(11, 57), "RUNNING"],
      [at(12), at(12, 42), "FAULT, dry"],
      [at(12, 45), at(13, 57), "RUNNING"],
      [at(14), at(15), "FAULT, dry"],
      [at(15, 3), at(16), "RUNNING"],
    ],
    found: [
      [at(10), at(14), BALLAST, ["no_stop"]],
      [at(15, 3), at(16), BALLAST, ["no_start"]],
    ],
  },
  {
    title: "a silence in which both totalisers stood still is a rest",
    events: [started(1, at(10), BALLAST), stopped(2, at(36), BALLAST)],
    doing: [
      [at(10), at(14), "RUNNING, stands at 5000"],
      [at(34), at(36), "RUNNING, stands at 5000"],
    ],
    found: [
      [at(10), at(14), BALLAST, ["no_stop"]],
      [at(34), at(36), BALLAST, ["no_start"]],
    ],
  },
  {
    title: "a silence of which nothing is known divides no start from its stop",
    events: [started(1, at(10), BALLAST), stopped(2, at(20), BALLAST)],
    doing: [
      [at(10), at(14), "RUNNING"],
      [at(18), at(20), "RUNNING"],
    ],
    found: [[at(10), at(20), BALLAST, []]],
  },
  {
    title: "a place that changes divides, without any rest",
    events: [started(1, at(10), BALLAST), { ...stopped(2, at(14), BALLAST), location: "Busan" }],
    doing: [
      [at(10), at(11, 57), "RUNNING"],
      [at(12), at(14), "RUNNING, in Busan"],
    ],
    found: [
      [at(10), at(12), BALLAST, ["no_stop"]],
      [at(12), at(14), BALLAST, ["no_start"]],
    ],
  },
  {
    title: "a place that changes divides at the longest pause, if no reading tells it",
    events: [started(1, at(10), BALLAST), { ...stopped(2, at(14), BALLAST), location: "Busan" }],
    doing: [
      [at(10), at(11, 57), "RUNNING, nowhere"],
      [at(12), at(12, 12), "IDLE"],
      [at(12, 15), at(14), "RUNNING, nowhere"],
    ],
    found: [
      [at(10), at(12), BALLAST, ["no_stop"]],
      [at(12, 15), at(14), BALLAST, ["no_start"]],
    ],
  },
  {
    title: "water that moves in a plant at rest, or in an unknown state, is an operation",
    events: [],
    doing: [
      [at(9), at(9, 57), "IDLE"],
      [at(10), at(12), "IDLE, flowing"],
      [at(12, 3), at(13), "IDLE"],
      [at(14), at(15), "GRAVITY"],
      [at(15, 3), at(16), "IDLE"],
    ],
    found: [
      [at(10), at(12, 3), null, ALONE, "readings"],
      [at(14), at(15, 3), null, ALONE, "readings"],
    ],
  },
  {
    title: "a stop late in the rest ends what was done before it; one of the next day nothing",
    events: [
      ...[started(1, at(10), BALLAST), stopped(2, at(15), BALLAST)],
      ...[started(3, at(20), BALLAST), stopped(4, at(46), BALLAST)],
    ],
    doing: [
      [at(10), at(13, 57), "RUNNING"],
      [at(14), at(19, 57), "IDLE"],
      [at(20), at(22), "RUNNING"],
      [at(22, 3), at(47), "IDLE"],
    ],
    found: [
      [at(10), at(15), BALLAST, []],
      [at(20), at(22, 3), BALLAST, ["no_stop"]],
      [at(46), at(46), BALLAST, ["no_start"]],
    ],
  },
  {
    title: "a start that nothing follows for hours was broken off",
    events: [started(1, at(10), BALLAST), stopped(2, at(36), BALLAST)],
    doing: [
      [at(9), at(33, 57), "IDLE"],
      [at(34), at(36), "RUNNING"],
    ],
    found: [
      [at(10), at(10), BALLAST, ["no_stop"]],
      [at(34), at(36), BALLAST, ["no_start"]],
    ],
  },
  {
    title: "short pauses don't divide what readings alone tell",
    events: [],
    doing: [
      [at(10), at(11), "RUNNING", BALLAST],
      [at(11, 3), at(11, 15), "IDLE"],
      [at(11, 18), at(13), "RUNNING", BALLAST],
      [at(13, 3), at(14), "IDLE"],
    ],
    found: [[at(10), at(13, 3), BALLAST, ALONE, "readings"]],
  },
];

for (const { title, events, doing, now_ms = at(48), found } of CASES)
  test(title, () => {
    const asked = { events, limits: LIMITS, clock_steps: [], now_ms };
    const spans = operationSpans({ ...asked, runs: runsOf(plant(doing)) });
    expect(spans.map((one) => [one.start_ms, one.end_ms, one.operation_type, one.remarks])).toEqual(
      found.map(([start_ms, end_ms, type, remarks]) => [start_ms, end_ms, type, remarks]),
    );
    expect(spans.map((one) => one.known_by)).toEqual(found.map((one) => one[4] ?? "events"));
  });

function plant(doing: readonly Doing[]): readonly PlantReading[] {
  return doing.flatMap(([from_ms, to_ms, state, type]) =>
    steady({
      ...{ from_ms, to_ms },
      but: () => ({
        PROCESS_STATE: state.split(",")[0],
        operation_type: type ?? null,
        ...(DRY.has(state) ? { SYS_FLOW_RATE: 0 } : {}),
        ...ODD[state],
      }),
    }),
  );
}

const DRY: ReadonlySet<string> = new Set(["IDLE", "STANDBY", "FAULT, dry"]);
/** Values that differ by the words after a state. */
const ODD: Readonly<Record<string, PlantReading["values"]>> = {
  "RUNNING, in Busan": { location: "Busan" },
  "RUNNING, nowhere": { location: null },
  "RUNNING, stands at 5000": { SYS_TOTAL_BALLAST_VOL: 5000, SYS_TOTAL_DEBALLAST_VOL: 900 },
};

test("one over a month's end is one operation, and says so", () => {
  const from_ms = Date.UTC(2026, 4, 31, 22);
  const to_ms = Date.UTC(2026, 5, 1, 2);
  const found = judged(spanOf(from_ms, to_ms), runsOf(steady({ from_ms, to_ms })), AROUND);
  expect(found).toMatchObject({ remarks: ["crosses_month"], verdict: "within_limits" });
  expect(found).toMatchObject({ volume_m3: 3200 });
});
