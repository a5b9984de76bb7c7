// Steps of the light that all lamps share, from a stretch of operating time to one of the next:
// ageing hardly touches them, set power and sleeves do.

import { median } from "../ranks.ts";

/** A life's logs of efficiency by number of the stretch, from `first` on. */
export interface LifeLogs {
  readonly first: number;
  readonly values: readonly (number | null)[];
  /** Hours on the lamp at each; left out if nothing tells its age. */
  readonly hours?: readonly (number | null)[];
}

/** Steps are taken between stretches at most so far apart, and need so many lamps. */
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
