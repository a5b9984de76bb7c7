// A bucket's fields on disk while it has a row of its own, in the catalogue's order: integers of
// one decimal as varints, and the distance in doubles between the sum and its decimal. That takes a
// third of five doubles, and rows are written and read too often to compress them. Other fields are
// kept as five doubles.

import {
  aggregateOf,
  type Bucket,
  emptyBucket,
  emptyField,
  type FieldSum,
} from "../../bwts/bucket.ts";
import { AGGREGATES } from "../../bwts/tags.ts";
import { joinedSum, splitSum } from "../../codec/bucket-sum.ts";
import { ByteReader, ByteWriter, DamagedError } from "../../codec/bytes.ts";
import { FACTORS, SCALE_MAX, SCALED_MAX, scaledOf } from "../../codec/decimal.ts";

/** Added to the scale of a field's decimal if its last value is 0, as in most fields. */
const WITHOUT_LAST = 16;
/** Other codes of a field. */
const EMPTY = 254;
const DOUBLES = 255;

/** Packs a bucket's fields; its count is stored in another column. */
export function encodeBucket(bucket: Bucket): Buffer {
  const to = new ByteWriter();
  let scale = 0;
  for (const field of bucket.fields) {
    if (isUnset(field)) to.byte(EMPTY);
    else scale = writeField(to, field, { count: bucket.count, guess: scale });
  }
  return to.finish();
}

/** Unpacks a bucket of `count` readings. Throws a DamagedError. */
export function decodeBucket(row: { count: number; fields: Uint8Array }): Bucket {
  const bucket = emptyBucket();
  bucket.count = row.count;
  const from = new ByteReader(row.fields);
  for (const field of bucket.fields) readField(from, field, row.count);
  if (from.left > 0) throw new DamagedError(`bucket: ${from.left} bytes left over`);
  return bucket;
}

/** The `bucketRow` of a packed bucket of `count` readings. Throws a DamagedError. */
export function decodeBucketRow(row: { count: number; fields: Uint8Array }): Float64Array {
  const values = new Float64Array(AGGREGATES.length);
  const from = new ByteReader(row.fields);
  for (const [position, how] of AGGREGATES.entries()) {
    const field = emptyField();
    readField(from, field, row.count);
    values[position] = aggregateOf(field, how);
  }
  return values;
}

function isUnset({ n, sum, min, max, last }: FieldSum): boolean {
  const isUntouched = min === Number.POSITIVE_INFINITY && max === Number.NEGATIVE_INFINITY;
  return Object.is(n, 0) && Object.is(sum, 0) && isUntouched && Object.is(last, 0);
}

// Returns the scale of the decimal, a good guess for the next field.
function writeField(
  to: ByteWriter,
  field: FieldSum,
  { count, guess }: { count: number; guess: number },
): number {
  const { n, sum, min, max, last } = field;
  const hasLast = !Object.is(last, 0);
  const isOrdered = n >= 1 && n <= count && min <= max && (min <= last || !hasLast);
  const scale = isOrdered ? scaleOf(field, guess) : null;
  const split = scale === null ? null : splitSum(sum, FACTORS[scale]);
  const least = scale === null ? 0 : Math.round(min * FACTORS[scale]);
  // Above this the product isn't exact.
  if (scale === null || split === null || !(Math.abs(n * least) < SCALED_MAX)) {
    to.byte(DOUBLES);
    for (const double of [n, sum, min, max, last]) to.double(double);
    return guess;
  }
  const [greatest, newest] = [max, last].map((value) => Math.round(value * FACTORS[scale]));
  to.byte(hasLast ? scale : scale + WITHOUT_LAST);
  to.varint(count - n);
  to.signed(least);
  to.varint(greatest - least);
  if (hasLast) to.varint(newest - least);
  to.signed(split.scaled - n * least);
  to.signed(split.ulps);
  return scale;
}

function readField(from: ByteReader, field: FieldSum, count: number): void {
  const code = from.byte();
  if (code === EMPTY) return;
  if (code === DOUBLES) {
    field.n = from.double();
    field.sum = from.double();
    field.min = from.double();
    field.max = from.double();
    field.last = from.double();
    return;
  }
  const scale = code % WITHOUT_LAST;
  if (scale > SCALE_MAX || code >= 2 * WITHOUT_LAST)
    throw new DamagedError(`bucket field ${code}: unknown`);
  const factor = FACTORS[scale];
  field.n = count - from.varint();
  const least = from.signed();
  field.min = least / factor;
  field.max = (least + from.varint()) / factor;
  if (code < WITHOUT_LAST) field.last = (least + from.varint()) / factor;
  const scaled = field.n * least + from.signed();
  field.sum = joinedSum({ scaled, ulps: from.signed() }, factor);
}

// The least scale from `guess` on whose decimal holds least, greatest and last value; null if none.
function scaleOf({ min, max, last }: FieldSum, guess: number): number | null {
  const holds = (scale: number) =>
    scaledOf(min, scale, false) !== null &&
    scaledOf(max, scale, false) !== null &&
    scaledOf(last, scale, false) !== null;
  if (holds(guess)) return guess;
  for (let scale = 0; scale <= SCALE_MAX; scale += 1) if (holds(scale)) return scale;
  return null;
}
