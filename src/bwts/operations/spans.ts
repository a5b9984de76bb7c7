// Finds the operations: by PROCESS_START and PROCESS_STOP and, where one is missing, by the plant's
// activity as readings tell it. A stop ends the operation of its type that fits; a start without a
// stop ends by readings or by the next start; a stop without a start, and readings of treated water
// that no event tells of, make operations of their own. Pure.

import { DAY_MS } from "../../ground/clock.ts";
import { activeRuns, runOfStop, runsAlone, type TimeSpan } from "./active-runs.ts";
import { type ActivityStretch, isSameType, stretchesOf } from "./activity.ts";
import type { OperationEvent, OperationSpan, ReadingRun, SpansAsked } from "./judging.ts";
import type { Remark } from "./operation.ts";
import { type SteadyTime, steadyTime } from "./steady-time.ts";

/** An operation whose stop wasn't sent is over after this long without a reading. */
const LOST_MS = DAY_MS;

/** An operation by the steady time. */
type FoundSpan = Omit<OperationSpan, "steady" | "isStopDoubted">;

/** Ascending by start, then by the ids of their starts. */
export function operationSpans(asked: SpansAsked): readonly OperationSpan[] {
  const steady = steadyTime(asked.clock_steps);
  if (steady.steps.length === 0) return foundSpans(asked).map((span) => byPlc(span, asked, steady));
  const runs = [...asked.runs];
  const events = asked.events
    .map((event) => ({ ...event, at_ms: steady.at(event.at_ms, event.received_ms) }))
    .toSorted((one, other) => one.at_ms - other.at_ms || one.id - other.id);
  const now_ms = steadyNow({ ...asked, runs }, steady);
  const found = foundSpans({ ...asked, events, runs: steady.runs(runs), now_ms });
  return found.map((span) => byPlc(span, asked, steady));
}

/** A span with its times by the PLC's clock: those of its events as they were sent. */
function byPlc(span: FoundSpan, { events }: SpansAsked, steady: SteadyTime): OperationSpan {
  const { start_ms, end_ms, start_event, stop_event } = span;
  const sent_ms = (event: number | null) => events.find(({ id }) => id === event)?.at_ms;
  return {
    ...span,
    start_ms: sent_ms(start_event) ?? steady.plc_ms(start_ms),
    end_ms: end_ms === null ? null : (sent_ms(stop_event) ?? steady.plc_ms(end_ms)),
    steady: { start_ms, end_ms },
    isStopDoubted: false,
  };
}

/** The present by the steady time: what the PLC's clock told last, and the time since then. */
function steadyNow(
  { events, runs, now_ms }: SpansAsked & { readonly runs: readonly ReadingRun[] },
  steady: SteadyTime,
): number {
  const event = events.at(-1);
  const run = runs.at(-1);
  const told: Pick<OperationEvent, "at_ms" | "received_ms">[] = event === undefined ? [] : [event];
  if (run !== undefined) {
    const [at_ms, received_ms] = [run.block.at_ms, run.block.received_ms].map((of) =>
      of(run.to - 1),
    );
    told.push({ at_ms, received_ms });
  }
  const [newest] = told.toSorted((one, other) => other.at_ms - one.at_ms);
  if (newest === undefined) return now_ms;
  return steady.at(newest.at_ms, newest.received_ms) + now_ms - newest.at_ms;
}

function foundSpans(asked: SpansAsked): readonly FoundSpan[] {
  const stretches = stretchesOf(asked.runs, asked.limits);
  const { spans, strayStops } = pairedSpans(asked.events, stretches, asked.now_ms);
  const runs = activeRuns(stretches, asked.now_ms);
  for (const stop of strayStops) {
    const run = runOfStop(stop.at_ms, runs, spans.map(timesOf));
    if (run !== null) spans.push(spanOfStop(stop, run));
  }
  for (const run of runsAlone(runs, spans.map(timesOf))) {
    const { start_ms, end_ms, operation_type, location } = run;
    spans.push({
      ...{ start_event: null, stop_event: null, start_ms, end_ms, operation_type, location },
      ...{
        known_by: "readings",
        remarks: end_ms === null ? ["no_start"] : ["no_start", "no_stop"],
      },
    });
  }
  spans.sort(
    (one, other) =>
      one.start_ms - other.start_ms || (one.start_event ?? 0) - (other.start_event ?? 0),
  );
  return spans.map((span) => (overlapsAny(span, spans) ? withRemark(span, "overlaps") : span));
}

const timesOf = ({ start_ms, end_ms }: FoundSpan): TimeSpan => ({ start_ms, end_ms });

function overlapsAny(span: FoundSpan, spans: readonly FoundSpan[]): boolean {
  return spans.some((other) => other !== span && isOverlap(span, other));
}

function isOverlap(one: TimeSpan, other: TimeSpan): boolean {
  const end = ({ end_ms }: TimeSpan) => end_ms ?? Number.POSITIVE_INFINITY;
  return one.start_ms < end(other) && other.start_ms < end(one);
}

const withRemark = (span: FoundSpan, remark: Remark): FoundSpan => ({
  ...span,
  remarks: [...span.remarks, remark],
});

function spanOfStop(stop: OperationEvent, run: TimeSpan): FoundSpan {
  const { operation_type, location } = stop;
  return {
    ...{ start_event: null, stop_event: stop.id, start_ms: run.start_ms, end_ms: stop.at_ms },
    ...{ operation_type, location, known_by: "events", remarks: ["no_start"] },
  };
}

interface Paired {
  readonly spans: FoundSpan[];
  readonly strayStops: OperationEvent[];
}

/** Pairs starts with stops; a start that a stop never follows ends by readings. */
function pairedSpans(
  events: readonly OperationEvent[],
  stretches: readonly ActivityStretch[],
  now_ms: number,
): Paired {
  const spans: FoundSpan[] = [];
  const strayStops: OperationEvent[] = [];
  let open: OperationEvent[] = [];
  for (const [index, event] of events.entries()) {
    if (event.isStart) {
      open = open.filter((start) => {
        const lost = lostEnd(start, stretches, event.at_ms);
        if (lost !== null) spans.push(lost);
        return lost === null;
      });
      if (!open.some((start) => isRepeated(start, event))) open.push(event);
      continue;
    }
    const fitting = open.filter((start) => isSameType(start.operation_type, event.operation_type));
    const start = fitting[Math.max(0, fitting.length - stopsFollowing(events, index))];
    if (start === undefined) strayStops.push(event);
    else {
      open = open.filter((one) => one !== start);
      spans.push(spanOf(start, { end_ms: event.at_ms, stop: event, remarks: [] }));
    }
  }
  for (const start of open) spans.push(unstopped(start, { events, stretches, now_ms }));
  return { spans, strayStops };
}

function spanOf(
  start: OperationEvent,
  end: {
    readonly end_ms: number | null;
    readonly stop?: OperationEvent;
    readonly remarks: readonly Remark[];
  },
): FoundSpan {
  const { id, at_ms, operation_type, location } = start;
  return {
    ...{ start_event: id, stop_event: end.stop?.id ?? null, start_ms: at_ms, end_ms: end.end_ms },
    operation_type: operation_type ?? end.stop?.operation_type ?? null,
    location: location ?? end.stop?.location ?? null,
    ...{ known_by: "events", remarks: end.remarks },
  };
}

/** The same start, told twice. */
function isRepeated(one: OperationEvent, other: OperationEvent): boolean {
  return one.at_ms === other.at_ms && isSameType(one.operation_type, other.operation_type);
}

/** The number of stops of its type up to the next start, with the stop itself. */
function stopsFollowing(events: readonly OperationEvent[], index: number): number {
  const { operation_type } = events[index];
  let stops = 0;
  for (const event of events.slice(index)) {
    if (!isSameType(event.operation_type, operation_type)) continue;
    if (event.isStart) break;
    stops += 1;
  }
  return stops;
}

/** A start without a stop: up to the next start it ran on, or that would have ended it. */
function unstopped(
  start: OperationEvent,
  around: {
    readonly events: readonly OperationEvent[];
    readonly stretches: readonly ActivityStretch[];
    readonly now_ms: number;
  },
): FoundSpan {
  const next = around.events.find(({ isStart, at_ms }) => isStart && at_ms > start.at_ms);
  if (next !== undefined) return spanOf(start, { end_ms: next.at_ms, remarks: ["no_stop"] });
  const lost = lostEnd(start, around.stretches, around.now_ms);
  return lost ?? spanOf(start, { end_ms: null, remarks: [] });
}

/** The end by readings of a start without a stop; null if it runs on until `until_ms`. */
function lostEnd(
  start: OperationEvent,
  stretches: readonly ActivityStretch[],
  until_ms: number,
): FoundSpan | null {
  let isActive = false;
  let last_ms = start.at_ms;
  const silentEnd = () => spanOf(start, { end_ms: last_ms, remarks: ["never_ended"] });
  for (const stretch of stretchesFrom(stretches, start.at_ms)) {
    const { activity, start_ms } = stretch;
    if (start_ms > until_ms) break;
    if (start_ms - last_ms > LOST_MS) return silentEnd();
    if (activity !== "idle" && activity !== "halted") isActive = true;
    else if (activity === "idle" && isActive)
      return spanOf(start, { end_ms: Math.max(start_ms, start.at_ms), remarks: ["no_stop"] });
    last_ms = Math.min(stretch.last_ms, until_ms);
  }
  return until_ms - last_ms > LOST_MS ? silentEnd() : null;
}

function* stretchesFrom(
  stretches: readonly ActivityStretch[],
  at_ms: number,
): Generator<ActivityStretch> {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches[middle].last_ms < at_ms) low = middle + 1;
    else high = middle;
  }
  for (let index = low; index < stretches.length; index += 1) yield stretches[index];
}
