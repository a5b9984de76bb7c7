// Tells of a plant at rest if its totalisers rise: water that moves though state and flow say that
// none does. A stop that was lost is followed by such water where valves stay open. Pure.

import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import type { Value } from "../reading.ts";

export interface MovingLimit {
  readonly flow_max_imo: number;
}

/** Above this share of the highest flow, water moves; above this multiple it is no flow. */
const MOVING_SHARE = 0.02;
const FLOW_TIMES_MAX = 3;
/** In so many steps one after the other: a totaliser may be told late after a stop. */
const RISES = 2;
const STEP_MS = 5 * MINUTE_MS;
/** After so long nothing depends on where reading began. */
export const RISING_SURE_MS = (RISES + 1) * STEP_MS;

/** True for a flow, m3/h, of moving water that a plant can have. */
export function isFlow(flow_m3_h: number, { flow_max_imo }: MovingLimit): boolean {
  const share = flow_m3_h / flow_max_imo;
  return share > MOVING_SHARE && share <= FLOW_TIMES_MAX;
}

/** Follows the totalisers of a plant at rest, in steps by the clock, wherever reading began. */
export function openRising(limits: MovingLimit) {
  let since: { readonly at_ms: number; readonly totals: readonly Value[] } | null = null;
  let rises = 0;
  return {
    isIt: () => rises >= RISES,
    forget(): void {
      [since, rises] = [null, 0];
    },
    take(at_ms: number, totals: readonly Value[]): void {
      since ??= { at_ms, totals };
      if (Math.floor(at_ms / STEP_MS) === Math.floor(since.at_ms / STEP_MS)) return;
      const passed_ms = at_ms - since.at_ms;
      const rose = totals.map((total, index) => {
        const was = since?.totals[index];
        return typeof total === "number" && typeof was === "number" ? total - was : 0;
      });
      rises = isFlow((Math.max(...rose) * HOUR_MS) / passed_ms, limits) ? rises + 1 : 0;
      since = { at_ms, totals };
    },
  };
}
