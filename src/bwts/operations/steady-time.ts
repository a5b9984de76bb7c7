// A PLC whose clock was set back sends an hour twice; one set forward leaves an hour out. Therefore
// operations are found and judged by a steady time, which continues as the PLC's clock did before
// the step: later times are moved by the size of the step. Answers have the PLC's time again. Pure.

import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import type { ClockStep } from "../clock-step.ts";
import type { ReadingRun } from "./judging.ts";

/** A step by the steady time: its instant, and how far the PLC's clock is behind from then on. */
export interface SteadyStep {
  readonly from_ms: number;
  readonly by_ms: number;
  readonly step: ClockStep;
}

export interface SteadyTime {
  /** In their order. */
  readonly steps: readonly SteadyStep[];
  /** The steady time of data that the PLC dated `plc_ms` and ballastd received at `received_ms`. */
  at(plc_ms: number, received_ms: number): number;
  /** The PLC's time of a steady time. */
  plc_ms(steady_ms: number): number;
  /** The same readings, ascending by the steady time. */
  runs(given: Iterable<ReadingRun>): Iterable<ReadingRun>;
}

/**
 * Maximum size of a step, more than time zones differ by. After a larger one nothing is known of
 * the time before.
 */
const NEAR_MAX_MS = 2 * DAY_MS;
/** Maximum difference of delay between live messages; smaller steps aren't found. */
const WITHIN_MS = 5 * SECOND_MS;
/**
 * Maximum time by which a live message of after the step may precede the first one that showed it.
 */
const UNTOLD_MAX_MS = 10 * MINUTE_MS;

/**
 * Makes the steady time. `steps` are of both clocks, in the order in which they were found; only
 * the PLC's are used.
 */
export function steadyTime(steps: readonly ClockStep[]): SteadyTime {
  const own = steadySteps(steps);
  if (own.length === 0)
    return { steps: own, at: (plc_ms) => plc_ms, plc_ms: (at_ms) => at_ms, runs: (given) => given };
  const at = (plc_ms: number, received_ms: number) =>
    plc_ms + (own.findLast(({ step }) => isAfter(step, plc_ms, received_ms))?.by_ms ?? 0);
  // Nothing earlier can be of after a step.
  const first_ms = Math.min(...own.map(({ step }) => step.to_ms)) - 2 * UNTOLD_MAX_MS;
  return {
    ...{ steps: own, at },
    plc_ms: (at_ms) => at_ms - (own.findLast(({ from_ms }) => from_ms <= at_ms)?.by_ms ?? 0),
    runs: (given) => inOrder([...given].flatMap((run) => movedRuns(run, { at, first_ms }))),
  };
}

function steadySteps(steps: readonly ClockStep[]): readonly SteadyStep[] {
  const found: SteadyStep[] = [];
  for (const step of steps) {
    if (step.clock !== "plc" || isFar(step)) continue;
    const before_ms = found.at(-1)?.by_ms ?? 0;
    const by_ms = before_ms + step.from_ms - step.to_ms;
    found.push({ from_ms: step.from_ms + before_ms, by_ms, step });
  }
  return found;
}

/** True for a step so large that readings on its two sides can't be put in order. */
export function isFar({ from_ms, to_ms }: ClockStep): boolean {
  return Math.abs(to_ms - from_ms) > NEAR_MAX_MS;
}

/**
 * True if a message was sent after a step. A message received after it was, unless it is a late one
 * from before: then its time is before all times after the step, or ahead of that clock.
 */
function isAfter({ at_ms, from_ms, to_ms }: ClockStep, plc_ms: number, received_ms: number) {
  const back_ms = from_ms - to_ms;
  const within_ms = Math.min(WITHIN_MS, Math.abs(back_ms) / 2);
  const ahead_ms = plc_ms - received_ms - (to_ms - at_ms);
  if (Math.abs(ahead_ms) <= within_ms && received_ms >= at_ms - UNTOLD_MAX_MS) return true;
  if (received_ms < at_ms - within_ms || plc_ms < to_ms - within_ms) return false;
  return back_ms < 0 || ahead_ms <= back_ms / 2;
}

interface SpanTimes {
  readonly start_ms: number;
  /** Null while it lasts. */
  readonly end_ms: number | null;
}

/** Minimum and maximum time of the PLC's clock in a span and in the steps that touch it. */
export function plcRange(
  { start_ms, end_ms, steady }: SpanTimes & { readonly steady: SpanTimes },
  steps: readonly ClockStep[],
): SpanTimes {
  // Set back by so much from its start to its end: readings before the step are of later times.
  const back_ms = (steady.end_ms ?? 0) - (end_ms ?? 0) - (steady.start_ms - start_ms);
  const last_ms =
    end_ms === null ? Number.POSITIVE_INFINITY : Math.max(start_ms, end_ms, end_ms + back_ms);
  const first_ms = Math.min(start_ms, end_ms ?? start_ms);
  const times = steps.flatMap((step) => {
    const { from_ms, to_ms } = step;
    const isOf = Math.min(from_ms, to_ms) <= last_ms && Math.max(from_ms, to_ms) >= first_ms;
    return step.clock === "plc" && !isFar(step) && isOf ? [from_ms, to_ms] : [];
  });
  return {
    start_ms: Math.min(first_ms, ...times),
    end_ms: end_ms === null ? null : Math.max(last_ms, ...times),
  };
}

/** Readings of a run by the steady time, ascending. */
interface MovedRun {
  readonly first_ms: number;
  readonly last_ms: number;
  readonly run: ReadingRun;
}

/** Stretches of a run that are moved by the same time. */
function movedRuns(
  run: ReadingRun,
  { at, first_ms }: Pick<SteadyTime, "at"> & { readonly first_ms: number },
): readonly MovedRun[] {
  const { block, from, to } = run;
  if (from === to) return [];
  if (block.at_ms(to - 1) < first_ms) return [movedRun(run, 0)];
  const found: MovedRun[] = [];
  let begun = from;
  let by_ms = 0;
  for (let index = from; index < to; index += 1) {
    const plc_ms = block.at_ms(index);
    const moved_ms = at(plc_ms, block.received_ms(index)) - plc_ms;
    if (index > from && moved_ms !== by_ms) {
      found.push(movedRun({ block, from: begun, to: index }, by_ms));
      begun = index;
    }
    by_ms = moved_ms;
  }
  found.push(movedRun({ block, from: begun, to }, by_ms));
  return found;
}

function movedRun({ block, from, to }: ReadingRun, by_ms: number): MovedRun {
  const at_ms = (index: number) => block.at_ms(index) + by_ms;
  const run = by_ms === 0 ? { block, from, to } : { block: { ...block, at_ms }, from, to };
  return { first_ms: at_ms(from), last_ms: at_ms(to - 1), run };
}

function inOrder(moved: readonly MovedRun[]): readonly ReadingRun[] {
  const runs = moved.toSorted((one, other) => one.first_ms - other.first_ms);
  const isApart = runs.every(
    ({ first_ms }, index) => index === 0 || first_ms >= runs[index - 1].last_ms,
  );
  if (isApart) return runs.map(({ run }) => run);
  return moved
    .flatMap(({ run }) => readingByReading(run))
    .toSorted((one, other) => one.at_ms - other.at_ms)
    .map(({ run }) => run);
}

function readingByReading({ block, from, to }: ReadingRun) {
  return Array.from({ length: to - from }, (_, at) => {
    const index = from + at;
    return { at_ms: block.at_ms(index), run: { block, from: index, to: index + 1 } };
  });
}
