// The fitted lamp of a position as every answer shows it: its hours, its light, and if it is past
// its life. Forecasts, lives and the diagnosis say the same of a lamp, because they ask here.

import { isOutputKnown } from "./newest-light.ts";
import { type Judging, outcomeOf } from "./outcome.ts";
import { type LampLife, type PositionState, presentLife } from "./state.ts";

export interface LampNow {
  readonly life: LampLife;
  /** Null while it works. */
  readonly outcome: "failed" | "worn" | null;
  readonly hours: number;
  /**
   * In % of new: of its last stretch, else its newest steady light, else the newest light that was
   * sent; 0 for a failed lamp, null while its present output isn't known.
   */
  readonly efficiency_percent: number | null;
  /** Its steady light at full power, by which its wear is judged; null without any. */
  readonly full_percent: number | null;
  /**
   * Since when its present output isn't known: since its newest light, else since it was first
   * seen. Null while it is known, and of a lamp that failed.
   */
  readonly no_light_since_ms: number | null;
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

/** Hours or percent of a lamp as every answer has them: to tenths; 0 for what is negative. */
export const tenths = (value: number): number => Math.round(Math.max(0, value) * 10) / 10;
