// The options of `ballastd lamp`: an action takes those that it uses and refuses the others, before
// it asks a service.

import { expect, test } from "vitest";
import { runProgram } from "../rig/program.ts";

const AT = ["--at", "2026-05-01"];
const REFUSED = [
  { args: ["same", "7", ...AT, "--hours", "3"], says: "--hours 3: lamp same doesn't take it" },
  { args: ["same", "7", ...AT, "--serial", "A"], says: "--serial A: lamp same doesn't take it" },
  { args: ["list", ...AT], says: "--at 2026-05-01: lamp list doesn't take it" },
  { args: ["list", "--hours", "3"], says: "--hours 3: lamp list doesn't take it" },
  { args: ["list", "--note", "x"], says: "--note x: lamp list doesn't take it" },
];

test.each(["", " ", "0x10", "1e3", "-1", "5,5", "100001"])("%j are no hours", async (hours) => {
  const args = ["lamp", "replaced", "7", ...AT, `--hours=${hours}`];
  const { code, stderr } = await runProgram({ args });
  expect(code).toBe(2);
  expect(stderr).toContain(`--hours ${hours}: expected hours from 0 to 100000`);
});

test.each(REFUSED)("lamp $args is refused", async ({ args, says }) => {
  const { code, stderr } = await runProgram({ args: ["lamp", ...args] });
  expect(code).toBe(2);
  expect(stderr).toContain(`${says}, expected it with lamp replaced`);
});

test("a slip in the year is refused, since the word would change nothing unnoticed", async () => {
  const { code, stderr } = await runProgram({
    args: ["lamp", "replaced", "7", "--at", "1926-05-01T06:30Z"],
  });
  expect(code).toBe(1);
  expect(stderr).toContain("--at: got 1926-05-01T06:30:00.000Z, expected 2000 or later");
});
