// Recognises figures that aren't measurements of a lamp at that moment: those of a plant with one
// UV sensor, whose PLC sends the same figure for each lamp, and those measured by hand.

import type { LampSight } from "../light/lamp-fields.ts";
import type { PositionState, TrackerState } from "./state.ts";

/** Fewer lamps may have the same figure by chance. */
const LAMPS_MIN = 4;
/** New lamps are alike, and some PLCs show at most 100 %: figures above it don't count. */
const BELOW_PCT = 97;
/** Speed of the share of readings with one figure, and the share from which on it is so. */
const STEP = 0.05;
const SHARE_MIN = 0.9;
/** A figure that doesn't move for so many operating hours was measured once, by hand. */
const STILL_H = 20;

/** Notes if all lamps that burn have the same figure in a reading. */
export function bookAlike(state: TrackerState, lamps: readonly LampSight[]): void {
  let count = 0;
  let figure: number | null = null;
  for (let position = 0; position < lamps.length; position += 1) {
    const { burning, efficiency_pct } = lamps[position];
    if (burning !== "lit" || efficiency_pct === null || !(efficiency_pct > 0)) continue;
    count += 1;
    figure ??= efficiency_pct;
    if (efficiency_pct === figure) continue;
    state.alike = (1 - STEP) * (state.alike ?? 0);
    return;
  }
  if (count < LAMPS_MIN || figure === null || figure >= BELOW_PCT) return;
  state.alike = (state.alike ?? 0) + STEP * (1 - (state.alike ?? 0));
}

/** True if the lamps' figures are one figure of the plant. */
export function hasOneFigure({ alike = 0 }: Pick<TrackerState, "alike">): boolean {
  return alike > SHARE_MIN;
}

/**
 * Notes a figure; false if it stands since so long that its measurement was taken already. One
 * figure of the plant is taken all the same: it wears no lamp out, and stretches of the UV sensor's
 * yield, by which the gain of cleanings is measured, go on with it.
 */
export function bookFigure(state: TrackerState, at: PositionState, pct: number): boolean {
  const { hours } = state;
  if (at.figure?.pct !== pct) at.figure = { pct, moved_h: hours };
  return hours - at.figure.moved_h <= STILL_H || hasOneFigure(state);
}

/** True while a lamp's figure tells nothing of the lamp that burns. */
export function isStill(state: TrackerState, { figure, verifying }: PositionState): boolean {
  if (hasOneFigure(state)) return true;
  if (verifying?.values.length === 0 && figure?.pct === verifying.figure) return true;
  return figure !== undefined && state.hours - figure.moved_h > STILL_H;
}
