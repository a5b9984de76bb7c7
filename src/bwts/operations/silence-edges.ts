// Decides how far around a change readings must be read because of the silences beside it: at a
// start or an end without an event, readings on both sides of a silence show if water moved in it.
// Pure.

import type { ClockStep } from "../clock-step.ts";
import { LOST_MS } from "./activity.ts";
import { isBesideEdge, type SpansResult } from "./spans.ts";
import { steadyTime } from "./steady-time.ts";
import { STEP_NEAR_MS } from "./totaliser-step.ts";
import type { UnreadTime } from "./unread-times.ts";
import { SETTLED_MS } from "./unseen-water.ts";

/** Time before and after a silence whose readings decide if water moved in it. */
const DECIDES_MS = SETTLED_MS + STEP_NEAR_MS;

/** Both ends included. */
interface TimeRange {
  readonly start_ms: number;
  readonly end_ms: number;
}

interface EdgesInput {
  readonly isOwn: readonly boolean[];
  /** The time of the change. */
  readonly range: TimeRange;
  readonly clock_steps: readonly ClockStep[];
  /** The range that is read. */
  readonly walk: TimeRange;
}

/**
 * True for each side on which the range that is read ends in a silence that decides about an
 * operation, or beside which the change may have been. For each operation, true if it begins with
 * the first reading and without an event.
 */
export function edgesOf(
  { spans, silences }: Pick<SpansResult, "spans" | "silences">,
  { isOwn, range, clock_steps, walk }: EdgesInput,
) {
  const { plc_ms } = steadyTime(clock_steps);
  const [first_ms, last_ms] = [
    silences.at(0)?.to_ms ?? 0,
    silences.at(-1)?.from_ms ?? Number.POSITIVE_INFINITY,
  ];
  const isFirst = spans.map((one) => one.start_event === null && one.steady.start_ms === first_ms);
  const isLast = spans.map((one) => one.stop_event === null && one.steady.end_ms === last_ms);
  const isOwnAnd = (marks: readonly boolean[]) => isOwn.some((own, at) => own && marks[at]);
  // Its totalisers tell of such a silence, and their rises near it what they count in.
  const isDecisive = (silence: UnreadTime) =>
    Number.isFinite(silence.to_ms - silence.from_ms) &&
    spans.some((one, at) => isOwn[at] && isBesideEdge({ ...one, ...one.steady }, silence));
  const decisive = silences.filter(isDecisive);
  const [near_ms, until_ms] = [
    Math.min(...decisive.map(({ from_ms }) => plc_ms(from_ms))) - DECIDES_MS,
    Math.max(...decisive.map(({ to_ms }) => plc_ms(to_ms))) + STEP_NEAR_MS,
  ];
  return {
    isOpenBefore:
      isOwnAnd(isFirst) ||
      plc_ms(first_ms) > range.start_ms - SETTLED_MS ||
      near_ms < walk.start_ms,
    isOpenAfter:
      isOwnAnd(isLast) || plc_ms(last_ms) < range.end_ms + SETTLED_MS || until_ms > walk.end_ms,
    isFirst,
  };
}

/**
 * The requested range, extended to both sides of each silence near the change: readings there show
 * if water moved in it. Null if the range has them already.
 */
export function acrossSilences(
  { silences }: Pick<SpansResult, "silences">,
  range: TimeRange,
  { asked, plc_ms }: { readonly asked: TimeRange; plc_ms(at_ms: number): number },
): TimeRange | null {
  const beside = silences.flatMap(({ from_ms, to_ms, movesBefore, movesAfter }) => {
    const isDecided = to_ms - from_ms > LOST_MS || movesBefore || movesAfter;
    if (!Number.isFinite(to_ms - from_ms) || !isDecided) return [];
    const [last_ms, first_ms] = [plc_ms(from_ms), plc_ms(to_ms)];
    const isBefore = range.start_ms <= last_ms && range.end_ms >= last_ms - DECIDES_MS;
    const isAfter = range.end_ms >= first_ms && range.start_ms <= first_ms + DECIDES_MS;
    return isBefore || isAfter ? [last_ms, first_ms] : [];
  });
  const wider = {
    start_ms: Math.min(asked.start_ms, ...beside),
    end_ms: Math.max(asked.end_ms, ...beside),
  };
  return wider.start_ms < asked.start_ms || wider.end_ms > asked.end_ms ? wider : null;
}
