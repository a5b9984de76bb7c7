// Finds rising totalisers of a plant at rest: water that moves although state and flow show none.
// It follows a lost stop while valves stay open. Pure.

import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import type { Value } from "../reading.ts";
import { isMovingFlow } from "../treating.ts";

export interface MovingLimit {
  readonly flow_max_imo: number;
}

/** Maximum flow that a plant can have, as a multiple of the highest certified flow. */
const FLOW_TIMES_MAX = 3;
/** Number of successive rising steps needed: a totaliser may be sent late after a stop. */
const RISES = 2;
const STEP_MS = 5 * MINUTE_MS;
/** Time after which the result doesn't depend on where reading began. */
export const RISING_SURE_MS = (RISES + 1) * STEP_MS;

/** True for a flow in m3/h that moves water and is possible. */
export function isFlow(flow_m3_h: number, { flow_max_imo }: MovingLimit): boolean {
  return isMovingFlow(flow_m3_h, flow_max_imo) && flow_m3_h <= FLOW_TIMES_MAX * flow_max_imo;
}

const stepOf = (at_ms: number) => Math.floor(at_ms / STEP_MS);

/**
 * Follows the totalisers of a plant at rest, in steps of the clock that don't depend on where
 * reading began.
 */
export function openRising(limits: MovingLimit) {
  let since: { readonly at_ms: number; readonly totals: readonly Value[] } | null = null;
  let rises = 0;
  return {
    isIt: () => rises >= RISES,
    forget(): void {
      [since, rises] = [null, 0];
    },
    /** Takes the totalisers of the reading `index`; they are read once per step. */
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
