// The operations that are found in events and readings, where events are missing, overlap or never
// end.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import { testSpans } from "../../../rig/found-spans.ts";
import {
  AROUND,
  at,
  runsOf,
  spanOf,
  started,
  steady,
  stopped,
} from "../../../rig/operation-plant.ts";

const [BALLAST, DEBALLAST] = ["BALLAST", "DEBALLAST"];
const ALONE = ["no_start", "no_stop"];

testSpans([
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
  ...[0, 20, 59].flatMap((seconds) => {
    const again_ms = at(10) + seconds * 1000;
    const ulsan = { ...started(2, again_ms, BALLAST), location: "Ulsan" };
    const other = started(2, again_ms, DEBALLAST);
    const doing: readonly (readonly [number, number, string])[] = [
      [at(10), at(12), "RUNNING"],
      [at(12, 3), at(13), "IDLE"],
    ];
    return [
      {
        title: `a start again after ${seconds} s with another place is one`,
        events: [started(1, at(10), BALLAST), ulsan, stopped(3, at(12), BALLAST)],
        ...{ doing, found: [[at(10), at(12), BALLAST, []]] as const },
      },
      {
        title: `a start again after ${seconds} s with another place, and its stop, are one`,
        events: [
          ...[started(1, at(10), BALLAST), ulsan],
          { ...stopped(3, at(12), BALLAST), location: "Ulsan" },
          stopped(4, at(12) + seconds * 1000, BALLAST),
        ],
        ...{ doing, found: [[at(10), at(12), BALLAST, []]] as const },
      },
      {
        title: `a start again after ${seconds} s with another type is one, of the stop's type`,
        events: [started(1, at(10), BALLAST), other, stopped(3, at(12), BALLAST)],
        ...{ doing, found: [[at(10), at(12), BALLAST, []]] as const },
      },
      {
        title: `a start again after ${seconds} s with another type is one without a stop`,
        events: [started(1, at(10), BALLAST), other],
        ...{ doing, found: [[at(10), at(12, 3), DEBALLAST, ["no_stop"]]] as const },
      },
    ];
  }),
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
    title:
      "readings alone of a plant that is silent and sets its totaliser back between operations",
    events: [],
    doing: [
      [at(10), at(13), "RUNNING", BALLAST],
      [at(20), at(22), "RUNNING", BALLAST],
    ],
    now_ms: at(22, 30),
    found: [
      [at(10), at(13), BALLAST, [...ALONE, "water_unseen"], "readings"],
      [at(20), null, BALLAST, ["no_start", "water_unseen"], "readings"],
    ],
  },
  {
    title: "readings alone: another type is another operation, and a cleaning is one",
    events: [],
    doing: [
      [at(9, 30), at(9, 57), "IDLE"],
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
    title: "a stop after the last reading of a plant at rest ends what was before the rest",
    events: [started(1, at(10), BALLAST), stopped(2, at(14, 50), BALLAST)],
    doing: [
      [at(10), at(14), "RUNNING"],
      [at(14, 3), at(14, 48), "IDLE"],
    ],
    found: [[at(10), at(14, 50), BALLAST, []]],
  },
  {
    title: "two readings half an hour before an operation are one of their own",
    events: [started(1, at(10), BALLAST), stopped(2, at(14), BALLAST)],
    doing: [
      [at(9, 30), at(9, 33), "RUNNING"],
      [at(10), at(14), "RUNNING"],
    ],
    found: [
      [at(9, 30), at(10), null, [...ALONE, "water_unseen"], "readings"],
      [at(10), at(14), BALLAST, []],
    ],
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
]);

test("one over a month's end is one operation, and says so", () => {
  const from_ms = Date.UTC(2026, 4, 31, 22);
  const to_ms = Date.UTC(2026, 5, 1, 2);
  const found = judged(spanOf(from_ms, to_ms), runsOf(steady({ from_ms, to_ms })), AROUND);
  expect(found).toMatchObject({ remarks: ["crosses_month"], verdict: "within_limits" });
  expect(found).toMatchObject({ volume_m3: 3200 });
});
