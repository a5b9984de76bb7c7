// THE RULE OF THE PRESENT OUTPUT: a lamp's output is known until water was treated for more than an
// hour since its newest light. Hours at rest don't count. Every answer uses this rule.

import type { LampSight, Sight } from "../light/lamp-fields.ts";
import { type LampLife, type PositionState, presentLife, type TrackerState } from "./state.ts";

/** Hours of treatment for which an output stays known: one message in 30 min may be lost. */
const KNOWN_H = 1;

/** True if the lamp was seen to burn within the newest hour of treatment. */
export function isOutputKnown({ light }: LampLife): boolean {
  return light !== undefined && light.hours_ago <= KNOWN_H;
}

/** Stores each lamp's newest light; older light ages by `elapsed_h` while water is treated. */
export function bookNewestLight(state: TrackerState, sight: Sight, elapsed_h: number): void {
  for (let position = 0; position < sight.lamps.length; position += 1) {
    const at = state.positions[position];
    const life = presentLife(at);
    if (life === null) continue;
    const lamp = sight.lamps[position];
    if (isLight(lamp, at, sight)) {
      const { light } = life;
      const pct = lamp.efficiency_pct ?? 0;
      if (light === undefined) life.light = { pct, at_ms: sight.at_ms, hours_ago: 0 };
      else {
        light.pct = pct;
        light.at_ms = sight.at_ms;
        light.hours_ago = 0;
      }
    } else if (sight.treating && life.light !== undefined) life.light.hours_ago += elapsed_h;
  }
}

/** True if a lamp shines. A lamp without power, while others have some, can't. */
function isLight(lamp: LampSight, at: PositionState, { lamps }: Sight): boolean {
  const { efficiency_pct, power_w } = lamp;
  if (efficiency_pct === null || efficiency_pct <= 0) return false;
  const burning = lamp.burning ?? at.burning;
  if (burning === "dark" || burning === "failed") return false;
  return power_w !== 0 || !lamps.some((other) => other.power_w !== null && other.power_w > 0);
}
