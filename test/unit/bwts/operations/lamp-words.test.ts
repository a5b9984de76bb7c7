// A lamp's words within an operation: a word that nobody knows neither lights a failed lamp again
// nor puts another out.

import { expect, test } from "vitest";
import { judged } from "../../../../src/bwts/judging/judge.ts";
import { AROUND, at, runsOf, spanOf, steady } from "../../../rig/operation-plant.ts";

const SPAN = spanOf(at(10), at(14));

/** Lamps out, with the words of lamp 7 from each time on. */
function lampsOut(words: readonly (readonly [from_ms: number, word: string])[]) {
  const wordAt = (at_ms: number) => words.findLast(([from_ms]) => at_ms >= from_ms)?.[1] ?? null;
  const readings = steady({
    ...{ from_ms: at(10), to_ms: at(14) },
    but: (at_ms) => ({ LAMP_07_STATUS: wordAt(at_ms) }),
  });
  return judged(SPAN, runsOf(readings), AROUND).lamps_out;
}

test("a failed lamp of which an unknown word comes stays out until it is known to burn", () => {
  const out = lampsOut([
    [at(10), "ACTIVE"],
    [at(11), "FAILED"],
    [at(11, 30), "NOK"],
    [at(12), "ACTIVE"],
  ]);
  expect(out).toMatchObject([{ lamp: 7, seconds: 3600 }]);
});

test("an unknown word alone is no lamp out", () => {
  expect(
    lampsOut([
      [at(10), "ACTIVE"],
      [at(11), "NOK"],
    ]),
  ).toEqual([]);
});
