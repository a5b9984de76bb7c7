// Doubts about a stated replacement. A PLC's counter that wasn't reset may belong to another lamp
// than the stated one. Light counts as the new lamp's only if it was read in treatment after the
// change. Pure.

import { isTreatingState } from "../../bwts/treating.ts";
import type { ShownLamp, ShownVerdict } from "../store/overview-shapes.ts";

const HOUR_MS = 3_600_000;
/**
 * Maximum difference in hours between a counter and its lamp's possible hours for the counter to
 * count as reset.
 */
const NEAR_H = 10;

export interface StatedLamp {
  readonly at_ms: number;
  /** Hours of the fitted lamp when it was fitted. */
  readonly hours: number;
}

/** The PLC's counter of a lamp, in hours, with the time of its reading. */
export interface LampCounter {
  readonly counter_h: number;
  readonly read_ms: number;
}

/**
 * The doubt about a counter: `stands` if it showed more than the fitted lamp has in a reading
 * before the replacement, `goes_on` if after it. Null for a counter that can be the fitted lamp's.
 */
export function counterDoubt(
  { at_ms, hours }: StatedLamp,
  { counter_h, read_ms }: LampCounter,
): "stands" | "goes_on" | null {
  const burnt_h = Math.max(0, read_ms - at_ms) / HOUR_MS;
  if (counter_h <= hours + burnt_h + NEAR_H) return null;
  return read_ms > at_ms ? "goes_on" : "stands";
}

/** The fitted lamp's output in %; null until it is read in treatment after `at_ms`. */
export function lightAfter(
  at_ms: number,
  now: Pick<ShownLamp, "at_ms" | "efficiency" | "state"> | null,
  plant: Pick<ShownVerdict, "process" | "isRunning"> | null,
): number | null {
  if (now === null || plant === null || (now.at_ms ?? 0) <= at_ms) return null;
  if (now.state === "standby" || now.state === "failed") return null;
  const { process, isRunning } = plant;
  const isTreated =
    process === null ? isRunning : isTreatingState(process, null, { flow_max_imo: 0 });
  return isTreated ? now.efficiency : null;
}
