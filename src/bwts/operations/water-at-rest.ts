// Unseen water between two readings of a plant at rest becomes a stretch of its own: an operation
// that only a totaliser shows. Pure.

import { isActive } from "./active-runs.ts";
import { type ActivityStretch, RESUME_MAX_MS, type Stretches } from "./activity.ts";
import type { OperationEvent } from "./judging.ts";
import type { UnseenWater } from "./unseen-water.ts";

/**
 * The stretches, with those of the unseen water. Beside a running plant it belongs to that
 * operation, and beside an event to the operation of the event.
 */
export function withWaterAtRest(
  { stretches, unseen }: Stretches,
  events: readonly Pick<OperationEvent, "at_ms">[],
): readonly ActivityStretch[] {
  const isApart = ({ from_ms, to_ms, risen }: UnseenWater) =>
    risen !== null && !events.some(({ at_ms }) => at_ms >= from_ms && at_ms <= to_ms);
  return unseen.filter(isApart).reduce(withWater, stretches);
}

function withWater(
  stretches: readonly ActivityStretch[],
  { from_ms, to_ms, risen }: UnseenWater,
): readonly ActivityStretch[] {
  const first = stretches.findIndex(({ last_ms }) => last_ms >= from_ms);
  const after = stretches.findLastIndex(({ start_ms }) => start_ms <= to_ms);
  const touched = stretches.slice(first, after + 1);
  if (first < 0 || touched.length === 0 || touched.some(isActive)) return stretches;
  // Beside what runs it would be joined to that, and its silence be within an operation.
  const [ran, runs] = [
    stretches.slice(0, first).findLast(isActive),
    stretches.slice(after + 1).find(isActive),
  ];
  if (ran !== undefined && from_ms - ran.last_ms <= RESUME_MAX_MS) return stretches;
  if (runs !== undefined && runs.start_ms - to_ms <= RESUME_MAX_MS) return stretches;
  const water: ActivityStretch = {
    ...{ activity: "moving", start_ms: from_ms, since_ms: from_ms, last_ms: to_ms, readings: 2 },
    ...{ told_ms: 0, operation_type: risen, location: touched[0].location },
    ...{ isAfterSilence: false, isAfterStandstill: false },
  };
  const [before, rest] = [touched[0], touched[touched.length - 1]];
  return [
    ...stretches.slice(0, first),
    partOf(before, before.start_ms, from_ms),
    water,
    {
      ...{ ...partOf(rest, to_ms, rest.last_ms), since_ms: to_ms },
      ...{ isAfterSilence: false, isAfterStandstill: false },
    },
    ...stretches.slice(after + 1),
  ];
}

/** The part of a stretch at rest from a time to another. */
function partOf(stretch: ActivityStretch, start_ms: number, last_ms: number): ActivityStretch {
  const length_ms = last_ms - start_ms;
  return {
    ...{ ...stretch, start_ms, last_ms },
    readings: length_ms === 0 ? 1 : stretch.readings,
    told_ms: Math.min(length_ms, stretch.told_ms),
  };
}
