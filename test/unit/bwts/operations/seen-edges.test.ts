// Starts and ends that no event tells, of plants that are read seldom, send nothing at rest, or
// have no flow meter: their readings show them, and water beside them is found.

import { expect, test } from "vitest";
import { operationSpans } from "../../../../src/bwts/operations/spans.ts";
import { MINUTE_MS } from "../../../../src/ground/clock.ts";
import {
  at,
  LIMITS,
  type PlantReading,
  runsOf,
  started,
  steady,
} from "../../../rig/operation-plant.ts";

const TOTAL = "SYS_TOTAL_BALLAST_VOL";
const FLOW = "SYS_FLOW_RATE";

interface Plant {
  readonly every_min: number;
  readonly from_ms: number;
  readonly to_ms: number;
  /** Operations of two hours at 800 m3/h, after three minutes of warm-up. */
  readonly starts: readonly number[];
  /** False for one that sends nothing at rest. */
  readonly sendsAtRest?: boolean;
  readonly hasFlow?: boolean;
  /** Water at rest that no flow tells, m3, from an instant on. */
  readonly leak?: readonly [from_ms: number, m3: number];
}

const LENGTH_MS = 120 * MINUTE_MS;

function readingsOf({ every_min, starts, leak, ...plant }: Plant): readonly PlantReading[] {
  const { sendsAtRest = true, hasFlow = true, from_ms, to_ms } = plant;
  const but = (at_ms: number): PlantReading["values"] | null => {
    const volume = starts.reduce((sum, start_ms) => {
      const run_ms = Math.min(Math.max(0, at_ms - start_ms), LENGTH_MS);
      return sum + (800 * run_ms) / (60 * MINUTE_MS);
    }, 5000);
    const start_ms = starts.find(
      (one) => at_ms >= one - 3 * MINUTE_MS && at_ms < one + LENGTH_MS + 3 * MINUTE_MS,
    );
    const state =
      start_ms === undefined
        ? "IDLE"
        : at_ms < start_ms
          ? "WARMUP"
          : at_ms < start_ms + LENGTH_MS
            ? "RUNNING"
            : "STOPPING";
    if (state === "IDLE" && !sendsAtRest) return null;
    const leaked = leak !== undefined && at_ms >= leak[0] ? leak[1] : 0;
    return {
      ...{ PROCESS_STATE: state, [TOTAL]: volume + leaked, SYS_TOTAL_DEBALLAST_VOL: 3 },
      [FLOW]: hasFlow ? (state === "RUNNING" ? 800 : 0) : null,
    };
  };
  return steady({ from_ms, to_ms, every_ms: every_min * MINUTE_MS, but });
}

function spansOf(plant: Plant, events: Parameters<typeof operationSpans>[0]["events"] = []) {
  const readings = readingsOf(plant);
  const asked = { events, limits: LIMITS, clock_steps: [], now_ms: plant.to_ms };
  const spans = operationSpans({ ...asked, runs: runsOf(readings, 7) });
  expect(operationSpans({ ...asked, runs: runsOf(readings, 1) })).toEqual(spans);
  return spans;
}

const unseenOf = (plant: Plant) =>
  spansOf(plant).map(({ remarks }) => remarks.includes("water_unseen"));

test.each([5, 10, 15, 30])("first data of a plant read each %s min: no silence", (every_min) => {
  for (const before_min of [31, 62, 92, 150]) {
    const start_ms = at(10);
    const from_ms = start_ms - before_min * MINUTE_MS;
    const spans = spansOf({ every_min, from_ms, to_ms: at(16), starts: [start_ms] });
    expect(spans.map(({ remarks }) => remarks)).toEqual([["no_start", "no_stop"]]);
  }
});

test("first data with a silence before the second reading: nobody saw the start", () => {
  const readings = readingsOf({
    every_min: 1,
    from_ms: at(9, 20),
    to_ms: at(14),
    starts: [at(10)],
  });
  const runs = runsOf(readings.filter(({ at_ms }, index) => index === 0 || at_ms > at(10, 20)));
  const spans = operationSpans({
    ...{ events: [], runs, limits: LIMITS, clock_steps: [], now_ms: at(14) },
  });
  expect(spans.map(({ remarks }) => remarks.includes("water_unseen"))).toEqual([true]);
});

test("silent at rest: its totalisers show all", () => {
  const starts = [at(10), at(20, 1), at(29, 2)];
  const plant = { every_min: 1, from_ms: at(9), to_ms: at(38), starts, sendsAtRest: false };
  expect(unseenOf(plant)).toEqual([false, false, false]);
  expect(unseenOf({ ...plant, leak: [at(15), 40] })).toEqual([true, true, false]);
});

test.each([0.5, 1, 2, 3])("without a flow meter, read each %s min", (every_min) => {
  const plant = { every_min, from_ms: at(6), to_ms: at(16), starts: [at(10)], hasFlow: false };
  expect(unseenOf(plant)).toEqual([false]);
  // Water between two readings at rest, which no flow tells.
  const [leaked, own] = spansOf({ ...plant, leak: [at(7), 40] });
  expect(leaked.start_ms).toBeLessThan(at(7));
  expect(own.remarks).not.toContain("water_unseen");
});

test.each([0.5, 1, 2])(
  "without a flow meter, silent up to ten min before, each %s min",
  (every) => {
    const times = { every_min: every, from_ms: at(5), to_ms: at(16), starts: [at(10)] };
    const unseen = (leak?: Plant["leak"]) => {
      const readings = readingsOf({ ...times, hasFlow: false, ...(leak && { leak }) });
      const read = readings.filter(({ at_ms }) => at_ms < at(6, 40) || at_ms >= at(9, 50));
      const asked = { events: [], limits: LIMITS, clock_steps: [], now_ms: at(16) };
      const spans = operationSpans({ ...asked, runs: runsOf(read) });
      return spans.some(({ remarks }) => remarks.includes("water_unseen"));
    };
    expect([unseen(), unseen([at(8), 150])]).toEqual([false, true]);
  },
);

test("a start without a stop ends with the last reading before the silence", () => {
  const starts = [at(10), at(20)];
  const plant = { every_min: 1, from_ms: at(9), to_ms: at(30), starts, sendsAtRest: false };
  const events = starts.map((at_ms, index) => started(index + 1, at_ms - 3 * MINUTE_MS, "BALLAST"));
  const [first] = spansOf(plant, events);
  expect(first).toMatchObject({ end_ms: at(12, 2), remarks: ["no_stop"] });
  const [leaked] = spansOf({ ...plant, leak: [at(15), 40] }, events);
  expect(leaked.remarks).toContain("water_unseen");
});

test("water in a silence shortly before a start is no operation of its own", () => {
  const plant = { every_min: 1, from_ms: at(8), to_ms: at(14), starts: [at(10)] };
  const leaked = { ...plant, leak: [at(9, 30), 150] } as const;
  // From the silence on two readings show the old value, as a PLC that starts again may.
  const old = ({ at_ms, values }: PlantReading): PlantReading =>
    at_ms < at(9, 52) ? { at_ms, values: { ...values, [TOTAL]: 5000 } } : { at_ms, values };
  const readings = readingsOf(leaked)
    .filter(({ at_ms }) => at_ms < at(8, 40) || at_ms > at(9, 49))
    .map(old);
  const asked = { events: [], limits: LIMITS, clock_steps: [], now_ms: at(14) };
  const spans = operationSpans({ ...asked, runs: runsOf(readings) });
  expect(spans.map(({ remarks }) => remarks.includes("water_unseen"))).toEqual([true]);
  expect(spans[0].start_ms).toBeGreaterThan(at(9, 50));
});

test("a totaliser of weeks before and after shows nothing of an operation without it", () => {
  const DAYS_MS = 14 * 24 * 60 * MINUTE_MS;
  const every_ms = MINUTE_MS;
  const rest = (by_ms: number, first_m3 = 5000) =>
    steady({
      ...{ from_ms: at(9) + by_ms, to_ms: at(10) + by_ms, every_ms },
      but: (at_ms) => ({
        ...{ PROCESS_STATE: "IDLE", [FLOW]: 0 },
        [TOTAL]: at_ms === at(9) + by_ms ? first_m3 : 5000,
      }),
    });
  const treating = [10, 26].flatMap((hour) =>
    steady({
      ...{ from_ms: at(hour), to_ms: at(hour + 2), every_ms },
      but: () => ({ [TOTAL]: null }),
    }),
  );
  const events = [started(1, at(10), "BALLAST"), started(2, at(26), "BALLAST")];
  const asked = { events, limits: LIMITS, clock_steps: [], now_ms: at(48) + DAYS_MS };
  for (const before of [[], rest(-DAYS_MS, 4999.7)]) {
    const readings = [...before, ...treating, ...rest(DAYS_MS)];
    const found = operationSpans({ ...asked, runs: runsOf(readings, 100) });
    expect(found[0].remarks).toEqual(["no_stop", "water_unseen"]);
  }
});
