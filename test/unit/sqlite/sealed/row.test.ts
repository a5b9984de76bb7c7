// A reading's compact row gives every value back bit for bit.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Scalar, Value } from "../../../../src/bwts/reading.ts";
import { TAGS } from "../../../../src/bwts/tags.ts";
import { decodeRow, encodeRow, type RowContent } from "../../../../src/sqlite/sealed/row.ts";
import { partOf } from "../../../rig/readings.ts";
import { sized } from "../../../rig/scale.ts";

const AWKWARD = [
  ...[0, -0, 0.1, -0.1, 0.3, 612.3, 1e-6, 1e-7, 123456.789012, 5e-324, -5e-324, 2.2e-308],
  ...[2 ** 31, 2 ** 47, 2 ** 48 - 1, 2 ** 48, -(2 ** 48), 2 ** 52 + 0.5, 2 ** 53, 2 ** 53 + 2],
  ...[281474976.710655, 281474976.710656, 1e15, 1e21, 1e22, Number.MAX_VALUE, -Number.MAX_VALUE],
  ...[1.1 + 2.2, Math.PI, 1 / 3, -1 / 3, 0.000001, 0.0000015],
];

const double = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.tuple(fc.integer(), fc.nat(8)).map(([digits, decimals]) => Number(`${digits}e-${decimals}`)),
);
const words = ["ACTIVE", "OK", "ON", "active", "", "\0", "Malmö 横浜 🚢", "x".repeat(5000)];
const text = fc.oneof(fc.constantFrom(...words), fc.string({ unit: "binary" }));
const digits = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const scalar: fc.Arbitrary<Scalar> = fc.oneof(double, text, fc.boolean(), digits);
const value: fc.Arbitrary<Value> = fc.option(scalar);

const content: fc.Arbitrary<RowContent> = fc.record({
  values: fc
    .array(value, { minLength: TAGS.length - 1, maxLength: TAGS.length - 1 })
    .map((values) => [null, ...values]),
  derived: fc.nat(7),
  extra: fc
    .array(fc.tuple(fc.string({ unit: "grapheme-ascii", maxLength: 64 }), scalar), {
      maxLength: 20,
    })
    .map((entries) => new Map(entries)),
});

function sameBits(a: Value | undefined, b: Value | undefined): boolean {
  return Object.is(a, b);
}

function expectSame(given: RowContent): void {
  const back = decodeRow(encodeRow(given));
  expect(back.derived).toBe(given.derived);
  expect(back.values.findIndex((kept, index) => !sameBits(kept, given.values[index]))).toBe(-1);
  expect([...back.extra.keys()]).toEqual([...given.extra.keys()]);
  const tags = [...given.extra];
  expect(tags.filter(([name, kept]) => !sameBits(back.extra.get(name), kept))).toEqual([]);
}

test("any content comes back", () => {
  fc.assert(fc.property(content, expectSame), { seed: 61, numRuns: sized(100, 300) });
});

test.each(AWKWARD)("%d comes back to the bit", (number) => {
  expectSame({ ...partOf(0, { UVR_INTENSITY: number, tank: number }), derived: 0 });
});

test("a reading with 256 unknown tags and one that is empty come back", () => {
  const tags = Array.from({ length: 256 }, (_, index) => [`T.${index}`, index / 10]);
  expectSame({ ...partOf(0, Object.fromEntries(tags)), derived: 5 });
  expectSame({ ...partOf(0, {}), derived: 7 });
});

test("a row is its own: packing another doesn't change it", () => {
  const first = encodeRow({ ...partOf(0, { UVR_INTENSITY: 1 }), derived: 0 });
  const copy = Buffer.from(first);
  encodeRow({ ...partOf(0, { UVR_INTENSITY: 2 }), derived: 0 });
  expect(first.equals(copy)).toBe(true);
});

test("a row is read from within a larger buffer", () => {
  const row = encodeRow({
    ...partOf(0, { location: "Malmö", UVR_INTENSITY: Math.PI }),
    derived: 0,
  });
  const larger = Buffer.concat([Buffer.alloc(3, 0xff), row, Buffer.alloc(3, 0xff)]);
  expect(decodeRow(larger.subarray(3, -3))).toEqual(decodeRow(row));
});

test("a typical reading of 101 fields takes less than 400 bytes", () => {
  const named = TAGS.slice(1).map(({ name, type, typical }): [string, Scalar] => {
    if (type === "number" || type === "integer")
      return [name, Array.isArray(typical) ? Math.round(Number(typical[1]) * 9) / 10 : 5];
    return [name, typeof typical === "string" || typeof typical === "boolean" ? typical : "x"];
  });
  const row = encodeRow({ ...partOf(0, Object.fromEntries(named)), derived: 0 });
  expect(row.length).toBeLessThan(400);
});

test("a row of a format to come is refused", () => {
  const row = encodeRow({ ...partOf(0, {}), derived: 0 });
  row[0] = 2;
  expect(() => decodeRow(row)).toThrow("row format 2: expected 1");
});
