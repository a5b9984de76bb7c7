// A bucket's fields on disk: five little-endian doubles (n, sum, min, max, last) for each
// aggregated field, in the catalogue's order.

import {
  aggregateOf,
  type Bucket,
  emptyBucket,
  emptyField,
  type FieldSum,
} from "../bwts/bucket.ts";
import { AGGREGATES } from "../bwts/tags.ts";

const DOUBLES = 5;

/** Packs a bucket's fields; its count stands in a column of its own. */
export function encodeBucket(bucket: Bucket): Buffer {
  const doubles = new Float64Array(bucket.fields.length * DOUBLES);
  for (const [position, field] of bucket.fields.entries())
    doubles.set([field.n, field.sum, field.min, field.max, field.last], position * DOUBLES);
  return Buffer.from(doubles.buffer);
}

/** Unpacks a bucket of `count` readings. */
export function decodeBucket(row: { count: number; fields: Uint8Array }): Bucket {
  const bucket = emptyBucket();
  bucket.count = row.count;
  const view = viewOf(row.fields);
  for (const [position, field] of bucket.fields.entries()) readField(view, position, field);
  return bucket;
}

/** Of a packed bucket what `bucketRow` gives. */
export function decodeBucketRow(fields: Uint8Array): Float64Array {
  const values = new Float64Array(AGGREGATES.length);
  const view = viewOf(fields);
  const field = emptyField();
  for (let position = 0; position < values.length; position += 1) {
    readField(view, position, field);
    values[position] = aggregateOf(field, AGGREGATES[position]);
  }
  return values;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function readField(view: DataView, position: number, field: FieldSum): void {
  const at = position * DOUBLES * 8;
  field.n = view.getFloat64(at, true);
  field.sum = view.getFloat64(at + 8, true);
  field.min = view.getFloat64(at + 16, true);
  field.max = view.getFloat64(at + 24, true);
  field.last = view.getFloat64(at + 32, true);
}
