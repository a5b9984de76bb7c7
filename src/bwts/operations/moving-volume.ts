// The volume by which a totaliser shows that water moved, for the extent of operations as for their
// verdicts. Pure.

import { HOUR_MS, MINUTE_MS } from "../../ground/clock.ts";
import { MOVING_SHARE } from "../treating.ts";
import { MOVING_MINUTES } from "./rules.ts";

export const MOVING_MS = MOVING_MINUTES * MINUTE_MS;

/** Volume in m3 that the certified flow moves in a time. */
export const certifiedVolume = (flow_m3_h: number, time_ms: number) =>
  (flow_m3_h * time_ms) / HOUR_MS;

const TREMBLE_M3 = 5;

/** Maximum fall of a trembling totaliser, in m3, during which no water flows back. */
export const trembleOf = (certified_m3_h: number) =>
  Math.max(TREMBLE_M3, movingVolume(certified_m3_h));

/** The volume above which water moved in a time; shorter ones count as MOVING_MINUTES. */
export const movingVolume = (certified_m3_h: number, time_ms = MOVING_MS) =>
  MOVING_SHARE * certifiedVolume(certified_m3_h, Math.max(MOVING_MS, time_ms));
