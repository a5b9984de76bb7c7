// Readings that a void hides, as the overview tells them. A void may lie in the future, where it
// hides readings of a clock that ran ahead: it says nothing of the present. Pure.

import { isSilent } from "../idle-plant.ts";

/** A void of readings that reaches beyond the newest reading that is shown. */
export interface HidingVoid {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly reason: string;
}

export interface HiddenAsked {
  /** Time of the newest reading that is shown; null without one. */
  readonly newest_ms: number | null;
  /** The moment that is told of, by the plant's clock. */
  readonly then_ms: number;
  /** Time since readings were received, hidden or not; null if it isn't known. */
  readonly received_ms: number | null;
  readonly silence_ms: number;
}

/** The void that hides what came after the newest reading; the one that ends last. */
export function hiddenAt(
  voids: readonly HidingVoid[],
  { newest_ms, then_ms }: HiddenAsked,
): HidingVoid | null {
  // Without any reading that is shown, one of the future hides all there is.
  const begun = voids.filter(({ start_ms }) => newest_ms === null || start_ms <= then_ms);
  return begun.toSorted((one, other) => one.end_ms - other.end_ms).at(-1) ?? null;
}

/** True if the readings of the moment itself are hidden: a plant that sends none is silent. */
export function isHiddenNow(hidden: HidingVoid | null, asked: HiddenAsked): boolean {
  if (hidden === null) return false;
  if (asked.newest_ms === null) return true;
  return hidden.end_ms >= asked.then_ms - asked.silence_ms && !isSilent(asked);
}
