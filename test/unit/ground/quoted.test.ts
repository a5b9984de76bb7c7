// Texts of others in messages and reasons: bounded, and without characters that turn the direction
// of writing, whichever way they come into one.

import { expect, test } from "vitest";
import * as z from "zod";
import { EXIT, Failure } from "../../../src/ground/errors.ts";
import { ownWords } from "../../../src/ground/own-words.ts";
import { quoted } from "../../../src/ground/quoted.ts";
import { expectedFor, reason, statedReasons } from "../../../src/ground/reasons.ts";

const TURNED = "\u202ebackup\u2066\u0000\u200f";
const LONG = "x".repeat(18_000);

test("a quoted text is cut, and its odd characters are escaped as in JSON", () => {
  expect(quoted(TURNED)).toBe('"\\u202ebackup\\u2066\\u0000\\u200f"');
  expect(JSON.parse(quoted(TURNED))).toBe(TURNED);
  expect(quoted(LONG).length).toBeLessThan(100);
});

test("a message and a reason have neither such characters nor a whole long text", () => {
  const failure = new Failure(EXIT.config, `rule ${TURNED}`, reason("rule_absent", { rule: LONG }));
  expect(failure.message).toBe("rule \\u202ebackup\\u2066\\u0000\\u200f");
  expect(JSON.stringify(failure.reasons).length).toBeLessThan(300);
  expect(reason("folder_absent", { given: TURNED }).values).toEqual({
    given: "\\u202ebackup\\u2066\\u0000\\u200f",
  });
});

test("a reason has the values that its code names, and no others", () => {
  const check = z.string().refine(() => false, expectedFor("line_unfit", "expected a line"));
  const [issue] = check.safeParse("a").error?.issues ?? [];
  if (issue === undefined) throw new Error("it was accepted");
  expect(statedReasons(issue, { setting: "system.vessel", given: "a" })).toEqual([
    { code: "line_unfit", values: { setting: "system.vessel" } },
  ]);
});

test.each([
  [z.string(), undefined, "expected a text"],
  [z.number(), "1", "expected a number"],
  [z.number().int(), 1.5, "expected a whole number"],
  [z.number().min(1), 0, "expected at least 1"],
  [z.string().max(3), LONG, "expected at most 3 characters"],
  [z.array(z.string()), {}, "expected a list"],
  [z.enum(["a", "b"]), "c", "expected a or b"],
  [z.string().regex(/a/), "c", "expected another value"],
])("a check without words has ours (%#)", (schema, given, words) => {
  const issues = schema.safeParse(given, { error: ownWords }).error?.issues ?? [];
  expect(issues.map(({ message }) => message)).toEqual([words]);
});
