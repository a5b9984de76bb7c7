// Closed buckets in one block, a week of hours or some 70 days: first the times, then field by
// field. A lamp's field is coded by its difference from the same field of the lamp before. Every
// double is restored bit for bit. The table that seals readings packs buckets as small, but takes
// ten times as long to read.

import type { Bucket } from "../bwts/bucket.ts";
import { AGGREGATED, AGGREGATES, indexOfLampTag } from "../bwts/tags.ts";
import { ColumnReader, ColumnWriter } from "./bucket-column.ts";
import {
  aggregateField,
  type FieldColumns,
  fieldAt,
  readField,
  type StoredField,
  writeField,
} from "./bucket-field.ts";
import { ByteReader, ByteWriter, DamagedError } from "./bytes.ts";

/** A bucket with its start and the time of its last reading. */
export interface PlacedBucket {
  readonly start_ms: number;
  readonly last_ms: number;
  readonly bucket: Bucket;
}

const FORMAT = 2;
/**
 * A block holds at most this many buckets; more than a year of hours is never requested at once.
 */
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

/** An opened block. Columns are decoded on demand. Every method can throw a DamagedError. */
export interface BucketBlock {
  /** By row: start of the bucket, time of its last reading, number of its readings. */
  readonly starts: Float64Array;
  readonly lasts: Float64Array;
  readonly counts: Float64Array;
  /** Bucket `row`. The object belongs to the caller, who may change it. */
  bucket(row: number): Bucket;
  /** The aggregated rows of all buckets one after another, each as `bucketRow` gives it. */
  rows(): Float64Array;
}

/** Opens what `encodeBuckets` packed. Throws a DamagedError. */
export function openBuckets(bytes: Uint8Array): BucketBlock {
  const from = new ByteReader(bytes);
  const format = from.byte();
  if (format !== FORMAT) throw new DamagedError(`bucket format ${format}: expected ${FORMAT}`);
  const count = from.varint();
  if (count < 1 || count > BUCKETS_MAX)
    throw new DamagedError(`${count} buckets: expected 1 to ${BUCKETS_MAX}`);
  const columns = new ColumnReader(from, count);
  const startColumn = columns.integers([]);
  const lastColumn = columns.integers([startColumn]);
  const countColumn = columns.integers([]);
  // Copied: a view would keep the whole decoded array in memory.
  const starts = startColumn().slice();
  const lasts = lastColumn().slice();
  const counts = countColumn().slice();
  const read: StoredField["columns"][] = [];
  const fields = AGGREGATED.map(() => {
    const field = readField(columns, count, likeField(read));
    read.push(field.columns);
    return field;
  });
  return {
    starts,
    lasts,
    counts,
    bucket: (row) => ({
      count: counts[row],
      fields: fields.map((field) => fieldAt(field, { row, count: counts[row] })),
    }),
    rows() {
      const values = new Float64Array(count * fields.length);
      for (const [first, field] of fields.entries()) {
        const how = AGGREGATES[first];
        aggregateField(field, { counts, how }, { values, first, stride: fields.length });
      }
      return values;
    },
  };
}

// The earlier field that resembles the next one: the same field of the lamp before.
function likeField<Columns>(before: readonly Columns[]): Columns | null {
  const like = before.length - LAMP_AGGREGATES;
  return like >= FIRST_LAMP ? before[like] : null;
}
