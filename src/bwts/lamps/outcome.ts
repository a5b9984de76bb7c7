// The end of a lamp by its own light: the effects that all lamps of the ship share (set power,
// sleeves) are taken out first, so that foul sleeves wear no lamp out.

import { commonEffects, type Effects } from "../light/common-effects.ts";
import { hasOneFigure } from "./figures.ts";
import { type LifeInBins, logBins } from "./ship-lamps.ts";
import type { LifeBin, LampLife as TrackedLife, TrackerState } from "./state.ts";

/** The configuration of lamps, which forecasts use. */
export interface LampLimits {
  readonly rated_hours: number;
  /** % of a new lamp. */
  readonly end_of_life_efficiency: number;
  readonly horizon_hours: number;
}

/** Consecutive bins at or below the end-of-life efficiency that make a lamp worn. */
const WORN_BINS = 2;

/** The effects that the ship's lamps share, by all that was seen of them. */
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
  return { ...effects, isOneFigure: hasOneFigure(state) };
}

/** The effects, and if the lamps' figures are one figure of the plant. */
export interface ShipLight extends Effects {
  readonly isOneFigure: boolean;
}

/** The limits, and what the lamps' light is off by in each stretch: see `Effects`. */
export interface Judging extends Pick<ShipLight, "off" | "dimmed" | "isOneFigure"> {
  readonly limits: LampLimits;
}

/** The end of a life; null while the lamp is fitted and works. */
export function outcomeOf(life: TrackedLife, judging: Judging): LifeInBins["ended"] {
  return life.failed_ms === null ? firstOutcomeOf(life, judging) : "failed";
}

/** The first end of a life: a lamp that was worn and burnt on until it failed was worn. */
export function firstOutcomeOf(life: TrackedLife, judging: Judging): LifeInBins["ended"] {
  const { limits, off, isOneFigure } = judging;
  const last = life.bins.slice(-WORN_BINS);
  const isWorn =
    !isOneFigure &&
    last.length === WORN_BINS &&
    last.every((bin) => ownLight(bin, off) <= limits.end_of_life_efficiency);
  if (isWorn) return "worn";
  if (life.failed_ms !== null) return "failed";
  return life.ended_ms === null ? null : "replaced";
}

/** A lamp's light at full power, without what all lamps share, in %; dirt that stays counts. */
function ownLight({ bin, efficiency, supply }: LifeBin, off: Effects["off"]): number {
  return (efficiency / supply) * Math.exp(-(off[bin] ?? 0));
}

/** The hours of a lamp when it failed, was worn, or was last seen; by its first end if given. */
export function endHoursOf(
  life: TrackedLife,
  judging: Judging,
  outcome: LifeInBins["ended"] = outcomeOf(life, judging),
): number {
  return outcome === "worn" ? (wornBin(life, judging)?.hours ?? life.hours) : life.hours;
}

/** The stretch since which a worn lamp's light is at or below that of the end of life. */
export function wornBin(life: TrackedLife, { limits, off }: Judging): LifeBin | null {
  const end_percent = limits.end_of_life_efficiency;
  const above = life.bins.findLastIndex((bin) => ownLight(bin, off) > end_percent);
  return life.bins[above + 1] ?? null;
}

/** A life's bins, at full power, by their number, null where there was none. */
export function binsOf(life: TrackedLife): Pick<LifeInBins, "first" | "bins"> {
  const first = life.bins[0]?.bin ?? 0;
  const last = life.bins.at(-1)?.bin ?? -1;
  const bins: LifeInBins["bins"][number][] = new Array(Math.max(0, last - first + 1)).fill(null);
  for (const { bin, hours, efficiency, supply } of life.bins)
    bins[bin - first] = { hours, efficiency: efficiency / supply };
  return { first, bins };
}
