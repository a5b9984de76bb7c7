// The end of one operation and the beginning of the next: rests, silences, places and starts that
// divide.

import { expect, test } from "vitest";
import { spansFound } from "../../../../src/bwts/operations/spans.ts";
import { type Doing, plant, testSpans } from "../../../rig/found-spans.ts";
import { at, LIMITS, runsOf, started, stopped } from "../../../rig/operation-plant.ts";

const [BALLAST, DEBALLAST] = ["BALLAST", "DEBALLAST"];
const ALONE = ["no_start", "no_stop"];

testSpans([
  {
    title: "a start that comes again within two minutes is one, after that it is another",
    events: [
      ...[started(1, at(10), BALLAST), started(2, at(10, 1), BALLAST)],
      ...[started(3, at(12), BALLAST), started(4, at(12, 2.1), BALLAST)],
      stopped(5, at(14), BALLAST),
    ],
    doing: [[at(10), at(14), "RUNNING"]],
    found: [
      [at(10), at(12), BALLAST, ["no_stop"]],
      [at(12), at(12, 2.1), BALLAST, ["no_stop"]],
      [at(12, 2.1), at(14), BALLAST, []],
    ],
  },
  ...[61, 90].map((seconds) => ({
    title: `a start of another type ${seconds} s later, and its stop, are one`,
    events: [
      started(1, at(10), BALLAST),
      started(2, at(10, seconds / 60), DEBALLAST),
      stopped(3, at(12), DEBALLAST),
    ],
    doing: [[at(10), at(12), "RUNNING"]] as const,
    found: [[at(10), at(12), DEBALLAST, []]] as const,
  })),
  ...[
    [0, 1],
    [1, 0],
  ].map(([one, other]) => ({
    title: `a type that was corrected, and stops of both types ${one - other} min apart, are one`,
    events: [
      ...[started(1, at(10), BALLAST), started(2, at(10, 1.5), DEBALLAST)],
      ...[stopped(3, at(12, one), BALLAST), stopped(4, at(12, other), DEBALLAST)],
    ].toSorted((a, b) => a.at_ms - b.at_ms),
    doing: [[at(10), at(12), "RUNNING"]] as const,
    found: [[at(10), at(12, other), DEBALLAST, []]] as const,
  })),
  ...[
    [BALLAST, BALLAST],
    [BALLAST, DEBALLAST],
    [DEBALLAST, BALLAST],
  ].map(([first, second]) => ({
    title: `three starts of ${first}, ${second} and BALLAST, each within a minute, are one`,
    events: [
      ...[started(1, at(10), first), started(2, at(10, 0.9), second)],
      ...[started(3, at(10, 1.8), BALLAST), stopped(4, at(12), BALLAST)],
    ],
    doing: [[at(10), at(12), "RUNNING"]] as const,
    found: [[at(10), at(12), BALLAST, []]] as const,
  })),
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
    title:
      "a silence in which both totalisers stood still is a rest; if they ever move isn't known",
    events: [started(1, at(10), BALLAST), stopped(2, at(36), BALLAST)],
    doing: [
      [at(10), at(14), "RUNNING, stands at 5000"],
      [at(34), at(36), "RUNNING, stands at 5000"],
    ],
    found: [
      [at(10), at(14), BALLAST, ["no_stop", "water_unseen"]],
      [at(34), at(36), BALLAST, ["no_start", "water_unseen"]],
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
    title: "water that moved in a silence may be of what readings alone tell on both sides of it",
    events: [],
    doing: [
      [at(10), at(14), "RUNNING, stands at 5000", BALLAST],
      [at(20), at(22), "RUNNING, stands at 8000", BALLAST],
      [at(22, 3), at(23), "IDLE"],
    ],
    found: [
      [at(10), at(14), BALLAST, [...ALONE, "water_unseen"], "readings"],
      [at(20), at(22, 3), BALLAST, [...ALONE, "water_unseen"], "readings"],
    ],
  },
  ...[5, 7].map((hours) => ({
    title: `a rise across a silence of ${hours} h at rest may be of what follows`,
    events: [],
    doing: [
      [at(10), at(11), "IDLE"],
      [at(11 + hours), at(20), "RUNNING, stands at 8000", BALLAST],
      [at(20, 3), at(21), "IDLE"],
    ] as const,
    found: [[at(11 + hours), at(20, 3), BALLAST, [...ALONE, "water_unseen"], "readings"] as const],
  })),
  {
    title: "water that moved in a silence is of no operation whose end or start was sent",
    events: [started(1, at(10), BALLAST), stopped(2, at(14), BALLAST), started(3, at(20), BALLAST)],
    doing: [
      [at(10), at(14), "RUNNING, stands at 5000"],
      [at(20), at(22), "RUNNING, stands at 8000"],
      [at(22, 3), at(23), "IDLE"],
    ],
    found: [
      [at(10), at(14), BALLAST, []],
      [at(20), at(22, 3), BALLAST, ["no_stop"]],
    ],
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
      [at(14), at(15, 3), null, [...ALONE, "water_unseen"], "readings"],
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
      [at(9, 30), at(9, 57), "IDLE"],
      [at(10), at(11), "RUNNING", BALLAST],
      [at(11, 3), at(11, 15), "IDLE"],
      [at(11, 18), at(13), "RUNNING", BALLAST],
      [at(13, 3), at(14), "IDLE"],
    ],
    found: [[at(10), at(13, 3), BALLAST, ALONE, "readings"]],
  },
]);

test("a plant that changes its type each day without a rest has a cut at each change", () => {
  const days = [0, 1, 2, 3, 4, 5, 6, 7];
  const typeOf = (day: number) => (day % 2 === 0 ? BALLAST : DEBALLAST);
  const events = days.flatMap((day) => [
    started(2 * day, at(24 * day), typeOf(day)),
    stopped(2 * day + 1, at(24 * day + 24) - 1000, typeOf(day)),
  ]);
  const doing = days.map(
    (day): Doing => [at(24 * day), at(24 * day + 23, 57), "RUNNING", typeOf(day)],
  );
  const asked = { events, limits: LIMITS, clock_steps: [], now_ms: at(24 * 9) };
  const { spans, cuts } = spansFound({ ...asked, runs: runsOf(plant(doing)) });
  expect(spans.map(({ remarks }) => remarks)).toEqual(days.map(() => []));
  // The first readings may lack the start of another type.
  expect(cuts.filter(({ wait_ms }) => wait_ms === 0).map(({ to_ms }) => to_ms)).toEqual(
    days.slice(2).map((day) => at(24 * day)),
  );
});
