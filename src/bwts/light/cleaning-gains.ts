// Measures the gain of earlier cleanings of the sleeves, by the UV sensor's yield (its light
// divided by the lamps' light, the water factor and the power) in the stretches just before and
// after each. From it follows the range of the sleeves' loss per hour. Pure, without zod.

import { HOUR_MS } from "../../ground/clock.ts";
import type { OperatingStretch } from "./stretch.ts";

export interface CleaningGains {
  /** Cleanings whose gain was measured. */
  readonly measured: number;
  /** Gain of the newest measured cleaning, as a logarithm; null without one. */
  readonly last_log: number | null;
  /**
   * The lowest and highest loss per hour before one of the newest cleanings, as logarithms; null
   * with fewer than two cleanings, which show no range.
   */
  readonly loss_per_h: {
    readonly low: number;
    readonly high: number;
    /** The longest interval measured, in hours: the loss over a much longer one isn't known. */
    readonly longest_h: number;
  } | null;
}

export const NO_GAINS: CleaningGains = { measured: 0, last_log: null, loss_per_h: null };

/** Maximum number of newest cleanings that the range rests on. */
const NEWEST = 6;
/** Minimum number of cleanings for a range. */
const RANGE_FROM = 2;

interface SleeveRecord {
  readonly stretches: readonly OperatingStretch[];
  /** Times of the newest cleanings, and the number of all. */
  readonly cleanings_ms: readonly number[];
  readonly cleanings: number;
}

/** The gains of the cleanings up to a time. */
export function cleaningGains(record: SleeveRecord, at_ms: number): CleaningGains {
  const { stretches, cleanings_ms, cleanings } = record;
  const timeOf = (number: number): number | undefined =>
    cleanings_ms[cleanings_ms.length - (cleanings - number) - 1];
  const seen = stretches.flatMap((each) => {
    const yielded = yieldOf(each);
    return yielded === null || each.cleanings === null ? [] : [{ number: each.cleanings, yielded }];
  });
  const found = seen.slice(1).flatMap(({ number, yielded }, index) => {
    const before = seen[index];
    const time_ms = timeOf(number);
    const isNext = number === before.number + 1;
    if (!isNext || time_ms === undefined || time_ms > at_ms) return [];
    const since_ms = timeOf(number - 1);
    const hours = since_ms === undefined ? 0 : (time_ms - since_ms) / HOUR_MS;
    return [{ log: yielded - before.yielded, hours }];
  });
  const intervals = found.filter(({ hours }) => hours > 0).slice(-NEWEST);
  const newest = intervals.map(({ log, hours }) => Math.max(0, log / hours));
  return {
    measured: found.length,
    last_log: found.at(-1)?.log ?? null,
    loss_per_h:
      newest.length < RANGE_FROM
        ? null
        : {
            ...{ low: Math.min(...newest), high: Math.max(...newest) },
            longest_h: Math.max(...intervals.map(({ hours }) => hours)),
          },
  };
}

/** The log of the sensor's yield per point of power; null if either isn't known. */
function yieldOf({ sensor_yield, power_pct }: OperatingStretch): number | null {
  if (sensor_yield === null || power_pct === null || power_pct <= 0) return null;
  return sensor_yield - Math.log(power_pct);
}
