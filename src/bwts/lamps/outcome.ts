// The end of a lamp by its own light: the effects that all lamps of the ship share (set power,
// sleeves) are taken out first, so that foul sleeves wear no lamp out.

import { commonEffects, type Effects } from "../light/common-effects.ts";
import { hasOneFigure } from "./figures.ts";
import { type PositionLights, type SharedStep, sharedSteps, stepsOff } from "./shared-steps.ts";
import { type LifeInBins, logBins } from "./ship-lamps.ts";
import type { LifeBin, LampLife as TrackedLife, TrackerState } from "./state.ts";

/** The configuration of lamps, which forecasts use. */
export interface LampLimits {
  readonly rated_hours: number;
  /** Output at the end of life, in % of a new lamp. */
  readonly end_of_life_efficiency: number;
  readonly horizon_hours: number;
  readonly part_number?: string;
  /** The maker's table of hours and output in %, such as "4000 85"; none: it isn't known. */
  readonly profile?: readonly string[];
}

/** Consecutive bins at or below the end-of-life efficiency that make a lamp worn. */
const WORN_BINS = 2;
/** Maximum brightness above that of a new lamp, as a log. */
const BRIGHT = 0.03;

/** The effects that the ship's lamps share, from all their lives so far. */
export function effectsOf(state: TrackerState): ShipLight {
  const { positions, stretches } = state;
  const lives = positions.flatMap((at) => at.lives);
  const effects = commonEffects(
    lives.map((life) => {
      const { hours, ...logs } = logBins(binsOf(life));
      return life.isUncounted === true ? logs : { ...logs, hours };
    }),
    stretches,
  );
  const isOneFigure = hasOneFigure(state);
  const shared = isOneFigure ? [] : sharedSteps(lightsOf(state, effects));
  return { ...effects, isOneFigure, shared };
}

/** The light of each life, without the effects that all lamps share. */
function lightsOf({ positions }: TrackerState, { off }: Effects): readonly PositionLights[] {
  return positions.flatMap(({ lives }, position) =>
    lives.map(({ bins }) => ({
      position,
      lights: bins
        .filter(({ efficiency }) => efficiency > 0)
        .map(({ bin, efficiency, supply }) => ({
          bin,
          log: Math.log(efficiency / supply) - (off[bin] ?? 0),
        })),
    })),
  );
}

/** The effects that all lamps share, and whether their figures are one figure of the plant. */
export interface ShipLight extends Effects {
  readonly isOneFigure: boolean;
  /** Steps that many lamps made at once. */
  readonly shared: readonly SharedStep[];
}

/** The limits and the common effects (see `Effects`) by which a lamp's light is judged. */
export interface Judging extends Pick<ShipLight, "off" | "dimmed" | "isOneFigure" | "shared"> {
  readonly limits: LampLimits;
}

/** The end of a life; null while the lamp is fitted and works. */
export function outcomeOf(life: TrackedLife, judging: Judging): LifeInBins["ended"] {
  return life.failed_ms === null ? firstOutcomeOf(life, judging) : "failed";
}

/** The first end of a life: a lamp that was worn and burnt on until it failed was worn. */
export function firstOutcomeOf(life: TrackedLife, judging: Judging): LifeInBins["ended"] {
  const { limits, isOneFigure } = judging;
  const last = life.bins.slice(-WORN_BINS);
  const isWorn =
    !isOneFigure &&
    last.length === WORN_BINS &&
    last.every((bin) => ownLight(life, bin, judging) <= limits.end_of_life_efficiency);
  if (isWorn) return "worn";
  if (life.failed_ms !== null) return "failed";
  return life.ended_ms === null ? null : "replaced";
}

/** A lamp's light in % at full power, without common effects; lasting dirt is its own. */
function ownLight(life: TrackedLife, one: LifeBin, { off, shared }: Judging): number {
  const { bin, efficiency, supply } = one;
  return (efficiency / supply) * Math.exp(-(off[bin] ?? 0) - stepOff(life, one, shared));
}

/** The change of a life's light, as a log, by steps that many lamps made at once. */
function stepOff(life: TrackedLife, { bin }: LifeBin, steps: readonly SharedStep[]): number {
  if (steps.length === 0) return 0;
  const position = life.places.at(-1)?.position ?? 0;
  const off = stepsOff(steps, position, bin);
  const first = life.bins[0];
  const start = stepsOff(steps, position, first.bin);
  // A lamp as bright as a new one when it was fitted isn't affected by earlier steps.
  const isBright = Math.log(first.efficiency / first.supply / 100) - start > BRIGHT;
  return isBright ? off - start : off;
}

/** A lamp's hours when it was worn; for every other `outcome` its hours at its end, or so far. */
export function endHoursOf(
  life: TrackedLife,
  judging: Judging,
  outcome: LifeInBins["ended"] = outcomeOf(life, judging),
): number {
  return outcome === "worn" ? (wornBin(life, judging)?.hours ?? life.hours) : life.hours;
}

/** The first stretch from which on a lamp's light stays at or below the end of life. */
export function wornBin(life: TrackedLife, judging: Judging): LifeBin | null {
  const end_percent = judging.limits.end_of_life_efficiency;
  const above = life.bins.findLastIndex((bin) => ownLight(life, bin, judging) > end_percent);
  return life.bins[above + 1] ?? null;
}

/** A life's bins at full power, by stretch from `first` on; null where it has none. */
export function binsOf(
  life: TrackedLife,
  steps: readonly SharedStep[] = [],
): Pick<LifeInBins, "first" | "bins"> {
  const first = life.bins[0]?.bin ?? 0;
  const last = life.bins.at(-1)?.bin ?? -1;
  const bins: LifeInBins["bins"][number][] = new Array(Math.max(0, last - first + 1)).fill(null);
  for (const one of life.bins) {
    const { bin, hours, efficiency, supply } = one;
    const own = (efficiency / supply) * Math.exp(-stepOff(life, one, steps));
    bins[bin - first] = { hours, efficiency: own };
  }
  return { first, bins };
}
