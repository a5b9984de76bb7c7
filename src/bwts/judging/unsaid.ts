// The readings at which a value is missing for longer than usual. Each value has its own cadence,
// since a plant may send some less often. After a value that isn't believed, it counts as missing
// up to the next believed one. Pure.

import type { UsualCadence } from "../operations/judging.ts";
import { CADENCE_SIDE_MIN, gapsBefore, isGap } from "./cadence.ts";
import {
  doubtBit,
  type GatheredNumber,
  type GatheredReadings,
  type GatheredWord,
} from "./gathered.ts";

/** Entry i is 1 for a reading in a gap of the value; null if each reading has it. */
export function unsaidAt(
  readings: GatheredReadings,
  field: GatheredNumber,
  usualCadence: UsualCadence,
): Uint8Array | null {
  const values = readings.numbers(field);
  const isTold = (index: number) => !Number.isNaN(values[index]);
  const positions = positionsOf(readings, isTold);
  if (positions === null) return null;
  const unsaid = unsaidBetween(readings, positions, usualCadence);
  return withDoubted(readings, field, unsaid, isTold);
}

/**
 * The same for a word. A word sent on change holds until the next one: that is a word sent a few
 * times and never twice alike in a row, or one that differs each time from the one before. A mode
 * is a setting, so a few equal ones count as one.
 */
export function unsaidWords(
  readings: GatheredReadings,
  field: GatheredWord,
  usualCadence: UsualCadence,
): Uint8Array | null {
  const words = readings.words(field);
  const isTold = (index: number) => words[index] !== 0;
  const positions = positionsOf(readings, isTold);
  const isRepeated = (at: number, place: number) =>
    field !== "COMPLIANCE_MODE" &&
    place > 0 &&
    positions?.[place - 1] === at - 1 &&
    words[at - 1] === words[at];
  if (positions === null) return null;
  const isChange = (at: number, place: number) =>
    place === 0 || words[positions[place - 1]] !== words[at];
  const isOnChange =
    positions.length <= CADENCE_SIDE_MIN ? !positions.some(isRepeated) : positions.every(isChange);
  const unsaid = isOnChange
    ? new Uint8Array(readings.count)
    : unsaidBetween(readings, positions, usualCadence);
  return withDoubted(readings, field, unsaid, isTold);
}

/** Adds the readings from each value that isn't believed up to the next believed one. */
function withDoubted(
  { count, doubted }: GatheredReadings,
  field: GatheredNumber | GatheredWord,
  unsaid: Uint8Array,
  isTold: (index: number) => boolean,
): Uint8Array {
  const bit = doubtBit(field);
  let isDoubted = false;
  for (let index = 0; index < count; index += 1) {
    if (isTold(index)) isDoubted = false;
    else if ((doubted[index] & bit) !== 0) isDoubted = true;
    if (isDoubted) unsaid[index] = 1;
  }
  return unsaid;
}

/** Positions of the readings that have a value; null if all do. */
function positionsOf(
  { count }: GatheredReadings,
  isTold: (index: number) => boolean,
): readonly number[] | null {
  let first = 0;
  while (first < count && isTold(first)) first += 1;
  if (first === count) return null;
  const positions: number[] = [];
  for (let index = 0; index < count; index += 1) if (isTold(index)) positions.push(index);
  return positions;
}

function unsaidBetween(
  readings: GatheredReadings,
  positions: readonly number[],
  usualCadence: UsualCadence,
): Uint8Array {
  const { count } = readings;
  const unsaid = new Uint8Array(count);
  const times = {
    at_ms: Float64Array.from(positions, (index) => readings.at_ms[index]),
    count: positions.length,
  };
  const first = positions.at(0);
  const last = positions.at(-1);
  if (first === undefined || last === undefined) return unsaid.fill(1);
  const gaps = gapsBefore(times, usualCadence);
  for (let place = 1; place < positions.length; place += 1)
    if (gaps[place] === 1) unsaid.fill(1, positions[place - 1] + 1, positions[place]);
  const edge = (before: number, distance_ms: number) =>
    isGap(times, { before, after: before + 1, distance_ms }, usualCadence);
  if (edge(-1, readings.at_ms[first] - readings.at_ms[0])) unsaid.fill(1, 0, first);
  if (edge(times.count - 1, readings.at_ms[count - 1] - readings.at_ms[last]))
    unsaid.fill(1, last + 1, count);
  return unsaid;
}
