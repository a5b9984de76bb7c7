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
  /** Its steady light at full power, by which its wear is judged; null without any. */
  readonly full_percent: number | null;
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
  const last = life.bins.at(-1);
  const steady = last?.efficiency ?? at.recent.at(-1) ?? null;
  const { dimmed, limits } = judging;
  const dimmed_log = (last === undefined ? dimmed.at(-1) : dimmed[last.bin]) ?? 0;
  const full = steady === null ? null : steady * Math.exp(-dimmed_log);
  const isDim = full !== null && full < limits.end_of_life_efficiency;
  const shown = (light: number | null) =>
    outcome === "failed" ? 0 : light === null ? null : tenths(light);
  return {
    life,
    outcome,
    hours: tenths(life.hours),
    efficiency_percent: shown(steady ?? life.light_pct ?? null),
    full_percent: shown(full),
    isPast: outcome !== null || (isDim && life.bins.length < BINS_MIN),
  };
}

/** Hours or percent of a lamp as every answer has them: to tenths; 0 for what is negative. */
export const tenths = (value: number): number => Math.round(Math.max(0, value) * 10) / 10;
