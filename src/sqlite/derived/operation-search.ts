// Finds the operations around a range of time. What is read of events and readings begins before
// the range and ends after it, and is widened until no operation that touches the range is cut.
// Readings that a void hides count here too: to hide an hour must not split an operation.

import type { ClockStep } from "../../bwts/clock-step.ts";
import type { OperationEvent, OperationSpan } from "../../bwts/operations/judging.ts";
import { operationSpans } from "../../bwts/operations/spans.ts";
import { isFar, plcRange, steadyTime } from "../../bwts/operations/steady-time.ts";
import type { ShownLimits } from "../../bwts/overview/shown-limits.ts";
import { asText } from "../../bwts/reading.ts";
import { indexOfTag } from "../../bwts/tags.ts";
import { isTreatingState } from "../../bwts/treating.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../ground/clock.ts";
import { withoutDamage } from "../file/damage.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { provenData } from "../records/event-proof.ts";
import { type OperationRow, operationsTouching } from "../records/operation-rows.ts";
import { newestTime, rawFrom, STORED_UNDAMAGED, timeline, UNDAMAGED } from "../sealed/timeline.ts";

/** Beyond the range on each side at first. */
const LEAD_MS = 6 * HOUR_MS;
/** An operation that begins or ends so near to the edge may be cut by it. */
const EDGE_MS = HOUR_MS;
/** Nothing is searched further away: no operation lasts as long. */
const LEAD_MAX_MS = 31 * DAY_MS;
/** A stop that came later than this after its time is late: as much as a step of a clock is. */
const LATE_MS = 5 * SECOND_MS;

const STATE = indexOfTag("PROCESS_STATE");
const FLOW = indexOfTag("SYS_FLOW_RATE");

export interface OperationsAround {
  readonly spans: readonly OperationSpan[];
  /** The steps of clocks that they rest on. */
  readonly clock_steps: readonly ClockStep[];
  /** The operations that are stored in the range that was read, by their starts. */
  readonly rows: readonly OperationRow[];
  /** The present by the plant's clock. */
  readonly now_ms: number;
  /** The times of events that are damaged, and left out. */
  readonly damaged_ms: readonly number[];
}

/** The operations that touch a range, with others around it. In the caller's transaction. */
export function operationsAround(
  db: Connection,
  range: ClosedRange,
  limits: ShownLimits,
): OperationsAround {
  const now_ms = plantNow(db);
  const oldest_ms = Math.max(rawFrom(db), range.start_ms - LEAD_MAX_MS);
  const newest_ms = Math.min(now_ms, range.end_ms + LEAD_MAX_MS);
  let [before_ms, after_ms] = [LEAD_MS, LEAD_MS];
  for (;;) {
    const { walk, clock_steps } = withSteps(db, {
      start_ms: Math.max(oldest_ms, startOf(db, range.start_ms - before_ms)),
      end_ms: Math.min(newest_ms, range.end_ms + after_ms),
    });
    const { events, damaged_ms } = eventsIn(db, walk);
    const spans = operationSpans({
      ...{ events, limits, clock_steps },
      runs: timeline(db, walk, STORED_UNDAMAGED),
      now_ms: walk.end_ms,
    });
    const touching = spans.filter((span) => touches(plcRange(span, clock_steps), range));
    const isCutBefore =
      walk.start_ms > oldest_ms &&
      touching.some(({ start_ms }) => start_ms - walk.start_ms < EDGE_MS);
    const isCutAfter =
      walk.end_ms < newest_ms &&
      touching.some(({ end_ms }) => end_ms === null || walk.end_ms - end_ms < EDGE_MS);
    if (!isCutBefore && !isCutAfter)
      return {
        spans: doubted(db, { spans, events, clock_steps, limits }),
        clock_steps,
        rows: rowsIn(db, walk),
        ...{ now_ms, damaged_ms },
      };
    if (isCutBefore) before_ms *= 4;
    if (isCutAfter) after_ms *= 4;
  }
}

/** The stored ones, without those that began before what is read: they aren't found in it. */
function rowsIn(db: Connection, walk: ClosedRange): readonly OperationRow[] {
  return operationsTouching(db, walk).filter(({ start_ms }) => start_ms >= walk.start_ms);
}

/** A range with the times on both sides of the steps that touch it, and these steps. */
function withSteps(db: Connection, range: ClosedRange) {
  const clock_steps = prepare<"clock.touching", ClockStep>(db, "clock.touching").all(range);
  const near = clock_steps.filter((step) => step.clock === "plc" && !isFar(step));
  const times = near.flatMap(({ from_ms, to_ms }) => [from_ms, to_ms]);
  const walk = {
    start_ms: Math.min(range.start_ms, ...times.map((at_ms) => at_ms - EDGE_MS)),
    end_ms: Math.max(range.end_ms, ...times),
  };
  return { walk, clock_steps };
}

interface DoubtAsked extends Pick<OperationsAround, "spans" | "clock_steps"> {
  readonly events: readonly OperationEvent[];
  readonly limits: ShownLimits;
}

/** The spans, with those of which the stop is dated before what came before it. */
function doubted(db: Connection, asked: DoubtAsked): readonly OperationSpan[] {
  return asked.spans.map((span) =>
    isStopDoubted(db, span, asked) ? { ...span, isStopDoubted: true } : span,
  );
}

/**
 * True if the stop of an operation came late, so that the PLC's clock may have been set back, and
 * readings that came before it say that water was treated after it. A step of the clock is found
 * after some live readings only, and in none that follow a restart.
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

/** True if they have an instant in common. */
export function touches(
  { start_ms, end_ms }: { readonly start_ms: number; readonly end_ms: number | null },
  range: ClosedRange,
): boolean {
  return start_ms <= range.end_ms && (end_ms === null || end_ms >= range.start_ms);
}

/** A time before `at_ms` at which no known operation was under way. */
function startOf(db: Connection, at_ms: number): number {
  const rows = operationsTouching(db, { start_ms: at_ms, end_ms: at_ms });
  const before_ms = Math.min(at_ms, ...rows.map(({ start_ms }) => start_ms - EDGE_MS - 1));
  const last = prepare(db, "operation.process_before").get({ at_ms: before_ms });
  if (last?.event_type !== "PROCESS_START") return before_ms;
  // One without a stop is known to be over if it is stored so.
  const start = { start_ms: last.at_ms, end_ms: last.at_ms };
  const isOver = operationsTouching(db, start).some(
    ({ start_ms, end_ms }) => start_ms === last.at_ms && end_ms !== null && end_ms < before_ms,
  );
  return isOver ? before_ms : last.at_ms - EDGE_MS - 1;
}

function eventsIn(
  db: Connection,
  walk: ClosedRange,
): Pick<OperationsAround, "damaged_ms"> & { readonly events: readonly OperationEvent[] } {
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

/** The present by the plant's clock: its newest word, and the time since that was received. */
function plantNow(db: Connection): number {
  const said: { readonly at_ms: number; readonly received_ms: number }[] = [];
  const event = prepare(db, "operation.last_event").get({});
  if (event !== undefined) said.push(event);
  const at_ms = newestTime(db, UNDAMAGED);
  if (at_ms !== null)
    for (const { block, from } of timeline(db, { start_ms: at_ms, end_ms: at_ms }, UNDAMAGED))
      said.push({ at_ms, received_ms: block.received_ms(from) });
  const [newest] = said.sort((one, other) => other.at_ms - one.at_ms);
  if (newest === undefined) return 0;
  return newest.at_ms + Math.max(0, Date.now() - newest.received_ms);
}
