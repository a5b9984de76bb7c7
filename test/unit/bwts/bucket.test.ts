// Buckets against a recomputation from the readings that they are made of.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addBucket,
  addReading,
  bucketRow,
  emptyBucket,
  roundedMean,
} from "../../../src/bwts/bucket.ts";
import type { Reading, Value } from "../../../src/bwts/reading.ts";
import { AGGREGATED, TAGS } from "../../../src/bwts/tags.ts";
import {
  decodeBucket,
  decodeBucketRow,
  encodeBucket,
} from "../../../src/sqlite/sealed/bucket-row.ts";
import { readingOf } from "../../rig/readings.ts";

function bucketOf(readings: readonly Reading[]) {
  const bucket = emptyBucket();
  for (const reading of readings) addReading(bucket, reading);
  return bucket;
}

/** The value of `name` in the aggregated row of a bucket of `readings`. */
function rowOf(readings: readonly Reading[], name: string): Value {
  const position = AGGREGATED.findIndex((index) => TAGS[index].name === name);
  const value = bucketRow(bucketOf(readings))[position];
  return Number.isNaN(value) ? null : value;
}

const series = (name: string, values: readonly (number | null)[]) =>
  values.map((value, at_ms) => readingOf(at_ms, value === null ? {} : { [name]: value }));

describe("an aggregated row", () => {
  test.each([
    ["SYS_FLOW_RATE", [], null],
    ["SYS_FLOW_RATE", [null, null], null],
    ["SYS_FLOW_RATE", [600, null, 601], 600.5],
    ["SYS_FLOW_RATE", [1, 1, 2], 1.3333],
    ["SYS_FLOW_RATE", [-1, -1, -2], -1.3333],
    ["SYS_FLOW_RATE", [0.00004], 0],
    ["SYS_FLOW_RATE", [-0.00004], 0],
    ["SYS_FLOW_RATE", [123456789.12345], 123456789.1235],
    ["SYS_FLOW_RATE", [1e300], 1e300],
    ["SYS_FLOW_RATE", [1e308, 1e308], null],
    ["SYS_FLOW_RATE", [-1e308, -1e308, 5], null],
    ["FAILED_LAMP_COUNT", [1, 3, null, 0], 3],
    ["FAILED_LAMP_COUNT", [null], null],
    ["LAMP_16_RUNTIME", [900, 2.123456, null], 2.123456],
    ["LAMP_16_RUNTIME", [null], null],
    ["LAMP_01_EFFICIENCY", [90, 91], 90.5],
  ])("has for %s of %j: %j", (name, values, expected) => {
    expect(rowOf(series(name, values), name)).toBe(expected);
  });

  test("leaves texts and booleans out", () => {
    expect(rowOf([readingOf(1, { SYS_PRESSURE: "4" })], "SYS_PRESSURE")).toBeNull();
  });

  test("means of infinities are null", () => {
    const sums = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];
    expect(sums.map((sum) => roundedMean(sum, 2))).toEqual([null, null, null]);
  });
});

const name = fc.constantFrom(...AGGREGATED.map((index) => TAGS[index].name));
// Multiples of 1/16: their sums are exact, so that any order of adding gives the same to the bit.
const value = fc.integer({ min: -1e6, max: 1e6 }).map((sixteenths) => sixteenths / 16);
const readings = fc
  .array(fc.dictionary(name, value, { maxKeys: 12, noNullPrototype: true }), { maxLength: 40 })
  .map((all) => all.map((named, at_ms) => readingOf(at_ms, named)));

test("a bucket holds what a recomputation over its readings gives", () => {
  fc.assert(
    fc.property(readings, (all) => {
      const { count, fields } = bucketOf(all);
      expect(count).toBe(all.length);
      for (const [position, field] of fields.entries()) {
        const had = all
          .map(({ values }) => values[AGGREGATED[position]])
          .filter((had) => typeof had === "number");
        expect(field).toEqual({
          n: had.length,
          sum: had.reduce((sum, addend) => sum + addend, 0),
          min: Math.min(...had),
          max: Math.max(...had),
          last: TAGS[AGGREGATED[position]].aggregate === "last" ? (had.at(-1) ?? 0) : 0,
        });
      }
    }),
    { seed: 41 },
  );
});

test("buckets of parts add up to the bucket of the whole, wherever it is cut", () => {
  fc.assert(
    fc.property(readings, fc.array(fc.nat(40)), (all, cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), all.length];
      const total = emptyBucket();
      for (const [index, edge] of edges.slice(1).entries())
        addBucket(total, bucketOf(all.slice(edges[index], Math.max(edge, edges[index] ?? 0))));
      expect(total).toEqual(bucketOf(all));
    }),
    { seed: 42 },
  );
});

test("a bucket comes back from its row to the bit, empty and infinite fields too", () => {
  const huge = series("SYS_FLOW_RATE", [1e308, 1e308, -0]);
  for (const bucket of [
    emptyBucket(),
    bucketOf(huge),
    bucketOf(series("LAMP_01_RUNTIME", [0.1])),
  ]) {
    const row = { count: bucket.count, fields: encodeBucket(bucket) };
    expect(decodeBucket(row)).toStrictEqual(bucket);
    expect(decodeBucketRow(row)).toStrictEqual(bucketRow(bucket));
  }
});

const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
const anyNumber = fc.oneof(
  value,
  anyDouble,
  fc.integer({ min: -1e5, max: 1e5 }).map((scaled) => scaled / 100),
  fc.constantFrom(-0, 0, 5e-324, Math.fround(23.1), 2 ** 53, 2 ** 47 + 1, -(2 ** 47) - 1, 3),
);

test("a bucket of any doubles comes back from its row to the bit", () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(name, anyNumber, { maxKeys: 12, noNullPrototype: true })),
      (all) => {
        const bucket = bucketOf(all.map((named, at_ms) => readingOf(at_ms, named)));
        const row = { count: bucket.count, fields: encodeBucket(bucket) };
        expect(decodeBucket(row)).toStrictEqual(bucket);
      },
    ),
    { seed: 43 },
  );
});

test("a row of a bucket that is cut, too long or of another format is refused", () => {
  const whole = encodeBucket(bucketOf(series("SYS_FLOW_RATE", [600.5, 601, 612.25])));
  expect(() => decodeBucket({ count: 3, fields: whole.subarray(0, -1) })).toThrow("bytes left");
  expect(() => decodeBucket({ count: 3, fields: Buffer.concat([whole, whole]) })).toThrow("left");
  expect(() => decodeBucket({ count: 3, fields: Buffer.alloc(whole.length, 99) })).toThrow("99");
});
