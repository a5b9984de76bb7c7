// Finds the operations that a change in a range of time may affect. The time in which events and
// readings are read is widened until it has a rest on both sides. Readings that a void hides count
// here too: hiding an hour must not split an operation.

import type { ClockStep } from "../../bwts/clock-step.ts";
import { LOST_MS } from "../../bwts/operations/activity.ts";
import type { OperationEvent, OperationSpan } from "../../bwts/operations/judging.ts";
import { type Cut, neighbouringCuts } from "../../bwts/operations/phases.ts";
import { acrossSilences, edgesOf } from "../../bwts/operations/silence-edges.ts";
import { type SpansResult, spansFound } from "../../bwts/operations/spans.ts";
import { isFar, steadyTime } from "../../bwts/operations/steady-time.ts";
import type { ShownLimits } from "../../bwts/present/shown-limits.ts";
import { asText } from "../../bwts/reading.ts";
import { indexOfTag } from "../../bwts/tags.ts";
import { isTreatingState } from "../../bwts/treating.ts";
import { HOUR_MS, SECOND_MS } from "../../ground/clock.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { provenData } from "../records/event-proof.ts";
import { type OperationRow, operationsTouching } from "../records/operation-rows.ts";
import { newestTime, rawFrom, STORED_UNDAMAGED, timeline, UNDAMAGED } from "../sealed/timeline.ts";

/** Time read first on each side of the range: a rest of 6 hours is nearly always a cut. */
const LEAD_MS = 8 * HOUR_MS;
/** Time before an operation whose readings affect its judgement too. */
export const BEFORE_MS = 6 * HOUR_MS;
/** Time read before the times on both sides of a clock's step. */
const STEP_MS = HOUR_MS;
/** Delay of receipt above which a stop is late, the same as the minimum step of a clock. */
const LATE_MS = 5 * SECOND_MS;

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");

export interface OperationsContext {
  /** Operations that the change may affect, and some around them. */
  readonly spans: readonly OperationSpan[];
  /** For each of `spans`, true if the change may affect it. */
  readonly isOwn: readonly boolean[];
  /** Time of the affected operations, with a rest at both ends. */
  readonly own: ClosedRange;
  /** The steps of clocks that affect them. */
  readonly clock_steps: readonly ClockStep[];
  /** The operations stored in the range that was read, in order of their starts. */
  readonly rows: readonly OperationRow[];
  /** The present by the plant's clock. */
  readonly now_ms: number;
  /** The times of damaged events, which are left out. */
  readonly damaged_ms: readonly number[];
}

/**
 * The operations that a change in a range may affect, with others around them: all between two cuts
 * that depend on no data in the range, so that they were cuts before the change as well. In the
 * caller's transaction.
 */
export function affectedOperations(
  db: Connection,
  range: ClosedRange,
  limits: ShownLimits,
): OperationsContext {
  const now_ms = plantNow(db);
  const oldest_ms = rawFrom(db);
  let asked = { start_ms: range.start_ms, end_ms: Math.min(now_ms, range.end_ms + BEFORE_MS) };
  let [before_ms, after_ms] = [LEAD_MS, LEAD_MS];
  for (;;) {
    const { walk, clock_steps } = withSteps(db, {
      start_ms: Math.max(oldest_ms, asked.start_ms - before_ms),
      end_ms: Math.min(now_ms, asked.end_ms + after_ms),
    });
    const { events, damaged_ms } = eventsIn(db, walk);
    const runs = timeline(db, walk, STORED_UNDAMAGED);
    const change = steadyRange(range, clock_steps);
    const found = spansFound({ events, limits, clock_steps, runs, change, now_ms: walk.end_ms });
    const reached = reachedRange(found, asked, { walk, clock_steps });
    const { before, after } = cutsBeside(found, reached, { walk, clock_steps });
    const isOwn = found.phases.map(
      (phase) =>
        phase >= (before?.phases ?? 0) && phase < (after?.phases ?? Number.POSITIVE_INFINITY),
    );
    const edges = edgesOf(found, { isOwn, range, clock_steps, walk });
    const isOpenBefore = (before === null || edges.isOpenBefore) && walk.start_ms > oldest_ms;
    const isOpenAfter = (after === null || edges.isOpenAfter) && walk.end_ms < now_ms;
    if (isOpenBefore) before_ms *= 4;
    if (isOpenAfter) after_ms *= 4;
    if (isOpenBefore || isOpenAfter) continue;
    const { plc_ms } = steadyTime(clock_steps);
    const across = acrossSilences(found, range, { asked, plc_ms });
    if (across !== null) {
      asked = across;
      continue;
    }
    const own = {
      start_ms: before === null ? 0 : Math.min(asked.start_ms, plc_ms(before.split_ms) + 1),
      end_ms:
        after === null ? Number.MAX_SAFE_INTEGER : Math.max(asked.end_ms, plc_ms(after.split_ms)),
    };
    const wider = withRows(db, asked, { own, oldest_ms });
    if (wider !== null) {
      asked = wider;
      continue;
    }
    return {
      spans: doubted(db, { spans: found.spans, events, clock_steps, limits }),
      // It isn't known what preceded the oldest readings that are kept.
      isOwn: oldest_ms > 0 ? isOwn.map((one, at) => one && !edges.isFirst[at]) : isOwn,
      ...{ own, clock_steps, rows: rowsIn(db, walk), now_ms, damaged_ms },
    };
  }
}

interface WalkedRange {
  readonly walk: ClosedRange;
  readonly clock_steps: readonly ClockStep[];
}

/** The cuts on both sides of a range; an empty day at the edge of the time read counts as one. */
function cutsBeside(
  { cuts, told }: Pick<SpansResult, "cuts" | "told">,
  range: ClosedRange,
  { walk, clock_steps }: WalkedRange,
) {
  const { from_ms, to_ms } = steadyRange(range, clock_steps);
  const least_ms = from_ms - range.start_ms;
  const edge = (first_ms: number, last_ms: number, phases: number): Cut => ({
    ...{ from_ms: first_ms, to_ms: last_ms, wait_ms: LOST_MS, split_ms: first_ms, phases },
  });
  const first = edge(walk.start_ms + least_ms, told?.first_ms ?? walk.end_ms + least_ms, 0);
  const last = edge(told?.last_ms ?? walk.start_ms, walk.end_ms + least_ms, Number.MAX_VALUE);
  return neighbouringCuts([first, ...cuts, last], { start_ms: from_ms, end_ms: to_ms });
}

/** The steady times that a range may have. */
function steadyRange({ start_ms, end_ms }: ClosedRange, clock_steps: readonly ClockStep[]) {
  const moved = steadyTime(clock_steps).steps.map(({ by_ms }) => by_ms);
  return {
    from_ms: start_ms + Math.min(0, ...moved),
    to_ms: end_ms + Math.max(0, ...moved),
  };
}

/**
 * The range that a change affects: without it, a stretch of water or a cadence hours away from the
 * change stayed as it was before the late readings.
 */
function reachedRange(
  { reach, told }: Pick<SpansResult, "reach" | "told">,
  { start_ms, end_ms }: ClosedRange,
  { walk, clock_steps }: WalkedRange,
): ClosedRange {
  const { plc_ms } = steadyTime(clock_steps);
  const last_ms = plc_ms(told?.last_ms ?? walk.start_ms);
  // A day without data ends it as well.
  const open_ms = walk.end_ms - last_ms > LOST_MS ? last_ms : walk.end_ms;
  const until_ms = Number.isFinite(reach.to_ms) ? plc_ms(reach.to_ms) : open_ms;
  return {
    start_ms: Math.min(start_ms, plc_ms(reach.from_ms)),
    end_ms: Math.max(end_ms, Math.min(until_ms, walk.end_ms)),
  };
}

/** The range widened by stored operations that extend beyond its cuts; null if there are none. */
function withRows(
  db: Connection,
  asked: ClosedRange,
  { own, oldest_ms }: { readonly own: ClosedRange; readonly oldest_ms: number },
): ClosedRange | null {
  const rows = operationsTouching(db, own).filter(
    ({ start_ms, end_ms }) => start_ms >= oldest_ms && (end_ms ?? start_ms) >= own.start_ms,
  );
  const wider = {
    start_ms: Math.min(asked.start_ms, ...rows.map(({ start_ms }) => start_ms)),
    end_ms: Math.max(asked.end_ms, ...rows.map(({ start_ms, end_ms }) => end_ms ?? start_ms)),
  };
  const isOut = wider.start_ms < own.start_ms || wider.end_ms > own.end_ms;
  return isOut ? wider : null;
}

/**
 * The stored operations, without those that began before the time read: they aren't found in it.
 */
function rowsIn(db: Connection, walk: ClosedRange): readonly OperationRow[] {
  return operationsTouching(db, walk).filter(({ start_ms }) => start_ms >= walk.start_ms);
}

/**
 * A range, widened by the times on both sides of the clock steps that touch it, and these steps.
 */
function withSteps(db: Connection, range: ClosedRange) {
  const clock_steps = prepare<"clock.touching", ClockStep>(db, "clock.touching").all(range);
  const near = clock_steps.filter((step) => step.clock === "plc" && !isFar(step));
  const times = near.flatMap(({ from_ms, to_ms }) => [from_ms, to_ms]);
  const walk = {
    start_ms: Math.min(range.start_ms, ...times.map((at_ms) => at_ms - STEP_MS)),
    end_ms: Math.max(range.end_ms, ...times),
  };
  return { walk, clock_steps };
}

interface DoubtAsked extends Pick<OperationsContext, "spans" | "clock_steps"> {
  readonly events: readonly OperationEvent[];
  readonly limits: ShownLimits;
}

/** The spans, marked where the stop is dated before data that preceded it. */
function doubted(db: Connection, asked: DoubtAsked): readonly OperationSpan[] {
  return asked.spans.map((span) =>
    isStopDoubted(db, span, asked) ? { ...span, isStopDoubted: true } : span,
  );
}

/**
 * True if an operation's stop arrived late, so that the PLC's clock may have been set back, and
 * readings received before it show treatment after it. A step of the clock is only found after some
 * live readings, and not across a restart.
 */
function isStopDoubted(
  db: Connection,
  { start_event, stop_event, steady }: OperationSpan,
  { events, clock_steps, limits }: DoubtAsked,
): boolean {
  const start = events.find(({ id }) => id === start_event);
  const stop = events.find(({ id }) => id === stop_event);
  if (start === undefined || stop === undefined || steady.end_ms === null) return false;
  const late_ms = stop.received_ms - steady.end_ms - (start.received_ms - steady.start_ms);
  if (late_ms < LATE_MS || stop.received_ms <= start.received_ms) return false;
  const after = { start_ms: stop.at_ms + LATE_MS, end_ms: stop.at_ms + late_ms };
  const time = steadyTime(clock_steps);
  for (const { block, from, to } of timeline(db, after, STORED_UNDAMAGED)) {
    const [states, flows] = [STATE, FLOW].map((tag) => block.values(tag));
    for (let index = from; index < to; index += 1) {
      const received_ms = block.received_ms(index);
      const isBefore = received_ms > start.received_ms && received_ms < stop.received_ms;
      if (!isBefore || time.at(block.at_ms(index), received_ms) < steady.end_ms + LATE_MS) continue;
      const flow = flows(index);
      if (isTreatingState(states(index), typeof flow === "number" ? flow : null, limits))
        return true;
    }
  }
  return false;
}

/** True if both have an instant in common. */
export function touches(
  { start_ms, end_ms }: { readonly start_ms: number; readonly end_ms: number | null },
  range: ClosedRange,
): boolean {
  return start_ms <= range.end_ms && (end_ms === null || end_ms >= range.start_ms);
}

function eventsIn(
  db: Connection,
  walk: ClosedRange,
): Pick<OperationsContext, "damaged_ms"> & { readonly events: readonly OperationEvent[] } {
  const damaged_ms: number[] = [];
  const rows = prepare(db, "operation.events").all(walk);
  const events = rows.flatMap((row): readonly OperationEvent[] => {
    const { id, at_ms, event_type, received_ms } = row;
    const data = withoutDamage(db, () => provenData(row));
    if (data === null) {
      damaged_ms.push(at_ms);
      return [];
    }
    const [operation_type, location] = [data.operation_type, data.location].map(asText);
    const isStart = event_type === "PROCESS_START";
    return [{ id, at_ms, received_ms, isStart, operation_type, location }];
  });
  return { events, damaged_ms };
}

/**
 * The present by the plant's clock: the time of its newest data, plus the time since its receipt.
 * Without visible data it is the box's time, because stored operations remain.
 */
function plantNow(db: Connection): number {
  const said: { readonly at_ms: number; readonly received_ms: number }[] = [];
  const event = prepare(db, "operation.last_event").get({});
  if (event !== undefined) said.push(event);
  const at_ms = newestTime(db, UNDAMAGED);
  if (at_ms !== null)
    for (const { block, from } of timeline(db, { start_ms: at_ms, end_ms: at_ms }, UNDAMAGED))
      said.push({ at_ms, received_ms: block.received_ms(from) });
  const [newest] = said.sort((one, other) => other.at_ms - one.at_ms);
  if (newest === undefined) return Date.now();
  return newest.at_ms + Math.max(0, Date.now() - newest.received_ms);
}
