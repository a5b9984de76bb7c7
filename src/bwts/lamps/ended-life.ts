// Ended lamps for the scoring of their forecasts: their hours, and whether they failed or were
// worn. `basis` holds all facts on which a score rests, so that it is recomputed if a late reading,
// the engineer's statement or another configuration changes them.

import { type LampLife, placeAt } from "./life.ts";
import { endHoursOf, type LampLimits, outcomeOf } from "./outlook.ts";
import type { TrackerState } from "./state.ts";

export interface EndedLife {
  readonly life: LampLife;
  readonly outcome: "failed" | "worn" | "replaced";
  /** On the lamp when it ended, operating hours. */
  readonly end_h: number;
  /** Unchanged as long as the score of its forecasts is valid. */
  readonly basis: string;
}

/** Lives that have ended, in no order. */
export function endedLives(state: TrackerState, limits: LampLimits): readonly EndedLife[] {
  return state.positions
    .flatMap(({ lives }) => lives)
    .flatMap((life) => {
      const outcome = outcomeOf(life, limits);
      if (outcome === null) return [];
      const end_h = endHoursOf(life, limits);
      return [{ life, outcome, end_h, basis: basisOf(life, { outcome, end_h, limits }) }];
    });
}

/** True if a forecast can have been made for the lamp; one that was removed at once had none. */
export function wasFitted({ life }: EndedLife): boolean {
  return placeAt(life, life.began_ms) !== null;
}

function basisOf(
  { failed_ms, ended_ms, places }: LampLife,
  { outcome, end_h, limits }: Pick<EndedLife, "outcome" | "end_h"> & { limits: LampLimits },
): string {
  // A counter may run on after its lamp has failed, until the lamp is removed.
  const isCounting = outcome === "failed" && ended_ms === null;
  const hours = isCounting ? null : end_h;
  return JSON.stringify([outcome, hours, failed_ms, ended_ms, places, limits.rated_hours]);
}
