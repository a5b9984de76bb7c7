// Finds the operations: by PROCESS_START and PROCESS_STOP and, where one is missing, by the plant's
// activity as readings tell it. A stop ends the operation of its type that fits; a start without a
// stop ends by readings or by the next start; a stop without a start, and readings of treated water
// that no event tells of, make operations of their own. Pure.

import { DAY_MS } from "../../ground/clock.ts";
import { activeRuns, runOfStop, runsAlone, type TimeSpan } from "./active-runs.ts";
import { type ActivityStretch, isSameType, stretchesOf } from "./activity.ts";
import type { OperationEvent, OperationSpan, SpansAsked } from "./judging.ts";
import type { Remark } from "./operation.ts";

/** An operation whose stop wasn't sent is over after this long without a reading. */
const LOST_MS = DAY_MS;

/** Ascending by start, then by the ids of their starts. */
export function operationSpans(asked: SpansAsked): readonly OperationSpan[] {
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

const timesOf = ({ start_ms, end_ms }: OperationSpan): TimeSpan => ({ start_ms, end_ms });

function overlapsAny(span: OperationSpan, spans: readonly OperationSpan[]): boolean {
  return spans.some((other) => other !== span && isOverlap(span, other));
}

function isOverlap(one: TimeSpan, other: TimeSpan): boolean {
  const end = ({ end_ms }: TimeSpan) => end_ms ?? Number.POSITIVE_INFINITY;
  return one.start_ms < end(other) && other.start_ms < end(one);
}

const withRemark = (span: OperationSpan, remark: Remark): OperationSpan => ({
  ...span,
  remarks: [...span.remarks, remark],
});

function spanOfStop(stop: OperationEvent, run: TimeSpan): OperationSpan {
  const { operation_type, location } = stop;
  return {
    ...{ start_event: null, stop_event: stop.id, start_ms: run.start_ms, end_ms: stop.at_ms },
    ...{ operation_type, location, known_by: "events", remarks: ["no_start"] },
  };
}

interface Paired {
  readonly spans: OperationSpan[];
  readonly strayStops: OperationEvent[];
}

/** Pairs starts with stops; a start that a stop never follows ends by readings. */
function pairedSpans(
  events: readonly OperationEvent[],
  stretches: readonly ActivityStretch[],
  now_ms: number,
): Paired {
  const spans: OperationSpan[] = [];
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
): OperationSpan {
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
): OperationSpan {
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
): OperationSpan | null {
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
