// Operations in which the PLC's clock is set: either all of one was seen, and the verdict is that
// of a clock that wasn't set, or it can't be told.

import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, printTime, SECOND_MS } from "../../../../src/ground/clock.ts";
import { at } from "../../../rig/operation-plant.ts";
import { printedRandom } from "../../../rig/random.ts";
import { judgedStepped, type PlantStepped } from "../../../rig/stepped-plant.ts";

const COUNT = Number(process.env.CLOCKS ?? 60);
const PLANT = { from_ms: at(10), to_ms: at(13), every_ms: 3 * MINUTE_MS };
const LOW = { UVR_INTENSITY: 200 };

interface Case {
  readonly title: string;
  readonly plant: Pick<PlantStepped, "set"> & Partial<PlantStepped>;
  readonly verdict: string;
  /** By the PLC's clock. */
  readonly end_ms: number;
  readonly rules?: readonly string[];
}

const backByHour = { at_ms: at(11, 30), by_ms: -HOUR_MS };
// Off the readings' grid of three minutes, so that none of the second pass meets the first.
const OFF_GRID_MS = 61 * SECOND_MS;

const CASES: readonly Case[] = [
  {
    title: "back by an hour in the middle, of which the second pass is lost",
    plant: { set: [backByHour] },
    ...{ verdict: "cannot_tell", end_ms: at(12), rules: ["clock_stepped"] },
  },
  {
    title: "back by an hour in the middle, and everything was seen",
    plant: { set: [{ ...backByHour, by_ms: OFF_GRID_MS - HOUR_MS }] },
    ...{ verdict: "within_limits", end_ms: at(12) + OFF_GRID_MS, rules: [] },
  },
  {
    title: "back by an hour, and the UV was low in the second pass alone",
    plant: {
      set: [{ ...backByHour, by_ms: OFF_GRID_MS - HOUR_MS }],
      but: (true_ms) => (true_ms > at(11, 40) && true_ms < at(12) ? LOW : {}),
    },
    ...{ verdict: "outside_limits", end_ms: at(12) + OFF_GRID_MS, rules: ["uv_below_limit"] },
  },
  {
    title: "back by ten minutes, two minutes before the end, and the UV was low at last",
    plant: {
      set: [{ at_ms: at(12, 58), by_ms: -10 * MINUTE_MS }],
      but: (true_ms) => (true_ms >= at(12, 51) ? LOW : {}),
    },
    ...{ verdict: "outside_limits", end_ms: at(12, 50), rules: ["uv_below_limit"] },
  },
  {
    title: "back by nine minutes, two minutes before the end, and the last readings are lost",
    plant: { every_ms: MINUTE_MS, set: [{ at_ms: at(12, 58), by_ms: -9 * MINUTE_MS }] },
    ...{ verdict: "cannot_tell", end_ms: at(12, 51), rules: ["clock_stepped"] },
  },
  {
    title: "back by nine minutes before the end, and found only after a restart",
    plant: {
      ...{ every_ms: MINUTE_MS, set: [{ at_ms: at(12, 58), by_ms: -9 * MINUTE_MS }] },
      found_ms: at(13, 8),
    },
    ...{ verdict: "cannot_tell", end_ms: at(12, 51), rules: ["clock_stepped"] },
  },
  {
    title: "back beyond its start",
    plant: { set: [{ at_ms: at(12), by_ms: OFF_GRID_MS - 4 * HOUR_MS }] },
    ...{ verdict: "within_limits", end_ms: at(9) + OFF_GRID_MS, rules: [] },
  },
  {
    title: "back beyond its start, and idle readings of then are met",
    plant: { set: [{ at_ms: at(12), by_ms: -4 * HOUR_MS }] },
    ...{ verdict: "cannot_tell", end_ms: at(9), rules: ["clock_stepped"] },
  },
  {
    title: "forward by an hour",
    plant: { set: [{ at_ms: at(11, 30), by_ms: HOUR_MS }] },
    ...{ verdict: "within_limits", end_ms: at(14), rules: [] },
  },
  {
    title: "forward by an hour, and what is ahead is set aside",
    plant: { set: [{ at_ms: at(11, 30), by_ms: HOUR_MS }], isAheadRefused: true },
    ...{ verdict: "cannot_tell", end_ms: at(11, 27), rules: ["water_unseen", "clock_stepped"] },
  },
  {
    title: "forward and back again",
    plant: {
      set: [
        { at_ms: at(11), by_ms: HOUR_MS },
        { at_ms: at(12), by_ms: OFF_GRID_MS - HOUR_MS },
      ],
    },
    ...{ verdict: "within_limits", end_ms: at(13) + OFF_GRID_MS, rules: [] },
  },
  {
    title: "back beyond its start, later forward, and nothing that follows is taken",
    plant: {
      every_ms: MINUTE_MS,
      set: [
        { at_ms: at(10, 43), by_ms: -262 * MINUTE_MS },
        { at_ms: at(11, 54), by_ms: 306 * MINUTE_MS },
      ],
      isAheadRefused: true,
    },
    ...{ verdict: "cannot_tell", end_ms: at(6, 59), rules: ["water_unseen", "clock_stepped"] },
  },
  {
    title: "back twice",
    plant: {
      set: [
        { at_ms: at(11), by_ms: OFF_GRID_MS - HOUR_MS },
        { at_ms: at(12), by_ms: OFF_GRID_MS - HOUR_MS },
      ],
    },
    ...{ verdict: "within_limits", end_ms: at(11) + 2 * OFF_GRID_MS, rules: [] },
  },
  {
    title: "back by an hour, five minutes after its end",
    plant: { set: [{ at_ms: at(13, 5), by_ms: OFF_GRID_MS - HOUR_MS }] },
    ...{ verdict: "within_limits", end_ms: at(13), rules: [] },
  },
];

for (const { title, plant, verdict, end_ms, rules } of CASES)
  test(title, () => {
    const { operations } = judgedStepped({ ...PLANT, ...plant });
    const told = operations.map((one) => ({
      ...{ start: one.start, end: one.end, verdict: one.verdict },
      rules: [...new Set(one.reasons.map(({ rule }) => rule))],
    }));
    const [start, end] = [PLANT.from_ms, end_ms].map(printTime);
    expect(told).toEqual([{ start, end, verdict, rules }]);
    const isInside = plant.set.some(({ at_ms }) => at_ms <= PLANT.to_ms);
    expect(operations[0].remarks.includes("clock_stepped")).toBe(isInside);
  });

test(`${COUNT} clocks set by chance hide nothing`, () => {
  const random = printedRandom("clock steps");
  const verdicts = new Map<string | null, number>();
  for (let index = 0; index < COUNT; index += 1) {
    const every_ms = random.pick([30, 60, 180]) * SECOND_MS;
    const to_ms = PLANT.from_ms + random.between(30, 360) * MINUTE_MS + random.between(0, 59_999);
    const by_ms = () =>
      random.pick([-1, 1]) *
      (random.chance(0.5)
        ? random.between(20, 400) * every_ms
        : random.between(10_000, 5 * HOUR_MS));
    const set = Array.from({ length: random.between(1, 2) }, () => ({
      at_ms: random.between(PLANT.from_ms - HOUR_MS, to_ms + HOUR_MS),
      by_ms: by_ms(),
    })).toSorted((one, other) => one.at_ms - other.at_ms);
    const low_ms = random.between(PLANT.from_ms, to_ms);
    const isLow = random.chance(0.3);
    const plant = {
      ...{ from_ms: PLANT.from_ms, to_ms, every_ms, set, isAheadRefused: random.chance(0.3) },
      but: (true_ms: number) =>
        isLow && true_ms >= low_ms && true_ms < low_ms + HOUR_MS ? LOW : {},
    };
    const name = `clock ${index}: ${JSON.stringify(plant)}`;
    const { operations, lost, isEventsWhole } = judgedStepped(plant);
    for (const { verdict } of operations) verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    // The end is known as well as a tenth of the cadence, and a step of the clock to 3 s.
    const isInside = (true_ms: number) =>
      true_ms >= PLANT.from_ms + every_ms && true_ms < to_ms - every_ms / 10 - 3 * SECOND_MS;
    if (!isEventsWhole || lost.some(isInside)) {
      expect(
        operations.map(({ verdict }) => verdict),
        name,
      ).not.toContain("within_limits");
      continue;
    }
    // One at the very start or end leaves nothing untold, but its water is lost with it.
    if (lost.length > 0) continue;
    const unset = judgedStepped({ ...plant, set: [] }).operations;
    expect(
      operations.map(({ verdict }) => verdict),
      name,
    ).toEqual([unset[0].verdict]);
    expect(operations[0].volume_m3, name).toBeCloseTo(unset[0].volume_m3 ?? 0, 3);
  }
  expect(verdicts.size).toBe(3);
});
