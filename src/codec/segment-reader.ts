// Opens a segment that segment.ts sealed. A column's frames are decompressed when it is first used.
// Damaged bytes end in a DamagedError.

import type { Reading, Scalar, Value } from "../bwts/reading.ts";
import { TAGS } from "../bwts/tags.ts";
import { ByteReader, DamagedError } from "./bytes.ts";
import { type Column, valueAt } from "./column.ts";
import type { Allocate } from "./column-memory.ts";
import { decompressShort } from "./frame.ts";
import { HASH_BYTES } from "./merkle.ts";
import { SEGMENT_FORMAT, SEGMENT_READINGS_MAX, type SegmentBytes } from "./segment.ts";
import {
  AT_MS,
  CLOCK_TRUSTED,
  DERIVED_BITS,
  EXTRA_ORDER,
  EXTRAS,
  RECEIVED_MS,
  SEGMENT_COMPUTED,
} from "./segment-columns.ts";
import { openTable, type Table } from "./table-reader.ts";
import { readWords } from "./words.ts";

/** The contents of a header without its directory. */
export interface SegmentHead {
  readonly count: number;
  readonly first_ms: number;
  readonly last_ms: number;
  /** The Merkle root of the readings' lines (line.ts). */
  readonly root: Uint8Array;
}

/** A segment. Decoded columns are kept as long as it lives. */
export interface Segment extends SegmentHead {
  /** Time of each reading in ms. */
  readonly at_ms: Float64Array;
  /** Names of all unknown tags of the segment. */
  readonly extraNames: readonly string[];
  /** The column of `TAGS[index]`; index 0 gives the times. */
  column(index: number): Column;
  /** The column of `extraNames[position]`. */
  extra(position: number): Column;
  /** Indices in `extraNames` of the unknown tags of reading `row`, in its order. */
  extrasOf(row: number): readonly number[];
  /** The reading at `row`, as it was sealed. */
  reading(row: number): Reading;
  /** Time of receipt of the reading at `row`, and whether the clock was trusted then. */
  received_ms(row: number): number;
  clock_trusted(row: number): boolean;
  /** `Reading.derived` of the reading at `row`. */
  derived(row: number): number;
}

/** Largest time of a Date. */
const TIME_MAX_MS = 8.64e15;
const NAMES_BYTES_MAX = 64 * 1024 * 1024;

/** Reads the front of a header. */
export function readSegmentHead(header: Uint8Array): SegmentHead {
  return readHead(new ByteReader(header));
}

/** Opens a segment; `allocate` as of `StoredTable`. Throws a DamagedError for a wrong header. */
export function openSegment({ header, payload }: SegmentBytes, allocate?: Allocate): Segment {
  const from = new ByteReader(header);
  const head = readHead(from);
  const extraNames = readNames(from);
  const { count } = head;
  const columns = EXTRAS + extraNames.length;
  const directory = from.bytes(from.left);
  const table = openTable({ count, columns, directory, payload, allocate }, SEGMENT_COMPUTED);
  let times: Float64Array | null = null;

  const extra = (position: number) => table.column(EXTRAS + position);
  const extrasOf = (row: number): readonly number[] => {
    if (extraNames.length === 0) return [];
    const order = valueAt(table.column(EXTRA_ORDER), row);
    if (typeof order === "string") return order.split(",").map(Number);
    return extraNames.map((_, i) => i).filter((i) => valueAt(extra(i), row) !== null);
  };
  return {
    ...head,
    extraNames,
    get at_ms() {
      times ??= timesOf(table.column(AT_MS), head);
      return times;
    },
    column: (index) => table.column(index),
    extra,
    extrasOf,
    reading: (row) => readingAt(row, { table, extraNames, extrasOf }),
    received_ms: (row) => timeAt(table.column(RECEIVED_MS), row),
    clock_trusted: (row) => valueAt(table.column(CLOCK_TRUSTED), row) === true,
    derived: (row) => numberAt(table.column(DERIVED_BITS), row),
  };
}

function readHead(from: ByteReader): SegmentHead {
  const format = from.byte();
  if (format !== SEGMENT_FORMAT)
    throw new DamagedError(`segment format ${format}: expected ${SEGMENT_FORMAT}`);
  const count = from.varint();
  if (count < 1 || count > SEGMENT_READINGS_MAX)
    throw new DamagedError(`${count} readings: expected 1 to ${SEGMENT_READINGS_MAX}`);
  const [first_ms, last_ms] = [from.double(), from.double()];
  return { count, first_ms, last_ms, root: from.bytes(HASH_BYTES) };
}

function readNames(from: ByteReader): string[] {
  const names = from.varint();
  if (names === 0) return [];
  const length = from.varint();
  if (length > NAMES_BYTES_MAX || names > length)
    throw new DamagedError(`${names} names in ${length} bytes`);
  return readWords(decompressShort(from.bytes(from.varint()), length), names).map(String);
}

/** Times ascend from the header's first to the last, so only these two are checked to be dates. */
function timesOf(column: Column, { count, first_ms, last_ms }: SegmentHead): Float64Array {
  const times = new Float64Array(count);
  for (let row = 0; row < count; row += 1) times[row] = numberAt(column, row);
  if (timeAt(column, 0) !== first_ms || timeAt(column, count - 1) !== last_ms)
    throw new DamagedError(`times from ${times[0]} on: expected ${first_ms} to ${last_ms}`);
  for (let row = 1; row < count; row += 1)
    if (!(times[row] >= times[row - 1]))
      throw new DamagedError(`a time of ${times[row]} after ${times[row - 1]}`);
  return times;
}

interface Parts {
  readonly table: Table;
  readonly extraNames: readonly string[];
  readonly extrasOf: (row: number) => readonly number[];
}

function readingAt(row: number, { table, extraNames, extrasOf }: Parts): Reading {
  if (!(row >= 0 && row < table.count))
    throw new RangeError(`reading ${row}: expected 0 to ${table.count - 1}`);
  const values: Value[] = [null];
  for (let index = 1; index < TAGS.length; index += 1)
    values.push(valueAt(table.column(index), row));
  const extra = new Map<string, Scalar>();
  for (const position of extrasOf(row)) {
    const value = valueAt(table.column(EXTRAS + position), row);
    const name = extraNames[position];
    if (value === null || name === undefined) throw new DamagedError("order of unknown tags");
    extra.set(name, value);
  }
  return {
    at_ms: timeAt(table.column(AT_MS), row),
    received_ms: timeAt(table.column(RECEIVED_MS), row),
    clock_trusted: valueAt(table.column(CLOCK_TRUSTED), row) === true,
    values,
    derived: numberAt(table.column(DERIVED_BITS), row),
    extra,
  };
}

function timeAt(column: Column, row: number): number {
  const at_ms = numberAt(column, row);
  if (Math.abs(at_ms) > TIME_MAX_MS) throw new DamagedError(`row ${row}: a time of ${at_ms}`);
  return at_ms;
}

function numberAt(column: Column, row: number): number {
  const value = valueAt(column, row);
  if (typeof value !== "number") throw new DamagedError(`row ${row}: expected a number`);
  return value;
}
