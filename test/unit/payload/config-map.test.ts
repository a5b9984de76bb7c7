// The map in the configuration: how rules may be written, and that what could be believed wrongly
// is refused with its line, what was given and what is allowed.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { settingsOf } from "../../../src/app/shown-config.ts";
import { TAGS } from "../../../src/bwts/tags.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { EXIT, Failure } from "../../../src/ground/errors.ts";
import { openMap, oursFilter, type TagMap } from "../../../src/payload/map-rules.ts";
import { similarField } from "../../../src/payload/similar-field.ts";
import { runProgram } from "../../rig/program.ts";

const dir = mkdtempSync(path.join(os.tmpdir(), "ballastd-map-"));
const file = path.join(dir, "ballastd.toml");
afterAll(() => rmSync(dir, { recursive: true }));

function load(toml: string, env = {}): TagMap {
  writeFileSync(file, toml);
  const { config } = loadConfig({ file, env, defaultFile: null });
  return openMap(config.map, oursFilter(config.mqtt, config.system));
}

function refusal(toml: string, env = {}): string {
  try {
    load(toml, env);
  } catch (error) {
    if (error instanceof Failure && error.exitCode === EXIT.config)
      return error.message.replaceAll(file, "FILE");
    throw error;
  }
  return "not refused";
}

const rule = (more: string) => `[[map.rule]]\ntag = "PT101"\nfield = "SYS_PRESSURE"\n${more}\n`;
const fieldRule = (field: string, more = "") =>
  `[[map.rule]]\ntag = "PT101"\nfield = "${field}"\n${more}\n`;
const on = (topic: string) => `[[map.rule]]\ntopic = "${topic}"\ntag = "T"\nfield = "MY_TAG"\n`;

describe("a rule", () => {
  test("is a table of its own, or an item of a list, or JSON in a variable", () => {
    const rules = [
      { tag: "A", field: "SYS_PRESSURE", factor: { numerator: 1, denominator: 60 } },
      { tag: "B", field: "MY_TAG", topic: "ship/+/b" },
    ];
    const table = `[[map.rule]]\ntag = "A"\nfield = "SYS_PRESSURE"\nfactor = "1/60"
[[map.rule]]\ntopic = "ship/+/b"\ntag = "B"\nfield = "MY_TAG"`;
    const list = `[map]\nrule = [
  { tag = "A", field = "SYS_PRESSURE", factor = "1/60" }, # the first
  { topic = "ship/+/b", tag = "B", field = "MY_TAG" },
]`;
    const json = '[{"tag":"A","field":"SYS_PRESSURE","factor":"1/60"},';
    const BALLASTD_MAP_RULE = `${json}{"topic":"ship/+/b","tag":"B","field":"MY_TAG"}]`;
    expect(load(table).rules).toMatchObject(rules);
    expect(load(list).rules).toMatchObject(rules);
    expect(load(rule(""), { BALLASTD_MAP_RULE }).rules).toMatchObject(rules);
    expect(load("").rules).toEqual([]);
  });

  test.each([
    [rule("factor = 0"), "3, factor", 4, "is 0, expected a number other than 0"],
    [rule("factor = nan"), "3, factor", 4, "is NaN, expected a finite number"],
    [rule("factor = -inf"), "3, factor", 4, "is -Infinity, expected a finite number"],
    [rule('factor = "0/7"'), "3, factor", 4, 'is "0/7", expected a number other than 0'],
    [rule('factor = "1/0"'), "3, factor", 4, 'is "1/0", expected a finite number'],
    [rule('factor = "0,001"'), "3, factor", 4, 'is "0,001", expected a finite number'],
    [rule("factor = true"), "3, factor", 4, "is true, expected a finite number"],
    [rule("offset = inf"), "3, offset", 4, "is Infinity, expected a finite number"],
    [rule("faktor = 2"), "3, faktor", 4, "is unknown, expected topic, tag, field"],
    [rule('topic = ""'), "3, topic", 4, 'is "", expected a topic of 1 to 256'],
    [rule('topic = "a/#/b"'), "3, topic", 4, "has another value, expected # at the end only"],
    [rule('topic = "a/b+"'), "3, topic", 4, "has another value, expected + and # to stand alone"],
    [rule('topic = "$SYS/#"'), "3, topic", 4, "doesn't start with $"],
    [rule("topic = 7"), "3, topic", 4, "is a number, expected a text"],
    [rule("values = {}"), "3, values", 4, "is a table, expected a table from values to values"],
    [rule('values = { "3" = 1, "3.0" = 2 }'), "3, values", 4, 'expected "3.0" once'],
    [rule('factor = 2\nvalues = { "3" = 4 }'), "3, values", 5, "has a factor or offset beside it"],
    ['[[map.rule]]\nfield = "SYS_PRESSURE"', "3", 1, "has no tag"],
    ['[[map.rule]]\ntag = "PT101"', "3", 1, "has no field"],
    ['[[map.rule]]\ntag = "A"\nfield = "no such"', "3, field", 3, "expected 1 to 64 of A-Z"],
    ['[[map.rule]]\ntag = "A"\nfield = 7', "3, field", 3, "is a number, expected a text"],
    [
      fieldRule("FILTER_DIFF_PRESSURE"),
      "3, field",
      3,
      "expected FLT_DIFF_PRESSURE, or a name that",
    ],
    [fieldRule("sys_pressure"), "3, field", 3, "expected SYS_PRESSURE, or"],
    [fieldRule("LAMP_1_RUNTIME"), "3, field", 3, "expected LAMP_01_RUNTIME, or"],
    [fieldRule("LAMP_17_RUNTIME"), "3, field", 3, "expected LAMP_"],
    [fieldRule("LAMP_XX_RUNTIME"), "3, field", 3, "expected XX, a lamp's number"],
    [fieldRule("system_id"), "3, field", 3, "system.id identifies this system"],
    [fieldRule("PROCESS_STATE", "factor = 2"), "3, field", 3, "is a string and has a factor"],
    [fieldRule("LDC_WATER_ALARM", "offset = 2"), "3, field", 3, "is a boolean and has an offset"],
    [fieldRule("SYS_PRESSURE", 'values = { a = "b" }'), "3, field", 3, "expected numbers"],
    [fieldRule("FAILED_LAMP_COUNT", "values = { a = 1.5 }"), "3, field", 3, "expected integers"],
    [fieldRule("LDC_WATER_ALARM", "values = { a = 1 }"), "3, field", 3, "expected booleans"],
    [fieldRule("timestamp", "values = { a = 1 }"), "3, field", 3, "has values, expected none"],
  ])("%j is refused as %s on its line", (toml, spot, line, words) => {
    // Two good rules before it, one of which speaks of brackets and of rules in texts.
    const before = `[map]\nunmapped = "keep"
[[map.rule]]\ntag = "x[0] } = { [[map.rule]] #"\nfield = "A"\n
[[map.rule]]  # factor = 7\ntag = 'y"'\nfield = "B"\n`;
    const message = refusal(before + toml);
    const at = line + before.split("\n").length - 1;
    expect(message).toContain(`configuration: map.rule ${spot} (FILE line ${at})`);
    expect(message).toContain(words);
    expect(message).not.toContain("\n");
  });

  test.each([
    ['[map]\nrule = [\n { tag = "A", field = "B" },\n { tag = "{", fild = "B" },\n]', 4, "2, fild"],
    ['[map]\nrule = [{ tag = "A", field = "B" }, {\n tag = "C",\n field = "X Y" }]', 4, "2, field"],
    ['map.rule = [\n { tag = "A", field = "B", factor = 0 } ]', 2, "1, factor"],
    ['\nmap = { rule = [ { tag = "A", field = "B", factor = 0 } ] }', 2, "1, factor"],
  ])("in a list, %j, is refused with its line", (toml, line, spot) => {
    expect(refusal(toml)).toContain(`configuration: map.rule ${spot} (FILE line ${line}) `);
  });

  test.each([
    ["[map.rule]\ntag = 'A'", "map.rule (FILE line 1) is a table, expected [[map.rule]] tables"],
    [
      "[map]\nrule = [7]",
      "map.rule 1 (FILE line 2) is a number, expected a table with tag and field",
    ],
    ["[map]\nunmapped = 'no'", 'map.unmapped (FILE line 2) is "no", expected keep or drop'],
    ["[map]\nrules = []", "map.rules (FILE line 2) is unknown, expected unmapped, rule"],
  ])("%j is no list of rules", (toml, words) => {
    expect(refusal(toml)).toContain(words);
  });

  test("in a variable is refused with the variable", () => {
    const env = (BALLASTD_MAP_RULE: string) => ({ BALLASTD_MAP_RULE });
    expect(refusal("", env("tag=A"))).toContain(
      "BALLASTD_MAP_RULE has another value, expected a list in",
    );
    const words = "BALLASTD_MAP_RULE 1, factor is 0, expected a number other than 0";
    expect(refusal("", env('[{"tag":"A","field":"B","factor":0}]'))).toContain(words);
  });
});

describe("two rules for one tag", () => {
  test.each([
    ["ship/uv1", "ship/uv1"],
    ["ship/uv1", "ship/+"],
    ["ship/+/a", "+/uv1/a"],
    ["ship/#", "ship"],
    ["#", "a/b/c"],
    ["bwts/BWTS-001/telemetry", null],
    ["+/+/lamps/+", null],
    ["ship/XX/a", "ship/07/a"],
  ])("on %s and %s are refused with both lines", (one, other) => {
    const second = other === null ? '[[map.rule]]\ntag = "T"\nfield = "OTHER"\n' : on(other);
    const first = one.includes("XX") ? on(one).replace("MY_TAG", "LAMP_XX_POWER") : on(one);
    const message = refusal(first + second);
    const [firstLine, secondLine] = [4, other === null ? 7 : 8];
    expect(message).toContain(`map.rule 2, field (FILE line ${secondLine})`);
    expect(message).toContain(`so is map.rule 1, field (FILE line ${firstLine})`);
  });

  test.each([
    ["ship/uv1", "ship/uv2"],
    ["ship/+", "ship/uv1/a"],
    ["ship/+/a", "ship/uv1/b"],
    ["a/#", "b/#"],
    ["other/BWTS-001/telemetry", null],
  ])("on %s and %s are two rules", (one, other) => {
    const second = other === null ? '[[map.rule]]\ntag = "T"\nfield = "OTHER"\n' : on(other);
    expect(load(on(one) + second).rules).toHaveLength(2);
  });
});

test("XX stands for every lamp, however its number is written, and for its place", () => {
  const lamps = (topic: string, tag: string) =>
    load(`[[map.rule]]\ntopic = "${topic}"\ntag = "${tag}"\nfield = "LAMP_XX_POWER"\n`).rules.map(
      (one) => `${one.topic} ${one.tag} ${one.field}`,
    );
  const byTopic = lamps("uv/lampXX", "p");
  expect(byTopic).toHaveLength(9 * 2 + 7);
  expect(byTopic.slice(0, 2)).toEqual(["uv/lamp01 p LAMP_01_POWER", "uv/lamp1 p LAMP_01_POWER"]);
  const byPlace = lamps("uv", "lamps[XX].p");
  expect(byPlace).toHaveLength(16);
  expect([byPlace[0], byPlace[15]]).toEqual([
    "uv lamps[0].p LAMP_01_POWER",
    "uv lamps[15].p LAMP_16_POWER",
  ]);
});

test("subscriptions are the contract's filter and the rules', none covered by another", () => {
  const topics = ["ship/a", "ship/+", "uv/#", "uv/b/c", "bwts/BWTS-001/lamps/1"];
  const rules = topics.map((topic, index) => on(topic).replace('"T"', `"T${index}"`)).join("");
  const lamp = on("uw/XX/p").replace("MY_TAG", "LAMP_XX_POWER");
  expect(load(rules + lamp).filters).toEqual(["bwts/BWTS-001/#", "ship/+", "uv/#", "uw/+/p"]);
});

test("a name like a field's is one of its own only if it can't be taken for it", () => {
  const fields = TAGS.map(({ name }) => name);
  for (const name of fields) {
    expect(similarField(name.toLowerCase())).toBe(name);
    expect(similarField(`${name}X`)).not.toBeNull();
  }
  const apart = [
    "UVR_INTENSITY_2",
    "SYS_PRESSURE_OUT",
    "LAMP_01_POWER_W",
    "PT101.q",
    "x",
    "TANK_4",
  ];
  for (const name of apart) expect([name, similarField(name)]).toEqual([name, null]);
  const close = ["UVR_INTENSITY_NORMALISED", "FLT-DIFF-PRESSURE", "LAMP_00_STATUS", "WATERQUALITY"];
  for (const name of close) expect(fields).toContain(similarField(name));
});

test("a rule that moves to another line is no change of the configuration", () => {
  const settings = (toml: string) => {
    load(toml);
    return settingsOf(loadConfig({ file, env: {}, defaultFile: null }).config);
  };
  expect(settings(`\n\n${rule("")}`)).toEqual(settings(rule("")));
  expect(settings(rule("factor = 2"))).not.toEqual(settings(rule("")));
});

test.each([["serve"], ["map", "try"], ["import", file]])(
  "%s %s ends with exit code 78 and one line for a bad rule",
  async (...args) => {
    writeFileSync(file, fieldRule("FILTER_DIFF_PRESSURE"));
    const { code, stdout, stderr } = await runProgram({ args: [...args, "--config", file] });
    expect({ code, stdout }).toEqual({ code: 78, stdout: "" });
    expect(stderr).toBe(
      `ballastd: configuration: map.rule 1, field (${file} line 3) is "FILTER_DIFF_PRESSURE", ` +
        "expected FLT_DIFF_PRESSURE, or a name that isn't so similar\n",
    );
  },
);
