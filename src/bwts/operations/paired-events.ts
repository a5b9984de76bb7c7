// Pairs the starts and stops of one phase. A stop ends the newest open start of its type, unless
// the place changed in between; a start without a stop ends by readings. Two starts shortly after
// each other count as one, even with different types or places, unless each has its own stop. Pure.

import { MINUTE_MS, SECOND_MS } from "../../ground/clock.ts";
import { isActive, isSettled, type TimeSpan } from "./active-runs.ts";
import { type ActivityStretch, isSameWord, RESUME_MAX_MS } from "./activity.ts";
import type { OperationEvent } from "./judging.ts";
import type { OperationPhase } from "./phases.ts";

/** Time within which a repeated stop counts as the same one. */
const STOP_AGAIN_MS = 60 * SECOND_MS;
/** The same for a start: after a wrong type the crew stops, chooses and starts again. */
const START_AGAIN_MS = 120 * SECOND_MS;
/** Time after a stop during which readings of the ended operation may still come. */
const AFTER_MS = 2 * MINUTE_MS;

/** A start with its stop, or with the end at a change of place. */
export interface PairedStart {
  readonly start: OperationEvent;
  readonly stop: OperationEvent | null;
  /** Null if it ends only at the rest after the phase. */
  readonly end_ms: number | null;
}

/** A stop without a start. The operation that it ended began after `after_ms`. */
export interface StrayStop {
  readonly stop: OperationEvent;
  readonly after_ms: number;
}

export interface EventPairs {
  readonly starts: readonly PairedStart[];
  readonly strayStops: readonly StrayStop[];
}

export function pairedEvents({ stretches, events }: OperationPhase): EventPairs {
  const told = withoutCorrected(toldOnce(events, stretches));
  const starts: PairedStart[] = [];
  const strayStops: StrayStop[] = [];
  let open: OperationEvent[] = [];
  for (const [index, event] of told.entries()) {
    if (event.isStart) {
      open.push(event);
      continue;
    }
    const ofType = open.filter((one) => isOfType(one, event));
    const ofPlace = ofType.filter((one) => isSameWord(one.location, event.location));
    const fitting = ofPlace.length > 0 ? ofPlace : ofType.slice(-1);
    const start = fitting[Math.max(0, fitting.length - stopsFollowing(told, index))];
    if (start === undefined) {
      strayStops.push({ stop: event, after_ms: Number.NEGATIVE_INFINITY });
      continue;
    }
    const later = told.slice(index + 1);
    const { own, left } = asOne(open, start, (one) => isStopped(one, start, later));
    open = left;
    const change = placeChange(own, event, stretches);
    if (change === null) starts.push({ start: own, stop: event, end_ms: event.at_ms });
    else {
      starts.push({ start: own, stop: null, end_ms: change.end_ms });
      strayStops.push({ stop: event, after_ms: change.start_ms });
    }
  }
  for (let newest = open.at(-1); newest !== undefined; newest = open.at(-1)) {
    const { own: start, left, last_ms } = asOne(open, newest, () => false);
    open = left;
    const next_ms =
      told.find((one) => one.isStart && one.at_ms > last_ms + START_AGAIN_MS)?.at_ms ?? null;
    const end_ms =
      next_ms === null
        ? null
        : (endOfActivity(start.at_ms, stretches, next_ms) ??
          lastBeforeSilence(start.at_ms, stretches, next_ms) ??
          next_ms);
    starts.push({ start, stop: null, end_ms });
  }
  return { starts, strayStops };
}

interface StartsAsOne {
  readonly own: OperationEvent;
  readonly left: OperationEvent[];
  /** Time of the last start of a group. */
  readonly last_ms: number;
}

/**
 * The operation of an open start, and the other open ones. Starts that follow each other shortly
 * are corrections of the type or place of one operation, which began with the first of them.
 */
function asOne(
  open: readonly OperationEvent[],
  start: OperationEvent,
  isApart: (one: OperationEvent) => boolean,
): StartsAsOne {
  const able = open.filter((one) => one === start || !isApart(one));
  const isAlone = (at: number) => able[at].at_ms - able[at - 1].at_ms > START_AGAIN_MS;
  let first = able.indexOf(start);
  let after = first + 1;
  while (first > 0 && !isAlone(first)) first -= 1;
  while (after < able.length && !isAlone(after)) after += 1;
  const same = new Set(able.slice(first, after));
  const { operation_type, location } = start;
  return {
    own: { ...able[first], operation_type, location },
    left: open.filter((one) => !same.has(one)),
    last_ms: able[after - 1].at_ms,
  };
}

/**
 * The events without stops of a type that was corrected at once: if a PLC stops both types at the
 * end, there was one operation, of the type that was started last.
 */
function withoutCorrected(told: readonly OperationEvent[]): readonly OperationEvent[] {
  return told.filter((stop) => {
    if (stop.isStart) return true;
    const starts = told.filter((one) => one.isStart && one.at_ms <= stop.at_ms);
    const [last, own] = [starts.at(-1), starts.findLast((one) => isOfType(one, stop))];
    if (last === undefined || own === undefined || isOfType(last, stop)) return true;
    const isBoth = told.some(
      (one) =>
        !one.isStart && isOfType(one, last) && Math.abs(one.at_ms - stop.at_ms) <= STOP_AGAIN_MS,
    );
    return !isBoth || last.at_ms - own.at_ms > START_AGAIN_MS;
  });
}

const isOfType = (one: OperationEvent, other: OperationEvent) =>
  isSameWord(one.operation_type, other.operation_type);

/** True if a start of another type has a stop of its own: then both ran at the same time. */
function isStopped(
  one: OperationEvent,
  start: OperationEvent,
  later: readonly OperationEvent[],
): boolean {
  if (isOfType(one, start)) return false;
  const next = later.find((event) => isOfType(event, one));
  return next?.isStart === false;
}

/** The events without repetitions: those that equal the one before of their type and place. */
function toldOnce(
  events: readonly OperationEvent[],
  stretches: readonly ActivityStretch[],
): readonly OperationEvent[] {
  const told: { readonly event: OperationEvent; last_ms: number }[] = [];
  for (const event of events) {
    const last = told.findLast(
      ({ event: one, last_ms }) =>
        isOfType(one, event) &&
        (isSameWord(one.location, event.location) || isStopAgain(one, event, last_ms)),
    );
    if (last !== undefined && isRepeated(last.event, event, { stretches, last_ms: last.last_ms }))
      last.last_ms = event.at_ms;
    else told.push({ event, last_ms: event.at_ms });
  }
  return told.map(({ event }) => event);
}

const isStopAgain = (last: OperationEvent, event: OperationEvent, last_ms: number) =>
  !last.isStart && !event.isStart && event.at_ms - last_ms <= STOP_AGAIN_MS;

function isRepeated(
  last: OperationEvent,
  event: OperationEvent,
  {
    stretches,
    last_ms,
  }: { readonly stretches: readonly ActivityStretch[]; readonly last_ms: number },
): boolean {
  if (last.isStart !== event.isStart) return false;
  const again_ms = event.isStart ? START_AGAIN_MS : STOP_AGAIN_MS;
  if (event.at_ms - last_ms <= again_ms) return true;
  // A stop that comes again ends nothing, where readings tell that nothing was done since.
  return !event.isStart && isIdleBetween(last.at_ms, event.at_ms, stretches);
}

function isIdleBetween(
  from_ms: number,
  to_ms: number,
  stretches: readonly ActivityStretch[],
): boolean {
  const since = stretches.filter(({ start_ms, last_ms }) => last_ms > from_ms && start_ms < to_ms);
  const last_ms = Math.max(from_ms, ...since.map((one) => Math.min(one.last_ms, to_ms)));
  const isTold = to_ms - last_ms <= RESUME_MAX_MS && !since.some((one) => one.isAfterSilence);
  const isRun = (one: ActivityStretch) =>
    isActive(one) && Math.min(one.last_ms, to_ms) - from_ms > AFTER_MS;
  return isTold && !since.some(isRun);
}

/** Number of stops of its type up to the next start, including the stop itself. */
function stopsFollowing(events: readonly OperationEvent[], index: number): number {
  const { operation_type } = events[index];
  let stops = 0;
  for (const event of events.slice(index)) {
    if (!isSameWord(event.operation_type, operation_type)) continue;
    if (event.isStart) break;
    stops += 1;
  }
  return stops;
}

/**
 * Time before `until_ms` at which the operation running after `from_ms` came to rest; null if it
 * ran on.
 */
export function endOfActivity(
  from_ms: number,
  stretches: readonly ActivityStretch[],
  until_ms: number,
): number | null {
  const last = lastActive(from_ms, stretches, until_ms);
  if (last === null) return null;
  const rest = stretches.slice(last + 1).find(({ activity }) => activity === "idle");
  return rest !== undefined && rest.start_ms < until_ms ? rest.since_ms : null;
}

/**
 * Last reading of the operation running after `from_ms`, if a silence follows it up to `until_ms`;
 * null without a silence. A plant that sends nothing at rest has no later reading.
 */
function lastBeforeSilence(
  from_ms: number,
  stretches: readonly ActivityStretch[],
  until_ms: number,
): number | null {
  const last = lastActive(from_ms, stretches, until_ms);
  if (last === null) return null;
  const isSilent = stretches[last + 1]?.isAfterSilence ?? true;
  const isLong = until_ms - stretches[last].last_ms > RESUME_MAX_MS;
  return isSilent && isLong ? stretches[last].last_ms : null;
}

/** Index of the last active stretch before `until_ms`; null without one. */
function lastActive(
  from_ms: number,
  stretches: readonly ActivityStretch[],
  until_ms: number,
): number | null {
  const last = stretches.findLastIndex((one) => isActive(one) && one.start_ms < until_ms);
  return last < 0 || stretches[last].last_ms < from_ms ? null : last;
}

/** The end of an operation in one place, and the start of the next one in another place. */
interface PlaceChange {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** The change of place between a start and a stop; without one both have the same place. */
function placeChange(
  start: OperationEvent,
  stop: OperationEvent,
  stretches: readonly ActivityStretch[],
): PlaceChange | null {
  const isTold = start.location !== null && stop.location !== null;
  if (isTold && isSameWord(start.location, stop.location)) return null;
  const between = stretches.filter(
    (one) => isActive(one) && one.last_ms >= start.at_ms && one.start_ms <= stop.at_ms,
  );
  const first = between.find((one) => one.location !== null && isSettled(one));
  const other = between.findIndex(
    (one) => isSettled(one) && !isSameWord(one.location, first?.location ?? null),
  );
  const changeAt = (index: number): PlaceChange => {
    const { start_ms } = between[index];
    const before_ms = between.at(index - 1)?.start_ms ?? start.at_ms;
    const last_ms = index === 0 ? start.at_ms : between[index - 1].last_ms;
    const end_ms = endOfActivity(index === 0 ? start_ms : before_ms, stretches, start_ms);
    const isApart = between[index].isAfterSilence;
    return { start_ms, end_ms: end_ms ?? (isApart ? last_ms : start_ms) };
  };
  if (other > 0) return changeAt(other);
  if (!isTold) return null;
  const pauses = between.map((one, index): TimeSpan => {
    const from_ms = index === 0 ? start.at_ms : between[index - 1].last_ms;
    return { start_ms: from_ms, end_ms: one.start_ms };
  });
  const length = ({ start_ms, end_ms }: TimeSpan) => (end_ms ?? start_ms) - start_ms;
  const longest = pauses.reduce(
    (best, pause, index) => (length(pause) > length(pauses[best]) ? index : best),
    0,
  );
  const isPause = pauses.length > 0 && !isJoined(stretches, between, longest);
  return isPause ? changeAt(longest) : { start_ms: stop.at_ms, end_ms: stop.at_ms };
}

/** True if an active stretch follows the one before without a gap. */
function isJoined(
  stretches: readonly ActivityStretch[],
  active: readonly ActivityStretch[],
  index: number,
): boolean {
  const place = stretches.indexOf(active[index]);
  return !active[index].isAfterSilence && (place === 0 || isActive(stretches[place - 1]));
}
