// A stretch of operating time under equal conditions: what the lamps' light is a median over, and
// what all lamps share in it. It ends when it is long enough, when the set power moves, at a
// cleaning, and at the start of an operation: a median over two conditions shows neither.

import { median } from "../ranks.ts";

/** The conditions of a closed stretch. Null where the plant doesn't tell. */
export interface OperatingStretch {
  /** The ship's operating hours at its end. */
  readonly hours: number;
  /** The median set power, % of rated; if it isn't told, that of the lamps, % of the first. */
  readonly power_pct: number | null;
  /** The median temperature of the water. */
  readonly water_c: number | null;
  /** Cleanings of the sleeves before it, since the first reading. */
  readonly cleanings: number | null;
  /** The median of log(UV intensity / (sum of the lamps' light * water factor)). */
  readonly sensor_yield: number | null;
}

/** The current stretch: values of steady readings. */
export interface OpenStretch {
  /** Operating hours so far. */
  hours: number;
  powers: number[];
  waters_c: number[];
  yields: number[];
  /** Time of the newest value. */
  value_ms: number;
}

/** Longest stretch, and the shortest that a move of the set power or an operation's start ends. */
export const STRETCH_H = 30;
const POWER_FROM_H = 8;
const OPERATION_FROM_H = 6;
/** A move of the set power, in points. */
const POWER_MOVED = 2;
/** Values are taken so far apart: a median of more is no better. */
const VALUES_APART_MS = 3 * 60_000;

export function newStretch(): OpenStretch {
  return { hours: 0, powers: [], waters_c: [], yields: [], value_ms: 0 };
}

/** True if values of this instant count: then `value_ms` is it. */
export function takesValues(open: OpenStretch, at_ms: number): boolean {
  if (at_ms - open.value_ms < VALUES_APART_MS) return false;
  open.value_ms = at_ms;
  return true;
}

/** True if the stretch ends before a reading with `power_pct`. */
export function endsBefore(
  { hours, powers }: OpenStretch,
  next: {
    readonly power_pct: number | null;
    readonly isCleaned: boolean;
    readonly isNewOperation: boolean;
  },
): boolean {
  if (hours >= STRETCH_H || next.isCleaned) return true;
  if (next.isNewOperation) return hours >= OPERATION_FROM_H;
  if (next.power_pct === null || powers.length === 0 || hours < POWER_FROM_H) return false;
  return Math.abs(next.power_pct - powers[powers.length >> 1]) > POWER_MOVED;
}

/** The conditions of a stretch that is over. */
export function closedStretch(
  { powers, waters_c, yields }: OpenStretch,
  { hours, cleanings }: Pick<OperatingStretch, "hours" | "cleanings">,
): OperatingStretch {
  return {
    hours: rounded(hours, 10),
    power_pct: middle(powers, 10),
    water_c: middle(waters_c, 10),
    cleanings,
    sensor_yield: middle(yields, 1e4),
  };
}

function middle(values: readonly number[], steps: number): number | null {
  return values.length === 0 ? null : rounded(median(values), steps);
}

function rounded(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}
