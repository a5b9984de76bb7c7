// Tells of a plant at rest if its totalisers rise: water that moves though state and flow say that
// none does. A stop that was lost is followed by such water where valves stay open. Pure.

import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import type { Value } from "../reading.ts";
import { isMovingFlow } from "../treating.ts";

export interface MovingLimit {
  readonly flow_max_imo: number;
}

/** Above this multiple of the highest flow it is no flow. */
const FLOW_TIMES_MAX = 3;
/** In so many steps one after the other: a totaliser may be sent late after a stop. */
const RISES = 2;
const STEP_MS = 5 * MINUTE_MS;
/** After so long nothing depends on where reading began. */
export const RISING_SURE_MS = (RISES + 1) * STEP_MS;

/** True for a flow, m3/h, of moving water that a plant can have. */
export function isFlow(flow_m3_h: number, { flow_max_imo }: MovingLimit): boolean {
  return isMovingFlow(flow_m3_h, flow_max_imo) && flow_m3_h <= FLOW_TIMES_MAX * flow_max_imo;
}

const stepOf = (at_ms: number) => Math.floor(at_ms / STEP_MS);

/** Follows the totalisers of a plant at rest, in steps by the clock, wherever reading began. */
export function openRising(limits: MovingLimit) {
  let since: { readonly at_ms: number; readonly totals: readonly Value[] } | null = null;
  let rises = 0;
  return {
    isIt: () => rises >= RISES,
    forget(): void {
      [since, rises] = [null, 0];
    },
    /** Takes the totalisers of the reading `index`; they are looked at once in a step. */
    take(at_ms: number, totalisers: readonly ((index: number) => Value)[], index: number): void {
      const before = since;
      if (before !== null && stepOf(at_ms) === stepOf(before.at_ms)) return;
      since = { at_ms, totals: totalisers.map((total) => total(index)) };
      if (before === null) return;
      const rose = since.totals.map((total, place) => {
        const was = before.totals[place];
        return typeof total === "number" && typeof was === "number" ? total - was : 0;
      });
      const m3_h = (Math.max(...rose) * HOUR_MS) / (at_ms - before.at_ms);
      rises = isFlow(m3_h, limits) ? rises + 1 : 0;
    },
  };
}
