// Recognises counters that fall together: a PLC's clock or memory was set back, and no lamp was
// replaced. Counters lost to 0 are recognised by the lamps' light.

import { median } from "../ranks.ts";
import type { PositionState } from "./state.ts";

/** Minimum number of counters: fewer lamps may be replaced by others that differ by as much. */
const LAMPS_MIN = 4;
/** Tolerance within which two falls are equal. */
const ALIKE_H = 2;
/** Output below which equal light shows the same lamp, and the tolerance in points. */
const SAME_BELOW_PCT = 92;
const SAME_WITHIN_PCT = 2;
/** Tolerance for a lamp of any output, if most counters fell with its own. */
const SAME_OF_MANY_PCT = 1;

interface Fall {
  readonly before: { readonly value_h: number };
  readonly after: { readonly value_h: number };
}

/**
 * Finds the counters that were set back: most of the ship's, by the same hours. Some must still
 * show at least as many hours as they lost: counters of new lamps would show nearly none.
 */
export function setBack<One extends Fall>(
  changed: readonly One[],
  positions: readonly PositionState[],
): readonly One[] {
  const usual_h = median(changed.map(fallOf));
  const alike = changed.filter((one) => Math.abs(fallOf(one) - usual_h) <= ALIKE_H);
  const areOld = alike.some(({ after }) => after.value_h >= usual_h);
  return usual_h > 0 && areMost(alike, positions) && areOld ? alike : [];
}

/** Marks lamps whose counters fell with most of the others, for their light to be compared. */
export function markFallen(
  changed: readonly (Fall & { readonly position: number })[],
  positions: readonly PositionState[],
): void {
  const fallen = changed.filter((one) => fallOf(one) > 0);
  if (!areMost(fallen, positions)) return;
  for (const { position } of fallen) {
    const { verifying } = positions[position];
    if (verifying !== null) verifying.isOneOfMany = true;
  }
}

/** True if the light after a counter fell is that of the lamp before. */
export function isSameLight(
  { before, isOneOfMany }: NonNullable<PositionState["verifying"]>,
  after: number,
): boolean {
  const moved = Math.abs(after - before);
  if (isOneOfMany === true && moved < SAME_OF_MANY_PCT) return true;
  return before < SAME_BELOW_PCT && moved < SAME_WITHIN_PCT;
}

/** True if the changed counters are most of the ship's, and at least four. */
function areMost(
  changed: readonly Fall[],
  positions: readonly Pick<PositionState, "counter">[],
): boolean {
  const counted = positions.filter(({ counter }) => counter !== null).length;
  return changed.length >= LAMPS_MIN && 2 * changed.length > counted;
}

const fallOf = ({ before, after }: Fall) => before.value_h - after.value_h;
