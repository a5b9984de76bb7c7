// Finds steps of the light that many lamps make at the same moment. Ageing takes hours, so a step
// isn't ageing: a bank's wiper sticks, the figures get another scale, dirt covers the sleeves at a
// port call. A step is taken out of the lamps' light, and reported.

import { APART_MAX } from "../light/common-steps.ts";
import { median } from "../ranks.ts";

/** The light of a position's lamps by number of the stretch, as logs, without common effects. */
export interface PositionLights {
  /** Position in the reactor, 0 to 15. */
  readonly position: number;
  readonly lights: readonly { readonly bin: number; readonly log: number }[];
}

/** A step of the light of several lamps at once; `by` is a log. */
export interface SharedStep {
  /** Number of the first stretch after it. */
  readonly bin: number;
  readonly positions: readonly number[];
  readonly by: number;
}

/** Minimum size of a step, as a log, and minimum number of lamps that make it. */
const STEP_MIN = 0.05;
const LAMPS_MIN = 4;
/** Maximum difference of a lamp's step from the median step, as a share of the median. */
const ALIKE = 0.35;
/** Maximum median move of the other lamps, as a share of the step. */
const OTHERS = 0.4;

/** The steps that lamps share, in order of time; each life is one entry of `lives`. */
export function sharedSteps(lives: readonly PositionLights[]): readonly SharedStep[] {
  const byBin = new Map<number, { position: number; by: number }[]>();
  for (const { position, lights } of lives)
    for (let i = 1; i < lights.length; i += 1) {
      const [before, { bin, log }] = [lights[i - 1], lights[i]];
      if (bin - before.bin > APART_MAX) continue;
      const steps = byBin.get(bin) ?? [];
      byBin.set(bin, steps);
      steps.push({ position, by: log - before.log });
    }
  return [...byBin]
    .sort(([one], [other]) => one - other)
    .flatMap(([bin, steps]) =>
      [-1, 1].flatMap((way) => {
        const group = steps.filter(({ by }) => way * by >= STEP_MIN / 2);
        if (group.length < LAMPS_MIN) return [];
        const by = median(group.map((one) => one.by));
        const alike = group.filter((one) => Math.abs(one.by - by) <= ALIKE * Math.abs(by));
        const others = steps.filter((one) => !alike.includes(one)).map((one) => Math.abs(one.by));
        const isShared =
          Math.abs(by) >= STEP_MIN &&
          alike.length >= LAMPS_MIN &&
          (others.length === 0 || median(others) <= OTHERS * Math.abs(by));
        return isShared ? [{ bin, positions: alike.map(({ position }) => position), by }] : [];
      }),
    );
}

/** The change of a position's light, as a log, by the shared steps up to a stretch. */
export function stepsOff(steps: readonly SharedStep[], position: number, bin: number): number {
  let off = 0;
  for (const step of steps) {
    if (step.bin > bin) break;
    if (!step.positions.includes(position)) continue;
    // A rise of some lamps undoes an earlier fall; beyond that it is their own light.
    off = isOfAll(step) ? off + step.by : Math.min(0, off + step.by);
  }
  return off;
}

/** Minimum number of lamps of a step of all figures, such as a change of their scale. */
const ALL_MIN = 12;

export const isOfAll = ({ positions }: SharedStep) => positions.length >= ALL_MIN;
