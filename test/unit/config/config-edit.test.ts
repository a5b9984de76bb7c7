// Keys of a configuration file are changed in its text, and nothing else in it is: odd files, and
// odd values.

import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { configurationFile } from "../../../scripts/package/configuration-file.ts";
import { CONFIG_KEYS, type ConfigKey } from "../../../src/config/config.ts";
import { type WrittenValue, withKeys } from "../../../src/config/edit.ts";
import { givenValue } from "../../../src/config/given.ts";
import { printedRandom } from "../../rig/random.ts";

function keyOf(name: string): ConfigKey {
  const key = CONFIG_KEYS.find((one) => one.key === name);
  if (key === undefined) throw new Error(`${name}: expected a key`);
  return key;
}

const set = (text: string, name: string, value: WrittenValue) =>
  withKeys(text, [{ key: keyOf(name), value }]);
const unset = (text: string, name: string) => withKeys(text, [{ key: keyOf(name), value: null }]);

describe("a key is set", () => {
  const installed = configurationFile();

  test("in place of its commented default, in its own section alone", () => {
    const text = set(installed, "mqtt.username", "plc");
    const lines = installed.split("\n");
    const changed = text.split("\n").flatMap((line, at) => (line === lines[at] ? [] : [at]));
    expect(changed).toHaveLength(1);
    expect(lines.slice(0, changed[0]).findLast((line) => line.startsWith("["))).toBe("[mqtt]");
    expect(parse(text)).toMatchObject({ mqtt: { username: "plc" } });
    expect(parse(text).sparkplug).toEqual({});
  });

  test.each(CONFIG_KEYS.filter(({ key }) => key !== "map.rule" && key !== "storage.dir"))(
    "and unset again, $key leaves the installed file as it was",
    (key) => {
      const value = typeof key.fallback === "number" ? 7.5 : ["a", "b"];
      const text = withKeys(installed, [{ key, value }]);
      expect(text.split("\n")).toHaveLength(installed.split("\n").length);
      expect(text).not.toBe(installed);
      expect(withKeys(text, [{ key, value: null }])).toBe(installed);
    },
  );

  test.each([
    ["nothing", "", '[mqtt]\nusername = "plc"\n'],
    ["a mark of its encoding", "\uFEFF", '\uFEFF[mqtt]\nusername = "plc"\n'],
    ["another section", "[http]\n", '[http]\n\n[mqtt]\nusername = "plc"\n'],
    ["no line end", "# c", '# c\n\n[mqtt]\nusername = "plc"\n'],
    ["lines of Windows", "# c\r\n", '# c\r\n\r\n[mqtt]\r\nusername = "plc"\r\n'],
    ["the section alone", "[mqtt]", '[mqtt]\nusername = "plc"'],
    ["a key", "[mqtt]\r\nmode='client' # c", `[mqtt]\r\nmode='client' # c\r\nusername = "plc"`],
    [
      "keys before another section",
      '[mqtt]\n  mode = "client"\n\n# about http\n[http]\n',
      '[mqtt]\n  mode = "client"\n  username = "plc"\n\n# about http\n[http]\n',
    ],
    ["a head in quotes", '[ "mqtt" ] # c\n', '[ "mqtt" ] # c\nusername = "plc"\n'],
    [
      "keys with dots",
      'mqtt.mode = "client"\nhttp.listen = []\n',
      'mqtt.mode = "client"\nmqtt.username = "plc"\nhttp.listen = []\n',
    ],
    ["an inline table", "mqtt = {} # c\n", 'mqtt = { username = "plc" } # c\n'],
    [
      "an inline table with keys",
      "mqtt = {mode='client', listen = ['a, }']}\n",
      `mqtt = { mode='client', listen = ['a, }'], username = "plc" }\n`,
    ],
    [
      "texts that look like it",
      '[a]\nb = """\n[mqtt]\nusername = "x"\n"""\n[mqtt]\n# username = his\n',
      '[a]\nb = """\n[mqtt]\nusername = "x"\n"""\n[mqtt]\nusername = "plc"\n# username = his\n',
    ],
    [
      "a comment that isn't the default",
      '[mqtt]\n#username = "old"\n',
      '[mqtt]\nusername = "plc"\n#username = "old"\n',
    ],
    [
      "its default with a remark",
      '[mqtt]\n # username = ""  # ask him\n',
      '[mqtt]\n username = "plc"  # ask him\n',
    ],
    [
      "the default of another section",
      '[sparkplug]\n#username = ""\n[mqtt]\n',
      '[sparkplug]\n#username = ""\n[mqtt]\nusername = "plc"\n',
    ],
  ])("in a file with %s", (_, before, after) => {
    expect(set(before, "mqtt.username", "plc")).toBe(after);
  });

  test.each([
    ["a text", '[mqtt]\nusername = "a # b" # c\n', '[mqtt]\nusername = "plc" # c\n'],
    ["a quoted key", `[mqtt]\n'username'="a"\r\n`, `[mqtt]\n'username'="plc"\r\n`],
    ["dots", 'mqtt . "username" = """a"""""\n', 'mqtt . "username" = "plc"\n'],
    ["quotes", '[mqtt]\nusername = "\\"]\\\\" # "\n', '[mqtt]\nusername = "plc" # "\n'],
    ["an inline table", "mqtt = { username = 'a', mode = 'b' }", null],
    ["lists", '[mqtt]\nlisten = [ # "\n"a]" ]\nusername = "a"\n', null],
    ["a list of tables", "[[map.rule]]\nx = 1\n[mqtt]\nusername = 'a'\n[[map.rule]]\n", null],
  ])("in place of its value in %s", (_, before, after) => {
    const text = set(before, "mqtt.username", "plc");
    if (after !== null) expect(text).toBe(after);
    expect(parse(text)).toEqual({
      ...parse(before),
      mqtt: { ...Object(parse(before).mqtt), username: "plc" },
    });
  });

  test("and comments within a list stand above it", () => {
    const before =
      '[http]\n  listen = [\n    "a:1", # the bridge\n    # "b:2",\n  ] # lan\n\n[mqtt]\n';
    const after = '[http]\n  # the bridge\n  # "b:2",\n  listen = ["c:3"] # lan\n\n[mqtt]\n';
    expect(set(before, "http.listen", ["c:3"])).toBe(after);
  });

  test("beside a list of tables in its section", () => {
    const before = '[[map.rule]]\ntag = "A"\nunmapped = "keep"\n';
    const after = `${before}\n[map]\nunmapped = "drop"\n`;
    expect(set(before, "map.unmapped", "drop")).toBe(after);
  });

  test.each([
    "[mqtt]\nusername = 1\n[[http]]\nlisten = []\n",
    "http = 5\n",
    "http.tls_cert.x = 1\n",
  ])("or nothing is, where the file %j has something else in its place", (text) => {
    expect(() => set(text, "http.tls_cert", "a")).toThrow(/^configuration: http\.tls_cert can't/);
  });

  test.each([
    '"',
    "\\",
    "\n",
    "\r\n",
    "\x00\x1b\x7f\x80\u2028",
    "'''",
    '"""',
    "#",
    "a\n[http]\nx=1",
  ])("to %j, which is read back as it is", (value) => {
    const text = set('[mqtt]\n#username = ""\n[http]\n', "mqtt.username", value);
    expect(parse(text)).toEqual({ mqtt: { username: value }, http: {} });
    expect(text.split("\n")).toHaveLength(4);
    const listed = set(text, "http.listen", [value, '","']);
    expect(parse(listed).http).toEqual({ listen: [value, '","'] });
  });
});

describe("a key is taken out", () => {
  test.each([
    ["its default stays", '[mqtt]\n mode = "client" # c\n', '[mqtt]\n #mode = "embedded" # c\n'],
    [
      "of two only one",
      '[mqtt]\n#mode = "embedded"\nmode = "client"\n',
      '[mqtt]\n#mode = "embedded"\n',
    ],
    [
      "its remark stays",
      '[mqtt]\n#mode = "embedded"\nmode = "client" # c\n',
      '[mqtt]\n#mode = "embedded"\n# c\n',
    ],
    ["of an inline table", "mqtt = { mode = 'client', listen = [] }", "mqtt = { listen = [] }"],
    ["with dots", "mqtt.mode = 'client'", '#mqtt.mode = "embedded"'],
    ["that isn't there", "[mqtt]\n", "[mqtt]\n"],
  ])("%s", (_, before, after) => {
    expect(unset(before, "mqtt.mode")).toBe(after);
  });
});

describe("a value as it is typed", () => {
  test.each([
    ["http.listen", "0.0.0.0:80", ["0.0.0.0:80"]],
    ["http.listen", "a:1, b:2,", ["a:1", "b:2"]],
    ["http.listen", "[\"a:1\", 'b:2',]", ["a:1", "b:2"]],
    ["http.listen", "[::1]:80", ["[::1]:80"]],
    ["http.cors_origins", "", []],
    ["mqtt.username", "plc", "plc"],
    ["mqtt.username", '"plc"', "plc"],
    ["mqtt.username", `"a" # b"`, `"a" # b"`],
    ["mqtt.username", '"a', '"a'],
    ["mqtt.username", "[a]", "[a]"],
    ["mqtt.username", '["a"]\nmode = "client"\nx = []', '["a"]\nmode = "client"\nx = []'],
    ["system.imo", "0074729", "0074729"],
    ["limits.uv_imo", "300.50", 300.5],
    ["limits.uv_imo", '"300"', 300],
    ["limits.uv_imo", "much", "much"],
    ["limits.cabinet_warn", "-5", -5],
    ["mqtt.status", "true", true],
    ["mqtt.status", "yes", "yes"],
    ["storage.free_warn", "3 GiB", "3 GiB"],
  ])("%s %s", (name, typed, value) => {
    expect(givenValue(keyOf(name), typed)).toEqual(value);
  });
});

test("in any file made of odd pieces only the key differs, and every other line stays", () => {
  const random = printedRandom("odd files");
  const pieces = [
    ['vessel = "x"', "# id = 7", 'type = """\n[mqtt]\nlisten = 1"""', "serial = '''\n#\n'''", ""],
    [
      'listen = [ # c\n \'a]\', "b\\"",\n]',
      '#listen = ["127.0.0.1:8080"]',
      "  tls_cert='#'",
      "# [x]",
    ],
    ['"mode" = "client"', "# url = ", 'prefix = "=" # "', '#username = ""', "merge_ms = 1_000"],
  ];
  const names = ["system.vessel", "http.listen", "mqtt.username", "mqtt.mode", "limits.uv_imo"];
  for (let turn = 0; turn < 500; turn += 1) {
    const end = random.pick(["\n", "\r\n"]);
    const text = ["system", "http", "mqtt"]
      .flatMap((section, at) => [
        random.pick([`[${section}]`, ` [ ${section} ] # [http]`]),
        ...pieces[at].filter(() => random.between(0, 1) === 1),
      ])
      .join("\n")
      .replaceAll("\n", end);
    const name = random.pick(names);
    const value = random.pick(["a\nb", '"""', "]"]);
    const after = set(text, name, value);
    const [section = "", key = ""] = name.split(".");
    const expected = parse(text);
    const table = { ...Object(expected[section]), [key]: value };
    expect(parse(after), text).toEqual({ ...expected, [section]: table });
    const left = new Map<string, number>();
    for (const line of after.split(end)) left.set(line, (left.get(line) ?? 0) + 1);
    const lost = text.split(end).filter((line) => {
      const count = left.get(line) ?? 0;
      left.set(line, count - 1);
      return count === 0 && !/listen|vessel|username|mode|'a]'|^\]$/.test(line);
    });
    expect(lost, text).toEqual([]);
  }
});
