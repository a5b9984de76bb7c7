// Finds where the only known totaliser stands still. Up to the time that its steps explain, that is
// normal, and a leap shows that water moved. Beyond it the totaliser may be stuck. Pure.

import { isAbove, isUpTo } from "../../ground/binary-noise.ts";
import { certifiedVolume, MOVING_MS, movingVolume } from "../operations/moving-volume.ts";
import type { GatheredReadings } from "./gathered.ts";
import { usualStand } from "./pauses.ts";
import { stepOf, type Totals } from "./totals.ts";

/** It stands still for a time that its steps explain, or a leap shows the water moved meanwhile. */
export const MOVED_MEANWHILE = 1;
/** It stands still for longer than its steps explain. */
export const STANDS_LONG = 2;
/** The same before its first rise or after its last one. */
export const STANDS_AT_EDGE = 3;
/** Maximum time without a rise that its steps explain, in usual intervals between rises. */
const STAND_TIMES = 1.5;

interface Stand {
  readonly time_ms: number;
  /** The time from its last value to the next one, which has risen; null at the end. */
  readonly next_ms: number | null;
  /** The rise that ends it; without one, the rise before it. */
  readonly rise_m3: number;
  /** True before its first rise and after its last one, where nothing shows that it counts. */
  readonly isAtEdge: boolean;
}

/**
 * Entry i describes how the totaliser stands at reading i, by the constants above; 0 if it rises.
 */
export function standingAt(
  { at_ms, count }: Pick<GatheredReadings, "at_ms" | "count">,
  totals: Totals | null,
  certified_m3_h: number,
): Uint8Array {
  const found = new Uint8Array(count);
  if (totals === null) return found;
  const { at, counted, broken } = totals;
  const usual_ms = usualStand(at_ms, totals);
  const kindOf = standsOf({ usual_ms, step_m3: stepOf(totals), certified_m3_h });
  let [since, rise_m3] = [0, 0];
  for (let place = 1; place < totals.count; place += 1) {
    if (counted[place] === counted[place - 1]) continue;
    const [from_ms, to_ms] = [at_ms[at[since]], at_ms[at[place]]];
    const last_ms = at_ms[at[place - 1]];
    rise_m3 = counted[place] - counted[since];
    const isAtEdge = since === 0;
    const stand = { time_ms: to_ms - from_ms, next_ms: to_ms - last_ms, rise_m3, isAtEdge };
    const kind = kindOf(stand);
    // The water of a leap moved up to it.
    const isLeap = broken[place] === 1 && kind === MOVED_MEANWHILE;
    found.fill(kind, at[since], at[isLeap ? place : place - 1]);
    since = place;
  }
  const time_ms = at_ms[at[totals.count - 1]] - at_ms[at[since]];
  const stand = { time_ms, next_ms: null, rise_m3, isAtEdge: true };
  found.fill(kindOf(stand), at[since], at[totals.count - 1] + 1);
  return found;
}

function standsOf({
  usual_ms,
  step_m3,
  certified_m3_h,
}: Readonly<Record<"usual_ms" | "step_m3" | "certified_m3_h", number>>) {
  const explained_ms = Number.isFinite(usual_ms) ? STAND_TIMES * usual_ms : 0;
  return ({ time_ms, next_ms, rise_m3, isAtEdge }: Stand): number => {
    const isMoving = isAbove(rise_m3, movingVolume(certified_m3_h, time_ms));
    // A rise is seen with the next value: between two steps the time varies by that.
    const seen_ms = Math.min(next_ms ?? 0, explained_ms / STAND_TIMES);
    if (time_ms <= explained_ms + seen_ms) return isMoving ? MOVED_MEANWHILE : 0;
    const isLeap =
      next_ms !== null &&
      isAbove(rise_m3 - step_m3, certifiedVolume(certified_m3_h, next_ms)) &&
      isUpTo(rise_m3, certifiedVolume(certified_m3_h, time_ms));
    if (isLeap && isMoving) return MOVED_MEANWHILE;
    if (time_ms > MOVING_MS) return STANDS_LONG;
    return isAtEdge ? STANDS_AT_EDGE : 0;
  };
}
