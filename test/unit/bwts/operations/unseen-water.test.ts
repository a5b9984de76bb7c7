// Water that moved in a silence at an untold end of an operation, by plants whose totalisers come
// rarely, apart from the rest, or wrong at first.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import { operationSpans } from "../../../../src/bwts/operations/spans.ts";
import {
  AROUND,
  at,
  LIMITS,
  type PlantReading,
  runsOf,
  started,
  steady,
  stopped,
} from "../../../rig/operation-plant.ts";

const MINUTE_MS = 60_000;
const [STOP_MS, AGAIN_MS] = [at(12), at(13, 30)];
const TOTAL = "SYS_TOTAL_BALLAST_VOL";
const AT_STOP = 5000 + 2 * 800;

interface Told {
  /** The totaliser's rise across the silence, m3. */
  readonly rise: number;
  /** Changes the readings after the silence, by their number from 0. */
  readonly after?: (reading: PlantReading["values"], number: number) => PlantReading["values"];
  /** Changes those before it, by their number back from its begin. */
  readonly before?: (reading: PlantReading["values"], number: number) => PlantReading["values"];
}

/** Twenty minutes of rest, so that the start is seen, each half minute. */
const restBefore = (values: PlantReading["values"] = {}) =>
  steady({ from_ms: at(9, 40), to_ms: at(9, 59), every_ms: MINUTE_MS / 2 }).map((one) => ({
    ...one,
    values: { ...one.values, PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, [TOTAL]: 5000, ...values },
  }));

/** Rest, two hours of treating, a silence of 90 min, and half an hour of rest. */
function plantOf({ rise, after = (same) => same, before = (same) => same }: Told) {
  const every_ms = MINUTE_MS / 2;
  const treating = steady({ from_ms: at(10), to_ms: STOP_MS, every_ms }).map((one, index, all) => ({
    ...one,
    values: before({ ...one.values, [TOTAL]: total(one.at_ms) }, all.length - 1 - index),
  }));
  const rest = steady({ from_ms: AGAIN_MS, to_ms: at(14), every_ms }).map((one, index) => ({
    ...one,
    values: after(
      { ...one.values, PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, [TOTAL]: AT_STOP + rise },
      index,
    ),
  }));
  return [...restBefore(), ...treating, ...rest];
}

const total = (at_ms: number) => 5000 + (800 * (at_ms - at(10))) / 3_600_000;

function remarksOf(told: Told) {
  const readings = plantOf(told);
  const asked = { events: [], limits: LIMITS, clock_steps: [], now_ms: at(48) };
  const spans = [1, 7, 100].map((size) =>
    operationSpans({ ...asked, runs: runsOf(readings, size) }),
  );
  expect(spans[0]).toEqual(spans[2]);
  expect(spans[1]).toEqual(spans[2]);
  return spans[0].map(({ remarks }) => remarks.includes("water_unseen"));
}

const without = ({ [TOTAL]: _, ...values }: PlantReading["values"]) => values;

test.each<[string, Told, boolean]>([
  ["it rose", { rise: 500 }, true],
  ["it stood still", { rise: 0 }, false],
  ["it rose by the water of some seconds", { rise: 5 }, false],
  [
    "it is told in each tenth reading",
    {
      rise: 500,
      after: (values, number) => (number % 10 === 7 ? values : without(values)),
      before: (values, number) => (number % 10 === 3 ? values : without(values)),
    },
    true,
  ],
  [
    "it is told rarely, and stood still",
    {
      rise: 0,
      after: (values, number) => (number % 10 === 7 ? values : without(values)),
      before: (values, number) => (number % 10 === 3 ? values : without(values)),
    },
    false,
  ],
  ...[0, AT_STOP, 9e8].map((first): [string, Told, boolean] => [
    `the first five after it say ${first}`,
    { rise: 500, after: (values, number) => (number < 5 ? { ...values, [TOTAL]: first } : values) },
    true,
  ]),
  [
    "the first five after it say 0, and it stood still",
    { rise: 0, after: (values, number) => (number < 5 ? { ...values, [TOTAL]: 0 } : values) },
    false,
  ],
  ["it was set back", { rise: -4000 }, true],
  ["it isn't told any more", { rise: 500, after: without }, true],
])("across the silence after the last reading %s", (_title, told, isUnseen) => {
  expect(remarksOf(told)).toEqual([isUnseen]);
});

test("readings of rest that tell no flow hide no water", () => {
  const told = (rise: number) => [
    ...restBefore(),
    ...steady({ from_ms: at(10), to_ms: STOP_MS, every_ms: MINUTE_MS }).map((one) => ({
      ...one,
      values: { ...one.values, [TOTAL]: total(one.at_ms) },
    })),
    ...steady({ from_ms: STOP_MS + MINUTE_MS, to_ms: AGAIN_MS, every_ms: MINUTE_MS }).map(
      ({ at_ms }) => ({ at_ms, values: { PROCESS_STATE: "IDLE" } }),
    ),
    ...steady({ from_ms: AGAIN_MS + MINUTE_MS, to_ms: at(14), every_ms: MINUTE_MS }).map((one) => ({
      ...one,
      values: { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, [TOTAL]: AT_STOP + rise },
    })),
  ];
  const found = [0, 500].map((rise) => {
    const asked = { events: [], limits: LIMITS, clock_steps: [], now_ms: at(48) };
    const [span] = operationSpans({ ...asked, runs: runsOf(told(rise)) });
    return span.remarks.includes("water_unseen");
  });
  expect(found).toEqual([false, true]);
});

/** Rest, a silence of so many minutes across which a totaliser rises by so much, and rest. */
function restOf(minutes: number, rise: number, total: typeof TOTAL | "SYS_TOTAL_DEBALLAST_VOL") {
  const still = { SYS_TOTAL_BALLAST_VOL: 5000, SYS_TOTAL_DEBALLAST_VOL: 700 };
  const rest = (from_ms: number, totals: object) =>
    steady({ from_ms, to_ms: from_ms + 40 * MINUTE_MS, every_ms: MINUTE_MS / 2 }).map((one) => ({
      ...one,
      values: { PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, ...still, ...totals },
    }));
  const again_ms = at(10, 40 + minutes);
  return [...rest(at(10), {}), ...rest(again_ms, { [total]: still[total] + rise })];
}

test.each<[number, number, typeof TOTAL | "SYS_TOTAL_DEBALLAST_VOL", string | null]>([
  [20, 160, "SYS_TOTAL_BALLAST_VOL", "BALLAST"],
  [20, 160, "SYS_TOTAL_DEBALLAST_VOL", "DEBALLAST"],
  [140, 300, "SYS_TOTAL_BALLAST_VOL", "BALLAST"],
  [140, 0, "SYS_TOTAL_BALLAST_VOL", null],
  [140, 5, "SYS_TOTAL_BALLAST_VOL", null],
  [140, -4000, "SYS_TOTAL_BALLAST_VOL", null],
])("a silence of %i min at rest with a rise of %i m3 of %s", (minutes, rise, total, type) => {
  const readings = restOf(minutes, rise, total);
  const asked = { events: [], limits: LIMITS, clock_steps: [], now_ms: at(48) };
  const found = [1, 7, 100].map((size) =>
    operationSpans({ ...asked, runs: runsOf(readings, size) }),
  );
  expect(found[0]).toEqual(found[2]);
  expect(found[1]).toEqual(found[2]);
  const times = { start_ms: at(10, 40), end_ms: at(10, 40 + minutes) };
  const known = { operation_type: type, known_by: "readings", remarks: ["no_start", "no_stop"] };
  expect(found[0]).toEqual(type === null ? [] : [expect.objectContaining({ ...times, ...known })]);
  for (const span of found[0]) {
    const judgement = judged(span, runsOf(readings), AROUND);
    expect(judgement.verdict).toBe("cannot_tell");
    expect(judgement.reasons.map(({ rule }) => rule)).toContain("untreated_once");
  }
});

test("an operation ends before a silence in which both totalisers stood still", () => {
  const ends = [0, 200].map((rise) => {
    const readings = [6, 15, 45, 90].map((minutes) => {
      const treating = steady({ from_ms: at(10), to_ms: STOP_MS, every_ms: MINUTE_MS / 2 });
      const rest = restOf(minutes, rise, TOTAL).slice(81);
      const moved_ms = STOP_MS - at(10, 40);
      return [
        ...restBefore({ SYS_TOTAL_DEBALLAST_VOL: 700 }),
        ...treating.map((one) => ({
          ...one,
          values: { ...one.values, [TOTAL]: total(one.at_ms), SYS_TOTAL_DEBALLAST_VOL: 700 },
        })),
        ...rest.map(({ at_ms, values }) => ({
          at_ms: at_ms + moved_ms,
          values: { ...values, [TOTAL]: AT_STOP + rise },
        })),
      ];
    });
    return readings.map((one) => {
      const asked = { events: [], limits: LIMITS, clock_steps: [], now_ms: at(48) };
      const [span] = operationSpans({ ...asked, runs: runsOf(one) });
      const { verdict } = judged(span, runsOf(one), AROUND);
      return [((span.end_ms ?? 0) - STOP_MS) / MINUTE_MS, verdict];
    });
  });
  expect(ends).toEqual([
    [0, 0, 0, 0].map((end) => [end, "within_limits"]),
    [
      [6, "within_limits"],
      [15, "cannot_tell"],
      [45, "cannot_tell"],
      [0, "cannot_tell"],
    ],
  ]);
});

test("water between two rests is of the operation whose events came in that silence", () => {
  const readings = restOf(180, 300, TOTAL);
  const events = [started(1, at(11, 30), "BALLAST"), stopped(2, at(12, 20), "BALLAST")];
  const asked = { limits: LIMITS, clock_steps: [], now_ms: at(48), runs: runsOf(readings) };
  const [one, ...others] = operationSpans({ ...asked, events });
  expect(one).toMatchObject({ start_event: 1, stop_event: 2, known_by: "events" });
  expect(others).toEqual([]);
  expect(operationSpans({ ...asked, events: [] })).toMatchObject([{ known_by: "readings" }]);
});

const HOURS = 60 * MINUTE_MS;

/** A plant that sends while it runs only, on several days; `but` changes its readings. */
function runningOnly(
  days: readonly number[],
  but: (values: PlantReading["values"], at_ms: number, day: number) => PlantReading["values"],
) {
  const readings = days.flatMap((day, place) =>
    steady({ from_ms: at(24 * day + 10), to_ms: at(24 * day + 12), every_ms: MINUTE_MS }).map(
      ({ at_ms, values }) => {
        const since_ms = at_ms - at(24 * day + 10);
        const own = { ...values, [TOTAL]: 5000 + 1600 * place + (800 * since_ms) / HOURS };
        return { at_ms, values: but(own, at_ms, day) };
      },
    ),
  );
  const asked = { events: [], limits: LIMITS, clock_steps: [], now_ms: at(24 * 60) };
  const spans = operationSpans({ ...asked, runs: runsOf(readings) });
  return spans.map((span) => judged(span, runsOf(readings), AROUND).verdict);
}

test("a plant that sends while it runs only is seen whole where its totaliser goes on", () => {
  const found = runningOnly([0, 1, 4, 40], (values) => values);
  // Nobody knows what was before the first reading, and what is after the last.
  expect(found).toEqual(["cannot_tell", "within_limits", "within_limits", "cannot_tell"]);
});

test("without a totaliser, or with one that rose in a silence, its edges aren't seen", () => {
  expect(runningOnly([0, 1, 4, 40], without)).toEqual(Array(4).fill("cannot_tell"));
  const leapt = runningOnly([0, 4, 8, 12], (values, _, day) =>
    day < 8 ? values : { ...values, [TOTAL]: 300 + Number(values[TOTAL]) },
  );
  expect(leapt).toEqual(Array(4).fill("cannot_tell"));
});

test("a first and a last reading of standing water are the start and the end", () => {
  const found = runningOnly([0], (values, at_ms) => {
    const isEdge = at_ms === at(10) || at_ms === at(12);
    return isEdge ? { ...values, PROCESS_STATE: "WARMUP", SYS_FLOW_RATE: 0 } : values;
  });
  expect(found).toEqual(["within_limits"]);
});

test("a totaliser in large steps stands still while water moves, and proves nothing", () => {
  const remarks = (step_m3: number) => {
    const restEnd_ms = at(9, 59);
    const began_ms = at(10, 33);
    const seen_ms = at(10, 40);
    const running = steady({ from_ms: seen_ms, to_ms: at(12), every_ms: MINUTE_MS / 6 });
    const rest = steady({ from_ms: at(12) + MINUTE_MS, to_ms: at(12, 40), every_ms: MINUTE_MS });
    const counted = (at_ms: number) =>
      140_000 + step_m3 * Math.floor((600 * (at_ms - began_ms)) / 3_600_000 / step_m3);
    const readings = [
      ...restBefore({ [TOTAL]: 140_000 }),
      ...running.map((one) => ({
        ...one,
        values: { ...one.values, SYS_FLOW_RATE: 600, [TOTAL]: counted(one.at_ms) },
      })),
      ...rest.map((one) => ({
        ...one,
        values: {
          ...one.values,
          PROCESS_STATE: "IDLE",
          SYS_FLOW_RATE: 0,
          [TOTAL]: counted(at(12)),
        },
      })),
    ];
    expect(readings.some(({ at_ms }) => at_ms > restEnd_ms && at_ms < seen_ms)).toBe(false);
    const asked = { events: [], limits: LIMITS, clock_steps: [], now_ms: at(24) };
    const [span] = operationSpans({ ...asked, runs: runsOf(readings) });
    return span.remarks;
  };
  // 70 m3 moved before the first reading.
  expect(remarks(100)).toContain("water_unseen");
  expect(remarks(50)).toContain("water_unseen");
  expect(remarks(1)).toContain("water_unseen");
});
