// Rules of the map are added to a configuration file and taken out of it, and nothing else in it
// changes: comments, other rules, lines of Windows, and rules in forms of their own.

import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { configurationFile } from "../../../scripts/package/configuration-file.ts";
import { type PlainRule, withRules } from "../../../src/config/edit-rules.ts";

const PRESSURE: PlainRule = { topic: null, tag: "PT101", field: "SYS_PRESSURE" };
const FLOW: PlainRule = { topic: "plc/1", tag: 'a "b".c', field: "SYS_FLOW_RATE" };

const WITH_VALUES = `# state
[[map.rule]]
tag = "S" # of the drive
field = "PROCESS_STATE"
[map.rule.values]
3 = "RUNNING"

# other things
[http]
`;

const add = (text: string, ...rules: readonly PlainRule[]) =>
  withRules(text, { add: rules, remove: [] });
const remove = (text: string, ...rules: readonly PlainRule[]) =>
  withRules(text, { add: [], remove: rules });

test("they stand at the end of the installed file, and go again", () => {
  const installed = configurationFile();
  const text = add(installed, PRESSURE, FLOW);
  expect(text.startsWith(installed)).toBe(true);
  const { map, ...others } = parse(text);
  const { map: before, ...same } = parse(installed);
  expect(others).toEqual(same);
  expect(map).toEqual({
    ...Object(before),
    rule: [
      { tag: "PT101", field: "SYS_PRESSURE" },
      { topic: "plc/1", tag: 'a "b".c', field: "SYS_FLOW_RATE" },
    ],
  });
  expect(parse(remove(text, PRESSURE)).map).toMatchObject({ rule: [{ topic: "plc/1" }] });
  expect(remove(text, FLOW, PRESSURE).trimEnd()).toBe(installed.trimEnd());
});

test.each([
  ["nothing", ""],
  ["a last line without an end", "[http]"],
  ["lines of Windows", "[http]\r\n# c\r\n"],
  ["a rule with a table of its own", WITH_VALUES],
  ["a map with a key", '[map]\nunmapped = "drop"\n'],
])("a rule is added behind %s", (_, before) => {
  const text = add(before, PRESSURE);
  expect(text.startsWith(before)).toBe(true);
  expect(text.includes("\r\n")).toBe(before.includes("\r\n"));
  const { rule } = Object(parse(text).map);
  expect(rule.at(-1)).toEqual({ tag: "PT101", field: "SYS_PRESSURE" });
  expect(parse(remove(text, PRESSURE))).toEqual(parse(before));
});

test("a rule is written with all that it has, and read again", () => {
  const rules: readonly PlainRule[] = [
    { ...PRESSURE, factor: 0.001, comma: "decimal", quality: "Q 1", good: [192, "Good"] },
    { ...FLOW, factor: "5/9", offset: "-160/9" },
    { topic: null, tag: "st", field: "PROCESS_STATE", values: { "3": "RUNNING", 'a"b': "IDLE" } },
  ];
  const text = add("", ...rules);
  const { rule } = Object(parse(text).map);
  expect(rule).toEqual(
    rules.map(({ topic, ...one }) => (topic === null ? one : { topic, ...one })),
  );
  expect(remove(text, PRESSURE, FLOW, rules[2]).trim()).toBe("");
});

test("a rule between others is taken out with its tables, and comments stay", () => {
  const text = `${WITH_VALUES}\n[[map.rule]]\ntag = "PT101"\nfield = "SYS_PRESSURE"\n`;
  const without = remove(text, PRESSURE);
  expect(parse(without)).toEqual(parse(WITH_VALUES));
  for (const comment of ["# state", "# of the drive", "# other things"])
    expect(without).toContain(comment);
});

describe("refused, with nothing changed", () => {
  const problem = (text: string, rule: PlainRule, isRemoved = false) => {
    try {
      return isRemoved ? remove(text, rule) : add(text, rule);
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };

  test("a rule to take out that isn't there, or that says more", () => {
    expect(problem("", PRESSURE, true)).toContain("there is no rule PT101 = SYS_PRESSURE in the");
    const more = '[[map.rule]]\ntag = "PT101"\nfield = "SYS_PRESSURE"\nfactor = 0.1\n';
    expect(problem(more, { ...PRESSURE, topic: "plc/1" }, true)).toContain("there is no rule");
  });

  test.each([
    ["rules in brackets", '[map]\nrule = [{ tag = "a", field = "b" }]\n'],
    ["a map in braces", 'map = { unmapped = "drop" }\n'],
  ])("%s", (_, text) => {
    expect(problem(text, PRESSURE)).toContain("change it by hand");
  });
});
