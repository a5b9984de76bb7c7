// The reach of a change of readings beyond its own time. A value after it may show water of a blind
// time before it, and readings after it are compared with the cadence before them. So an operation
// in another phase may change, across any rest. Pure.

import { CADENCE_TIMES, type TimeBetween } from "./recent-times.ts";

/** The times before a reading about which later ones decide. */
interface OpenTimes {
  /** Earliest time about which readings from a time on may decide; Infinity for none. */
  openFrom(at_ms: number): number;
  /** True if a value after a time may show water before it. */
  isOpen(at_ms: number): boolean;
}

/** Follows the readings around a change, both ends of which are included. */
export function openReach(change: TimeBetween, open: OpenTimes) {
  const found = { from_ms: Number.NaN, to_ms: Number.POSITIVE_INFINITY };
  const leave = () => {
    if (Number.isNaN(found.from_ms)) found.from_ms = open.openFrom(change.from_ms);
  };
  let readings = 0;
  return {
    /** Time of the next reading that it needs, so that most cost one comparison. */
    next_ms: change.from_ms,
    /** Called before a reading at `next_ms` or later is taken. */
    look(at_ms: number): void {
      leave();
      this.next_ms = change.to_ms;
      if (at_ms <= change.to_ms) return;
      readings += 1;
      if (readings > CADENCE_TIMES && !open.isOpen(at_ms)) found.to_ms = at_ms;
      if (Number.isFinite(found.to_ms)) this.next_ms = Number.POSITIVE_INFINITY;
    },
    /** Ends it at a silence after which the cadence is forgotten. */
    lose({ from_ms, to_ms }: TimeBetween): void {
      if (to_ms > change.to_ms) found.to_ms = Math.min(found.to_ms, from_ms);
    },
    /** The times that the change may affect; the end is Infinity until readings show it. */
    found(): TimeBetween {
      leave();
      return found;
    },
  };
}
