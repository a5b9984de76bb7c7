// Finds where a clock change leaves an operation without data. After a step back, new readings may
// have the times of earlier ones, and are quarantined; after a step forward, readings may be ahead
// of ballastd's clock. So no reading may be missing in the time that a step affects. Pure.

import { HOUR_MS, SECOND_MS } from "../../ground/clock.ts";
import type { ClockStep } from "../clock-step.ts";
import type {
  JudgingContext,
  OperationSpan,
  ReadingRun,
  UsualCadence,
} from "../operations/judging.ts";
import { isFar, type SteadyStep, type SteadyTime } from "../operations/steady-time.ts";
import { median } from "../ranks.ts";
import { CADENCE_UNKNOWN_MS, type Times } from "./cadence.ts";
import { emptyFinding, type RuleFinding } from "./findings.ts";
import type { Followed } from "./followed.ts";

/** Maximum distance between two readings near a step, as a multiple of the usual one. */
const MISSING_CADENCES = 1.5;
/** The same between the start and the first reading, and between the last one and the end. */
const MISSING_AT_EDGE = 1.1;
/**
 * A step this close to a start or end without an event may have cut the operation off; in cadences.
 */
const CUT_CADENCES = 3;
const CUT_MAX_MS = HOUR_MS;
/** Maximum difference of an event and a reading sent together: they arrive in any order. */
const AT_ONCE_MS = 5 * SECOND_MS;
/** Precision of a step's time: it is computed from the receipts of live messages. */
const EXACT_MS = 3 * SECOND_MS;

/** The clocks' steps while an operation lasted. */
export interface ClockDoubts {
  readonly steps: readonly ClockStep[];
  /**
   * Steps of the PLC's clock within it, and earlier ones after which a time within it was repeated.
   */
  readonly concerned: readonly SteadyStep[];
  /** True if its readings can't be put in order. */
  readonly isOrderLost: boolean;
  /** True if its start or end, as readings show them, may be wrong. */
  readonly isEdgeLost: boolean;
}

interface DoubtedReadings {
  readonly runs: readonly ReadingRun[];
  /** Times of the operation's own readings, by the steady time. */
  readonly all: Times;
  readonly around: JudgingContext;
  readonly steady: SteadyTime;
}

export function clockDoubts(span: OperationSpan, given: DoubtedReadings): ClockDoubts {
  const { runs, all, around, steady } = given;
  const { start_event, stop_event } = span;
  const cut_ms = Math.min(CUT_MAX_MS, CUT_CADENCES * cadenceOf(all, around.usualCadence));
  const start_ms = span.steady.start_ms;
  const end_ms = span.steady.end_ms ?? Number.POSITIVE_INFINITY;
  const until_ms = end_ms + (stop_event === null ? cut_ms : AT_ONCE_MS);
  const isCutBefore = (one: SteadyStep) =>
    start_event === null && one.from_ms <= start_ms && repeatedUntil(one) > start_ms - cut_ms;
  const known = stepsAtEnd(span, steady.steps);
  const bridged = known.filter(
    (one) => (one.from_ms > start_ms && one.from_ms <= until_ms) || isCutBefore(one),
  );
  const isIn = (at_ms: number) => at_ms >= start_ms && at_ms <= until_ms;
  const far = around.clock_steps.filter(
    (step) => step.clock === "plc" && isFar(step) && (isIn(step.from_ms) || isIn(step.to_ms)),
  );
  // By the box's time just before and just after.
  const ofBox = around.clock_steps.filter(
    ({ clock, from_ms, at_ms }) => clock === "box" && (isIn(from_ms) || isIn(at_ms)),
  );
  const isCutAfter = ({ from_ms }: SteadyStep) => stop_event === null && from_ms > end_ms;
  // All that followed may be in quarantine.
  const isEndLost = bridged.length > 0 && span.remarks.includes("never_ended");
  const own = [...bridged.map(({ step }) => step), ...far, ...ofBox];
  return {
    steps: around.clock_steps.filter((one) => own.includes(one)),
    concerned: known.filter(
      (one) => bridged.includes(one) || (one.from_ms <= start_ms && repeatedUntil(one) > start_ms),
    ),
    isOrderLost:
      ofBox.length > 0 &&
      (bridged.length > 0 || ofBox.some((step) => isFollowed(step, span, runs))),
    isEdgeLost:
      span.isStopDoubted ||
      isEndLost ||
      far.length > 0 ||
      bridged.some((one) => isCutBefore(one) || isCutAfter(one)),
  };
}

/**
 * The steps, with those that moved the stop dated at its end at the latest. Such a step may be
 * found by live readings after the stop, if there were none in between or ballastd was restarted.
 */
function stepsAtEnd(
  { stop_event, steady, end_ms }: OperationSpan,
  steps: readonly SteadyStep[],
): readonly SteadyStep[] {
  const last_ms = steady.end_ms;
  if (stop_event === null || last_ms === null || end_ms === null) return steps;
  const moved = steps.findLastIndex(({ by_ms }) => by_ms === last_ms - end_ms);
  return steps.map((one, index) =>
    index <= moved ? { ...one, from_ms: Math.min(one.from_ms, last_ms) } : one,
  );
}

/** End of the repeated times of the PLC's clock, by the steady time. */
const repeatedUntil = ({ from_ms, step }: SteadyStep) =>
  from_ms + Math.max(0, step.from_ms - step.to_ms);

/** True if readings follow the steps of ballastd's clock, because it dates them. */
function isFollowed(
  { from_ms, to_ms }: ClockStep,
  { start_ms, end_ms }: OperationSpan,
  runs: readonly ReadingRun[],
): boolean {
  let [least_ms, most_ms] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { block, from, to } of runs)
    for (let index = from; index < to; index += 1) {
      const at_ms = block.at_ms(index);
      if (at_ms < start_ms || at_ms > (end_ms ?? Number.POSITIVE_INFINITY)) continue;
      const offset_ms = at_ms - block.received_ms(index);
      least_ms = Math.min(least_ms, offset_ms);
      most_ms = Math.max(most_ms, offset_ms);
    }
  return most_ms - least_ms < Math.abs(to_ms - from_ms) / 2;
}

/** Intervals without data because of clock changes. */
export function clockFindings(
  readings: Followed,
  { concerned, isOrderLost, isEdgeLost }: ClockDoubts,
  usualCadence: UsualCadence,
): readonly RuleFinding[] {
  const { start_ms, end_ms } = readings;
  const as = (from_ms: number, to_ms: number) =>
    emptyFinding("clock_stepped", { start_ms: from_ms, end_ms: to_ms });
  if (isOrderLost) return [as(start_ms, end_ms)];
  const unseen = concerned.length === 0 ? [] : unseenIn(readings, concerned, usualCadence);
  const found = unseen.map(([from_ms, to_ms]) => as(from_ms, to_ms));
  return isEdgeLost ? [...found, as(end_ms, end_ms)] : found;
}

/**
 * Distances longer than usual in the time affected by a step, up to the end of the repeated times.
 */
function unseenIn(
  readings: Followed,
  concerned: readonly SteadyStep[],
  usualCadence: UsualCadence,
): readonly (readonly [number, number])[] {
  const { at_ms, count, start_ms, end_ms, hiddenGap } = readings;
  const cadence_ms = cadenceOf(readings, usualCadence);
  const times = [start_ms, ...at_ms.subarray(0, count), end_ms];
  return times.slice(1).flatMap((to_ms, index): readonly (readonly [number, number])[] => {
    const from_ms = times[index];
    const isEdge = index === 0 || index === count;
    const isOver = concerned.some((one) => one.from_ms >= from_ms && one.from_ms <= to_ms);
    const most_ms =
      cadence_ms * (isEdge ? MISSING_AT_EDGE : MISSING_CADENCES) + (isOver ? EXACT_MS : 0);
    const isSeen = to_ms - from_ms <= most_ms || (index < count && hiddenGap[index] === 1);
    const isConcerned = concerned.some(
      (one) => one.from_ms - AT_ONCE_MS <= to_ms && repeatedUntil(one) >= from_ms,
    );
    return isSeen || !isConcerned ? [] : [[from_ms, to_ms]];
  });
}

function cadenceOf({ at_ms, count }: Times, usualCadence: UsualCadence): number {
  const distances = Array.from(at_ms.subarray(1, count), (time, index) => time - at_ms[index]);
  if (distances.length > 0) return median(distances);
  return usualCadence() ?? CADENCE_UNKNOWN_MS;
}
