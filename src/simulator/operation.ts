// One ballast operation: its phases, and flow, volume and filter as functions of time, all in
// closed form, so that counters agree at any instants.

import { HOUR_MS, MINUTE_MS } from "../ground/clock.ts";
import type { Port } from "./port.ts";
import type { Random } from "./random.ts";

export interface PlantOperation {
  /** Its number in the voyage, from 0. */
  readonly index: number;
  readonly type: "BALLAST" | "DEBALLAST";
  readonly port: Port;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly target_flow_m3_h: number;
  /** Time from the start of one backflush to the next; the filter is bypassed when deballasting. */
  readonly backflush_period_ms: number;
  /** Clarity of the water at this visit relative to the port's usual: 1 is usual. */
  readonly clarity: number;
  /** The filter cycle in which mud comes in, or null. */
  readonly mud_cycle: number | null;
  /** Start of a low flow of `LOW_FLOW_MS`, or null. */
  readonly low_flow_start_ms: number | null;
}

/** States of the controller within an operation. */
export type Phase = "WARMUP" | "RUNNING" | "BACKFLUSH" | "STOPPING";

export const WARMUP_MS = 6 * MINUTE_MS;
export const STOPPING_MS = 4 * MINUTE_MS;
/** Length of a backflush: longer than the cadence of 3 minutes, so that a reading shows each. */
export const BACKFLUSH_MS = 4 * MINUTE_MS;
const LOW_FLOW_MS = 40 * MINUTE_MS;
const CLEAN_BAR = 0.18;

export function phaseAt(operation: PlantOperation, at_ms: number): Phase {
  if (at_ms < operation.start_ms + WARMUP_MS) return "WARMUP";
  if (at_ms >= operation.end_ms - STOPPING_MS) return "STOPPING";
  return filterCycle(operation, at_ms).flushing_ms === null ? "RUNNING" : "BACKFLUSH";
}

/** Flow in m3/h, without the noise of measuring. */
export function flowAt(operation: PlantOperation, at_ms: number): number {
  const { target_flow_m3_h: target, low_flow_start_ms: low_ms } = operation;
  switch (phaseAt(operation, at_ms)) {
    case "WARMUP":
    case "STOPPING":
      return 0;
    case "BACKFLUSH":
      return target * 0.88;
    case "RUNNING":
      return low_ms !== null && at_ms >= low_ms && at_ms < low_ms + LOW_FLOW_MS
        ? target * 0.72
        : target;
  }
}

/** m3 treated since the start, never falling; backflushes and low flow are too short to count. */
export function volumeAt(operation: PlantOperation, at_ms: number): number {
  const until_ms = Math.min(at_ms, operation.end_ms - STOPPING_MS);
  const treated_ms = Math.max(0, until_ms - operation.start_ms - WARMUP_MS);
  return (operation.target_flow_m3_h * treated_ms) / HOUR_MS;
}

/** Backflushes begun since the start; 0 when deballasting. */
export function backflushesAt(operation: PlantOperation, at_ms: number): number {
  if (operation.type === "DEBALLAST") return 0;
  const until_ms = Math.min(at_ms, operation.end_ms - STOPPING_MS);
  const since_ms = until_ms - operation.start_ms - WARMUP_MS + BACKFLUSH_MS;
  return Math.max(0, Math.floor(since_ms / operation.backflush_period_ms));
}

/** Differential pressure of the filter in bar, without the noise of measuring. */
export function filterPressureAt(operation: PlantOperation, at_ms: number, random: Random): number {
  if (operation.type === "DEBALLAST") return 0.04;
  if (at_ms < operation.start_ms + WARMUP_MS) return 0.06;
  const { cycle, since_ms, flushing_ms } = filterCycle(operation, at_ms);
  const usual_bar = random.between(0.4, 0.47, "dirty filter", operation.index, cycle);
  const dirty_bar = cycle === operation.mud_cycle ? usual_bar + 0.24 : usual_bar;
  const share =
    flushing_ms === null
      ? since_ms / (operation.backflush_period_ms - BACKFLUSH_MS)
      : 1 - flushing_ms / BACKFLUSH_MS;
  return CLEAN_BAR + (dirty_bar - CLEAN_BAR) * share ** 1.3;
}

interface FilterCycle {
  readonly cycle: number;
  /** Time since the last backflush ended. */
  readonly since_ms: number;
  /** Time since this backflush began; null outside one. */
  readonly flushing_ms: number | null;
}

function filterCycle(operation: PlantOperation, at_ms: number): FilterCycle {
  const treating_ms = at_ms - operation.start_ms - WARMUP_MS;
  const cycle = Math.floor(treating_ms / operation.backflush_period_ms);
  const since_ms = treating_ms - cycle * operation.backflush_period_ms;
  const flushing_ms = since_ms - (operation.backflush_period_ms - BACKFLUSH_MS);
  const flushes = operation.type === "BALLAST" && flushing_ms >= 0;
  return { cycle, since_ms, flushing_ms: flushes ? flushing_ms : null };
}
