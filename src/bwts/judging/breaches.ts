// Finds the intervals in which a value was beyond its limit: from the first reading that is to the
// first that is within by the hysteresis, half way where a gap lies between. A short one doesn't
// count. A reading without the value says nothing. Pure.

import { SECOND_MS } from "../../ground/clock.ts";
import type { Followed } from "./followed.ts";
import { BREACH_READINGS, BREACH_SECONDS, HYSTERESIS } from "../operations/rules.ts";

/** A limit of the configuration, as it was in force at a reading. */
export interface LimitAt {
  readonly key: string;
  readonly value: number;
}

/** An interval, without a value for a state. */
export interface Breach {
  readonly start_ms: number;
  readonly end_ms: number;
  /** The positions of the first reading that breaks the rule and of the last one. */
  readonly first: number;
  readonly last: number;
  /** The readings that break the rule. */
  readonly readings: number;
  readonly worst: number | null;
  readonly worst_ms: number | null;
  readonly limit: LimitAt | null;
}

/** A value with a limit. */
export interface Limited {
  readonly values: Float64Array;
  readonly side: "above" | "below";
  /** The limit of reading `index`; null: it isn't judged there, which ends a breach. */
  limit(index: number): LimitAt | null;
  /** Longer without the value than usual, before this reading; as Followed.gap. */
  readonly unsaid?: Uint8Array;
}

/** An interval while its readings go by. */
interface Open {
  first: number;
  last: number;
  /** The last reading that didn't end it. */
  held: number;
  readings: number;
  worst: number;
  worstAt: number;
  beyond: number;
  limit: LimitAt | null;
}

/** Ascending. */
export function breachesOf(readings: Followed, limited: Limited): readonly Breach[] {
  const { values } = limited;
  const sign = limited.side === "above" ? 1 : -1;
  const found: Breach[] = [];
  let open: Open | null = null;
  for (let index = 0; index < readings.count; index += 1) {
    const limit = limited.limit(index);
    const value = values[index];
    const isUnsaid = Number.isNaN(value);
    if (limit !== null && isUnsaid) {
      if (open !== null && limited.unsaid?.[index] !== 1) open.held = index;
      continue;
    }
    const beyond = limit === null ? Number.NEGATIVE_INFINITY : sign * (value - limit.value);
    if (open === null) {
      if (limit === null || beyond <= 0) continue;
      open = opened(index, { value, beyond, limit });
    } else if (limit === null || isOver(value, limit.value, sign)) {
      found.push(closed(readings, open, endAt(readings, limited, open, index)));
      open = null;
    } else {
      open.held = index;
      if (beyond <= 0) continue;
      open.readings += 1;
      open.last = index;
      if (beyond > open.beyond)
        Object.assign(open, { beyond, worst: value, worstAt: index, limit });
    }
  }
  if (open !== null) found.push(closed(readings, open, endOfLast(readings)));
  return found;
}

const opened = (
  index: number,
  { value, beyond, limit }: { value: number; beyond: number; limit: LimitAt },
): Open => ({
  ...{ first: index, last: index, held: index, readings: 1 },
  ...{ worst: value, worstAt: index, beyond, limit },
});

/** True if a value is within the limit by the hysteresis. */
function isOver(value: number, limit: number, sign: number): boolean {
  return sign > 0 ? value <= limit * (1 - HYSTERESIS) : value >= limit * (1 + HYSTERESIS);
}

function endAt(readings: Followed, limited: Limited, open: Open, index: number): number {
  const isGap = readings.gap[index] === 1 || limited.unsaid?.[index] === 1;
  const { at_ms } = readings;
  return isGap ? halfWay(at_ms[open.held], at_ms[index]) : at_ms[index];
}

/** The end of an interval that the last reading didn't end. */
function endOfLast({ at_ms, count, end_ms, gapAtEnd }: Followed): number {
  return gapAtEnd ? halfWay(at_ms[count - 1], end_ms) : end_ms;
}

const halfWay = (from_ms: number, to_ms: number) => Math.round((from_ms + to_ms) / 2);

function closed({ at_ms }: Followed, open: Open, end_ms: number): Breach {
  const { first, last, readings, worst, worstAt, limit } = open;
  return {
    ...{ start_ms: at_ms[first], end_ms, first, last, readings, limit },
    ...{ worst, worst_ms: at_ms[worstAt] },
  };
}

/** True if an interval counts: 30 s or 2 readings, whichever is longer. */
export function isCounted({ start_ms, end_ms, readings }: Breach): boolean {
  return readings >= BREACH_READINGS && end_ms - start_ms >= BREACH_SECONDS * SECOND_MS;
}

/** The intervals in which `holds` is true; each counts, however short. */
export function intervalsOf(
  readings: Followed,
  holds: (index: number) => boolean,
): readonly Breach[] {
  const found: Breach[] = [];
  const { at_ms, gap } = readings;
  let first: number | null = null;
  const close = (last: number, end_ms: number) => {
    if (first === null) return;
    found.push({
      ...{ start_ms: at_ms[first], end_ms, first, last, readings: last - first + 1 },
      ...{ worst: null, worst_ms: null, limit: null },
    });
    first = null;
  };
  for (let index = 0; index < readings.count; index += 1) {
    if (holds(index)) first ??= index;
    else if (first !== null)
      close(index - 1, gap[index] === 1 ? halfWay(at_ms[index - 1], at_ms[index]) : at_ms[index]);
  }
  if (readings.count > 0) close(readings.count - 1, endOfLast(readings));
  return found;
}
