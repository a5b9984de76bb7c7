// Lived time: the latest time that is certain, from the box's clock as far as it is believed. A
// clock that jumps years ahead must not make 24 months expire, but such a jump looks like a ship
// without power. So after a jump of more than BELIEVED_MS only time measured by the steady clock is
// added. Lived time may lag by the time without power, and never runs ahead by more than
// BELIEVED_MS.

import type { BoxClocks } from "../../ground/box-clock.ts";
import { DAY_MS } from "../../ground/clock.ts";

/** The longest jump ahead that is believed. A longer time without power delays expiry. */
export const BELIEVED_MS = 7 * DAY_MS;

export interface LivedTime {
  /** Reads the clocks. Frequent calls lose little time. */
  look(isTrusted: boolean): void;
  at_ms(): number;
}

/** `began_ms` is the lived time at the end of the run before; it is later than `built_ms`. */
export function openLivedTime(
  { began_ms, built_ms }: { readonly began_ms: number; readonly built_ms: number },
  { now_ms, steady_ms }: BoxClocks,
): LivedTime {
  let looked_ms = steady_ms();
  let at_ms = Math.max(began_ms, built_ms);
  return {
    look(isTrusted) {
      const lived_ms = at_ms + steady_ms() - looked_ms;
      looked_ms = steady_ms();
      const isBelieved = isTrusted && now_ms() <= lived_ms + BELIEVED_MS;
      at_ms = Math.max(built_ms, isBelieved ? now_ms() : lived_ms);
    },
    at_ms: () => at_ms,
  };
}
