// An operation of a plant of which the PLC's clock is set: its events and readings as they are
// stored, and the steps as they are found, by the true times.

import type { ClockStep } from "../../src/bwts/clock-step.ts";
import { judged } from "../../src/bwts/judging/judge.ts";
import type { JudgedOperation, OperationEvent } from "../../src/bwts/operations/judging.ts";
import { operationSpans } from "../../src/bwts/operations/spans.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/ground/clock.ts";
import { AROUND, FLOW, LIMITS, type PlantReading, runsOf, steady } from "./operation-plant.ts";

/** A message takes so long to the box. */
const WAY_MS = 40;

export interface PlantStepped {
  /** The operation, by true times. */
  readonly from_ms: number;
  readonly to_ms: number;
  readonly every_ms: number;
  /** When the PLC's clock was set, and by how much. */
  readonly set: readonly { readonly at_ms: number; readonly by_ms: number }[];
  /** The first message that tells the steps; by default the first after each. */
  readonly found_ms?: number;
  readonly but?: (true_ms: number) => PlantReading["values"];
  /** True if what is more than 5 minutes ahead of the box's clock is set aside. */
  readonly isAheadRefused?: boolean;
}

export interface SteppedFound {
  readonly operations: readonly JudgedOperation[];
  /** True times of readings of the operation that weren't stored. */
  readonly lost: readonly number[];
  /** False if its start or its stop wasn't. */
  readonly isEventsWhole: boolean;
}

/** The operations found around it, with idle readings for some hours on both sides. */
const REST_MS = 180 * MINUTE_MS;

/** The plant at rest, with the totaliser as it was so long after the first reading. */
const restAt = (passed_ms: number): PlantReading["values"] => ({
  ...{ PROCESS_STATE: "IDLE", SYS_FLOW_RATE: 0, operation_type: null },
  SYS_TOTAL_BALLAST_VOL: 5000 + (FLOW * passed_ms) / HOUR_MS,
});

export function judgedStepped(plant: PlantStepped): SteppedFound {
  const { from_ms, to_ms, every_ms, set, but } = plant;
  const offset = (true_ms: number) =>
    set.reduce((sum, { at_ms, by_ms }) => sum + (true_ms >= at_ms ? by_ms : 0), 0);
  const isRefused = (true_ms: number) =>
    plant.isAheadRefused === true && offset(true_ms) > 5 * MINUTE_MS;
  const real = steady({
    ...{ from_ms: from_ms - REST_MS, to_ms: to_ms + REST_MS, every_ms },
    but: (true_ms) =>
      true_ms < from_ms || true_ms > to_ms
        ? restAt(true_ms < from_ms ? REST_MS : to_ms - from_ms + REST_MS)
        : (but?.(true_ms) ?? {}),
  });
  const stored = new Map<number, PlantReading>();
  const lost: number[] = [];
  for (const { at_ms: true_ms, values } of real) {
    const at_ms = true_ms + offset(true_ms);
    if (!stored.has(at_ms) && !isRefused(true_ms))
      stored.set(at_ms, { at_ms, received_ms: true_ms + WAY_MS, values });
    else if (true_ms >= from_ms && true_ms <= to_ms) lost.push(true_ms);
  }
  const clock_steps = stepsOf(plant, real, offset);
  const events = [from_ms, to_ms].flatMap((true_ms, index): readonly OperationEvent[] => {
    if (isRefused(true_ms)) return [];
    const times = { at_ms: true_ms + offset(true_ms), received_ms: true_ms + WAY_MS };
    const of = { operation_type: "BALLAST", location: "Singapore" };
    return [{ id: index + 1, ...times, isStart: index === 0, ...of }];
  });
  const readings = [...stored.values()].toSorted((one, other) => one.at_ms - other.at_ms);
  const runs = runsOf(readings, 37);
  const now_ms = Math.max(...readings.map(({ at_ms }) => at_ms)) + 2 * DAY_MS;
  events.sort((one, other) => one.at_ms - other.at_ms || one.id - other.id);
  const spans = operationSpans({ events, runs, limits: LIMITS, clock_steps, now_ms });
  const operations = spans.map((span) => judged(span, runs, { ...AROUND, clock_steps }));
  return { operations, lost, isEventsWhole: events.length === 2 };
}

/** The steps, as the first message after each tells them. */
function stepsOf(
  { from_ms, to_ms, set, found_ms = 0 }: PlantStepped,
  readings: readonly PlantReading[],
  offset: (true_ms: number) => number,
): readonly ClockStep[] {
  const sent = [...readings.map(({ at_ms }) => at_ms), from_ms, to_ms].sort(
    (one, other) => one - other,
  );
  return set.flatMap(({ at_ms, by_ms }): readonly ClockStep[] => {
    const true_ms = sent.find((one) => one >= Math.max(at_ms, found_ms));
    if (true_ms === undefined) return [];
    const plc_ms = true_ms + offset(true_ms);
    return [
      {
        ...{ at_ms: true_ms + WAY_MS, clock: "plc", from_ms: plc_ms - by_ms, to_ms: plc_ms },
        found: "by live readings",
      },
    ];
  });
}
