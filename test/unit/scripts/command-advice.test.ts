// The option that was probably meant by a mistyped one.

import { parseArgs } from "node:util";
import { expect, test } from "vitest";
import { withAdvice } from "../../../src/cli/advice.ts";
import { messageOf } from "../../../src/ground/errors.ts";

const help =
  "usage: ballastd export [--format FORMAT]\n\n  --format FORMAT  csv\n  --from TIME      x";

const refusalOf = (...args: readonly string[]) => {
  try {
    parseArgs({ args: [...args], options: { format: { type: "string" } } });
  } catch (thrown) {
    return messageOf(withAdvice(thrown, { name: "export", help }));
  }
  return null;
};

test.each([
  [["--formt", "csv"], "Unknown option '--formt' (did you mean --format?); see ballastd export"],
  [["--fro=1"], "Unknown option '--fro' (did you mean --from?); see ballastd export"],
  [["--bogus"], "Unknown option '--bogus'; see ballastd export"],
  [["-f"], "Unknown option '-f'; see ballastd export"],
  [[`--${"format".repeat(9)}`], `Unknown option '--${"format".repeat(9)}'; see ballastd export`],
])("%j is refused with the option that is near", (args, message) => {
  expect(refusalOf(...args)).toBe(`${message} --help`);
});

test("another refusal stays as it is", () => {
  expect(refusalOf("--format")).toBe("Option '--format <value>' argument missing");
});
