// The tags of the last messages as rules of the map name them, by the writer's own decoder: of
// batches, lists, odd JSON and bare values, on topics of ballastd's own and of the PLC's.

import { expect, test } from "vitest";
import { openSeenTopics } from "../../../src/app/seen-topics.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { messageOf } from "../../rig/decoding.ts";

function opened(rules: readonly object[] = []) {
  const env = { BALLASTD_MAP_RULE: JSON.stringify(rules) };
  const seen = openSeenTopics(loadConfig({ file: null, env, defaultFile: null }).config);
  const take = seen.noting(async () => {});
  const send = (topic: string, content: unknown) =>
    take(messageOf("", typeof content === "string" ? content : JSON.stringify(content), { topic }));
  return { send, now: seen.now };
}

const OWN = "bwts/BWTS-001/telemetry";
const namesOf = ({ now }: ReturnType<typeof opened>) =>
  now().flatMap(({ tags }) => tags.map(({ tag, field }) => [tag, field]));

test.each([
  [
    "a list of readings",
    [
      { ts: 1777629570, PT101: 2 },
      { ts: 1777629571, PT101: 3 },
    ],
    ["PT101"],
  ],
  ["an array", { temps: [20, 21] }, ["temps[0]", "temps[1]"]],
  ["objects that have a name", { values: [{ name: "PT101", v: 2 }] }, ["values.PT101.v"]],
  ["a member of a member", { nest: { uv: 1 }, "dot.key": 2 }, ["nest.uv", "dot.key"]],
  [
    "blanks, slashes and brackets",
    { "UV Intensity": 6, "Flow [m3/h]": 7 },
    ["UV Intensity", "Flow [m3/h]"],
  ],
  ["NaN beside a number", '{"A": NaN, "B": 2}', ["A", "B"]],
  ["a number as a PLC prints it", '{"A": +6.485E+02,}', ["A"]],
  ["a NUL at the end", '{"A": 2}\0', ["A"]],
  ["a bare value", "3,5", [""]],
])("on a topic of the PLC's own: %s", (_, content, tags) => {
  const seen = opened();
  seen.send("plc/1", content);
  expect(namesOf(seen)).toEqual(tags.map((tag) => [tag, null]));
  expect(seen.now()).toMatchObject([{ topic: "plc/1", is_own: false, has_rules: false }]);
});

test("names of the catalogue are known on any topic, also of a message without a good time", () => {
  const seen = opened();
  seen.send("plc/1", { timestamp: "never", UVR_INTENSITY: 640, "UV 2": 3 });
  expect(namesOf(seen)).toEqual([
    ["timestamp", "timestamp"],
    ["UVR_INTENSITY", "UVR_INTENSITY"],
    ["UV 2", null],
  ]);
  const [{ tags }] = seen.now();
  expect(tags[0].problem).toContain("never");
});

test("on ballastd's own topic the members of members are told as a rule names them", () => {
  const seen = opened();
  seen.send(OWN, { UVR_INTENSITY: 640, "Flow [m3/h]": 7, temps: [1] });
  expect(namesOf(seen)).toEqual([
    ["UVR_INTENSITY", "UVR_INTENSITY"],
    ["Flow [m3/h]", null],
    ["temps[0]", null],
  ]);
  expect(seen.now()).toMatchObject([{ is_own: true, has_rules: false }]);
});

test("a rule whose value can't be taken has the reason", () => {
  const seen = opened([{ topic: "plc/+", tag: "st", field: "PROCESS_STATE" }]);
  seen.send("plc/1", { st: 3 });
  expect(seen.now()).toMatchObject([
    {
      has_rules: true,
      tags: [{ tag: "st", value: 3, field: "PROCESS_STATE", problem: "got 3, expected a text" }],
    },
  ]);
});

test("events, and topics of other systems, which no rule changes, aren't told", () => {
  const seen = opened();
  seen.send("bwts/BWTS-001/events", { pump: 1 });
  seen.send("bwts/OTHER/telemetry", { pump: 1 });
  expect(seen.now()).toEqual([]);
});

test("tags that come on one topic in turn are all told, the newest topic first", () => {
  const seen = opened();
  seen.send("plc/1", { A: 1 });
  seen.send("plc/2", { C: 1 });
  seen.send("plc/1", { B: 2 });
  seen.send("plc/1", { A: 3 });
  expect(seen.now().map(({ topic }) => topic)).toEqual(["plc/1", "plc/2"]);
  expect(seen.now()[0].tags.map(({ tag, value }) => [tag, value])).toEqual([
    ["A", 3],
    ["B", 2],
  ]);
});

test("endless topics and large messages make it forget the oldest ones", () => {
  const seen = opened();
  for (let number = 0; number < 2000; number += 1)
    seen.send(`plc/${number}`, { A: "x".repeat(9000) });
  const { length } = seen.now();
  expect(length).toBeGreaterThan(40);
  expect(length).toBeLessThan(60);
  seen.send("plc/large", { A: "x".repeat(40_000) });
  expect(seen.now()[0].topic).toBe("plc/1999");
});

test("a topic is copied four times in a quarter of a second, however often it comes", () => {
  const seen = opened();
  for (const value of [1, 2, 3, 4, 5]) seen.send("plc/1", { A: value });
  expect(seen.now()[0].tags).toMatchObject([{ tag: "A", value: 4 }]);
  seen.send("plc/2", { A: 6 });
  expect(seen.now()[0].tags).toMatchObject([{ tag: "A", value: 6 }]);
});
