// The words of a check that has none of its own, in the form of all others: "expected a text". The
// schema library's own are English of programmers, and tell a reader "received undefined".

import type * as z from "zod";

const KINDS: Readonly<Record<string, string>> = {
  ...{ string: "a text", number: "a number", int: "a whole number", bigint: "a whole number" },
  ...{ boolean: "true or false", array: "a list", object: "an object", record: "an object" },
  null: "null",
};

const COUNTED: Readonly<Record<string, string>> = {
  ...{ string: " characters", array: " items", set: " items" },
};

/** The `error` of a parse: it counts where the schema has no words. */
export function ownWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${KINDS[String(issue.expected)] ?? "another kind of value"}`;
    case "too_big":
      return `expected at most ${issue.maximum}${COUNTED[String(issue.origin)] ?? ""}`;
    case "too_small":
      return `expected at least ${issue.minimum}${COUNTED[String(issue.origin)] ?? ""}`;
    case "invalid_value":
      return `expected ${[issue.values].flat().map(String).join(" or ")}`;
    default:
      return "expected another value";
  }
}
