// Matches found operations with stored ones: by the same start, otherwise by the longest time in
// common. For two that begin at one instant, the nearer end and then the type decide. So an
// operation keeps its number when its stop, its start or its readings arrive late. A cleaning never
// matches an operation that treats water; one whose type isn't known by its events matches either.
// Pure.

import { HOUR_MS } from "../../ground/clock.ts";
import { wordOf } from "../plc-word.ts";

/**
 * Time for which a stored running operation can be extended: a PLC may send much data after it at
 * once.
 */
const KNOWN_MS = HOUR_MS;

interface OperationTimes {
  readonly start_ms: number;
  /** Null while it runs. */
  readonly end_ms: number | null;
  readonly operation_type: string | null;
}

/** For each of `found` the index in `stored` of the same operation; null if it is new. */
export function sameOperations(
  found: readonly OperationTimes[],
  stored: readonly OperationTimes[],
): readonly (number | null)[] {
  const [areCleanings, wereCleanings] = [found.map(isCleaning), stored.map(isCleaning)];
  const mayBe = (at: number, place: number) =>
    found[at].operation_type === null || areCleanings[at] === wereCleanings[place];
  const pairs: OperationPair[] = [];
  // There are many of both when all is judged again, and few touch: a pair costs two comparisons.
  for (const [at, one] of found.entries())
    for (const [place, other] of stored.entries()) {
      const common_ms = common(one, other);
      if (common_ms === null || !mayBe(at, place)) continue;
      const apart_ms = Math.abs(
        (one.end_ms ?? Number.MAX_VALUE) - (other.end_ms ?? Number.MAX_VALUE),
      );
      const isOfType = one.operation_type === other.operation_type;
      pairs.push({ at, place, common_ms, apart_ms, isOfType });
    }
  pairs.sort(bestFirst);
  const same = found.map((): number | null => null);
  const taken = new Set<number>();
  for (const { at, place } of pairs) {
    if (same[at] !== null || taken.has(place)) continue;
    same[at] = place;
    taken.add(place);
  }
  return same;
}

interface OperationPair {
  readonly at: number;
  readonly place: number;
  /** Infinity for the same start. */
  readonly common_ms: number;
  /** The time between their ends. */
  readonly apart_ms: number;
  readonly isOfType: boolean;
}

function bestFirst(one: OperationPair, other: OperationPair): number {
  const byTime = one.common_ms === other.common_ms ? 0 : other.common_ms - one.common_ms;
  return byTime || one.apart_ms - other.apart_ms || Number(other.isOfType) - Number(one.isOfType);
}

const isCleaning = ({ operation_type }: OperationTimes) => wordOf(operation_type) === "CIP";

/** The time in common with a stored one, Infinity for the same start; null if they don't touch. */
function common(one: OperationTimes, other: OperationTimes): number | null {
  if (one.start_ms === other.start_ms) return Number.POSITIVE_INFINITY;
  const start_ms = Math.max(one.start_ms, other.start_ms);
  const until_ms = other.end_ms ?? other.start_ms + KNOWN_MS;
  const end_ms = Math.min(one.end_ms ?? Number.MAX_VALUE, until_ms);
  return end_ms >= start_ms ? end_ms - start_ms : null;
}
