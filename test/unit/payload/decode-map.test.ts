// A PLC that speaks otherwise: what rules make of its tags, wherever they stand in a payload, and
// that arithmetic shows no digit that nobody sent.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LAMP_NUMBERS } from "../../../src/bwts/tags.ts";
import { printTime } from "../../../src/ground/clock.ts";
import {
  AT,
  AT_MS,
  decode,
  decodeMapped,
  mapped,
  RECEIVED_MS,
  said,
  turnedAway,
} from "../../rig/decoding.ts";

const topic = "ship/uv1";

describe("a tag", () => {
  test.each<[string, string, string]>([
    ["a member", "PT101", '{"PT101":4.5}'],
    ["a member of a member", "tank.PT101.value", '{"tank":{"PT101":{"value":"4,5","q":192}}}'],
    ["a member with a dot in its name", "PT101.value", '{"PT101.value":4.5}'],
    ["a member with any name", '"DB1"."PT 101"', String.raw`{"\"DB1\".\"PT 101\"":4.5}`],
    ["an element of an array", "values[1]", '{"values":[3,4.5]}'],
    ["a member of an element", "values[1].v", '{"values":[{"v":3},{"v":4.5}]}'],
    ["an element of an element", "m[0][1]", '{"m":[[3,4.5]]}'],
    ["an element of the payload", "[1]", "[3,4.5]"],
    ["a member of an element of the payload", "[1].v", '[{"v":3},{"v":4.5}]'],
    [
      "by its name in a list",
      "values.PT101.v",
      '{"values":[{"id":"PT102","v":3},{"id":"PT101","v":4.5}]}',
    ],
    [
      "by its name in a list of pairs",
      "d.PT101.value",
      '{"d":[{"tag":"PT101","value":4.5}],"ts":1}',
    ],
    ["by its name in the payload", "PT101.value", '{"":[{"name":"PT101","value":4.5}]}'],
    ["the payload, a number", "", "4.5"],
    ["the payload, a number with a comma", "", "4,5"],
    ["the payload, a text", "", '"4.5"'],
    ["the payload, after a byte-order mark and before NULs", "", "\ufeff4.5\0\0"],
  ])("is %s", (_what, tag, payload) => {
    const timed = payload.replace('"ts":1', `"timestamp":"${AT}"`);
    expect(mapped([{ tag, field: "SYS_PRESSURE" }], timed)).toEqual({
      says: { SYS_PRESSURE: 4.5 },
      rejects: [],
    });
  });

  test("of every lamp is one rule with XX", () => {
    const lamps = LAMP_NUMBERS.map((_, index) => ({ h: 60 * (index + 1) }));
    const named = LAMP_NUMBERS.map((_, index) => ({ id: `L${index + 1}`, p: index }));
    const rules = [
      { tag: "lamps[XX].h", field: "LAMP_XX_RUNTIME", factor: "1/60" },
      { tag: "named.LXX.p", field: "LAMP_XX_POWER" },
      { tag: "S_XX", field: "LAMP_XX_STATUS", values: { 0: "STANDBY", 1: "ACTIVE" } },
    ];
    const { says, rejects } = mapped(rules, { lamps, named, S_07: true, S_8: "0" });
    expect(rejects).toEqual([]);
    for (const [index, number] of LAMP_NUMBERS.entries())
      expect(says).toMatchObject({
        [`LAMP_${number}_RUNTIME`]: index + 1,
        [`LAMP_${number}_POWER`]: index,
      });
    expect(says).toMatchObject({ LAMP_07_STATUS: "ACTIVE", LAMP_08_STATUS: "STANDBY" });
  });

  test("that is null, empty or not there says nothing", () => {
    const rules = ["A", "B", "C"].map((tag) => ({ tag, field: "SYS_PRESSURE", factor: 2 }));
    expect(mapped(rules, '{"A":null,"B":"","X":{},"Y":[]}')).toEqual({ says: {}, rejects: [] });
  });

  test("of two names for one field is a conflict if they differ", () => {
    const rules = ["A", "B"].map((tag) => ({ tag, field: "SYS_PRESSURE" }));
    expect(mapped(rules, '{"A":4,"B":4}').rejects).toEqual([]);
    const { says, rejects } = mapped(rules, '{"A":4,"B":5}');
    expect({ says, rejects }).toEqual({
      says: { SYS_PRESSURE: 4 },
      rejects: ["conflict: SYS_PRESSURE: got 5, before it 4"],
    });
  });

  test("with a name of half a megabyte costs no more than it is long", () => {
    const name = "x".repeat(500_000);
    const payload = JSON.stringify({ [name]: Array(200_000).fill(0) });
    // A hundred gigabytes of names otherwise, which no test's time would be enough for.
    expect(mapped([{ tag: "A", field: "MY_TAG" }], payload).says).toEqual({});
  });
});

describe("the time", () => {
  const time = (rule: object, ts: unknown) =>
    decodeMapped([{ topic, tag: "ts", field: "timestamp", ...rule }], { ts, T: 1 });

  test.each<[object, unknown]>([
    [{}, AT],
    [{}, AT_MS],
    [{}, String(AT_MS / 1000)],
    [{ factor: 0.001 }, AT_MS * 1000],
    [{ offset: -28_800_000 }, AT_MS + 28_800_000],
  ])("is the tag's by %j of %j", (rule, ts) => {
    const { readings, rejects } = time(rule, ts);
    expect(rejects).toEqual([]);
    expect(readings.map(({ at_ms }) => printTime(at_ms))).toEqual([AT]);
    expect(readings.map(said)).toEqual([{ T: 1 }]);
  });

  test("is judged as ever: before 2000, ahead, no time at all", () => {
    expect(turnedAway(time({}, 0))[0]).toMatch(/^bad_time: .*1970/);
    expect(turnedAway(time({}, RECEIVED_MS + 400_000))[0]).toMatch(/^future: /);
    expect(turnedAway(time({}, "yesterday"))[0]).toMatch(/^bad_time: .*yesterday/);
    const { timed_by_receipt, readings } = time({}, null);
    expect({ timed_by_receipt, readings: readings.map(said) }).toEqual({
      timed_by_receipt: true,
      readings: [{ T: 1, timestamp_source: "receipt" }],
    });
  });

  test("is that of `timestamp` where no rule's tag is there, and floored to the grid", () => {
    const rules = [{ topic, tag: "ts", field: "timestamp" }];
    const payload = { timestamp: AT_MS + 3_456, T: 1 };
    const [part] = decodeMapped(rules, payload, { merge_ms: 10_000 }).readings;
    expect(printTime(part.at_ms)).toBe(AT);
  });
});

describe("what no rule names", () => {
  const rules = [{ topic: "ship/#", tag: "A", field: "SYS_PRESSURE" }];
  const payload = { timestamp: AT, A: 4, B: 5, c: { d: [6] }, UVR_INTENSITY: 600 };

  test("is kept: fields of the catalogue, and tags under their names", () => {
    const { readings, rejects } = decodeMapped(rules, payload);
    expect(rejects).toEqual([]);
    expect(readings.map(said)).toEqual([{ SYS_PRESSURE: 4, UVR_INTENSITY: 600, B: 5, "c.d.0": 6 }]);
  });

  test("is dropped if that is wanted, but for fields of the catalogue", () => {
    const { readings, rejects } = decodeMapped(rules, payload, { unmapped: "drop" });
    expect(rejects).toEqual([]);
    expect(readings.map(said)).toEqual([{ SYS_PRESSURE: 4, UVR_INTENSITY: 600 }]);
    const none = decodeMapped(rules, { alive: 1 }, { unmapped: "drop" });
    expect({ readings: none.readings, rejects: none.rejects }).toEqual({
      readings: [],
      rejects: [],
    });
  });

  test("on a topic that no rule names is as without a map, to the last value", () => {
    const of = (topicOfIt: string, content: unknown) =>
      decodeMapped(rules, content, { topic: topicOfIt, unmapped: "drop" });
    expect(of("bwts/BWTS-001/telemetry", payload)).toEqual(decode("telemetry", payload));
    const lamp = { timestamp: AT, hours: 7 };
    expect(of("bwts/BWTS-001/lamps/7", lamp)).toEqual(decode("lamps/7", lamp));
    expect(turnedAway(of("elsewhere", payload))[0]).toMatch(
      /^unknown_topic: .*or a topic of \[map\]/,
    );
  });

  test("another system's, or no object, is set aside", () => {
    const other = { topic: "bwts/BWTS-002/telemetry" };
    const wide = [{ topic: "#", tag: "A", field: "SYS_PRESSURE" }];
    expect(turnedAway(decodeMapped(wide, payload, other))[0]).toMatch(/^other_system: /);
    expect(turnedAway(decodeMapped(rules, { system_id: "UV1", A: 4 }))[0]).toMatch(/^other_system/);
    const named = [...rules, { topic: "ship/#", tag: "system_id", field: "PLC_NAME" }];
    expect(decodeMapped(named, { timestamp: AT, system_id: "UV1" }).readings.map(said)).toEqual([
      { PLC_NAME: "UV1" },
    ]);
    expect(turnedAway(decodeMapped(rules, "7"))[0]).toMatch(/^bad_json: got 7/);
    expect(turnedAway(decodeMapped(rules, "seven"))[0]).toMatch(/^bad_json: not JSON/);
  });
});

test("on ballastd's own topics the tags are the names that these give", () => {
  const rules = [
    { tag: "LAMP_XX_HOURS", field: "LAMP_XX_RUNTIME", factor: "1/60" },
    { tag: "PT.v", field: "SYS_PRESSURE" },
  ];
  const of = (kind: string, content: object) =>
    decodeMapped(rules, { timestamp: AT, ...content }, { topic: `bwts/BWTS-001/${kind}` });
  const says = (kind: string, content: object) => of(kind, content).readings.map(said);
  expect(says("lamps/7", { hours: 60 })).toEqual([{ LAMP_07_RUNTIME: 1 }]);
  expect(says("lamps", { lamps: [{ lamp: 3, hours: 60 }] })).toEqual([{ LAMP_03_RUNTIME: 1 }]);
  expect(says("telemetry", { PT: { v: 4 } })).toEqual([{ SYS_PRESSURE: 4 }]);
  const event = { event_type: "PROCESS_STOP", data: { "PT.v": 4 } };
  expect(of("events", event)).toEqual(decode("events", { timestamp: AT, ...event }));
});

test("an array of objects is an array of readings", () => {
  const rules = [
    { topic, tag: "t", field: "timestamp" },
    { topic, tag: "p.v", field: "SYS_PRESSURE" },
  ];
  const { readings } = decodeMapped(rules, [
    { t: AT_MS, p: { v: 4 } },
    { t: AT_MS + 1000, p: { v: 5 } },
  ]);
  expect(readings.map((part) => [part.at_ms - AT_MS, said(part)])).toEqual([
    [0, { SYS_PRESSURE: 4 }],
    [1000, { SYS_PRESSURE: 5 }],
  ]);
});

test("no payload on a mapped topic makes it throw", () => {
  const rules = ["", "a", "[0]", "a.b[1]"].map((tag) => ({ topic, tag, field: `F${tag.length}` }));
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (payload) => {
      const { readings, rejects } = decodeMapped(rules, payload);
      expect(readings.length + rejects.length).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 500 },
  );
});
