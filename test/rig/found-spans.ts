// Cases of the operations that are found in events and readings. The plant sends a reading every 3
// minutes; what it does is written as stretches of a state.

import { expect, test } from "vitest";
import type { OperationEvent } from "../../src/bwts/operations/judging.ts";
import { operationSpans } from "../../src/bwts/operations/spans.ts";
import { at, LIMITS, type PlantReading, runsOf, steady } from "./operation-plant.ts";

/** From, to (both ends included), state, type. */
export type Doing = readonly [from_ms: number, to_ms: number, state: string, type?: string];

export interface SpansCase {
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

/** A test of each. */
export function testSpans(cases: readonly SpansCase[]): void {
  for (const { title, events, doing, now_ms = at(48), found } of cases)
    test(title, () => {
      const asked = { events, limits: LIMITS, clock_steps: [], now_ms };
      const spans = operationSpans({ ...asked, runs: runsOf(plant(doing)) });
      expect(
        spans.map((one) => [one.start_ms, one.end_ms, one.operation_type, one.remarks]),
      ).toEqual(
        found.map(([start_ms, end_ms, type, remarks]) => [start_ms, end_ms, type, remarks]),
      );
      expect(spans.map((one) => one.known_by)).toEqual(found.map((one) => one[4] ?? "events"));
    });
}

export function plant(doing: readonly Doing[]): readonly PlantReading[] {
  return doing.flatMap(([from_ms, to_ms, state, type]) =>
    steady({
      ...{ from_ms, to_ms },
      but: () => ({
        PROCESS_STATE: state.split(",")[0],
        operation_type: type ?? null,
        ...(DRY.has(state) ? { SYS_FLOW_RATE: 0, SYS_TOTAL_BALLAST_VOL: 5000 } : {}),
        ...ODD[state],
      }),
    }),
  );
}

const DRY: ReadonlySet<string> = new Set(["IDLE", "STANDBY", "FAULT, dry"]);
/** Values that differ by the words after a state. */
const ODD: Readonly<Record<string, PlantReading["values"]>> = {
  "RUNNING, stands at 8000": { SYS_TOTAL_BALLAST_VOL: 8000, SYS_TOTAL_DEBALLAST_VOL: 900 },
  "RUNNING, in Busan": { location: "Busan" },
  "RUNNING, nowhere": { location: null },
  "RUNNING, stands at 5000": { SYS_TOTAL_BALLAST_VOL: 5000, SYS_TOTAL_DEBALLAST_VOL: 900 },
};
