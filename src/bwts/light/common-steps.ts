// Finds steps of the light that all lamps share, between stretches of operating time that are near
// each other. Ageing hardly touches them; set power and sleeves do.

import { median } from "../ranks.ts";

/** A life's logs of efficiency by number of the stretch, from `first` on. */
export interface LifeLogs {
  readonly first: number;
  readonly values: readonly (number | null)[];
  /** The lamp's hours at each; left out if its age isn't known. */
  readonly hours?: readonly (number | null)[];
}

/** Maximum distance of the stretches of a step, and minimum number of lamps that have it. */
export const APART_MAX = 3;
const LAMPS_MIN = 4;
/** A step from a stretch to another, by their numbers; `by` is a log. */
export interface CommonStep {
  readonly from: number;
  readonly to: number;
  readonly by: number;
}

/** The median change of the lamps' logs from one stretch to the next. */
export function commonSteps(lives: readonly LifeLogs[]): readonly CommonStep[] {
  const byPlace = new Map<number, number[]>();
  for (const { first, values } of lives) {
    let last = -1;
    for (const [i, value] of values.entries()) {
      if (value === null) continue;
      const before = last === -1 ? null : values[last];
      if (before !== null && i - last <= APART_MAX) {
        const key = (first + i) * (APART_MAX + 1) + (i - last);
        const others = byPlace.get(key);
        if (others === undefined) byPlace.set(key, [value - before]);
        else others.push(value - before);
      }
      last = i;
    }
  }
  return [...byPlace]
    .filter(([, all]) => all.length >= LAMPS_MIN)
    .map(([key, all]) => {
      const to = Math.floor(key / (APART_MAX + 1));
      return { from: to - (key - to * (APART_MAX + 1)), to, by: median(all) };
    })
    .filter(({ from }) => from >= 0)
    .sort((one, other) => one.to - other.to);
}
