// The PLC's clock less the box's as of the last reading that was stored live. While the PLC's is
// ahead, readings are quarantined, and the age of the last one stored follows from the clock
// before.

import type { ClockStep } from "../../bwts/clock-step.ts";
import type { ClockState } from "../records/clock-watch.ts";

/** Readings that come live were stored at most so long ago, with the PLC's clock as it is. */
const STORED_MS = 2500;

/** `silent_ms` is the time since messages brought readings; null before the first. */
export function openReadingOffset(silent_ms: () => number | null) {
  let offset_ms: number | null = null;
  return {
    now_ms: () => offset_ms,
    saw({ plc }: ClockState, steps: readonly ClockStep[]) {
      // The box's clock was set: the readings' times are as far from the true time as before.
      for (const { clock, from_ms, to_ms } of steps)
        if (clock === "box" && offset_ms !== null) offset_ms -= to_ms - from_ms;
      if (plc === null) return;
      const isStored = (silent_ms() ?? Number.POSITIVE_INFINITY) <= STORED_MS;
      if (isStored || offset_ms === null) offset_ms = plc.offset_ms;
    },
  };
}
