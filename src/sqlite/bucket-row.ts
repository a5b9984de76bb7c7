// A bucket's fields on disk: five little-endian doubles (n, sum, min, max, last) for each
// aggregated field, in the catalogue's order.

import { type Bucket, emptyBucket } from "../bwts/bucket.ts";

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
  const view = new DataView(row.fields.buffer, row.fields.byteOffset, row.fields.byteLength);
  for (const [position, field] of bucket.fields.entries()) {
    const double = (offset: number) => view.getFloat64((position * DOUBLES + offset) * 8, true);
    field.n = double(0);
    field.sum = double(1);
    field.min = double(2);
    field.max = double(3);
    field.last = double(4);
  }
  return bucket;
}
