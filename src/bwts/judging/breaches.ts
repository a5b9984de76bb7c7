// Finds the intervals in which a value was beyond its limit: from the first reading beyond it to
// the first one within it by the hysteresis. Their length is the time that their readings cover. A
// reading without the value neither begins nor ends one. Pure.

import { isUpTo } from "../../ground/binary-noise.ts";
import { HYSTERESIS } from "../operations/rules.ts";
import type { Followed } from "./followed.ts";

/** A limit of the configuration, as it was in force at a reading. */
export interface LimitAt {
  readonly key: string;
  readonly value: number;
}

/** An interval; without a value if a state broke the rule. */
export interface Breach {
  readonly start_ms: number;
  readonly end_ms: number;
  /** Time covered by its readings, without gaps. */
  readonly covers_ms: number;
  /** The positions of the first reading of it, and of the one after the last. */
  readonly first: number;
  readonly after: number;
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
  /** The limit at reading `index`. Null if the value isn't judged there, which ends a breach. */
  limit(index: number): LimitAt | null;
  /** 1 where the value has been missing for longer than usual. Such time doesn't count. */
  readonly unsaid?: Uint8Array | null;
}

/** An interval that hasn't ended yet. */
interface Open {
  first: number;
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
    if (limit !== null && Number.isNaN(value)) continue;
    const beyond = limit === null ? Number.NEGATIVE_INFINITY : sign * (value - limit.value);
    if (open === null) {
      if (limit !== null && beyond > 0)
        open = { first: index, readings: 1, worst: value, worstAt: index, beyond, limit };
    } else if (limit === null || isOver(value, limit.value, sign)) {
      found.push(closed(readings, limited, { ...open, after: index }));
      open = null;
    } else if (beyond > 0) {
      open.readings += 1;
      if (beyond > open.beyond)
        Object.assign(open, { beyond, worst: value, worstAt: index, limit });
    }
  }
  if (open !== null) found.push(closed(readings, limited, { ...open, after: readings.count }));
  return found;
}

/** True if a value is within the limit by the hysteresis. */
function isOver(value: number, limit: number, sign: number): boolean {
  return sign > 0
    ? isUpTo(value, limit * (1 - HYSTERESIS))
    : isUpTo(limit * (1 + HYSTERESIS), value);
}

function closed(
  readings: Followed,
  { unsaid = null }: Pick<Limited, "unsaid">,
  open: Open & Pick<Breach, "after">,
): Breach {
  const { first, after, readings: beyond, worst, worstAt, limit } = open;
  const { at_ms, covers_ms } = readings;
  let covered_ms = 0;
  for (let index = first; index < after; index += 1)
    if (unsaid?.[index] !== 1) covered_ms += covers_ms[index];
  return {
    ...{ start_ms: at_ms[first], end_ms: endAt(readings, after), covers_ms: covered_ms },
    ...{ first, after, readings: beyond, limit, worst, worst_ms: at_ms[worstAt] },
  };
}

/** End of an interval: the time of reading `after`, or the end of the last reading's time. */
export function endAt({ at_ms, covers_ms, count, end_ms, gapAtEnd }: Followed, after: number) {
  if (after < count) return at_ms[after];
  return gapAtEnd ? at_ms[count - 1] + covers_ms[count - 1] : end_ms;
}

/** The intervals in which `holds` is true; each counts, however short. */
export function intervalsOf(
  readings: Followed,
  holds: (index: number) => boolean,
): readonly Breach[] {
  const found: Breach[] = [];
  const { at_ms, covers_ms, count } = readings;
  let [first, covered_ms] = [-1, 0];
  for (let index = 0; index <= count; index += 1) {
    if (index < count && holds(index)) {
      if (first < 0) [first, covered_ms] = [index, 0];
      covered_ms += covers_ms[index];
    } else if (first >= 0) {
      found.push({
        ...{ start_ms: at_ms[first], end_ms: endAt(readings, index), covers_ms: covered_ms },
        ...{ first, after: index, readings: index - first },
        ...{ worst: null, worst_ms: null, limit: null },
      });
      first = -1;
    }
  }
  return found;
}
