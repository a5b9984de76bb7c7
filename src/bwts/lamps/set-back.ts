// Recognises counters that fall together: a PLC's clock or memory was set back, and no lamp was
// replaced.

import { median } from "../ranks.ts";
import type { PositionState } from "./state.ts";

/** Fewer lamps may be replaced by others whose hours differ by as much. */
const LAMPS_MIN = 4;
/** Falls that differ by less are the same. */
const ALIKE_H = 2;

interface Fall {
  readonly before: { readonly value_h: number };
  readonly after: { readonly value_h: number };
}

/**
 * Finds the counters that were set back: most of the ship's, by the same hours, and by no more than
 * the oldest has left, for new lamps have nearly none.
 */
export function setBack<One extends Fall>(
  changed: readonly One[],
  positions: readonly PositionState[],
): readonly One[] {
  const usual_h = median(changed.map(fallOf));
  const alike = changed.filter((one) => Math.abs(fallOf(one) - usual_h) <= ALIKE_H);
  const counted = positions.filter(({ counter }) => counter !== null).length;
  const areMost = alike.length >= LAMPS_MIN && 2 * alike.length > counted;
  const areOld = alike.some(({ after }) => after.value_h >= usual_h);
  return usual_h > 0 && areMost && areOld ? alike : [];
}

const fallOf = ({ before, after }: Fall) => before.value_h - after.value_h;
