// Recognises output figures that aren't measurements of a lamp at that moment: a plant with one UV
// sensor, whose PLC sends the same figure for each lamp, and figures measured by hand.

import type { LampSight } from "../light/lamp-fields.ts";
import type { PositionState, TrackerState } from "./state.ts";

/** Minimum number of lamps with the same figure: fewer may agree by chance. */
const LAMPS_MIN = 4;
/** Figures from here on (%) don't count: new lamps are alike, and some PLCs show at most 100 %. */
const BELOW_PCT = 97;
/** Smoothing step of the share of readings in which all lamps agree, and the share that decides. */
const STEP = 0.05;
const SHARE_MIN = 0.9;
/** Operating hours without a change after which a figure counts as measured once, by hand. */
const STILL_H = 20;

/** Counts in the state whether all burning lamps have the same figure in a reading. */
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

/** True if the lamps' figures are a single figure of the whole plant. */
export function hasOneFigure({ alike = 0 }: Pick<TrackerState, "alike">): boolean {
  return alike > SHARE_MIN;
}

/**
 * Stores a lamp's figure; true if it counts as a new value. A figure that hasn't changed for 20
 * operating hours doesn't. A figure of the whole plant always does: it makes no lamp worn, and the
 * UV sensor's yield, which shows the gain of cleanings, needs its stretches.
 */
export function bookFigure(state: TrackerState, at: PositionState, pct: number): boolean {
  const { hours } = state;
  if (at.figure?.pct !== pct) at.figure = { pct, moved_h: hours };
  return hours - at.figure.moved_h <= STILL_H || hasOneFigure(state);
}

/** True while a lamp's figure says nothing about the lamp that burns now. */
export function isStill(state: TrackerState, { figure, verifying }: PositionState): boolean {
  if (hasOneFigure(state)) return true;
  if (verifying?.values.length === 0 && figure?.pct === verifying.figure) return true;
  return figure !== undefined && state.hours - figure.moved_h > STILL_H;
}
