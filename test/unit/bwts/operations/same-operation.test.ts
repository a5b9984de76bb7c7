// Found operations are told from stored ones, also where several begin at one instant.

import { expect, test } from "vitest";
import { sameOperations } from "../../../../src/bwts/operations/same-operation.ts";

const of = (
  start_ms: number,
  end_ms: number | null,
  operation_type: string | null = "BALLAST",
) => ({
  ...{ start_ms, end_ms, operation_type },
});

test("of two that begin at one instant each keeps its number, whatever the order", () => {
  const [short, long, running] = [of(10, 10), of(10, 50), of(10, null)];
  const stored = [long, short, running];
  expect(sameOperations([short, long, running], stored)).toEqual([1, 0, 2]);
  expect(sameOperations([running, long, short], stored)).toEqual([2, 0, 1]);
  expect(sameOperations([of(10, 50, "DEBALLAST"), long], [long, of(10, 50, "DEBALLAST")])).toEqual([
    ...[1, 0],
  ]);
});

test("a late start keeps the number, by the longest common time; no cleaning takes it", () => {
  expect(sameOperations([of(5, 50)], [of(0, 8), of(20, 50)])).toEqual([1]);
  expect(sameOperations([of(5, 50, "CIP")], [of(20, 50)])).toEqual([null]);
  expect(sameOperations([of(60, 70)], [of(20, 50)])).toEqual([null]);
});
