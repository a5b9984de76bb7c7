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
        const isCounter = TAGS[AGGREGATED[position]].aggregate === "last";
        const added = isCounter ? [] : had;
        expect(field).toEqual({
          n: had.length,
          sum: added.reduce((sum, addend) => sum + addend, 0),
          min: Math.min(...added),
          max: Math.max(...added),
          last: isCounter ? (had.at(-1) ?? 0) : 0,
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
