// The fall of the light over months, which no single operation shows.

import { expect, test } from "vitest";
import { fallOverOperations } from "../../../../src/bwts/present/operation-fall.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/ground/clock.ts";

/** Operations a week apart, with this light and power. */
const operations = (light: readonly number[], power = (_index: number): number | null => 90) =>
  light.map((intensity_w_m2, index) => ({
    ...{ start_ms: index * 7 * DAY_MS, end_ms: index * 7 * DAY_MS + 8 * HOUR_MS },
    ...{ intensity_w_m2, power_pct: power(index) },
  }));

/** 640 to 385 W/m2 over 14 operations, with some scatter. */
const DECLINE = Array.from({ length: 14 }, (_, index) => 639 - (255 * index) / 13 + (index % 3));

test("a decline over months tells in how many operations the limit is met", () => {
  const { operations: n, line, toLimit } = fallOverOperations(operations(DECLINE), 252);
  expect([n, line?.slope]).toEqual([14, expect.closeTo(-19.6, 0)]);
  // (385 - 252) / 19.6
  expect(toLimit).toMatchObject({ hours: expect.closeTo(6.8, 0) });
});

test("light that is held up by more power falls at equal power", () => {
  const rising = (index: number) => 60 + 2.5 * index;
  const held = DECLINE.map((light, index) => (light * rising(index)) / rising(0));
  const at_equal = fallOverOperations(operations(held, rising), 252);
  expect(at_equal).toMatchObject({ isAtEqualPower: true, operations: 14 });
  expect(at_equal.line?.slope).toBeLessThan(-15);
  const blind = fallOverOperations(
    operations(DECLINE, () => null),
    252,
  );
  expect(blind).toMatchObject({ isAtEqualPower: false, operations: 14 });
});

test("no fall, few operations, no mode and light at its limit are told apart", () => {
  const steady = DECLINE.map((_, index) => 600 + (index % 4));
  expect(fallOverOperations(operations(steady), 252).toLimit).toBe("no_fall");
  expect(fallOverOperations(operations(DECLINE.slice(0, 5)), 252).toLimit).toBe("too_few");
  expect(fallOverOperations([], 252)).toMatchObject({ operations: 0, line: null });
  expect(fallOverOperations(operations(DECLINE), null).toLimit).toBe("no_limit");
  expect(fallOverOperations(operations(DECLINE), 530).toLimit).toBe("at_limit");
});
