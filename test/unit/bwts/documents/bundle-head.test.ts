// The head of a bundle that a stranger may have written: a fault in it is one sentence, without
// the stranger's control characters.

import { expect, test } from "vitest";
import { readBundleHead } from "../../../../src/bwts/documents/bundle-head.ts";

const good = {
  ...{ role: "ship_9074729_1", instance: "2d1f6a3e-7c3b-4b52-9a44-0d5f0a1b2c3d" },
  ...{ version: "1.0.0", made_ms: 0, hours_after: 0, certificate: "PEM" },
};

test("a head is read", () => {
  expect(readBundleHead(good)).toEqual(good);
});

test.each([
  ["role", "ship\n\u001b[31m", "expected a text without control characters"],
  ["version", "1\n2", "expected a text without control characters"],
  ["instance", "x", "Invalid UUID"],
  ["made_ms", -1, "Too small: expected number to be >=0"],
])("a wrong %s is named in a sentence", (member, value, problem) => {
  const wrong = { ...good, [member]: value };
  expect(() => readBundleHead(wrong)).toThrow(
    new Error(`its head can't be read: ${member}: ${problem}`),
  );
});
