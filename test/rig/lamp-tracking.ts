// Readings of a simulated ship as the tracker of lamps takes them, and the lives that it tells.

import { type LampLife, presentLife, type TrackerState } from "../../src/bwts/lamps/state.ts";
import { bookSight } from "../../src/bwts/lamps/tracker.ts";
import { type LampWord, wordsInForce } from "../../src/bwts/lamps/word.ts";
import { sightOf } from "../../src/bwts/light/lamp-fields.ts";
import { TAGS } from "../../src/bwts/tags.ts";
import { LAMP_CONFIG, type PlcReading } from "./fleet.ts";

/** Processes readings in their order, with what the engineer said. */
export function book(
  state: TrackerState,
  readings: readonly PlcReading[],
  words: LampWord[] = [],
): void {
  for (const reading of readings) {
    const value = (tag: number) => reading[TAGS[tag].name] ?? null;
    const at_ms = Date.parse(String(reading.timestamp));
    bookSight(state, sightOf(at_ms, value, LAMP_CONFIG.limits), wordsInForce(words));
  }
}

/** The life of the lamp fitted; throws if none is known. */
export function present(state: TrackerState, position: number): LampLife {
  const life = presentLife(state.positions[position]);
  if (life === null) throw new Error(`lamp ${position + 1}: none`);
  return life;
}
