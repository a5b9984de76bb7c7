// The scans of a plant. If its values come in several messages, some ms or a second apart, a scan
// has several readings, and the cadence is that of the scans. Pure.

import { FIELD_BITS, type GatheredReadings } from "./gathered.ts";

/** Entries of `at_ms` beyond `count` mean nothing. */
export interface Scans {
  readonly at_ms: Float64Array;
  readonly count: number;
  /** Entry i: the number of scans that began up to reading i. */
  readonly upTo: Uint32Array;
}

/** A scan ends when a reading repeats a field. Null if each reading is a scan. */
export function scansOf(readings: GatheredReadings): Scans | null {
  const { at_ms, count } = readings;
  if (FIELD_BITS.some(({ isTold }) => isToldByAll(isTold(readings), count))) return null;
  const bits = new Uint32Array(count);
  for (const { bit, isTold } of FIELD_BITS) {
    const isToldAt = isTold(readings);
    for (let index = 0; index < count; index += 1) if (isToldAt(index)) bits[index] |= bit;
  }
  const found = { at_ms: new Float64Array(count), count: 0, upTo: new Uint32Array(count) };
  let told = 0;
  for (let index = 0; index < count; index += 1) {
    const isNew = index === 0 || (told & bits[index]) !== 0;
    if (isNew) found.at_ms[found.count++] = at_ms[index];
    told = isNew ? bits[index] : told | bits[index];
    found.upTo[index] = found.count;
  }
  return found.count === count ? null : found;
}

function isToldByAll(isTold: (index: number) => boolean, count: number): boolean {
  let index = 0;
  while (index < count && isTold(index)) index += 1;
  return index === count;
}
