// A stretch of operating time under equal conditions, over which the lamps' light is a median, with
// the conditions that all lamps share. It ends when it is long enough, when the set power moves, at
// a cleaning, and at the start of an operation: a median over two conditions shows neither.

import { median } from "../ranks.ts";

/** The conditions of a closed stretch; null where the plant doesn't send them. */
export interface OperatingStretch {
  /** The ship's operating hours at its end. */
  readonly hours: number;
  /** Median set power, % of rated; if it isn't sent, the lamps' power in % of the first known. */
  readonly power_pct: number | null;
  /** Median temperature of the water, degC. */
  readonly water_c: number | null;
  /** Number of cleanings of the sleeves before it, since the first reading. */
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

/** Maximum length of a stretch, and minimum before a power move or an operation's start ends it. */
export const STRETCH_H = 30;
const POWER_FROM_H = 8;
const OPERATION_FROM_H = 6;
/** Minimum change of the set power, in points, that ends a stretch. */
const POWER_MOVED = 2;
/** Minimum time between values: more of them don't improve the median. */
const VALUES_APART_MS = 3 * 60_000;

export function newStretch(): OpenStretch {
  return { hours: 0, powers: [], waters_c: [], yields: [], value_ms: 0 };
}

/** True if a value of this instant is to be taken; it then becomes the newest one's time. */
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

/** The conditions of a stretch that has ended. */
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
