// Runs of activity as readings tell them: from the first reading that isn't idle to the first that
// is again. They are the operations of a plant that sends no events, and tell the start of one
// whose PROCESS_START is missing. Pure.

import { MINUTE_MS } from "../../ground/clock.ts";
import { type ActivityStretch, isSameType } from "./activity.ts";

/** A time; `end_ms` is null while it lasts. */
export interface TimeSpan {
  readonly start_ms: number;
  readonly end_ms: number | null;
}

export interface ActiveRun extends TimeSpan {
  readonly operation_type: string | null;
  readonly location: string | null;
  readonly readings: number;
  /** Its last reading, also while it lasts. */
  readonly last_ms: number;
  /** Pieces that are as short belong to the operation beside them. */
  readonly near_ms: number;
}

/** A plant in fault, or a silence, is bridged up to this long, as stretches are. */
const HALTED_MAX_MS = 60 * MINUTE_MS;
const NEAR_MIN_MS = 2 * MINUTE_MS;
const NEAR_CADENCES = 5;

/** Ascending. One in which no water was treated or bypassed, and that is no cleaning, is none. */
export function activeRuns(
  stretches: readonly ActivityStretch[],
  now_ms: number,
): readonly ActiveRun[] {
  const runs: ActiveRun[] = [];
  let joined: ActivityStretch[] = [];
  const close = (next: ActivityStretch | null) => {
    const run = runOf(joined, next, now_ms);
    if (run !== null) runs.push(run);
    joined = [];
  };
  for (const stretch of stretches) {
    const last = joined.at(-1);
    if (last !== undefined && !isJoined(joined, stretch)) close(stretch);
    if (stretch.activity === "idle") continue;
    if (joined.length > 0 || stretch.activity !== "halted") joined.push(stretch);
  }
  close(null);
  return runs;
}

function isJoined(joined: readonly ActivityStretch[], next: ActivityStretch): boolean {
  if (next.activity === "idle" || next.isAfterSilence) return false;
  if (next.activity === "halted") return next.last_ms - next.start_ms <= HALTED_MAX_MS;
  return joined.every(
    (one) =>
      one.activity === "halted" ||
      ((one.activity === "cleaning") === (next.activity === "cleaning") &&
        isSameType(one.operation_type, next.operation_type)),
  );
}

function runOf(
  joined: readonly ActivityStretch[],
  next: ActivityStretch | null,
  now_ms: number,
): ActiveRun | null {
  const activity = joined.filter((one) => one.activity !== "halted");
  const last = activity.at(-1);
  if (last === undefined) return null;
  const told = activity.filter(({ activity }) => TELLING.has(activity));
  if (told.length === 0) return null;
  const { start_ms } = activity[0];
  // The first reading that is at rest again, or the last one before a silence.
  const after = joined[joined.indexOf(last) + 1] ?? next;
  const isOpen = after === null && now_ms - last.last_ms <= HALTED_MAX_MS;
  const end_ms = after === null || after.isAfterSilence ? last.last_ms : after.start_ms;
  const readings = activity.reduce((sum, one) => sum + one.readings, 0);
  const cadence_ms = readings > 1 ? (last.last_ms - start_ms) / (readings - 1) : 0;
  return {
    ...{ start_ms, end_ms: isOpen ? null : end_ms, readings, last_ms: last.last_ms },
    operation_type:
      told[0].activity === "cleaning" ? "CIP" : firstTold(told, (one) => one.operation_type),
    location: firstTold(told, (one) => one.location),
    near_ms: Math.max(NEAR_MIN_MS, NEAR_CADENCES * cadence_ms),
  };
}

const TELLING: ReadonlySet<ActivityStretch["activity"]> = new Set([
  "treating",
  "bypass",
  "cleaning",
]);

function firstTold(
  stretches: readonly ActivityStretch[],
  read: (stretch: ActivityStretch) => string | null,
): string | null {
  for (const stretch of stretches) {
    const text = read(stretch);
    if (text !== null) return text;
  }
  return null;
}

const endOf = ({ end_ms }: TimeSpan) => end_ms ?? Number.POSITIVE_INFINITY;

/** The part of a run before a stop that has no start, after the operations before it. */
export function runOfStop(
  stop_ms: number,
  runs: readonly ActiveRun[],
  spans: readonly TimeSpan[],
): TimeSpan | null {
  const run = runs.findLast(({ start_ms }) => start_ms < stop_ms);
  if (run === undefined || stop_ms - endOf(run) > run.near_ms) return null;
  const before = spans
    .filter(({ start_ms }) => start_ms < stop_ms)
    .map((span) => Math.min(endOf(span), stop_ms));
  const start_ms = Math.max(run.start_ms, ...before);
  return stop_ms - start_ms > 0 ? { start_ms, end_ms: stop_ms } : null;
}

/**
 * Runs, or pieces of them, that no span covers. Readings shortly before a start or after a stop
 * belong to it, and one alone is no operation.
 */
export function runsAlone(
  runs: readonly ActiveRun[],
  spans: readonly TimeSpan[],
): readonly ActiveRun[] {
  return runs.flatMap((run) => {
    const { near_ms } = run;
    const touching = spans.filter(
      (span) => span.start_ms <= endOf(run) + near_ms && endOf(span) + near_ms >= run.start_ms,
    );
    if (touching.length === 0) return run.readings > 1 ? [run] : [];
    // A piece is as long as its readings tell: after a stop there may come none for a while.
    return piecesOf(run, touching).filter(
      ({ start_ms, end_ms, last_ms }) => Math.min(end_ms ?? last_ms, last_ms) - start_ms > near_ms,
    );
  });
}

function piecesOf(run: ActiveRun, spans: readonly TimeSpan[]): readonly ActiveRun[] {
  const pieces: ActiveRun[] = [];
  let start_ms = run.start_ms;
  for (const span of spans.toSorted((one, other) => one.start_ms - other.start_ms)) {
    if (span.start_ms > start_ms && start_ms < endOf(run))
      pieces.push({ ...run, start_ms, end_ms: Math.min(span.start_ms, endOf(run)) });
    start_ms = Math.max(start_ms, endOf(span));
  }
  if (start_ms < endOf(run)) pieces.push({ ...run, start_ms });
  return pieces;
}
