// A PLC whose clock was set back sends an hour twice; one set forward leaves an hour out. Within
// such an operation, readings are judged in the order in which they were received, on a clock that
// goes on as it did before the step. Answers are given by the PLC's clock again. Pure.

import type { ClockStep } from "../clock-step.ts";
import type { ReadingRun } from "./judging.ts";

/** The readings of an operation by the clock that it is judged by. */
export interface Ordered {
  /** Ascending by this clock. */
  readonly runs: Iterable<ReadingRun>;
  /** The steps of the PLC's clock between two of the readings. */
  readonly steps: readonly ClockStep[];
  /** The PLC's time of an instant of this clock. */
  plc_ms(at_ms: number): number;
  /** This clock's time of the end, which the PLC's clock tells after all steps. */
  end_ms(plc_ms: number): number;
}

/** A step by this clock: its instant, and how far the PLC's clock is behind it from then on. */
interface Shift {
  readonly from_ms: number;
  readonly by_ms: number;
  readonly step: ClockStep;
}

/** `steps` are those of the PLC's clock that may have been while the operation lasted. */
export function inOrderOfReceipt(runs: Iterable<ReadingRun>, steps: readonly ClockStep[]): Ordered {
  if (steps.length === 0)
    return { runs, steps, plc_ms: (at_ms) => at_ms, end_ms: (plc_ms) => plc_ms };
  const given = [...runs];
  const shifts = shiftsOf(steps.filter((step) => isBetween(given, step)));
  const shiftAt = (at_ms: number) => shifts.findLast(({ from_ms }) => from_ms <= at_ms)?.by_ms;
  return {
    runs: shifts.length === 0 ? given : ordered(given, shifts),
    steps: shifts.map(({ step }) => step),
    plc_ms: (at_ms) => at_ms - (shiftAt(at_ms) ?? 0),
    end_ms: (plc_ms) => plc_ms + (shifts.at(-1)?.by_ms ?? 0),
  };
}

function shiftsOf(steps: readonly ClockStep[]): readonly Shift[] {
  const shifts: Shift[] = [];
  for (const step of steps.toSorted((one, other) => one.at_ms - other.at_ms)) {
    const before_ms = shifts.at(-1)?.by_ms ?? 0;
    const by_ms = before_ms + step.from_ms - step.to_ms;
    shifts.push({ from_ms: step.from_ms + before_ms, by_ms, step });
  }
  return shifts;
}

/** True if some readings were sent before the step, and others after it. */
function isBetween(runs: readonly ReadingRun[], step: ClockStep): boolean {
  let [before, after] = [false, false];
  for (const { block, from, to } of runs)
    for (let index = from; index < to; index += 1)
      if (isAfter(step, block.at_ms(index), block.received_ms(index))) after = true;
      else before = true;
  return before && after;
}

function ordered(given: readonly ReadingRun[], shifts: readonly Shift[]): readonly ReadingRun[] {
  const readings: { readonly at_ms: number; readonly run: ReadingRun }[] = [];
  for (const { block, from, to } of given)
    for (let index = from; index < to; index += 1) {
      const plc_ms = block.at_ms(index);
      const received_ms = block.received_ms(index);
      const shift = shifts.findLast(({ step }) => isAfter(step, plc_ms, received_ms));
      const at_ms = plc_ms + (shift?.by_ms ?? 0);
      const run = { block: { ...block, at_ms: () => at_ms }, from: index, to: index + 1 };
      readings.push({ at_ms, run });
    }
  return readings.toSorted((one, other) => one.at_ms - other.at_ms).map(({ run }) => run);
}

/** True if a reading's time, less its receipt's, is nearer to the offset after the step. */
function isAfter({ at_ms, from_ms, to_ms }: ClockStep, plc_ms: number, received_ms: number) {
  const offset_ms = plc_ms - received_ms;
  const [before_ms, after_ms] = [from_ms - at_ms, to_ms - at_ms];
  const far_ms = Math.abs(offset_ms - after_ms);
  return far_ms < Math.abs(offset_ms - before_ms) && far_ms <= Math.abs(to_ms - from_ms) / 2;
}
