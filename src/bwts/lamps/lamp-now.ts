// The fitted lamp of a position as every answer shows it: its hours, its output, and whether its
// life is over. Forecasts, lives and the diagnosis agree, because they all use this.

import { isOutputKnown } from "./newest-light.ts";
import { type Judging, outcomeOf } from "./outcome.ts";
import { type LampLife, type PositionState, presentLife } from "./state.ts";

export interface LampNow {
  readonly life: LampLife;
  /** The end of the lamp; null while it works. */
  readonly outcome: "failed" | "worn" | null;
  readonly hours: number;
  /**
   * Present output in % of a new lamp: of its last stretch, else the newest steady one, else the
   * newest one sent. 0 for a failed lamp; null while it isn't known.
   */
  readonly efficiency_percent: number | null;
  /** Steady output at full power, by which its wear is judged; null without a steady reading. */
  readonly full_percent: number | null;
  /**
   * Time since which its present output isn't known: that of its newest light, else its first
   * sight. Null while it is known, and for a failed lamp.
   */
  readonly no_light_since_ms: number | null;
  /** True if it has ended, or is at the end of life with too few bins for a forecast. */
  readonly isPast: boolean;
}

/** Minimum number of bins for a forecast from the lamp's own light. */
const BINS_MIN = 2;

/** The fitted lamp of a position; null if no lamp is known. */
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
  const isKnown = isOutputKnown(life);
  const shown = (percent: number | null | undefined) =>
    outcome === "failed" ? 0 : percent == null || !isKnown ? null : tenths(percent);
  return {
    life,
    outcome,
    hours: tenths(life.hours),
    efficiency_percent: shown(steady ?? life.light?.pct),
    full_percent: shown(full),
    no_light_since_ms:
      outcome === "failed" || isKnown ? null : (life.light?.at_ms ?? life.began_ms),
    isPast: outcome !== null || (isDim && life.bins.length < BINS_MIN),
  };
}

/** Rounds hours or percent of a lamp to tenths, as in every answer; negative values become 0. */
export const tenths = (value: number): number => Math.round(Math.max(0, value) * 10) / 10;
