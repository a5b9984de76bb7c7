// Finds the readings at which a totaliser shows that water moved, also without a flow. For a pause
// between two rises, the delay of the second one decides. Pure.

import { isAbove } from "../../ground/binary-noise.ts";
import { MOVING_MS, movingVolume } from "../operations/moving-volume.ts";
import type { GatheredReadings } from "./gathered.ts";
import { openPauses } from "./pauses.ts";
import { riseSums, type Totals } from "./totals.ts";

/** Facts beside the totaliser that decide where it rises. */
export interface BesideTotals {
  readonly gap: Uint8Array;
  readonly certified_m3_h: number;
  /** True if the flow is known and too small to move water. */
  isStill(index: number): boolean;
  /** True if `isStill`, or if no flow is known and the state needs no moving water. */
  isPaused(index: number): boolean;
  /** True if no flow is known. */
  isFlowless(index: number): boolean;
}

/**
 * Entry i is 1 if the totaliser rises during reading i, 0 if not, 2 if it isn't known, and MAY_RISE
 * in an undecided pause between two rises.
 */
export function risingAt(
  readings: Pick<GatheredReadings, "at_ms" | "count">,
  totals: Totals | null,
  beside: BesideTotals,
): Uint8Array {
  const found = new Uint8Array(readings.count).fill(2);
  if (totals === null) return found;
  const { gap, certified_m3_h, isStill } = beside;
  markRises(readings, totals, { found, certified_m3_h });
  markPauses(readings, totals, beside, found);
  // The last value, and one before a gap, go on as the step before: what rose in a gap is the
  // gap's. A flow that stands still there is known better.
  const goOn = (index: number, before: number) => (isStill(index) ? 2 : (found[before] ?? 2));
  const last = totals.count - 1;
  if (totals.broken[last] === 0)
    found[totals.at[last]] = goOn(totals.at[last], totals.at[last - 1]);
  for (let index = 0; index + 1 < readings.count; index += 1)
    if (gap[index + 1] === 1) found[index] = gap[index] === 0 ? goOn(index, index - 1) : 2;
  return found;
}

function markRises(
  { at_ms }: Pick<GatheredReadings, "at_ms">,
  totals: Totals,
  { found, certified_m3_h }: { readonly found: Uint8Array; readonly certified_m3_h: number },
): void {
  const { at, broken, noise_m3 } = totals;
  const rises = riseSums(totals, totals.counted);
  const risenAt = lastRises(rises);
  for (let pair = 0; pair + 1 < totals.count; pair += 1)
    if (broken[pair + 1] === 0) found.fill(0, at[pair], at[pair + 1]);
  // Up to this pair, which rises, all are marked already.
  let marked = -1;
  const mark = (from: number, to: number) => {
    const last = risenAt[to - 1];
    let first = Math.max(from, marked + 1);
    // From one rise to the next water moved.
    if (from > marked) while (first <= last && rises[first + 1] === rises[first]) first += 1;
    for (let pair = first; pair <= last; pair += 1)
      if (broken[pair + 1] === 0) found.fill(1, at[pair], at[pair + 1]);
    marked = Math.max(marked, last);
  };
  let near = 0;
  for (let from = 0; from + 1 < totals.count; from += 1) {
    const start_ms = at_ms[at[from]];
    near = Math.max(near, from);
    while (near + 1 < totals.count && at_ms[at[near + 1]] - start_ms <= MOVING_MS) near += 1;
    const to = Math.max(near, from + 1);
    const most_m3 = noise_m3 + movingVolume(certified_m3_h, at_ms[at[to]] - start_ms);
    if (isAbove(rises[to] - rises[from], most_m3)) mark(from, to);
  }
}

/** Marks pauses between two rises, and long intervals between them without a flow. */
function markPauses(
  { at_ms }: Pick<GatheredReadings, "at_ms">,
  totals: Totals,
  { gap, certified_m3_h, isPaused, isFlowless }: BesideTotals,
  found: Uint8Array,
): void {
  const { at, broken, counted, count } = totals;
  const pauses = openPauses({ at_ms, totals, isPaused, gap, certified_m3_h });
  let [last, paused, flowless, isWhole] = [-1, 0, false, true];
  let isMovingBefore = false;
  for (let place = 1; place < count; place += 1) {
    for (let index = at[place - 1]; index < at[place]; index += 1) {
      if (isPaused(index)) paused += at_ms[index + 1] - at_ms[index];
      else flowless ||= isFlowless(index);
      if (gap[index + 1] === 1) isWhole = false;
    }
    const isBroken = broken[place] === 1;
    if (!isBroken && counted[place] === counted[place - 1]) continue;
    let isMovingAll = false;
    if (last >= 0 && !isBroken && isWhole && (paused > 0 || flowless)) {
      const time_ms = at_ms[at[place]] - at_ms[at[last]];
      const rise_m3 = counted[place] - counted[last];
      const isMoving = isAbove(rise_m3, movingVolume(certified_m3_h, time_ms));
      const isAll = paused === time_ms && isPaused(at[place]);
      isMovingAll = isAll && isMoving;
      const stand = { last, place, paused_ms: paused, isMovingBefore };
      // It isn't measured: water moves from one rise to the next.
      if (isMovingAll) found.fill(1, at[last], at[place]);
      else if (!isAll) pauses.mark(stand, { found, isFlowless });
    }
    isMovingBefore = isMovingAll;
    [last, paused, flowless, isWhole] = [isBroken ? -1 : place, 0, false, true];
  }
}

/** For each pair, the last pair up to it in which the totaliser rises; -1 without one. */
function lastRises(rises: Float64Array): Int32Array {
  const found = new Int32Array(rises.length);
  let last = -1;
  for (let pair = 0; pair + 1 < rises.length; pair += 1) {
    if (rises[pair + 1] > rises[pair]) last = pair;
    found[pair] = last;
  }
  return found;
}
