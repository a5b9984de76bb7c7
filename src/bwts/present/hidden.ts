// Readings that a void hides, for the overview. A void may lie in the future, where it hides
// readings of a clock that ran ahead: then it doesn't concern the present. Pure.

import { isSilent } from "../idle-plant.ts";

/** A void that extends beyond the newest visible reading. */
export interface HidingVoid {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly reason: string;
}

export interface HiddenQuery {
  /** Time of the newest visible reading; null without one. */
  readonly newest_ms: number | null;
  /** The moment of the overview, by the plant's clock. */
  readonly then_ms: number;
  /** Time since readings were received, hidden or not; null if it isn't known. */
  readonly received_ms: number | null;
  readonly silence_ms: number;
}

/**
 * The void that covers readings after the newest visible one; of several, the one that ends last.
 */
export function hiddenAt(
  voids: readonly HidingVoid[],
  { newest_ms, then_ms }: HiddenQuery,
): HidingVoid | null {
  // A void of the future counts only if no reading is visible: then it hides all there are.
  const begun = voids.filter(({ start_ms }) => newest_ms === null || start_ms <= then_ms);
  return begun.toSorted((one, other) => one.end_ms - other.end_ms).at(-1) ?? null;
}

/**
 * True if readings of the moment itself are hidden; false if the plant sends none, because then it
 * is silent.
 */
export function isHiddenNow(hidden: HidingVoid | null, asked: HiddenQuery): boolean {
  if (hidden === null) return false;
  if (asked.newest_ms === null) return true;
  return hidden.end_ms >= asked.then_ms - asked.silence_ms && !isSilent(asked);
}
