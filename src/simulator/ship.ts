// A simulated ship: a seed and an anchor determine every reading and every event, for any stretch.
// Readings are at whole multiples of the cadence since 1970, so that a continued voyage has the
// same instants.

import { eventsOf, type PlantEvent } from "./alarm.ts";
import { type PlantReading, readingAt } from "./plant.ts";
import { createRandom } from "./random.ts";
import { createVoyage, type Leg } from "./voyage.ts";

/** A stretch of time, both ends included; `to_ms` may be Infinity. */
export interface SimulatedStretch {
  readonly from_ms: number;
  readonly to_ms: number;
  /** Time from one reading to the next while water is treated. */
  readonly cadence_ms: number;
}

/** A ship or a story as a source of readings and events, in order of time, made on demand. */
export interface PlantSource {
  readonly system_id: string;
  /** The number of readings that `readings` gives; `to_ms` must be finite. */
  countReadings(stretch: SimulatedStretch): number;
  readings(stretch: SimulatedStretch): Iterable<PlantReading>;
  events(stretch: Pick<SimulatedStretch, "from_ms" | "to_ms">): Iterable<PlantEvent>;
}

export interface Ship extends PlantSource {
  /** Start of the next operation after `at_ms`; null while one is in progress. */
  nextOperation(at_ms: number): number | null;
}

export interface ShipOptions {
  /** An integer from 0: another seed is another ship. */
  readonly seed: number;
  /** Instant at which an operation is running; the voyage began 24 months before. */
  readonly anchor_ms: number;
  readonly system_id: string;
}

/** Usual time between readings of such plants while they treat water. */
export const CADENCE_MS = 180_000;

export function createShip({ seed, anchor_ms, system_id }: ShipOptions): Ship {
  const random = createRandom(seed);
  const voyage = createVoyage(random, anchor_ms);
  return {
    system_id,
    countReadings(stretch) {
      let count = 0;
      for (const leg of voyage.legsBetween(stretch.from_ms, stretch.to_ms)) {
        const { first_ms, last_ms } = instantsOf(leg, stretch);
        count += Math.max(0, (last_ms - first_ms) / stretch.cadence_ms + 1);
      }
      return count;
    },
    *readings(stretch) {
      for (const leg of voyage.legsBetween(stretch.from_ms, stretch.to_ms)) {
        const { first_ms, last_ms } = instantsOf(leg, stretch);
        for (let at_ms = first_ms; at_ms <= last_ms; at_ms += stretch.cadence_ms)
          yield readingAt(leg, at_ms, random, system_id);
      }
    },
    *events({ from_ms, to_ms }) {
      for (const leg of voyage.legsBetween(from_ms, to_ms))
        for (const event of eventsOf(leg, random))
          if (event.at_ms >= from_ms && event.at_ms <= to_ms) yield event;
    },
    nextOperation(at_ms) {
      for (const { operation } of voyage.legsBetween(at_ms, Number.POSITIVE_INFINITY)) {
        if (operation.start_ms > at_ms) return operation.start_ms;
        if (operation.end_ms >= at_ms) return null;
      }
      return null;
    },
  };
}

// The first and the last whole multiple of the cadence in both the stretch and the operation.
function instantsOf({ operation }: Leg, { from_ms, to_ms, cadence_ms }: SimulatedStretch) {
  const start_ms = Math.max(from_ms, operation.start_ms);
  const end_ms = Math.min(to_ms, operation.end_ms);
  return {
    first_ms: Math.ceil(start_ms / cadence_ms) * cadence_ms,
    last_ms: Math.floor(end_ms / cadence_ms) * cadence_ms,
  };
}
