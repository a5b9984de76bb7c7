// Compares a segment's bytes with the readings that were sealed, before those are removed from the
// hot table. A fault in the encoder is thus found while the originals still exist.

import type { Reading } from "../bwts/reading.ts";
import { TAGS } from "../bwts/tags.ts";
import { type Column, KIND, valueAt } from "./column.ts";
import { FACTORS } from "./decimal.ts";
import type { SegmentBytes } from "./segment.ts";
import { CLOCK_TRUSTED, DERIVED_BITS, RECEIVED_MS } from "./segment-columns.ts";
import { openSegment, type Segment } from "./segment-reader.ts";

/** Number of readings compared together, so that their values stay in the processor's cache. */
const COMPARED_ROWS = 16;

/**
 * Describes the first difference between `bytes` and `readings`, bit for bit; null if there is
 * none.
 */
export function differenceFrom(bytes: SegmentBytes, readings: readonly Reading[]): string | null {
  const segment = openSegment(bytes);
  if (segment.count !== readings.length)
    return `${segment.count} readings: expected ${readings.length}`;
  const columns = TAGS.map((_, index) => segment.column(index));
  for (let start = 0; start < readings.length; start += COMPARED_ROWS) {
    const end = Math.min(readings.length, start + COMPARED_ROWS);
    for (let index = 1; index < columns.length; index += 1) {
      const row = differingRow(columns[index], { readings, index, start, end });
      if (row !== null) return `reading ${row}, column ${index}: ${readings[row].values[index]}`;
    }
  }
  const row = readings.findIndex((reading, place) => !isOf(segment, place, reading));
  return row < 0 ? null : `reading ${row}: what it says of itself`;
}

interface Compared {
  readonly readings: readonly Reading[];
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

function differingRow(column: Column, { readings, index, start, end }: Compared): number | null {
  const { kind, integers, decimal, words, codes } = column;
  if (kind === KIND.decimal && !decimal.single) {
    const factor = FACTORS[decimal.scale];
    for (let row = start; row < end; row += 1) {
      const value = readings[row].values[index];
      const found = integers[row] / factor;
      if (found !== value || (found === 0 && !Object.is(found, value))) return row;
    }
  } else if (kind === KIND.word) {
    for (let row = start; row < end; row += 1)
      if (words[codes[row]] !== readings[row].values[index]) return row;
  } else
    for (let row = start; row < end; row += 1)
      if (!Object.is(valueAt(column, row), readings[row].values[index])) return row;
  return null;
}

// True if times, marks and the unknown tags in their order are equal. Values aren't compared.
function isOf(segment: Segment, row: number, reading: Reading): boolean {
  const { at_ms, received_ms, clock_trusted, derived, extra } = reading;
  if (segment.at_ms[row] !== at_ms) return false;
  if (valueAt(segment.column(RECEIVED_MS), row) !== received_ms) return false;
  if (valueAt(segment.column(CLOCK_TRUSTED), row) !== clock_trusted) return false;
  if (valueAt(segment.column(DERIVED_BITS), row) !== derived) return false;
  const positions = segment.extrasOf(row);
  if (positions.length !== extra.size) return false;
  let place = 0;
  for (const [name, value] of extra) {
    const position = positions[place];
    const isHere = segment.extraNames[position] === name;
    if (!isHere || !Object.is(valueAt(segment.extra(position), row), value)) return false;
    place += 1;
  }
  return true;
}
