// Finds the operations: by PROCESS_START and PROCESS_STOP and, where one is missing, by the plant's
// activity, in each phase separately (phases.ts). A stop ends the newest open start of its type and
// place. A start without a stop ends at the next rest or the next start. A stop without a start,
// and readings of moving water without events, make operations of their own. Pure.

import { wordOf } from "../plc-word.ts";
import { activeRuns, runOfStop, runsAlone, type TimeSpan } from "./active-runs.ts";
import { LOST_MS, RESUME_MAX_MS, type Stretches, stretchesOf } from "./activity.ts";
import type { OperationEvent, OperationSpan, ReadingRun, SpansQuery } from "./judging.ts";
import type { Remark } from "./operation.ts";
import { endOfActivity, type PairedStart, pairedEvents } from "./paired-events.ts";
import { type Cut, dividingStarts, type OperationPhase, type Phases, phasesOf } from "./phases.ts";
import type { TimeBetween } from "./recent-times.ts";
import { type SteadyTime, steadyTime } from "./steady-time.ts";
import type { UnreadTime } from "./unread-times.ts";
import { COUNTED_TYPES, type WaterStill } from "./unseen-water.ts";
import { withWaterAtRest } from "./water-at-rest.ts";

/** An operation by the steady time. */
type FoundSpan = Omit<OperationSpan, "steady" | "isStopDoubted">;

interface FoundSpans extends Omit<SpansResult, "spans"> {
  readonly spans: readonly FoundSpan[];
}

/**
 * Number of operations before and after one that are tested for overlap; it overlaps few others.
 */
const NEAR_SPANS = 20;

/** The operations of a range, and the times in it in which no operation is running. */
export interface SpansResult {
  /** Ascending by start, then by the ids of their starts. */
  readonly spans: readonly OperationSpan[];
  /** For each of them the index of its phase. */
  readonly phases: readonly number[];
  /** Cuts, by the steady time. */
  readonly cuts: readonly Cut[];
  readonly told: Phases["told"];
  /**
   * Silences by the steady time, including those before the first reading and after the last one.
   */
  readonly silences: readonly UnreadTime[];
  /** The time that the change may affect, by the steady time. */
  readonly reach: TimeBetween;
}

/** Ascending by start, then by the ids of their starts. */
export function operationSpans(asked: SpansQuery): readonly OperationSpan[] {
  return spansFound(asked).spans;
}

export function spansFound(asked: SpansQuery): SpansResult {
  const steady = steadyTime(asked.clock_steps);
  const byPlcOf = (found: FoundSpans): SpansResult => ({
    ...found,
    spans: found.spans.map((span) => byPlc(span, asked, steady)),
  });
  const events = asked.events
    .map((event) => ({ ...event, at_ms: steady.at(event.at_ms, event.received_ms) }))
    .toSorted(inOrder);
  if (steady.steps.length === 0) return byPlcOf(foundSpans({ ...asked, events }));
  const runs = [...asked.runs];
  const now_ms = steadyNow({ ...asked, runs }, steady);
  return byPlcOf(foundSpans({ ...asked, events, runs: steady.runs(runs), now_ms }));
}

/**
 * Order of events: by time. At one instant the order doesn't depend on the arrival: a stop comes
 * first, then the events with more facts.
 */
function inOrder(one: OperationEvent, other: OperationEvent): number {
  return (
    one.at_ms - other.at_ms ||
    Number(one.isStart) - Number(other.isStart) ||
    byText(one.operation_type, other.operation_type) ||
    byText(one.location, other.location) ||
    one.id - other.id
  );
}

function byText(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}

/** A span with its times by the PLC's clock: those of its events as they were sent. */
function byPlc(span: FoundSpan, { events }: SpansQuery, steady: SteadyTime): OperationSpan {
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

/** The present by the steady time: the last time of the PLC's clock, and the time since then. */
function steadyNow(
  { events, runs, now_ms }: SpansQuery & { readonly runs: readonly ReadingRun[] },
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

/** The change where none is asked about. */
const NEVER: TimeBetween = { from_ms: Number.POSITIVE_INFINITY, to_ms: Number.POSITIVE_INFINITY };

function foundSpans({ change = NEVER, ...asked }: SpansQuery): FoundSpans {
  const splits = dividingStarts(asked.events);
  const seen = stretchesOf(asked.runs, { limits: asked.limits, splits, change });
  const stretches = withWaterAtRest(seen, asked.events);
  const { phases, cuts, told } = phasesOf({ ...seen, stretches }, asked.events);
  const found = phases.flatMap((phase, index) => {
    const isLast = index === phases.length - 1;
    return spansOf(phase, { isLast, now_ms: asked.now_ms }).map((span) => ({ span, index }));
  });
  found.sort(
    ({ span: one }, { span: other }) =>
      one.start_ms - other.start_ms ||
      (one.start_event ?? 0) - (other.start_event ?? 0) ||
      (one.stop_event ?? 0) - (other.stop_event ?? 0),
  );
  const spans = found.map(({ span }) => withUnseen(span, seen));
  return {
    spans: spans.map((span, at) => (overlapsAny(at, spans) ? withRemark(span, "overlaps") : span)),
    phases: found.map(({ index }) => index),
    ...{ cuts, told, silences: seen.silences, reach: besideWater(seen.reach) },
  };
}

/** A time, with that of the operations near which water in it may be unseen. */
const besideWater = ({ from_ms, to_ms }: TimeBetween): TimeBetween => ({
  from_ms: from_ms - RESUME_MAX_MS,
  to_ms: to_ms + RESUME_MAX_MS,
});

/**
 * Adds the remark that unseen water near a start or end without an event may belong to the
 * operation.
 */
function withUnseen(span: FoundSpan, seen: Stretches): FoundSpan {
  const { start_event, stop_event, start_ms, end_ms, remarks } = span;
  const isUnseen = seen.unseen.some(
    ({ from_ms, to_ms }) =>
      (start_event === null && from_ms < start_ms && start_ms - to_ms <= RESUME_MAX_MS) ||
      (stop_event === null &&
        end_ms !== null &&
        end_ms < to_ms &&
        from_ms - end_ms <= RESUME_MAX_MS),
  );
  if (!isUnseen && !isEdgeUnseen(span, seen)) return span;
  return remarks.includes("never_ended") && !isUnseen ? span : withRemark(span, "water_unseen");
}

/**
 * True if water moves in the first reading after a silence, or in the last one before it, at a
 * start or end without an event. A totaliser of its type that stood still across the silence shows
 * that the edge is right.
 */
function isEdgeUnseen(span: FoundSpan, { silences, still }: Stretches): boolean {
  const type = wordOf(span.operation_type);
  const isCounted = (one: WaterStill) =>
    one.type === type || !COUNTED_TYPES.some((counted) => counted === type);
  return silences.some(
    (silence) =>
      isBesideEdge(span, silence) &&
      !still.some(
        (one) => one.from_ms <= silence.from_ms && one.to_ms >= silence.to_ms && isCounted(one),
      ),
  );
}

/** True if water moves beside a silence at a start or an end without an event. */
export function isBesideEdge(
  { start_event, stop_event, start_ms, end_ms }: Omit<FoundSpan, "remarks">,
  { from_ms, to_ms, movesBefore, movesAfter }: UnreadTime,
): boolean {
  return (
    (start_event === null && movesAfter && to_ms === start_ms) ||
    (stop_event === null && movesBefore && from_ms === end_ms)
  );
}

interface PhaseContext {
  /** True if no start follows it yet. */
  readonly isLast: boolean;
  readonly now_ms: number;
}

function spansOf(phase: OperationPhase, around: PhaseContext): readonly FoundSpan[] {
  const { starts, strayStops } = pairedEvents(phase);
  const spans = starts.map((paired) => spanOfStart(paired, phase, around));
  const runs = activeRuns(phase.stretches, around.isLast ? around.now_ms : Number.MAX_VALUE);
  for (const { stop, after_ms } of strayStops) {
    const before = { start_ms: Number.NEGATIVE_INFINITY, end_ms: after_ms };
    const run = runOfStop(stop.at_ms, runs, [before, ...spans.map(timesOf)]);
    spans.push(spanOfStop(stop, run?.start_ms ?? stop.at_ms));
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
  return spans;
}

const timesOf = ({ start_ms, end_ms }: FoundSpan): TimeSpan => ({ start_ms, end_ms });

/**
 * True if it overlaps one of `spans`, which ascend; of those before it only the last may be
 * running.
 */
function overlapsAny(at: number, spans: readonly FoundSpan[]): boolean {
  const near = spans.slice(Math.max(0, at - NEAR_SPANS), at + NEAR_SPANS);
  return near.some((other) => other !== spans[at] && isOverlap(spans[at], other));
}

function isOverlap(one: TimeSpan, other: TimeSpan): boolean {
  const end = ({ end_ms }: TimeSpan) => end_ms ?? Number.POSITIVE_INFINITY;
  return one.start_ms < end(other) && other.start_ms < end(one);
}

const withRemark = (span: FoundSpan, remark: Remark): FoundSpan => ({
  ...span,
  remarks: [...span.remarks, remark],
});

function spanOfStop(stop: OperationEvent, start_ms: number): FoundSpan {
  const { operation_type, location } = stop;
  return {
    ...{ start_event: null, stop_event: stop.id, start_ms, end_ms: stop.at_ms },
    ...{ operation_type, location, known_by: "events", remarks: ["no_start"] },
  };
}

function spanOfStart(
  { start, stop, end_ms }: PairedStart,
  phase: OperationPhase,
  around: PhaseContext,
): FoundSpan {
  const { id, at_ms, operation_type, location } = start;
  const end =
    end_ms === null ? endByReadings(start, phase, around) : { end_ms, remarks: lostStop(stop) };
  return {
    ...{ start_event: id, stop_event: stop?.id ?? null, start_ms: at_ms },
    ...{ end_ms: end.end_ms === null ? null : Math.max(at_ms, end.end_ms) },
    operation_type: operation_type ?? stop?.operation_type ?? null,
    location: location ?? stop?.location ?? null,
    ...{ known_by: "events", remarks: end.remarks },
  };
}

const lostStop = (stop: OperationEvent | null): readonly Remark[] =>
  stop === null ? ["no_stop"] : [];

/** The end of a start that no event follows in its phase; null while it runs. */
function endByReadings(
  { at_ms }: OperationEvent,
  { stretches, events, rest_ms }: OperationPhase,
  { isLast, now_ms }: PhaseContext,
): Pick<FoundSpan, "end_ms" | "remarks"> {
  const end_ms = rest_ms ?? endOfActivity(at_ms, stretches, Number.POSITIVE_INFINITY);
  if (end_ms !== null) return { end_ms, remarks: ["no_stop"] };
  const last_ms = Math.max(stretches.at(-1)?.last_ms ?? at_ms, events.at(-1)?.at_ms ?? at_ms);
  if (isLast && now_ms - last_ms <= LOST_MS) return { end_ms: null, remarks: [] };
  return { end_ms: Math.max(at_ms, stretches.at(-1)?.last_ms ?? at_ms), remarks: ["never_ended"] };
}
