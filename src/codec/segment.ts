// Seals readings: up to some thousands become a segment, a small header and a payload of zstd
// frames, from which each is restored bit for bit. The facts used without the payload (number of
// readings, first and last time) are at the front of the header.

import type { Reading, Value } from "../bwts/reading.ts";
import { TAGS } from "../bwts/tags.ts";
import { ByteWriter } from "./bytes.ts";
import type { Column } from "./column.ts";
import { ColumnSplitter, columnOf, type Splitting } from "./column-split.ts";
import { compressShort } from "./frame.ts";
import { lineRoot } from "./line.ts";
import {
  AT_MS,
  CLOCK_TRUSTED,
  DERIVED_BITS,
  EXTRA_ORDER,
  EXTRAS,
  RECEIVED_MS,
  SEGMENT_COMPUTED,
} from "./segment-columns.ts";
import { writeColumns } from "./table.ts";
import { writeWords } from "./words.ts";

export const SEGMENT_FORMAT = 1;
/** Maximum number of readings of a segment, which must be decoded as a whole. */
export const SEGMENT_READINGS_MAX = 65_536;

/** A segment as stored. */
export interface SegmentBytes {
  readonly header: Uint8Array;
  readonly payload: Uint8Array;
}

/** Seals `readings`, ascending by `at_ms`, 1 to `SEGMENT_READINGS_MAX` of them. */
export function encodeSegment(readings: readonly Reading[]): SegmentBytes {
  return encode(readings, "scaled");
}

/**
 * Seals without any arithmetic, five times as large: the fallback if the compact encoder fails by a
 * fault of its own. Readers treat both alike.
 */
export function encodePlainSegment(readings: readonly Reading[]): SegmentBytes {
  return encode(readings, "plain");
}

function encode(readings: readonly Reading[], splitting: Splitting): SegmentBytes {
  const [first] = readings;
  const last = readings.at(-1);
  if (first === undefined || last === undefined || readings.length > SEGMENT_READINGS_MAX)
    throw new Error(`${readings.length} readings: expected 1 to ${SEGMENT_READINGS_MAX}`);
  const names = namesOf(readings);
  const split = columnsOf(readings, names, splitting);
  const { directory, payload } = writeColumns(split, SEGMENT_COMPUTED);
  const root = lineRoot({
    count: readings.length,
    extraNames: names,
    column: (index) => split[index],
  });
  const header = new ByteWriter();
  header.byte(SEGMENT_FORMAT);
  header.varint(readings.length);
  header.double(first.at_ms);
  header.double(last.at_ms);
  header.bytes(root);
  header.varint(names.length);
  if (names.length > 0) {
    const words = writeWords(names);
    const compressed = compressShort(words);
    header.varint(words.length);
    header.varint(compressed.length);
    header.bytes(compressed);
  }
  header.bytes(directory);
  return { header: header.finish(), payload };
}

function columnsOf(
  readings: readonly Reading[],
  names: readonly string[],
  splitting: Splitting,
): Column[] {
  const gathered = valuesOf(readings);
  const others = new Map<number, readonly Value[]>([
    [AT_MS, readings.map(({ at_ms }) => at_ms)],
    [RECEIVED_MS, readings.map(({ received_ms }) => received_ms)],
    [CLOCK_TRUSTED, readings.map(({ clock_trusted }) => clock_trusted)],
    [DERIVED_BITS, readings.map(({ derived }) => derived)],
    [EXTRA_ORDER, orders(readings, names)],
  ]);
  for (const [extra, name] of names.entries())
    others.set(
      EXTRAS + extra,
      readings.map((reading) => reading.extra.get(name) ?? null),
    );
  return Array.from({ length: EXTRAS + names.length }, (_, index) => {
    const values = others.get(index);
    return values === undefined ? gathered[index].split(splitting) : columnOf(values, splitting);
  });
}

/** Number of readings gathered together, so that their values stay in the processor's cache. */
const GATHERED_ROWS = 16;

function valuesOf(readings: readonly Reading[]): ColumnSplitter[] {
  const columns = TAGS.map(() => new ColumnSplitter(readings.length));
  for (let start = 0; start < readings.length; start += GATHERED_ROWS) {
    const end = Math.min(readings.length, start + GATHERED_ROWS);
    for (let index = 1; index < columns.length; index += 1)
      for (let row = start; row < end; row += 1)
        columns[index].put(row, readings[row].values[index]);
  }
  return columns;
}

// The names of the unknown tags in order of first appearance.
function namesOf(readings: readonly Reading[]): string[] {
  const names = new Set<string>();
  for (const { extra } of readings) for (const name of extra.keys()) names.add(name);
  return [...names];
}

// Null if the unknown tags have the order of `names`, else their indices in `names`.
function orders(readings: readonly Reading[], names: readonly string[]): Value[] {
  if (names.length < 2) return readings.map(() => null);
  const positionOf = new Map(names.map((name, position) => [name, position]));
  return readings.map(({ extra }) => {
    const positions = [...extra.keys()].map((name) => positionOf.get(name) ?? -1);
    const ordered = positions.every((position, i) => i === 0 || position > positions[i - 1]);
    return ordered ? null : positions.join(",");
  });
}
