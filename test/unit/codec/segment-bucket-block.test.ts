// Blocks of closed buckets: every double of every bucket comes back to the bit.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addReading, type Bucket, bucketRow, emptyBucket } from "../../../src/bwts/bucket.ts";
import { AGGREGATED } from "../../../src/bwts/tags.ts";
import { encodeBuckets, openBuckets, type PlacedBucket } from "../../../src/codec/bucket-block.ts";
import { DamagedError } from "../../../src/codec/bytes.ts";
import { addUlps, ulpsBetween } from "../../../src/codec/double-bits.ts";
import { createRandom } from "../../../src/simulator/random.ts";
import { anyNumber, plantReadings } from "../../rig/segment-readings.ts";

const SEED = 20_260_102;
const HOUR_MS = 3_600_000;

function hoursOf(count: number): PlacedBucket[] {
  const random = createRandom(SEED);
  let draws = 0;
  const readings = plantReadings(count * 20, () => {
    draws += 1;
    return random.unit("test", draws);
  });
  return Array.from({ length: count }, (_, hour) => {
    const bucket = emptyBucket();
    const held = readings.slice(hour * 20, hour * 20 + 20 - (hour % 3));
    for (const reading of held) addReading(bucket, reading);
    return { start_ms: hour * HOUR_MS, last_ms: held.at(-1)?.at_ms ?? 0, bucket };
  });
}

function decodeBuckets(bytes: Uint8Array): PlacedBucket[] {
  const { starts, lasts, bucket } = openBuckets(bytes);
  return Array.from(starts, (start_ms, row) => ({
    start_ms,
    last_ms: lasts[row],
    bucket: bucket(row),
  }));
}

/** Compares a block's aggregated rows, read without its buckets, with the buckets. */
function expectRows(buckets: readonly PlacedBucket[]): void {
  const expected = buckets.flatMap(({ bucket }) => [...bucketRow(bucket)]);
  expect([...openBuckets(encodeBuckets(buckets)).rows()]).toStrictEqual(expected);
}

const anySum = fc.record(
  {
    n: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4000 })),
    sum: fc.oneof(anyNumber, fc.constant(Number.POSITIVE_INFINITY)),
    min: fc.oneof(anyNumber, fc.constant(Number.POSITIVE_INFINITY)),
    max: fc.oneof(anyNumber, fc.constant(Number.NEGATIVE_INFINITY)),
    last: anyNumber,
  },
  { noNullPrototype: true },
);
const anyBucket: fc.Arbitrary<Bucket> = fc.record(
  {
    count: fc.integer({ min: 1, max: 90_000 }),
    fields: fc.array(anySum, { minLength: AGGREGATED.length, maxLength: AGGREGATED.length }),
  },
  { noNullPrototype: true },
);

describe(`blocks of buckets (seed ${SEED})`, () => {
  test.each([1, 24, 168])("%i hours of a plant come back to the bit", (count) => {
    const hours = hoursOf(count);
    expect(decodeBuckets(encodeBuckets(hours))).toStrictEqual(hours);
    expectRows(hours);
  });

  test("any buckets come back to the bit", () => {
    const placed = fc.record(
      { start_ms: fc.nat(), last_ms: fc.nat(), bucket: anyBucket },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(placed, { minLength: 1, maxLength: 6 }), (rows) => {
        expect(decodeBuckets(encodeBuckets(rows))).toStrictEqual(rows);
        expectRows(rows);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  test.each([
    [
      "no readings",
      { n: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, last: 0 },
    ],
    ["negative zero", { n: 3, sum: -0, min: -0, max: 0, last: -0 }],
    ["a lost sum", { n: 3, sum: Number.POSITIVE_INFINITY, min: 1e300, max: 1.7e308, last: 1e308 }],
    ["17 digits", { n: 2, sum: 0.1 + 0.2, min: 0.1, max: 0.30000000000000004, last: 0.2 }],
    ["single precision", { n: 1, sum: Math.fround(23.1), min: 23.1, max: 23.1, last: 23.1 }],
  ])("a field with %s among others comes back to the bit", (_, field) => {
    const hours = hoursOf(30);
    const strange = hours.map(({ bucket, ...place }, hour) => ({
      ...place,
      bucket: {
        count: bucket.count,
        fields: bucket.fields.map((sum, at) => ((hour + at) % 13 === 0 ? { ...field } : sum)),
      },
    }));
    expect(decodeBuckets(encodeBuckets(strange))).toStrictEqual(strange);
    expectRows(strange);
  });

  test("values in single precision come back to the bit", () => {
    const hours = hoursOf(30);
    for (const { bucket } of hours)
      for (const field of bucket.fields)
        for (const part of ["min", "max", "last"] as const) field[part] = Math.fround(field[part]);
    expect(decodeBuckets(encodeBuckets(hours))).toStrictEqual(hours);
    expectRows(hours);
  });

  test("a block that was cut short is damaged", () => {
    const bytes = encodeBuckets(hoursOf(24));
    for (let length = 0; length < bytes.length; length += 37)
      expect(() => decodeBuckets(bytes.subarray(0, length))).toThrow(DamagedError);
  });

  test("a damaged block ends in an error or in values", () => {
    const bytes = encodeBuckets(hoursOf(24));
    const random = createRandom(SEED);
    for (let flip = 0; flip < 200; flip += 1) {
      const damaged = Uint8Array.from(bytes);
      damaged[Math.floor(random.unit("byte", flip) * bytes.length)] ^= 1 << (flip % 8);
      try {
        decodeBuckets(damaged);
        openBuckets(damaged).rows();
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(DamagedError);
      }
    }
  });

  test("steps between doubles lead from one to the other", () => {
    fc.assert(
      fc.property(anyNumber, fc.integer({ min: -1000, max: 1000 }), (from, ulps) => {
        const to = addUlps(from, ulps);
        const found = ulpsBetween(from, to);
        if (Number.isNaN(to) || found === null) return;
        expect(addUlps(from, found)).toBe(to);
      }),
      { seed: SEED },
    );
  });
});
