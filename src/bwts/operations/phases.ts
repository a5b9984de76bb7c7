// Cuts time where no operation is running: at a rest, and at a day without data. A phase lies
// between two cuts, and its operations are found in it alone. So distant data changes nothing, and
// an operation is the same whatever arrived last. Pure.

import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import { isActive } from "./active-runs.ts";
import { type ActivityStretch, isSameWord, LOST_MS, type Stretches } from "./activity.ts";
import type { OperationEvent } from "./judging.ts";

/** Rest after which an operation has ended. */
const REST_MS = 30 * MINUTE_MS;
/**
 * The same for a plant that isn't at rest by its state: in fault without moving water, or an
 * unknown word.
 */
const HALTED_MS = 60 * MINUTE_MS;
/** Maximum time of a start before the plant runs, and of a stop after it rests. */
const WAIT_MS = 6 * HOUR_MS;

export interface OperationPhase {
  /** Stretches of the phase and of the rest after it; ascending. */
  readonly stretches: readonly ActivityStretch[];
  /** Ascending by time, then id. */
  readonly events: readonly OperationEvent[];
  /** Beginning of the rest that ends it; null if a silence ends it, or if it hasn't ended. */
  readonly rest_ms: number | null;
}

/** A time in which no operation is running. */
export interface Cut {
  readonly from_ms: number;
  readonly to_ms: number;
  /**
   * Time after its beginning and before its end in which an event may belong to the operation
   * there.
   */
  readonly wait_ms: number;
  /** Operations before it end here at the latest, and those after it begin later. */
  readonly split_ms: number;
  /** Number of phases before it. */
  readonly phases: number;
}

export interface Phases {
  readonly phases: readonly OperationPhase[];
  /** Cuts, ascending. If `wait_ms` is 0, it is a rest of which all readings are known. */
  readonly cuts: readonly Cut[];
  /** Times of the first and the last data; null without data. */
  readonly told: { readonly first_ms: number; readonly last_ms: number } | null;
}

/** A rest of the plant: from its first reading to the next one that isn't at rest. */
interface Rest {
  readonly from_ms: number;
  /** The last reading if the plant still rests. */
  readonly to_ms: number;
  readonly isOver: boolean;
  /** The index of the first stretch after it. */
  readonly next: number;
}

/** Returns phases and cuts, both ascending. */
export function phasesOf(
  { stretches, sure_ms }: Stretches,
  events: readonly OperationEvent[],
): Phases {
  const phases: OperationPhase[] = [];
  const cuts: Cut[] = [];
  const cut = (given: Omit<Cut, "phases">) => {
    const { to_ms, wait_ms } = given;
    const from_ms = wait_ms === WAIT_MS ? Math.max(given.from_ms, sure_ms) : given.from_ms;
    if (wait_ms === 0 ? from_ms >= sure_ms : to_ms - from_ms > wait_ms)
      cuts.push({ ...given, from_ms, phases: phases.length });
  };
  const times = [...toldTimes(stretches, events)];
  for (const [index, time] of times.entries()) {
    const before_ms = times[index - 1]?.last_ms;
    if (before_ms !== undefined)
      cut({ from_ms: before_ms, to_ms: time.first_ms, wait_ms: LOST_MS, split_ms: before_ms });
    addPhases(time, phases, cut);
  }
  const last = times.at(-1);
  const told = last === undefined ? null : { first_ms: times[0].first_ms, last_ms: last.last_ms };
  return { phases, cuts, told };
}

/** A time in which no day is without data. */
interface ToldTime extends Pick<OperationPhase, "stretches" | "events"> {
  readonly first_ms: number;
  readonly last_ms: number;
}

/** Times between days without data. Totalisers that stood still count as data of such a day. */
function* toldTimes(
  stretches: readonly ActivityStretch[],
  events: readonly OperationEvent[],
): Generator<ToldTime> {
  let [from, since, at, index] = [0, 0, 0, 0];
  let [first_ms, last_ms] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const timeSoFar = (): ToldTime => ({
    ...{ stretches: stretches.slice(from, index), events: events.slice(since, at) },
    ...{ first_ms, last_ms },
  });
  while (index < stretches.length || at < events.length) {
    const stretch = stretches.at(index);
    const event = events.at(at);
    const isEvent = event !== undefined && !(stretch && stretch.start_ms < event.at_ms);
    const start_ms: number = isEvent ? event.at_ms : (stretch?.start_ms ?? 0);
    const isTold = !isEvent && stretch?.isAfterStandstill === true;
    if (first_ms <= last_ms && !isTold && start_ms - last_ms > LOST_MS) {
      yield timeSoFar();
      [from, since, first_ms, last_ms] = [index, at, start_ms, start_ms];
    }
    first_ms = Math.min(first_ms, start_ms);
    last_ms = Math.max(last_ms, isEvent ? start_ms : (stretch?.last_ms ?? start_ms));
    if (isEvent) at += 1;
    else index += 1;
  }
  if (first_ms <= last_ms) yield timeSoFar();
}

function addPhases(
  { stretches, events, first_ms }: ToldTime,
  phases: OperationPhase[],
  cut: (given: Omit<Cut, "phases">) => void,
): void {
  const add = (phase: OperationPhase) => {
    for (const { last_ms, ...part } of partsOf(phase)) {
      const to_ms = firstOf(part);
      // Before what is read there may be a start of another type.
      if (last_ms !== null && to_ms - first_ms > LOST_MS)
        cut({ from_ms: last_ms, to_ms, wait_ms: 0, split_ms: to_ms - 1 });
      phases.push(part);
    }
  };
  let at = 0;
  let left = events;
  for (const rest of restsOf(stretches)) {
    const { from_ms, to_ms, isOver, next } = rest;
    const { ended, apart, after } = eventsOf(rest, left);
    add({ stretches: stretches.slice(at, next), events: ended, rest_ms: from_ms });
    let last_ms = Math.max(from_ms, ended.at(-1)?.at_ms ?? from_ms);
    const wait = (until_ms: number) =>
      cut({ from_ms: last_ms, to_ms: until_ms, wait_ms: WAIT_MS, split_ms: last_ms });
    if (isOver) cut({ from_ms, to_ms, wait_ms: 0, split_ms: last_ms });
    for (const own of apart) {
      wait(own[0].at_ms);
      last_ms = own[own.length - 1].at_ms;
      add({ stretches: [], events: own, rest_ms: last_ms });
    }
    wait(Math.min(to_ms, after.at(0)?.at_ms ?? to_ms));
    [at, left] = [next, after];
  }
  add({ stretches: stretches.slice(at), events: left, rest_ms: null });
}

/** The cuts next to a range, which changes in the range don't move; null where none is certain. */
export function neighbouringCuts(
  cuts: readonly Cut[],
  { start_ms, end_ms }: { readonly start_ms: number; readonly end_ms: number },
): { readonly before: Cut | null; readonly after: Cut | null } {
  const before = cuts.findLast(({ from_ms, to_ms, wait_ms }) =>
    wait_ms === 0 ? to_ms < start_ms : Math.min(to_ms, start_ms) - from_ms > wait_ms,
  );
  const after = cuts.find(({ from_ms, to_ms, wait_ms }) =>
    wait_ms === 0 ? from_ms > end_ms : to_ms - Math.max(from_ms, end_ms) > wait_ms,
  );
  return { before: before ?? null, after: after ?? null };
}

interface RestEvents {
  /** Events of the ended phase: those before the rest, and the stops within it. */
  readonly ended: readonly OperationEvent[];
  /** Events of neither phase, in groups. */
  readonly apart: readonly (readonly OperationEvent[])[];
  /** Events of the next phase: the starts within the rest, and all later ones. */
  readonly after: readonly OperationEvent[];
}

function eventsOf({ from_ms, to_ms, isOver }: Rest, events: readonly OperationEvent[]): RestEvents {
  // A stop may come after the last reading of a plant that rests still, or was switched off.
  const until_ms = isOver ? Math.min(to_ms, from_ms + WAIT_MS) : from_ms + WAIT_MS;
  const isEnded = ({ isStart, at_ms }: OperationEvent) =>
    at_ms < from_ms || (!isStart && at_ms <= until_ms);
  const ended = indexOr(events, (event) => !isEnded(event));
  const later = Math.max(
    ended,
    indexOr(events, ({ at_ms }) => at_ms > to_ms),
  );
  let after = later;
  while (after > ended && events[after - 1].isStart && to_ms - events[after - 1].at_ms <= WAIT_MS)
    after -= 1;
  const apart: OperationEvent[][] = [];
  for (const event of events.slice(ended, after)) {
    const last = apart.at(-1);
    if (last !== undefined && event.at_ms - last[last.length - 1].at_ms <= WAIT_MS)
      last.push(event);
    else apart.push([event]);
  }
  return { ended: events.slice(0, ended), apart, after: events.slice(after) };
}

function indexOr<One>(of: readonly One[], isIt: (one: One) => boolean): number {
  const index = of.findIndex(isIt);
  return index < 0 ? of.length : index;
}

function* restsOf(stretches: readonly ActivityStretch[]): Generator<Rest> {
  let first = 0;
  for (let next = 0; next <= stretches.length; next += 1) {
    const isOver = next < stretches.length;
    if (isOver && !isActive(stretches[next])) continue;
    const from_ms = restFrom(stretches, first, next);
    if (from_ms !== null) {
      const to_ms = isOver ? stretches[next].start_ms : stretches[next - 1].last_ms;
      yield { from_ms, to_ms, isOver, next };
    }
    first = next + 1;
  }
}

/** Start of the rest between two active stretches; null without a rest, or if it is too short. */
function restFrom(
  stretches: readonly ActivityStretch[],
  first: number,
  next: number,
): number | null {
  const between = stretches.slice(first, next);
  const still = stretches.slice(first, next + 1).some((one) => one.isAfterStandstill);
  const resting = between.filter(({ activity }) => activity === "idle");
  const halted = between.filter(({ activity }) => activity === "halted");
  const told = (of: readonly ActivityStretch[]) => of.reduce((sum, one) => sum + one.told_ms, 0);
  const readings = [...resting, ...halted].reduce((sum, one) => sum + one.readings, 0);
  const isTold =
    readings > 1 && (told(resting) > REST_MS || told(resting) + told(halted) > HALTED_MS);
  if (!isTold && !still) return null;
  const begun = resting.at(0) ?? halted.at(0);
  if (begun !== undefined && !stretches[first].isAfterStandstill) return begun.since_ms;
  return first === 0 ? null : stretches[first - 1].last_ms;
}

/** A part of a phase; `last_ms` is the end of the part before it, null for the first part. */
interface PhasePart extends OperationPhase {
  readonly last_ms: number | null;
}

/** The parts of a phase: a stop and the next start divide continuous activity. */
function* partsOf({ stretches, events, rest_ms }: OperationPhase): Generator<PhasePart> {
  let [from, own]: [number, OperationEvent[]] = [0, []];
  let last_ms: number | null = null;
  for (const event of events) {
    if (isBeginning(own, event)) {
      const index = stretches.findIndex(({ start_ms }) => start_ms >= event.at_ms);
      const to = index < 0 ? stretches.length : index;
      yield { stretches: stretches.slice(from, to), events: own, rest_ms: event.at_ms, last_ms };
      last_ms = own[own.length - 1].at_ms;
      [from, own] = [to, []];
    }
    own.push(event);
  }
  yield { stretches: stretches.slice(from), events: own, rest_ms, last_ms };
}

/** Times of starts that may divide a phase. */
export function dividingStarts(events: readonly OperationEvent[]): readonly number[] {
  return events.flatMap((event, index) =>
    index > 0 && isDividing(events[index - 1], event) ? [event.at_ms] : [],
  );
}

const isDividing = (stop: OperationEvent, start: OperationEvent): boolean =>
  start.isStart && !stop.isStart && stop.at_ms < start.at_ms;

/** True for a start after a stop, unless an operation started within a day is still running. */
function isBeginning(before: readonly OperationEvent[], start: OperationEvent): boolean {
  const last = before.at(-1);
  if (last === undefined || !isDividing(last, start)) return false;
  let open: OperationEvent[] = [];
  for (const event of before.slice(before.findLastIndex((one) => isLongBefore(one, start)) + 1))
    if (event.isStart) open.push(event);
    else open = leftOpen(open, event);
  return open.length === 0;
}

const isLongBefore = ({ at_ms }: OperationEvent, start: OperationEvent): boolean =>
  start.at_ms - at_ms > LOST_MS;

/** The open starts after a stop. It ends all starts of its type; without a type, the newest one. */
function leftOpen(open: readonly OperationEvent[], stop: OperationEvent): OperationEvent[] {
  if (stop.operation_type === null) return open.slice(0, -1);
  return open.filter((one) => !isSameWord(one.operation_type, stop.operation_type));
}

/** Time of the first data of a phase. */
function firstOf({ stretches, events }: OperationPhase): number {
  return Math.min(
    stretches.at(0)?.start_ms ?? Number.POSITIVE_INFINITY,
    events.at(0)?.at_ms ?? Number.POSITIVE_INFINITY,
  );
}
