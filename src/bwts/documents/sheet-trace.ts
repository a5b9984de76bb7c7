// One traced example for the officer: the newest discharge, and the uptake before it whose volume
// fits. The tanks of the water aren't known aboard, so the sheet states how the two were paired.

import type { Operation } from "../operations/operation.ts";
import type { Trace } from "./inspection.ts";
import { operationLine } from "./sheet-lines.ts";

/** Maximum difference of a pair's volumes, as a share; the same as for record books. */
const DIFFERENCE_MAX = 0.05;

const BASIS = "pairing by volume, tanks unknown";

/** The traced example; null if no uptake fits. `operations` are newest first. */
export function tracedExample(operations: readonly Operation[]): Trace | null {
  for (const [index, discharge] of operations.entries()) {
    if (!isWhole(discharge, "DEBALLAST")) continue;
    const uptake = uptakeFor(discharge, operations.slice(index + 1));
    if (uptake === null) continue;
    return {
      uptake: operationLine(uptake),
      discharge: operationLine(discharge),
      difference_percent: rounded(100 * differenceOf(uptake, discharge)),
      alerts: [...uptake.alerts, ...discharge.alerts].map(({ code }) => code),
      basis: BASIS,
    };
  }
  return null;
}

/** The newest fitting uptake; null if another discharge after it fits it as well. */
function uptakeFor(discharge: Operation, before: readonly Operation[]): Operation | null {
  for (const [index, operation] of before.entries()) {
    if (!isWhole(operation, "BALLAST") || !fits(operation, discharge)) continue;
    const between = before.slice(0, index);
    const isTaken = between.some((other) => isWhole(other, "DEBALLAST") && fits(operation, other));
    return isTaken ? null : operation;
  }
  return null;
}

function isWhole({ operation_type, end, volume_m3 }: Operation, type: string): boolean {
  return operation_type === type && end !== null && volume_m3 !== null && volume_m3 > 0;
}

function fits(uptake: Operation, discharge: Operation): boolean {
  return Math.abs(differenceOf(uptake, discharge)) <= DIFFERENCE_MAX;
}

/** Difference of the discharged volume from the taken one, as a share of the latter. */
function differenceOf(uptake: Operation, discharge: Operation): number {
  const [taken, given] = [uptake.volume_m3 ?? Number.NaN, discharge.volume_m3 ?? Number.NaN];
  return (given - taken) / taken;
}

const rounded = (value: number) => Math.round(value * 10) / 10;
