// The PLC's clock minus the box's, as of the last reading that was stored live. While the PLC's
// clock is ahead, its readings are quarantined; then the age of the last stored one is computed
// with the clock from before.

import type { ClockStep } from "../../bwts/clock-step.ts";
import type { ClockState } from "../records/clock-watch.ts";

/** Maximum time since readings were stored at which they were dated by the PLC's present clock. */
const STORED_MS = 2500;

/**
 * Watches the offset. `silent_ms` is the time since messages last brought readings; null before the
 * first.
 */
export function openReadingOffset(silent_ms: () => number | null) {
  let offset_ms: number | null = null;
  return {
    now_ms: () => offset_ms,
    saw({ plc }: ClockState, steps: readonly ClockStep[]) {
      // The box's clock was set, so the offset changes by the same step.
      for (const { clock, from_ms, to_ms } of steps)
        if (clock === "box" && offset_ms !== null) offset_ms -= to_ms - from_ms;
      if (plc === null) return;
      const isStored = (silent_ms() ?? Number.POSITIVE_INFINITY) <= STORED_MS;
      if (isStored || offset_ms === null) offset_ms = plc.offset_ms;
    },
  };
}
