// Closed buckets, a week of hours or some seventy days of them in one block: the times, then field
// by field, each lamp's told from those of the lamp before. Every double comes back to the bit. The
// table that seals readings packs buckets as small, but takes ten times as long to read.

import type { Bucket } from "../../bwts/bucket.ts";
import { AGGREGATED, AGGREGATES, indexOfLampTag } from "../../bwts/tags.ts";
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

/** A block that was opened; what is asked for is decoded. All throw DamagedErrors. */
export interface BucketBlock {
  /** By row, when the bucket starts, when its last reading was, and how many it has. */
  readonly starts: Float64Array;
  readonly lasts: Float64Array;
  readonly counts: Float64Array;
  /** Bucket `row`, the caller's to change. */
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
  // Copies: a decoded column lies among others, and would keep them in memory.
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

// Among the fields before, the one that the next is like: the same of the lamp before.
function likeField<Columns>(before: readonly Columns[]): Columns | null {
  const like = before.length - LAMP_AGGREGATES;
  return like >= FIRST_LAMP ? before[like] : null;
}
