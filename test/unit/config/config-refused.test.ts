// A configuration that is refused: what of it can be read all the same, and what contradicts
// itself.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load.ts";
import { printListen } from "../../../src/config/values.ts";
import { configFolder, type Environment, refusal } from "../../rig/config-file.ts";

const { load, readable } = configFolder();

const closed = { BALLASTD_MQTT_USERNAME: "plc", BALLASTD_MQTT_PASSWORD_FILE: "/run/password" };

describe("what can be read of a configuration that is refused", () => {
  const listens = (toml: string) => readable(toml).config.http.listen.map(printListen);
  const broken = [
    '[limits]\nuv_imo = "much"\n',
    "[auth]\ntoken = 8361\n",
    "[auth]\ntokn = 'x'\n",
    "[auth]\ntoken = 8361abc-\n",
    '[auth]\ntoken = "unfinished\n',
    "[htp]\nx = 1\n",
    "nonsense\n",
    "[limits\nuv_imo = 5\n",
    "[http]\n",
  ];

  test.each(broken)("with %j the addresses stay, before and after it", (lines) => {
    const good = '[http]\nlisten = [\n  "10.0.0.5:80", # the bridge\n  "127.0.0.1:81",\n]\n';
    const section = '\n[storage]\ndir = "/srv/ship"\n';
    for (const toml of [good + lines + section, section + lines + good]) {
      expect(refusal(() => load(toml))).toMatch(/^configuration: /);
      expect(listens(toml)).toEqual(["10.0.0.5:80", "127.0.0.1:81"]);
      expect(readable(toml).config.storage.dir).toBe("/srv/ship");
      expect(readable(toml).isSure("storage", "dir")).toBe(true);
    }
  });

  test("of several addresses those that are right", () => {
    expect(listens('[http]\nlisten = ["10.0.0.5:80", "10.0.0.6:8O"]\n')).toEqual(["10.0.0.5:80"]);
    expect(listens('[http]\nlisten = ["10.0.0.6:8O"]\n')).toEqual(["127.0.0.1:8080"]);
  });

  test("a default is no answer where what was meant may stand in what can't be read", () => {
    const sure = (toml: string, env: Environment = {}) => {
      const { isSure } = readable(toml, env);
      return [isSure("storage", "dir"), isSure("auth", "monitoring")];
    };
    expect(sure("[limits]\nuv_imo = -1\n")).toEqual([true, true]);
    expect(sure("[auth]\ntoken = 8361\n")).toEqual([true, true]);
    expect(sure('[auth]\nmonitorng = "token"\n')).toEqual([true, false]);
    expect(sure("[auth]\nmonitoring = token\n")).toEqual([false, false]);
    expect(sure("[storage]\ndir = 7\n")).toEqual([false, true]);
    expect(sure("", { BALLASTD_STORAGE_DIRR: "/srv" })).toEqual([false, false]);
  });
});

test.each([
  ["BALLASTD_LIMITS_UV_IMO", "0x10", '"0x10"'],
  ["BALLASTD_LIMITS_UV_IMO", "1_000", '"1_000"'],
  ["BALLASTD_SYSTEM_VESSEL", "x".repeat(140), "a text of 140 characters"],
])("%s=%s is refused as %s", (name, value, shown) => {
  expect(refusal(() => load(null, { [name]: value }))).toContain(`${name} is ${shown}, expected`);
});

describe("contradictions", () => {
  test.each([
    ["127.0.0.1:1883", true],
    ["127.1.2.3:1883", true],
    ["[::1]:1883", true],
    ["localhost:1883", true],
    ["0.0.0.0:1883", false],
    ["[::]:1883", false],
    ["192.168.1.2:1883", false],
    ["127.example.com:1883", false],
    ["127.0.0.1:1883,10.0.0.1:1883", false],
  ])("a broker on %s without a password is fine: %s", (listen, isFine) => {
    const env = { BALLASTD_MQTT_LISTEN: listen };
    const message = refusal(() => load(null, env));
    if (isFine) expect(message).toMatch(/^not refused/);
    else expect(message).toMatch(/^configuration: mqtt.listen .* is reachable from outside/);
    expect(load(null, { ...env, ...closed }).mqtt.listen.length).toBeGreaterThan(0);
    expect(load(null, { ...env, BALLASTD_MQTT_MODE: "client" }).mqtt.mode).toBe("client");
  });

  test.each(Object.entries(closed))("%s alone is refused: both or neither", (name, value) => {
    expect(refusal(() => load(null, { [name]: value }))).toContain("set both or neither");
  });

  test.each([
    [{ BALLASTD_HTTP_TLS_CERT: "c.pem" }, "http.tls_cert is set, but http.tls_key is not"],
    [{ BALLASTD_HTTP_TLS_KEY: "k.pem" }, "http.tls_key is set, but http.tls_cert is not"],
    [{ BALLASTD_MQTT_TLS_CERT: "c.pem" }, "mqtt.tls_cert is set, but mqtt.tls_key is not"],
    [{ BALLASTD_MQTT_TLS_CA: "ca.pem" }, "mqtt.tls_ca is set, but mqtt.tls_cert and"],
    [
      { BALLASTD_MQTT_MODE: "client", BALLASTD_MQTT_TLS_CA: "ca.pem" },
      "mqtt.url is mqtt://127.0.0.1:1883, expected mqtts:// because mqtt.tls_ca",
    ],
  ])("%j is refused: half of TLS would be none", (env, words) => {
    expect(refusal(() => load(null, env))).toContain(`configuration: ${words}`);
  });

  test("a cabinet that trips before it warns is refused", () => {
    expect(refusal(() => load("[limits]\ncabinet_trip = 45\n"))).toBe(
      "configuration: limits.cabinet_trip is 45, expected more than limits.cabinet_warn (45)",
    );
  });

  test.each([
    ["dp_warn = 1.2", "limits.dp_alarm is 1, expected more than limits.dp_warn (1.2)"],
    ["dp_warn = 1", "limits.dp_alarm is 1, expected more than limits.dp_warn (1)"],
    ["dp_alarm = 0.4", "limits.dp_alarm is 0.4, expected more than limits.dp_warn (0.5)"],
    [
      "uv_target = 251",
      "limits.uv_target is 251, expected limits.uv_imo (252) or limits.uv_uscg (530) or more: " +
        "an intensity below both limits would score 100",
    ],
    [
      "[system]\ncapacity = 850",
      "limits.flow_max_imo is 1000, expected at most system.capacity (850): no plant is " +
        "certified for more",
    ],
  ])("limits that contradict each other are refused: %s", (given, words) => {
    expect(refusal(() => load(`[limits]\n${given}\n`))).toBe(`configuration: ${words}`);
  });

  test.each([
    "dp_warn = 0.99",
    "uv_target = 300",
    "uv_imo = 700",
    "flow_max_imo = 1200",
    "[system]\ncapacity = 1000",
  ])("limits that a plant may have are taken: %s", (given) => {
    expect(() => load(`[limits]\n${given}\n`)).not.toThrow();
  });
});

test.each(["storage", "backup"])(
  "a store's address is no folder, and isn't shown: %s",
  (section) => {
    const message = refusal(() => load(`[${section}]\ndir = "s3://key:hunter2@store/b"\n`));
    expect(message).toContain(`${section}.dir`);
    expect(message).toContain("expected a path");
    expect(message).not.toContain("hunter2");
  },
);

test.each([
  ['http.listen = ["127.0.0.1:1883"]', "mqtt.listen has 127.0.0.1:1883, which http.listen"],
  ['http.listen = ["0.0.0.0:8080", "localhost:8080"]', "http.listen has localhost:8080, which"],
  ['modbus.listen = ["127.0.0.1:8080"]', "modbus.listen has 127.0.0.1:8080, which http.listen"],
  ['http.listen = ["[::]:8080", "127.0.0.1:8080"]', "http.listen has 127.0.0.1:8080, which http"],
  ['http.listen = ["10.0.0.5:8080", "[::]:8080"]', "http.listen has [::]:8080, which http.listen"],
  ['http.listen = ["0.0.0.0:9"]\nmodbus.listen = ["[::]:9"]', "modbus.listen has [::]:9, which"],
])("an address that two servers have is refused: %s", (given, words) => {
  expect(refusal(() => load(`${given}\n`))).toContain(words);
});

test.each(['http.listen = ["0.0.0.0:8080", "[::]:8080"]', 'http.listen = ["127.0.0.1:0"]'])(
  "addresses of their own are taken: %s",
  (given) => {
    expect(() => load(`${given}\nmodbus.listen = ["127.0.0.1:0"]\n`)).not.toThrow();
  },
);

test.each([
  ['[backup]\ndir = """\n[http]\nlisten = 3\n"""\n[http]\nlisten = 7\n', "http.listen", 7],
  ['"http" . "listen" = 7\n', "http.listen", 1],
  ['[ http ]\n# listen = 1\n "listen" = 7\n', "http.listen", 3],
  ["[storage]\ndir = 'a = {['\nretention_months = true\n", "storage.retention_months", 3],
])("in %j the mistake's own line is named", (toml, key, line) => {
  expect(refusal(() => load(toml))).toMatch(new RegExp(`${key} \\(\\S+ line ${line}\\) is `));
});

test.each([
  ["x".repeat(15), "16 to 512 visible ASCII characters, no blanks among them, and it has 15"],
  ["x".repeat(513), "and it has 513"],
  ["sixteen letters and blanks", "no blanks among them, and it has 26, with others"],
  ["sechzehnzeichenä", "and it has 16, with others"],
])("the token %j is refused and not shown", (token, words) => {
  const message = refusal(() => load(null, { BALLASTD_AUTH_TOKEN: token }));
  expect(message).toMatch(/^configuration: BALLASTD_AUTH_TOKEN is invalid/);
  expect(message).toContain(words);
  expect(message).not.toContain(token);
});

describe("another encoding, and names", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-config-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "ballastd.toml");
  const loadBytes = (bytes: Buffer | string, env: Environment = {}) => {
    writeFileSync(file, bytes);
    return refusal(() => loadConfig({ file, env }));
  };

  test.each([
    ['[system]\nvessel = "Möwe"\n', 2],
    ["# Größe\n[system]\n", 1],
    ['[system]\nid = "A"\n\n# für', 4],
  ])("a file in Latin-1 is refused with the line: %j", (toml, line) => {
    expect(loadBytes(Buffer.from(toml, "latin1"))).toBe(
      `configuration: ${file} line ${line} isn't UTF-8: save the file in that encoding`,
    );
    expect(loadBytes(toml)).toMatch(/^not refused/);
  });

  test("a file in UTF-16 is refused", () => {
    const bytes = Buffer.from('\ufeff[system]\nvessel = "Gull"\n', "utf16le");
    expect(loadBytes(bytes)).toContain("line 1 isn't UTF-8");
  });

  test.each(["vessel", "imo", "type", "serial", "certificate"])(
    "system.%s is a line of at most 128 characters",
    (key) => {
      for (const given of [
        "x".repeat(129),
        "a\\nb",
        "a\\u0000b",
        "a\\u007f",
        "\\u202eb",
        "\\ufffd",
      ])
        expect(loadBytes(`[system]\n${key} = "${given}"\n`)).toMatch(
          /line 2\) .*expected at most 128 characters in UTF-8, without control characters$/,
        );
      for (const given of ["x".repeat(128), "한라호", "Möwe 🚢".padEnd(128, "ö")])
        expect(loadBytes(`[system]\n${key} = "${given}"\n`)).toMatch(/^not refused/);
    },
  );

  test("a name in Latin-1 in the environment is refused", () => {
    const env = { BALLASTD_SYSTEM_VESSEL: Buffer.from("Möwe", "latin1").toString() };
    expect(refusal(() => load(null, env))).toContain("expected at most 128 characters in UTF-8");
  });

  test.each(["", "\n", " \r\n\t"])("an empty file (%j) is refused once there is data", (given) => {
    const dir = path.join(folder, "data");
    const env = { STATE_DIRECTORY: dir };
    expect(loadBytes(given, env)).toMatch(/^not refused/);
    mkdirSync(dir);
    writeFileSync(path.join(dir, "ballastd.db"), "");
    expect(loadBytes(given, env)).toContain(`${file} is empty, and there is data`);
    expect(loadBytes("# defaults\n", env)).toMatch(/^not refused/);
    rmSync(dir, { recursive: true });
  });

  const tableOf = (...points: readonly string[]) =>
    `[lamps]\nprofile = ${JSON.stringify(points)}\n`;

  test.each([
    [["0 100"], "has 1 points, expected 2 to 20, or none"],
    [["0 100", "4000"], "is a list, expected hours and the output in % of new, 4000 85"],
    [["0 100", "4000 85 %"], "is a list, expected hours and the output in % of new, 4000 85"],
    [["0 100", "4000 85", "3000 70"], "has 3000 h after 4000 h, expected hours that rise"],
    [["0 100", "0 70"], "has 0 h after 0 h, expected hours that rise"],
    [["0 111", "4000 70"], "has 111 %, expected at most 110 %"],
    [["0 100", "2000000 70"], "has 2000000 h, expected at most 1000000 h"],
    [["0 70", "4000 60"], "begins at 70 %, expected more than lamps.end_of_life_efficiency (70 %)"],
    [
      ["0 100", "4000 85"],
      "ends at 85 %, expected a last point at or below lamps.end_of_life_efficiency (70 %): " +
        "a table that doesn't reach it tells no life",
    ],
    [
      ["0 100", "4000 60", "5000 65"],
      "ends at 65 % and has less before, expected the least output in the last point",
    ],
    [
      ["0 100", "9000 80", "12000 60"],
      "is at 70 % after 10500 h, expected a third of lamps.rated_hours (3000 h) to 3 times as many",
    ],
    [["0 100", "900 70"], "is at 70 % after 900 h, expected a third of lamps.rated_hours (3000 h)"],
  ])("a maker's table that can't be a lamp's is refused: %j", (points, words) => {
    expect(refusal(() => load(tableOf(...points)))).toMatch(/^configuration: lamps\.profile/);
    expect(refusal(() => load(tableOf(...points)))).toContain(words);
  });

  test("a maker's table is taken from the file, and from the environment with commas", () => {
    const points = ["0 100", "500 103.5", "4000 85", "8000 70"];
    expect(load(tableOf(...points)).lamps.profile).toEqual(points);
    const env = { BALLASTD_LAMPS_PROFILE: points.join(", ") };
    expect(load(null, env).lamps.profile).toEqual(points);
    expect(load(null).lamps.profile).toEqual([]);
  });

  test("a table that was fine is refused where a lamp is worn at less than its last point", () => {
    const worn = "end_of_life_efficiency = 60\n";
    expect(refusal(() => load(tableOf("0 100", "3000 70") + worn))).toContain("ends at 70 %");
    expect(load(tableOf("0 100", "3000 60") + worn).lamps.profile).toHaveLength(2);
  });
});
