// One traced example for the officer: the newest discharge, and the uptake before it whose volume
// fits. Which tanks the water lay in isn't known aboard, so the sheet says by what it was paired.

import type { Operation } from "../operations/operation.ts";
import type { Trace } from "./inspection.ts";
import { operationLine } from "./lines.ts";

/** The volumes of a pair differ by this share at most, as record books are compared. */
const DIFFERENCE_MAX = 0.05;

const BASIS = "pairing by volume, tanks unknown";

/** Null where no uptake fits; `operations` are newest first. */
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

/** The newest that fits, unless another discharge between the two fits it as well. */
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

/** The discharged volume against the taken one. */
function differenceOf(uptake: Operation, discharge: Operation): number {
  const [taken, given] = [uptake.volume_m3 ?? Number.NaN, discharge.volume_m3 ?? Number.NaN];
  return (given - taken) / taken;
}

const rounded = (value: number) => Math.round(value * 10) / 10;
