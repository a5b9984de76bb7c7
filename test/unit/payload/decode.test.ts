// The MQTT door as a whole: bytes, topics, times, and the promise that nothing makes it throw.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AT, decode, RECEIVED_MS, said, turnedAway } from "../../rig/decoding.ts";

const reading = `{"timestamp":"${AT}","UVR_INTENSITY":612.5,"location":"Malmö"}`;
const says = { UVR_INTENSITY: 612.5, location: "Malmö" };
const MIB = 1024 * 1024;

describe("a member that stands twice", () => {
  test.each<[string, object, readonly string[]]>([
    ['"A":1,"A":2', {}, ["conflict: A: got 2, before it 1"]],
    ['"A" : 1,"B":":","A"\n: 1', { A: 1, B: ":" }, []],
    ['"A":null,"A":5,"A":""', { A: 5 }, []],
    ['"A":"x","\\u0041":"y"', {}, ['conflict: A: got "y", before it "x"']],
    ['"A":NaN,"B":1,"B":2', {}, ["conflict: B: got 2", "bad_value: A: got NaN"]],
    ['"UVR_INTENSITY":1,"B":3,"UVR_INTENSITY":2', { B: 3 }, ["conflict: UVR_INTENSITY: got 2"]],
    ['"A":"\\":{\\":"', { A: '":{":' }, []],
  ])("%s costs no more than itself", (members, says, rejects) => {
    const decoded = decode("telemetry", `{"timestamp":"${AT}",${members}}`);
    expect(decoded.readings.map(said)).toEqual([says]);
    expect(turnedAway(decoded)).toEqual(rejects.map((words) => expect.stringContaining(words)));
  });

  test("and is the time sets the reading aside, and only that one", () => {
    const twice = `{"timestamp":"${AT}","A":1,"timestamp":"2026-05-01T09:00:00Z"}`;
    const decoded = decode("telemetry", `[${twice},${reading}]`);
    expect(decoded.readings.map(said)).toEqual([says]);
    expect(turnedAway(decoded)).toEqual([
      expect.stringContaining("conflict: timestamp: got"),
      expect.stringContaining("bad_time: timestamp: got ["),
    ]);
  });

  test("in an event's data or in a lamp is found as well", () => {
    const event = `{"timestamp":"${AT}","event_type":"PROCESS_START","data":{"x":{"y":1,"y":2}}}`;
    expect(turnedAway(decode("events", event))).toEqual(["conflict: y: got 2, before it 1"]);
    expect(decode("events", event).events[0]?.data.x).toEqual({ y: null });
    const repeated = '{"lamp":1,"power":5,"power":6},{"lamp":2,"power":7}';
    const lamps = `{"timestamp":"${AT}","lamps":[${repeated}]}`;
    const decoded = decode("lamps", lamps);
    expect(decoded.readings.map(said)).toEqual([{ LAMP_02_POWER: 7 }]);
    expect(turnedAway(decoded)).toEqual(["conflict: power: got 6, before it 5"]);
  });
});

describe("a payload", () => {
  test.each<[string, Uint8Array]>([
    ["UTF-8", Buffer.from(reading)],
    ["UTF-8 after a byte-order mark", Buffer.from(`\ufeff${reading}`)],
    ["UTF-8 before trailing NULs", Buffer.from(`${reading}\0\0\0`)],
    ["UTF-8 before NULs and line ends", Buffer.from(`${reading}\r\n\0\r\n\0`)],
    ["Latin-1", Buffer.from(reading, "latin1")],
    ["Latin-1 after a UTF-8 byte-order mark", Buffer.from(`\xef\xbb\xbf${reading}`, "latin1")],
    ["Latin-1 before trailing NULs", Buffer.from(`${reading}\0`, "latin1")],
    ["a part of a larger buffer", Buffer.from(`xx${reading}xx`, "latin1").subarray(2, -2)],
    ["an array of one", Buffer.from(`[${reading}]`)],
  ])("is read as %s", (_form, payload) => {
    const { readings, rejects } = decode("telemetry", payload);
    expect(rejects).toEqual([]);
    expect(readings.map(said)).toEqual([says]);
  });

  test.each([
    ["", "the payload is empty"],
    ["\0\0 \0", "the payload is empty"],
    ["\ufeff", "the payload is empty"],
    ["UVR 612", "not JSON"],
    [`${reading}${reading}`, "not JSON"],
    [reading.slice(0, -1), "not JSON"],
    ['{"UVR_INTENSITY":612,5}', "not JSON"],
    ["7", "got 7, expected an object"],
    ["null", "got null, expected an object"],
    ['"text"', 'got "text", expected an object'],
    ["[[]]", "got [], expected an object"],
    ["[".repeat(40) + "]".repeat(40), "nested deeper than 32 levels"],
    ["[".repeat(MIB), "not JSON"],
  ])("%j goes to quarantine", (payload, problem) => {
    const decoded = decode("telemetry", payload);
    expect(turnedAway(decoded)[0]).toContain(`bad_json: ${problem}`);
    expect(decoded.readings).toEqual([]);
  });

  test("over 1 MiB goes to quarantine, one of just 1 MiB is read", () => {
    const filler = " ".repeat(MIB - '{"timestamp":1777629570,"N":7}'.length);
    const payload = `{"timestamp":1777629570,${filler}"N":7}`;
    expect(payload.length).toBe(MIB);
    expect(decode("telemetry", payload).readings.map(said)).toEqual([{ N: 7 }]);
    const decoded = decode("telemetry", payload.slice(0, 65_536), { payload_bytes: MIB + 1 });
    expect(turnedAway(decoded)).toEqual(["too_large: 1048577 bytes, expected 1048576 at most"]);
  });

  test("of more values than a step can parse goes to quarantine", () => {
    const members = (count: number) => `{"timestamp":1777629570${',"A":1'.repeat(count)}}`;
    expect(decode("telemetry", members(70_000)).readings.map(said)).toEqual([{ A: 1 }]);
    expect(turnedAway(decode("telemetry", members(70_001)))).toEqual([
      "too_large: 70001 commas, expected 70000 at most",
    ]);
  });

  // Each of these took minutes with a regular expression that backtracks, or memory without bound.
  test.each<[string, string]>([
    ["white space before the end", `${" ".repeat(MIB - 1)}x`],
    ["a text of escapes that doesn't end", `"${'\\"'.repeat(MIB / 2 - 1)}`],
    ["quotation marks", '"'.repeat(MIB)],
    ["parentheses that don't close", "nan(".repeat(MIB / 4)],
    ["NaN in a deep nest", `${"[".repeat(MIB / 2 - 3)}NaN${"]".repeat(MIB / 2 - 3)}`],
    ["empty objects", `[${"{},".repeat(MIB / 3 - 1)}{}]`],
    ["numbers", `[${"1,".repeat(MIB / 2 - 2)}1]`],
  ])("of 1 MiB of %s is judged and turned away", (_content, payload) => {
    const { rejects, readings } = decode("telemetry", payload);
    expect(rejects.length).toBeGreaterThan(0);
    expect(rejects.length).toBeLessThanOrEqual(100);
    expect(readings.length).toBeLessThanOrEqual(40_000);
  });
});

describe("an array", () => {
  test("with one bad item keeps the others", () => {
    const items = [{ timestamp: AT, N: 1 }, 7, { timestamp: "soon" }, { timestamp: AT, N: 2 }];
    const decoded = decode("telemetry", items);
    expect(decoded.readings.map(said)).toEqual([{ N: 1 }, { N: 2 }]);
    expect(decoded.rejects.map(({ reason }) => reason)).toEqual(["bad_json", "bad_time"]);
  });

  test("that is empty says nothing", () => {
    expect(decode("telemetry", []).rejects).toEqual([]);
  });
});

describe("a topic", () => {
  test.each([
    ["bwts/BWTS-001/telemetry", null],
    ["bwts/BWTS-001/lamps/7", null],
    ["bwts/BWTS-001/lamps/07", null],
    ["bwts/BWTS-001/lamps/16", null],
    ["bwts/BWTS-001/lamps/0", "unknown_topic"],
    ["bwts/BWTS-001/lamps/17", "unknown_topic"],
    ["bwts/BWTS-001/lamps/007", "unknown_topic"],
    ["bwts/BWTS-001/lamps/x", "unknown_topic"],
    ["bwts/BWTS-001/lamps/7/power", "unknown_topic"],
    ["bwts/BWTS-001/telemetry/", "unknown_topic"],
    ["bwts/BWTS-001", "unknown_topic"],
    ["bwts/BWTS-001/Telemetry", "unknown_topic"],
    ["bwts/BWTS-001/constructor", "unknown_topic"],
    ["bwtsX/BWTS-001/telemetry", "unknown_topic"],
    ["/bwts/BWTS-001/telemetry", "unknown_topic"],
    ["bwts/BWTS-002/telemetry", "other_system"],
    ["bwts/BWTS-002/lamps/7", "other_system"],
    ["bwts/bwts-001/telemetry", "other_system"],
  ])("%s: %s", (topic, reason) => {
    const { rejects, readings } = decode("", { timestamp: AT, power: 1 }, { topic });
    expect(rejects.map((reject) => reject.reason)).toEqual(reason === null ? [] : [reason]);
    expect(readings).toHaveLength(reason === null ? 1 : 0);
  });

  test("may have a prefix of several levels", () => {
    const topic = "ship/bwts/BWTS-001/telemetry";
    expect(decode("", reading, { topic, prefix: "ship/bwts" }).readings.map(said)).toEqual([says]);
  });
});

describe("another system's id in the payload", () => {
  test.each([
    ['"BWTS-001"', "BWTS-001", true],
    ["7", "7", true],
    ['"7"', "7", true],
    ["null", "BWTS-001", true],
    ['""', "BWTS-001", true],
    ['"BWTS-002"', "BWTS-001", false],
    ['"bwts-001"', "BWTS-001", false],
    ["2", "BWTS-001", false],
    ["true", "true", false],
    ['["BWTS-001"]', "BWTS-001", false],
    ['{"toString":1,"valueOf":1}', "BWTS-001", false],
  ])("%s for %s is taken: %s", (given, system_id, isTaken) => {
    const time = `"timestamp":"${AT}"`;
    const payload = `[{${time},"system_id":${given},"N":1},{${time},"N":2}]`;
    const decoded = decode("", payload, { system_id, topic: `bwts/${system_id}/telemetry` });
    expect(decoded.readings.map(said)).toEqual(isTaken ? [{ N: 1 }, { N: 2 }] : [{ N: 2 }]);
    expect(decoded.rejects.map(({ reason }) => reason)).toEqual(isTaken ? [] : ["other_system"]);
  });
});

describe("a last will", () => {
  test("is the alarm that the PLC's link is lost, whatever it says", () => {
    const { events, rejects } = decode("telemetry", "gone", { will: true, topic: "any/thing" });
    expect(rejects).toEqual([]);
    expect(events).toMatchObject([
      {
        at_ms: RECEIVED_MS,
        event_type: "ALARM_TRIGGERED",
        description: expect.stringContaining("PLC link lost"),
        data: { source: "ballastd", operation_type: null, location: null, target_flow: null },
      },
    ]);
  });
});

test("nothing that a payload holds makes decoding throw", () => {
  const kind = fc.constantFrom("telemetry", "lamps", "lamps/3", "events", "health", "predictions");
  const name = fc.constantFrom(
    ...["timestamp", "system_id", "lamp", "lamps", "event_type", "data", "component_id", "month"],
    ...["predictions", "__proto__", "constructor", "LAMP_01_POWER", "overall_score", "description"],
  );
  const word = fc.constantFrom<unknown>(
    AT,
    "PROCESS_START",
    "LAMP_03",
    3,
    1e300,
    "",
    null,
    "\ud800",
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, word, fc.jsonValue(), fc.array(tie("tree")), tie("object")),
    object: fc.dictionary(name, tie("tree")),
  }));
  fc.assert(
    fc.property(kind, fc.oneof(tree, fc.array(tree)), (topic, content) => {
      decode(topic, JSON.stringify(content) ?? "");
    }),
    { seed: 13, numRuns: 2000 },
  );
  fc.assert(
    fc.property(kind, fc.uint8Array(), (topic, payload) => {
      decode(topic, payload);
    }),
    { seed: 14 },
  );
});
