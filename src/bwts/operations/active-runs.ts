// Runs of activity by readings: from the first reading that isn't at rest to the first that is
// again, across short pauses. They are the operations of a plant that sends no events, and the
// start of one whose PROCESS_START is missing. Pure.

import { MINUTE_MS } from "../../ground/clock.ts";
import { type ActivityStretch, isSameWord, RESUME_MAX_MS } from "./activity.ts";

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
  /**
   * Stretches in which water moved or the plant was cleaned; usually from the first such reading to
   * the last.
   */
  readonly told: readonly ActivityStretch[];
  /** Maximum length of a piece that belongs to the operation beside it. */
  readonly near_ms: number;
}

/** Number of readings at the edge of an operation that may be early or late. */
const NEAR_CADENCES = 2;
const NEAR_MIN_MS = 2 * MINUTE_MS;
const NEAR_MAX_MS = 15 * MINUTE_MS;

const RESTING: ReadonlySet<ActivityStretch["activity"]> = new Set(["idle", "halted", "untold"]);
/** Activities of which a run needs at least one to be an operation. */
const TELLING: ReadonlySet<ActivityStretch["activity"]> = new Set([
  ...(["treating", "bypass", "fault", "moving", "cleaning"] as const),
]);

export const isActive = ({ activity }: ActivityStretch): boolean => !RESTING.has(activity);

/** Runs of one phase, ascending. A run without moving water that isn't a cleaning is left out. */
export function activeRuns(
  stretches: readonly ActivityStretch[],
  now_ms: number,
): readonly ActiveRun[] {
  const runs: ActiveRun[] = [];
  let joined = openJoined();
  let isSilent = false;
  /** The first stretch after the joined ones. */
  let after: ActivityStretch | null = null;
  const close = () => {
    const run = runOf(joined.stretches, after, now_ms);
    if (run !== null) runs.push(run);
    joined = openJoined();
  };
  for (const stretch of stretches) {
    isSilent ||= stretch.isAfterSilence;
    if (joined.stretches.length > 0) after ??= stretch;
    if (!isActive(stretch)) continue;
    if (isSilent || !joined.isJoined(stretch)) close();
    joined.add(stretch);
    [isSilent, after] = [false, null];
  }
  close();
  return runs;
}

/** The stretches of a run, with what they have in common. */
function openJoined() {
  const stretches: ActivityStretch[] = [];
  let isCleaning: boolean | null = null;
  let [type, place]: [string | null, string | null] = [null, null];
  return {
    stretches,
    add(one: ActivityStretch): void {
      stretches.push(one);
      isCleaning = one.activity === "cleaning";
      type ??= one.operation_type;
      if (isSettled(one)) place ??= one.location;
    },
    isJoined(next: ActivityStretch): boolean {
      const last = stretches.at(-1);
      return (
        last !== undefined &&
        next.start_ms - last.last_ms <= Math.max(RESUME_MAX_MS, last.told_ms) &&
        isCleaning === (next.activity === "cleaning") &&
        isSameWord(type, next.operation_type) &&
        (!isSettled(next) || isSameWord(place, next.location))
      );
    },
  };
}

/**
 * True if the place has really changed: a single reading with another place is a flickering
 * position.
 */
export const isSettled = ({ readings }: ActivityStretch): boolean => readings > 1;

function runOf(
  stretches: readonly ActivityStretch[],
  after: ActivityStretch | null,
  now_ms: number,
): ActiveRun | null {
  const told = stretches.filter(({ activity }) => TELLING.has(activity));
  if (told.length === 0) return null;
  const [{ start_ms }, { last_ms }] = [stretches[0], stretches[stretches.length - 1]];
  // The first reading that is at rest again, or the last one before a silence.
  const isOpen = after === null && now_ms - last_ms <= RESUME_MAX_MS;
  const end_ms = after === null || after.isAfterSilence ? last_ms : after.since_ms;
  const readings = stretches.reduce((sum, one) => sum + one.readings, 0);
  const cadence_ms = readings > 1 ? (last_ms - start_ms) / (readings - 1) : 0;
  return {
    ...{ start_ms, end_ms: isOpen ? null : end_ms, readings, last_ms, told },
    operation_type:
      told[0].activity === "cleaning" ? "CIP" : firstTold(told, (one) => one.operation_type),
    location: firstTold(told, (one) => one.location),
    near_ms: Math.min(NEAR_MAX_MS, Math.max(NEAR_MIN_MS, NEAR_CADENCES * cadence_ms)),
  };
}

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

/** The last part of a run before a stop without a start, after the operations before it. */
export function runOfStop(
  stop_ms: number,
  runs: readonly ActiveRun[],
  spans: readonly TimeSpan[],
): TimeSpan | null {
  const run = runs.findLast(({ start_ms }) => start_ms < stop_ms);
  if (run === undefined) return null;
  const before = spans
    .filter(({ start_ms }) => start_ms < stop_ms)
    .map((span) => Math.min(endOf(span), stop_ms));
  const start_ms = Math.max(run.start_ms, ...before);
  return start_ms < Math.min(stop_ms, endOf(run)) ? { start_ms, end_ms: stop_ms } : null;
}

/**
 * Runs, or pieces of them, outside all spans. Readings shortly before a start or after a stop
 * belong to it, and a single reading is no operation.
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
    return piecesOf(run, touching).filter((piece) => isAlone(run, piece, touching));
  });
}

/** True if a piece has readings of an operation, not all of them near one of `spans`. */
function isAlone({ told, near_ms }: ActiveRun, piece: TimeSpan, spans: readonly TimeSpan[]) {
  const own = told.filter(
    ({ start_ms, last_ms }) => last_ms >= piece.start_ms && start_ms <= endOf(piece),
  );
  const [first, last] = [own.at(0), own.at(-1)];
  if (first === undefined || last === undefined) return false;
  const first_ms = Math.max(first.start_ms, piece.start_ms);
  const last_ms = Math.min(last.last_ms, endOf(piece));
  if (last_ms <= first_ms) return false;
  return !spans.some((span) => {
    const isBefore = endOf(span) <= piece.start_ms && last_ms - endOf(span) <= near_ms;
    return isBefore || (span.start_ms >= endOf(piece) && span.start_ms - first_ms <= near_ms);
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
