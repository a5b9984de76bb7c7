// Finds the gaps in a series of times: distances of more than 5 times the usual cadence. The
// reading before a gap covers the first 5 cadences of it. A plant may change its cadence, so the
// distances on both sides decide. Most distances are ruled out after some ten comparisons, without
// a median. Pure.

import { MINUTE_MS } from "../../ground/clock.ts";
import type { UsualCadence } from "../operations/judging.ts";
import { GAP_CADENCES } from "../operations/rules.ts";
import type { Scans } from "./scans.ts";

/** Number of distances on each side from which the cadence is computed. */
export const CADENCE_SIDE = 20;
/** Minimum number of distances on a side; a side with fewer is ignored. */
export const CADENCE_SIDE_MIN = 4;
/** Cadence assumed for an unknown plant: three minutes are usual. */
export const CADENCE_UNKNOWN_MS = 3 * MINUTE_MS;

/** Times in ascending order: the first `count` entries. */
export interface Times {
  readonly at_ms: Float64Array;
  readonly count: number;
  /** The scans, if some have several readings; then the cadence is that of the scans. */
  readonly scans?: Scans | null;
}

/** Entry i is 1 if the distance from time i - 1 to time i is a gap; entry 0 is 0. */
export function gapsBefore(times: Times, usualCadence: UsualCadence): Uint8Array {
  const gaps = new Uint8Array(times.count);
  for (let index = 1; index < times.count; index += 1) {
    const distance_ms = times.at_ms[index] - times.at_ms[index - 1];
    if (isGap(times, { before: index - 1, after: index, distance_ms }, usualCadence))
      gaps[index] = 1;
  }
  return gaps;
}

/** A distance in a series: from time `before` (-1: its beginning) to `after` (`count`: its end). */
interface Distance {
  readonly before: number;
  readonly after: number;
  readonly distance_ms: number;
}

/**
 * True for a distance of more than 5 times the usual cadence: the median of the 20 distances before
 * it or of the 20 after it, the longer one. A side with fewer than 4 doesn't count; if neither
 * does, it is the median of all others or, without any, `usualCadence()`, or 3 minutes if that
 * isn't known.
 */
export function isGap(times: Times, distance: Distance, usualCadence: UsualCadence): boolean {
  const series = times.scans ?? times;
  const before = scanBefore(times, distance.before);
  const after = scanAfter(times, distance.after);
  const low = Math.max(0, before - CADENCE_SIDE);
  const high = Math.min(series.count - 1, after + CADENCE_SIDE);
  const short_ms = distance.distance_ms / GAP_CADENCES;
  const [countBefore, countAfter] = [Math.max(0, before - low), Math.max(0, high - after)];
  if (countBefore >= CADENCE_SIDE_MIN || countAfter >= CADENCE_SIDE_MIN)
    return (
      (countBefore < CADENCE_SIDE_MIN || isMedianBelow(series, low, before, short_ms)) &&
      (countAfter < CADENCE_SIDE_MIN || isMedianBelow(series, after, high, short_ms))
    );
  const others: number[] = [];
  for (let index = low + 1; index <= high; index += 1)
    if (index !== after) others.push(series.at_ms[index] - series.at_ms[index - 1]);
  const usual_ms = others.sort((one, other) => one - other)[others.length >> 1];
  return (usual_ms ?? usualCadence() ?? CADENCE_UNKNOWN_MS) < short_ms;
}

/** Maximum time in ms that a reading at `distance.before` covers, by the rule of `isGap`. */
export function standsFor(times: Times, distance: Distance, usualCadence: UsualCadence): number {
  const series = times.scans ?? times;
  const before = scanBefore(times, distance.before);
  const after = scanAfter(times, distance.after);
  const low = Math.max(0, before - CADENCE_SIDE);
  const high = Math.min(series.count - 1, after + CADENCE_SIDE);
  const sides = [distancesOf(series, low, before), distancesOf(series, after, high)];
  const told = sides.filter(({ length }) => length >= CADENCE_SIDE_MIN);
  const usual_ms =
    told.length > 0
      ? Math.max(...told.map(upperMedian))
      : (upperMedian(sides.flat()) ?? usualCadence() ?? CADENCE_UNKNOWN_MS);
  return GAP_CADENCES * usual_ms;
}

/** The last scan that began up to time `index`. */
const scanBefore = ({ scans }: Times, index: number) =>
  scans === undefined || scans === null || index < 0 ? index : scans.upTo[index] - 1;

/** The first scan that begins at time `index` or after it. */
const scanAfter = ({ scans }: Times, index: number) =>
  scans === undefined || scans === null || index === 0 ? index : scans.upTo[index - 1];

function distancesOf({ at_ms }: Times, from: number, to: number): number[] {
  const found: number[] = [];
  for (let index = Math.max(from, 0) + 1; index <= to; index += 1)
    found.push(at_ms[index] - at_ms[index - 1]);
  return found;
}

const upperMedian = (distances: readonly number[]) =>
  distances.toSorted((one, other) => one - other)[distances.length >> 1];

/** True if the median distance (the upper of two) of times `from` to `to` is below `short_ms`. */
function isMedianBelow({ at_ms }: Times, from: number, to: number, short_ms: number): boolean {
  const middle = (to - from) >> 1;
  let longer = 0;
  for (let index = to; index > from; index -= 1) {
    if (at_ms[index] - at_ms[index - 1] < short_ms) continue;
    longer += 1;
    if (longer >= to - from - middle) return false;
  }
  return true;
}
