// The disk that forgets, tried by itself: a loop of cuts over an fsync that does nothing must find
// losses, or the loop of test/e2e/kills.test.ts would prove nothing.

import { expect, test } from "vitest";
import { runKills } from "../../scripts/kills/loop.ts";
import { PROGRAM } from "../rig/program.ts";
import { printedRandom } from "../rig/random.ts";

test("on a disk whose fsync does nothing the loop finds losses: it can see them", async () => {
  const random = printedRandom("lies");
  const given = { program: PROGRAM, count: 2, disk: "lies", progress: () => null } as const;
  let found = 0;
  // Some kills cost nothing: during the start, or where all happens to be kept.
  for (let turn = 0; turn < 10 && found === 0; turn += 1) {
    const { lost, other } = await runKills({ ...given, seed: random.between(1, 2 ** 31) });
    found = lost + other;
  }
  expect(found).toBeGreaterThan(0);
});
