// The fitted lamp of a position as every answer shows it: its hours, its light, and if it is past
// its life. Forecasts, lives and the diagnosis say the same of a lamp, because they ask here.

import { type Judging, outcomeOf } from "./outcome.ts";
import { type LampLife, type PositionState, presentLife } from "./state.ts";

export interface LampNow {
  readonly life: LampLife;
  /** Null while it works. */
  readonly outcome: "failed" | "worn" | null;
  readonly hours: number;
  /**
   * In % of new: of its last stretch, else its newest steady light, else the newest light that was
   * sent; 0 for a failed lamp.
   */
  readonly efficiency_percent: number | null;
  /** The same, but null without steady light: other light tells nothing of a lamp's wear. */
  readonly steady_percent: number | null;
  /** True if it has ended, or is too dim and too little was seen of it for a forecast. */
  readonly isPast: boolean;
}

/** With fewer bins a forecast doesn't rest on the lamp's own light. */
const BINS_MIN = 2;

/** Null if no lamp is known. */
export function lampNow(at: PositionState, judging: Judging): LampNow | null {
  const life = presentLife(at);
  if (life === null) return null;
  const ended = outcomeOf(life, judging);
  const outcome = ended === "replaced" ? null : ended;
  const steady = life.bins.at(-1)?.efficiency ?? at.recent.at(-1) ?? null;
  const isDim = steady !== null && steady < judging.limits.end_of_life_efficiency;
  const shown = (light: number | null) =>
    outcome === "failed" ? 0 : light === null ? null : tenths(light);
  return {
    life,
    outcome,
    hours: tenths(life.hours),
    efficiency_percent: shown(steady ?? life.light_pct ?? null),
    steady_percent: shown(steady),
    isPast: outcome !== null || (isDim && life.bins.length < BINS_MIN),
  };
}

/** Hours or percent of a lamp as every answer has them: to tenths; 0 for what is negative. */
export const tenths = (value: number): number => Math.round(Math.max(0, value) * 10) / 10;
