// Steps that many lamps make at the same moment. Ageing takes hours, so a step is none: a bank's
// wiper sticks, the figures get another scale, dirt covers the sleeves of a port call. It is taken
// out of the lamps' light, and told. Lamps age from the figure before it.

import { APART_MAX } from "../light/common-steps.ts";
import { median } from "../ranks.ts";

/** The light of a position's lamps by number of the stretch, as logs, without common effects. */
export interface PositionLights {
  /** 0 to 15. */
  readonly position: number;
  readonly lights: readonly { readonly bin: number; readonly log: number }[];
}

/** A step, as a log, of so many lamps. */
export interface SharedStep {
  /** The first stretch after it. */
  readonly bin: number;
  readonly positions: readonly number[];
  readonly by: number;
}

/** A step is at least so large, and that of fewer lamps is their own. */
const STEP_MIN = 0.05;
const LAMPS_MIN = 4;
/** The lamps' steps are alike within this share of it. */
const ALIKE = 0.35;
/** The other lamps moved at most by this share of it. */
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

/** The log by which shared steps put the light of a position off in a stretch. */
export function stepsOff(steps: readonly SharedStep[], position: number, bin: number): number {
  let off = 0;
  for (const step of steps) {
    if (step.bin > bin) break;
    if (!step.positions.includes(position)) continue;
    // Lamps that get bright again were dimmed by the step before; others shine as they do.
    off = isOfAll(step) ? off + step.by : Math.min(0, off + step.by);
  }
  return off;
}

/** A step of at least so many lamps is one of all figures, as by another scale. */
const ALL_MIN = 12;

export const isOfAll = ({ positions }: SharedStep) => positions.length >= ALL_MIN;
