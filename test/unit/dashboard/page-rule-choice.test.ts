// Choices on the page First watch as rules of the map: what is offered of the tags that came, and
// the rule that field, unit, factor and values make. Each rule is one that a start takes.

import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { TAGS } from "../../../src/bwts/tags.ts";
import { ruleLine } from "../../../src/config/edit-rules.ts";
import { ruleList } from "../../../src/config/map.ts";
import {
  type OfferedTag,
  offeredTopics,
  type ShownTopic,
} from "../../../src/dashboard/first-watch/offered-tags.ts";
import {
  choiceOf,
  chosenRule,
  hasTwice,
  OTHER_UNIT,
  ruleLineOf,
  ruleText,
  unitsOf,
} from "../../../src/dashboard/first-watch/rule-choice.ts";

const seen = (tag: string, field: string | null = null, problem: string | null = null) => ({
  ...{ tag, field, problem, value: 3 },
});
const topicOf = (given: Partial<ShownTopic>): ShownTopic => ({
  ...{ topic: "plc/1", is_own: false, has_rules: true, tags: [] },
  ...given,
});
const offered = (given: Partial<OfferedTag> = {}): OfferedTag => ({
  ...seen("PT101"),
  ...{ topic: "plc/1", stored: null },
  ...given,
});

describe("offered", () => {
  test("are tags that aren't known or can't be taken, with the rule that the file has", () => {
    const rule = { topic: "plc/1", tag: "st", field: "PROCESS_STATE" };
    const tags = [
      seen("A"),
      seen("UVR_INTENSITY", "UVR_INTENSITY"),
      seen("st", "PROCESS_STATE", "x"),
    ];
    const [{ tags: of, named }] = offeredTopics([topicOf({ tags })], [rule]);
    expect(of.map(({ tag, topic, stored }) => [tag, topic, stored])).toEqual([
      ["A", "plc/1", null],
      ["st", "plc/1", rule],
    ]);
    expect(named).toEqual([]);
  });

  test("is a topic that nothing takes in, with the catalogue's names on it", () => {
    const tags = [seen("UVR_INTENSITY", "UVR_INTENSITY")];
    const [{ named }] = offeredTopics([topicOf({ tags, has_rules: false })], []);
    expect(named.map(({ tag }) => tag)).toEqual(["UVR_INTENSITY"]);
    expect(offeredTopics([topicOf({ tags, is_own: true, has_rules: false })], [])).toEqual([]);
  });

  test("have a place that doesn't change with the order of messages", () => {
    const topics = ["plc/10", "plc/2"].map((topic) =>
      topicOf({ topic, tags: [seen("t[10]"), seen("t[9]")] }),
    );
    const order = (given: readonly ShownTopic[]) =>
      offeredTopics(given, []).map(({ topic, tags }) => [topic, tags.map(({ tag }) => tag)]);
    const tags = ["t[9]", "t[10]"];
    expect(order(topics)).toEqual([
      ["plc/2", tags],
      ["plc/10", tags],
    ]);
    expect(order(topics.toReversed())).toEqual(order(topics));
  });

  test("on ballastd's own topics a rule needs no topic", () => {
    const stored = { topic: null, tag: "A", field: "X_1" };
    const [{ tags }] = offeredTopics([topicOf({ is_own: true, tags: [seen("A")] })], [stored]);
    expect(tags).toMatchObject([{ topic: null, stored }]);
  });
});

describe("a choice", () => {
  test("of a field alone, of a unit, and of a factor with a comma", () => {
    const rule = { topic: "plc/1", tag: "PT101", field: "SYS_PRESSURE" };
    const choice = choiceOf("SYS_PRESSURE");
    expect(chosenRule(offered(), choice)).toEqual(rule);
    expect(chosenRule(offered(), { ...choice, unit: "mbar" })).toEqual({ ...rule, factor: 0.001 });
    const other = { ...choice, unit: OTHER_UNIT };
    expect(chosenRule(offered(), other)).toBeNull();
    expect(chosenRule(offered(), { ...other, factor: "0,5" })).toEqual({ ...rule, factor: 0.5 });
    expect(chosenRule(offered(), { ...other, factor: "1/6" })).toEqual({ ...rule, factor: "1/6" });
  });

  test("of values: several for a word, none twice, and none needed for a known word", () => {
    const choice = choiceOf("PROCESS_STATE");
    const values = { RUNNING: "3, 4", IDLE: "0" };
    expect(chosenRule(offered(), choice)).toBeNull();
    expect(chosenRule(offered(), { ...choice, values })?.values).toEqual({
      ...{ 0: "IDLE", 3: "RUNNING", 4: "RUNNING" },
    });
    const twice = { RUNNING: "3", IDLE: "0, 3" };
    expect(hasTwice(twice)).toBe(true);
    expect(chosenRule(offered(), { ...choice, values: twice })).toBeNull();
    expect(chosenRule(offered({ value: "running" }), choice)).not.toHaveProperty("values");
  });

  test("of a flag that comes as another number has true and false", () => {
    const choice = { ...choiceOf("SYS_EXTERNAL_FEED"), values: { true: "3", false: "2" } };
    expect(chosenRule(offered(), choice)?.values).toEqual({ 2: false, 3: true });
    expect(chosenRule(offered({ value: 1 }), choice)).not.toHaveProperty("values");
  });
});

test("every unit of every field makes a rule that a start takes, told alike everywhere", () => {
  for (const field of TAGS)
    for (const unit of unitsOf(field) ?? []) {
      const rule = chosenRule(offered({ tag: 'a "b"' }), { ...choiceOf(field.name), unit });
      expect(rule, `${field.name} ${unit}`).toSatisfy(
        (made) => made?.factor !== undefined || made?.offset !== undefined,
      );
      if (rule === null) continue;
      const { rule: read } = Object(parse(ruleText([rule])).map);
      expect(read).toEqual([rule]);
      expect(ruleList.safeParse(read).success, JSON.stringify(read)).toBe(true);
      expect(ruleLineOf(rule)).toBe(ruleLine(rule));
    }
});
