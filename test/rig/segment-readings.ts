// Readings for tests of the storage: any that could be stored, and a plant's day with what happens
// to it, as arbitraries of fast-check.

import fc from "fast-check";
import type { Reading, Scalar, Value } from "../../src/bwts/reading.ts";
import { TAGS, type Tag } from "../../src/bwts/tags.ts";

const decimal = fc
  .tuple(fc.integer({ min: -1_000_000, max: 100_000_000 }), fc.integer({ min: 0, max: 7 }))
  .map(([scaled, scale]) => scaled / 10 ** scale);

/** Any number that JSON can say, the awkward ones often. */
export const anyNumber: fc.Arbitrary<number> = fc.oneof(
  decimal,
  fc.integer({ min: 0, max: 20_000 }).map((tenths) => tenths / 10),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(-0, 0, 5e-324, -5e-324, 1.7976931348623157e308, 2 ** 53, 1e-7, 0.1 + 0.2, 1e21),
);

const anyText = fc.oneof(
  fc.constantFrom("ACTIVE", "FAILED", "RUNNING", 'quo"te', "\\", "\u007f\u{1f6a2}", "\ud800", ""),
  fc.string({ unit: "binary", maxLength: 20 }),
);

const anyScalar: fc.Arbitrary<Scalar> = fc.oneof(
  anyNumber,
  anyText,
  fc.boolean(),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
);

function anyValueOf({ type }: Tag): fc.Arbitrary<Value> {
  switch (type) {
    case "string":
      return fc.option(anyText, { freq: 3 });
    case "boolean":
      return fc.option(fc.boolean(), { freq: 3 });
    default:
      return fc.option(anyNumber, { freq: 4 });
  }
}

const anyReading: fc.Arbitrary<Omit<Reading, "at_ms">> = fc.record({
  received_ms: fc.integer({ min: -1e15, max: 1e15 }),
  clock_trusted: fc.boolean(),
  values: fc.tuple(fc.constant(null), ...TAGS.slice(1).map(anyValueOf)),
  derived: fc.integer({ min: 0, max: 7 }),
  extra: fc
    .array(fc.tuple(fc.constantFrom("A", "B", "C é", "__proto__", "D"), anyScalar), {
      maxLength: 5,
    })
    .map((tags) => new Map(tags)),
});

/** 1 to `count` readings of any content, ascending. */
export function anyReadings(count: number): fc.Arbitrary<Reading[]> {
  const time = fc.integer({ min: 0, max: 253_402_300_799_999 });
  return fc
    .tuple(
      fc.uniqueArray(time, { minLength: 1, maxLength: count }),
      fc.array(anyReading, { minLength: count, maxLength: count }),
    )
    .map(([times, readings]) =>
      times.sort((a, b) => a - b).map((at_ms, i) => ({ at_ms, ...readings[i] })),
    );
}

/**
 * A run of readings in which columns behave as columns do: constant, drifting with noise, counting,
 * now and then without a value, in decimals of their own.
 */
export function plantReadings(count: number, random: () => number): Reading[] {
  const columns = TAGS.map(({ type }) => ({
    type,
    factor: 10 ** Math.floor(random() * 4),
    step: random() < 0.3 ? 0 : random() * 10,
    counts: random() < 0.2,
    missing: random() < 0.8 ? 0 : 0.02,
    level: random() * 2000 - 200,
  }));
  return Array.from({ length: count }, (_, i) => ({
    at_ms: 1_700_000_000_000 + i * 180_000,
    received_ms: 1_700_000_000_000 + i * 180_000 + Math.floor(random() * 90),
    clock_trusted: true,
    derived: 7,
    extra: new Map<string, Scalar>(random() < 0.5 ? [["X", Math.floor(random() * 9)]] : []),
    values: columns.map((column, index): Value => {
      if (index === 0 || random() < column.missing) return null;
      if (column.type === "boolean") return random() < 0.1;
      if (column.type === "string") return random() < 0.01 ? "FAILED" : "ACTIVE";
      const noise = column.counts ? random() : random() - 0.5;
      column.level += noise * column.step;
      return Math.round(column.level * column.factor) / column.factor;
    }),
  }));
}
