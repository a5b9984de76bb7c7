// Closed buckets, a week of hours or some seventy days of them in one block: the times, then field
// by field, each lamp's told from those of the lamp before. Every double comes back to the bit. The
// table that seals readings packs buckets as small, but takes ten times as long to read.

import type { Bucket, FieldSum } from "../../bwts/bucket.ts";
import { AGGREGATED, indexOfLampTag } from "../../bwts/tags.ts";
import { ColumnReader, ColumnWriter } from "./bucket-column.ts";
import { type FieldColumns, readField, writeField } from "./bucket-field.ts";
import { ByteReader, ByteWriter, DamagedError } from "./bytes.ts";

/** A bucket and where it lies: its start, and the time of its last reading. */
export interface PlacedBucket {
  readonly start_ms: number;
  readonly last_ms: number;
  readonly bucket: Bucket;
}

const FORMAT = 2;
/** More than a year of hours is never asked for at once. */
const BUCKETS_MAX = 10_000;

const FIRST_LAMP = AGGREGATED.indexOf(indexOfLampTag(0, "EFFICIENCY"));
const LAMP_AGGREGATES = AGGREGATED.indexOf(indexOfLampTag(1, "EFFICIENCY")) - FIRST_LAMP;

/** Packs 1 to `BUCKETS_MAX` buckets, best ascending by start; times and counts are integers. */
export function encodeBuckets(rows: readonly PlacedBucket[]): Uint8Array {
  if (rows.length < 1 || rows.length > BUCKETS_MAX)
    throw new Error(`${rows.length} buckets: expected 1 to ${BUCKETS_MAX}`);
  const starts = Float64Array.from(rows, ({ start_ms }) => start_ms);
  const lasts = Float64Array.from(rows, ({ last_ms }) => last_ms);
  const counts = Float64Array.from(rows, ({ bucket }) => bucket.count);
  const columns = new ColumnWriter(rows.length);
  columns.integers(starts, []);
  columns.integers(lasts, [starts]);
  columns.integers(counts, []);
  const written: FieldColumns[] = [];
  for (let position = 0; position < AGGREGATED.length; position += 1) {
    const fields = rows.map(({ bucket }) => bucket.fields[position]);
    written.push(writeField(columns, { fields, counts }, likeField(written)));
  }
  const block = new ByteWriter();
  block.byte(FORMAT);
  block.varint(rows.length);
  block.bytes(columns.finish());
  return block.finish();
}

/** Unpacks what `encodeBuckets` packed. Throws a DamagedError. */
export function decodeBuckets(bytes: Uint8Array): PlacedBucket[] {
  const from = new ByteReader(bytes);
  const format = from.byte();
  if (format !== FORMAT) throw new DamagedError(`bucket format ${format}: expected ${FORMAT}`);
  const count = from.varint();
  if (count < 1 || count > BUCKETS_MAX)
    throw new DamagedError(`${count} buckets: expected 1 to ${BUCKETS_MAX}`);
  const columns = new ColumnReader(from, count);
  const starts = columns.integers([]);
  const lasts = columns.integers([starts]);
  const counts = columns.integers([]);
  const fieldsByRow: FieldSum[][] = Array.from({ length: count }, () => []);
  const read: FieldColumns[] = [];
  for (let position = 0; position < AGGREGATED.length; position += 1) {
    const field = readField(columns, counts, likeField(read));
    read.push(field.columns);
    for (let row = 0; row < count; row += 1) fieldsByRow[row].push(field.fields[row]);
  }
  return fieldsByRow.map((fields, row) => ({
    start_ms: starts[row],
    last_ms: lasts[row],
    bucket: { count: counts[row], fields },
  }));
}

// Among the fields before, the one that the next is like: the same of the lamp before.
function likeField(before: readonly FieldColumns[]): FieldColumns | null {
  const like = before.length - LAMP_AGGREGATES;
  return like >= FIRST_LAMP ? before[like] : null;
}
