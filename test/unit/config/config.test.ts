// Configuration: what the keys are without a file, that the environment wins over the file, and
// that what isn't understood is refused in one line with the key, the value and what is allowed.

import path from "node:path";
import { describe, expect, test } from "vitest";
import { shownConfig } from "../../../src/app/shown-config.ts";
import { CONFIG_KEYS, variableOf } from "../../../src/config/config.ts";
import { configText } from "../../../src/config/key-text.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { printListen } from "../../../src/config/values.ts";
import { isLoopback } from "../../../src/ground/admission.ts";
import { configFolder, refusal } from "../../rig/config-file.ts";

const { dir, file, load, readable } = configFolder();

/** The treatment system's own data, which nobody has given. */
const UNKNOWN_PLANT = { type: "", serial: "", certificate: "", capacity: 0 };

describe("without a file", () => {
  test("every key has the default that is documented", () => {
    const data = path.resolve("data");
    expect(load(null)).toEqual({
      system: { id: "BWTS-001", vessel: "", imo: "", utc_offset: "", ...UNKNOWN_PLANT },
      storage: {
        ...{ dir: data, retention_months: 24, short_retention: false },
        free_warn: 2 * 1024 ** 3,
        free_stop: 256 * 1024 ** 2,
      },
      http: {
        listen: [{ host: "127.0.0.1", port: 8080 }],
        ...{ tls_cert: "", tls_key: "", cors_origins: [], allowed_hosts: [] },
      },
      auth: { token: "", token_file: path.join(data, "token"), monitoring: "open" },
      mqtt: {
        mode: "embedded",
        listen: [{ host: "127.0.0.1", port: 1883 }],
        url: "mqtt://127.0.0.1:1883",
        client_id: "ballastd-BWTS-001",
        prefix: "bwts",
        status: false,
        ...{ merge_ms: 0, plc_utc_offset: "" },
        ...{ username: "", password_file: "", tls_cert: "", tls_key: "", tls_ca: "" },
      },
      modbus: { listen: [] },
      shore: {
        ...{ url: [], cert: "", key: "", key_pin: "", objects: "", objects_key: "", max_kbit: 0 },
        ...{ objects_pin: "", raw: "always", report_minutes: 10, max_mb_day: 0, alarm_hours: 24 },
      },
      sparkplug: {
        ...{ url: "", group: "ballastd", node: "BWTS-001", host_id: "" },
        client_id: "ballastd-sparkplug-BWTS-001",
        ...{ username: "", password_file: "", tls_cert: "", tls_key: "", tls_ca: "" },
      },
      map: { unmapped: "keep", rule: [] },
      limits: {
        ...{ uv_imo: 252, uv_uscg: 530, uv_target: 650, dp_warn: 0.5, dp_alarm: 1 },
        ...{ flow_max_imo: 1000, flow_max_uscg: 1000 },
        ...{ cabinet_warn: 45, cabinet_trip: 60, cip_hours: 720 },
        ...{ beyond_seconds: 60, warmup_seconds: 60, stopping_seconds: 60 },
        source: "default, replace by the type approval certificate",
      },
      ...{ alarms: { no_data_seconds: 0 }, record_book: expect.any(Object) },
      sensors: { spans: [] },
      lamps: {
        ...{ rated_hours: 3000, end_of_life_efficiency: 70, horizon_hours: 500 },
        ...{ part_number: "", profile: [], lead_days: 60 },
      },
      quarantine: { max_bytes: 256 * 1024 * 1024 },
      backup: { dir: path.join(data, "backup"), keep_daily: 7, keep_weekly: 4 },
      update: { prefix: "/opt/ballastd", key_file: "/etc/ballastd/update-key.pem" },
      log: { level: "info" },
    });
  });

  test("the data folder is that of systemd when there is one", () => {
    expect(load(null, { STATE_DIRECTORY: "/var/lib/ballastd" }).storage.dir).toBe(
      "/var/lib/ballastd",
    );
  });
});

describe("where a value comes from", () => {
  test("the file is read, and the environment wins over it", () => {
    const toml = '[system]\nid = "A-1"\nvessel = "Aurora"\n[limits]\nuv_imo = 300\n';
    const { system, limits, mqtt } = load(toml, { BALLASTD_SYSTEM_ID: "B-2" });
    expect(system).toEqual({
      ...{ id: "B-2", vessel: "Aurora", imo: "", utc_offset: "" },
      ...UNKNOWN_PLANT,
    });
    expect(limits.uv_imo).toBe(300);
    expect(mqtt.client_id).toBe("ballastd-B-2");
  });

  test("$BALLASTD_CONFIG names a file, an option wins over it, an empty one is none", () => {
    load('[system]\nvessel = "Aurora"\n');
    const env = { BALLASTD_CONFIG: file };
    const options = { file: null, env, defaultFile: null };
    expect(loadConfig(options)).toMatchObject({ file, config: { system: { vessel: "Aurora" } } });
    expect(loadConfig({ ...options, env: { BALLASTD_CONFIG: "" } }).file).toBeNull();
    const missing = path.join(dir, "missing.toml");
    expect(refusal(() => loadConfig({ ...options, file: missing }))).toBe(
      `configuration: ${missing} can't be read (ENOENT)`,
    );
  });

  test("the default file is read where it is there, and isn't missed where it isn't", () => {
    load('[system]\nvessel = "Aurora"\n');
    expect(loadConfig({ file: null, env: {}, defaultFile: file }).file).toBe(file);
    const missing = path.join(dir, "missing.toml");
    expect(loadConfig({ file: null, env: {}, defaultFile: missing }).file).toBeNull();
    expect(refusal(() => loadConfig({ file: null, env: {}, defaultFile: dir }))).toContain(
      "can't be read (EISDIR)",
    );
  });

  test("web origins are kept as browsers send them", () => {
    const origins = (given: string) => load(null, { BALLASTD_HTTP_CORS_ORIGINS: given }).http;
    expect(origins("HTTPS://Office.example:443, http://[::1]:80,http://a:8080")).toMatchObject({
      cors_origins: ["https://office.example", "http://[::1]", "http://a:8080"],
    });
    expect(origins("*")).toMatchObject({ cors_origins: ["*"] });
  });

  test("every key has its variable", () => {
    expect(variableOf("http", "cors_origins")).toBe("BALLASTD_HTTP_CORS_ORIGINS");
    const [mib, level] = ["2 MiB", "debug"];
    const { quarantine, log } = load(null, {
      BALLASTD_QUARANTINE_MAX_BYTES: mib,
      BALLASTD_LOG_LEVEL: level,
    });
    expect({ ...quarantine, ...log }).toEqual({ max_bytes: 2 * 1024 * 1024, level });
  });
});

describe("the version of the file", () => {
  test("is 1, with or without its line, and is shown with where it comes from", () => {
    const shown = (toml: string) => {
      const id = load(toml).system.id;
      const [version] = shownConfig(loadConfig({ file, env: {}, defaultFile: null }));
      return { id, ...version };
    };
    expect(shown('[system]\nid = "A"\n')).toEqual({
      ...{ id: "A", key: "version", value: 1, origin: "default" },
    });
    expect(shown('# form\nversion = 1\n[system]\nid = "A"\n')).toEqual({
      ...{ id: "A", key: "version", value: 1, origin: `${file} line 2` },
    });
  });

  test("a newer one is refused before the keys that are unknown here, with what to do", () => {
    const toml = 'version = 2\n[http]\nlisten = "127.0.0.1:81"\nquic = true\n';
    expect(refusal(() => load(toml))).toBe(
      `configuration: version (${file} line 1) is 2, expected 1: the file is for a newer ` +
        "ballastd; install that, or put back the older file",
    );
    // The recovery page goes where the file says, whoever wrote it.
    expect(readable(toml).config.http.listen.map(printListen)).toEqual(["127.0.0.1:81"]);
  });

  test.each([
    ["version = 0", "is 0, expected 1"],
    ["version = 1.5", "is 1.5, expected 1: the file is for a newer"],
    ['version = "hunter2"', "is no number, expected 1"],
    ["[version]\nis = 1", "is no number, expected 1"],
  ])("%j is refused", (toml, words) => {
    expect(refusal(() => load(toml))).toContain(`version (${file} line 1) ${words}`);
  });

  test("the environment has none", () => {
    expect(refusal(() => load(null, { BALLASTD_VERSION: "1" }))).toContain("unknown variable");
  });
});

describe("values", () => {
  test("lists are TOML lists, or texts with commas", () => {
    const listen = [
      { host: "0.0.0.0", port: 80 },
      { host: "::1", port: 8080 },
      { host: "ship-server.local", port: 0 },
    ];
    const toml = '[http]\nlisten = ["0.0.0.0:80", "[::1]:8080", "ship-server.local:0"]\n';
    expect(load(toml).http.listen).toEqual(listen);
    const text = "0.0.0.0:80, [::1]:8080,ship-server.local:0,";
    expect(load(null, { BALLASTD_HTTP_LISTEN: text }).http.listen).toEqual(listen);
    expect(listen.map(printListen)).toEqual(["0.0.0.0:80", "[::1]:8080", "ship-server.local:0"]);
  });

  test.each([
    ["BALLASTD_SYSTEM_ID", "", "1 to 64 letters"],
    ["BALLASTD_SYSTEM_ID", "a/b", "1 to 64 letters"],
    ["BALLASTD_MQTT_PREFIX", "bwts/#", "topic levels"],
    ["BALLASTD_MQTT_PREFIX", "/bwts", "topic levels"],
    ["BALLASTD_MQTT_PREFIX", "$SYS", "topic levels"],
    ["BALLASTD_MQTT_MODE", "Embedded", "embedded or client"],
    ["BALLASTD_HTTP_ALLOWED_HOSTS", "ship,https://ship", "host names, without scheme, port"],
    ["BALLASTD_HTTP_ALLOWED_HOSTS", "ship:8080", "host names, without scheme, port"],
    ["BALLASTD_HTTP_ALLOWED_HOSTS", "*", "host names, without scheme, port"],
    ...["office", "ftp://office", "https://a, *", "https://a/", "https://a/b", "https://u@a"].map(
      (given) => ["BALLASTD_HTTP_CORS_ORIGINS", given, "expected origins such as https://"],
    ),
    ["BALLASTD_HTTP_CORS_ORIGINS", "https://a:99999", "expected origins such as https://"],
    ["BALLASTD_MQTT_URL", "http://broker", "mqtt://host:port"],
    ["BALLASTD_MQTT_URL", "mqtt://", "mqtt://host:port"],
    ["BALLASTD_MQTT_URL", "mqtt://u:p@broker", "no password in it"],
    ["BALLASTD_MQTT_MERGE_MS", "1.5", "an integer from 0 to 60000"],
    ["BALLASTD_MQTT_MERGE_MS", "-1", "an integer from 0 to 60000"],
    ["BALLASTD_MQTT_MERGE_MS", "soon", "an integer from 0 to 60000"],
    ["BALLASTD_HTTP_LISTEN", "", "at least one host:port"],
    ["BALLASTD_HTTP_LISTEN", "8080", "host:port"],
    ["BALLASTD_HTTP_LISTEN", ":8080", "host:port"],
    ["BALLASTD_HTTP_LISTEN", "*:8080", "host:port"],
    ["BALLASTD_HTTP_LISTEN", "localhost:65536", "port of 0 to 65535"],
    ["BALLASTD_HTTP_LISTEN", "::1:8080", "IPv6 in brackets"],
    ["BALLASTD_HTTP_LISTEN", "[127.0.0.1]:8080", "IPv6 in brackets"],
    ["BALLASTD_HTTP_LISTEN", "http://127.0.0.1:8080", "host:port"],
    ["BALLASTD_AUTH_MONITORING", "none", "open or token"],
    ["BALLASTD_LIMITS_UV_IMO", "", "a number from 1 to 100000"],
    ["BALLASTD_LIMITS_UV_IMO", "252,5", "a number from 1 to 100000"],
    ["BALLASTD_LIMITS_UV_IMO", "Infinity", "a number from 1 to 100000"],
    ["BALLASTD_LIMITS_UV_TARGET", "0", "a number from 1 to 100000"],
    ["BALLASTD_QUARANTINE_MAX_BYTES", "256 MB", "KiB, MiB, GiB"],
    ["BALLASTD_QUARANTINE_MAX_BYTES", "-1", "KiB, MiB, GiB"],
    ["BALLASTD_LOG_LEVEL", "trace", "debug or info or warn or error"],
  ])("%s=%s is refused with the variable and what is expected", (name, value, words) => {
    const message = refusal(() => load(null, { [name]: value }));
    expect(message).toMatch(
      new RegExp(`^configuration: ${name} (is .+|has another value), expected `),
    );
    expect(message).toContain(words);
    expect(message).not.toContain("\n");
  });

  test.each([
    ["BALLASTD_MQTT_MODE", "Embedded", '"Embedded"'],
    ["BALLASTD_MQTT_URL", "mqtt://plc:hunter2@10.0.0.5:1883", '"mqtt://...@10.0.0.5:1883"'],
    ["BALLASTD_MQTT_URL", "mqtt://plc:hunter2@broker:1883", '"mqtt://..."'],
    ["BALLASTD_HTTP_LISTEN", "*:8080", '"*:8080"'],
    ["BALLASTD_HTTP_LISTEN", "::1:8080", '"::1:8080"'],
    ["BALLASTD_LIMITS_UV_IMO", "252,5", '"252,5"'],
    ["BALLASTD_LIMITS_UV_IMO", "much", '"much"'],
    ["BALLASTD_QUARANTINE_MAX_BYTES", "256 MB", '"256 MB"'],
  ])("%s=%s can be no secret, and is shown as %s", (name, value, shown) => {
    expect(refusal(() => load(null, { [name]: value }))).toContain(`${name} is ${shown}, expected`);
  });

  test.each([
    ['[mqtt]\n\nmerge_ms = "1s"', 'mqtt.merge_ms (FILE line 3) is "1s", expected an integer'],
    ["[limits]\nuv_imo = nan", "limits.uv_imo (FILE line 2) is NaN, expected a number"],
    ["[limits]\nuv_imo = inf", "limits.uv_imo (FILE line 2) is Infinity, expected a number"],
    ["[limits]\nuv_imo = 0", "limits.uv_imo (FILE line 2) is 0, expected a number from 1 to"],
    ["[limits]\nuv_imo = true", "limits.uv_imo (FILE line 2) is true, expected a number"],
    ["[system]\nvessel = 7", "system.vessel (FILE line 2) is a number, expected a text in quotes"],
    ["[http]\nlisten = [8080]", "http.listen (FILE line 2) is a list, expected a text in quotes"],
    ["[http]\nlisten = []", "http.listen (FILE line 2) is an empty list, expected at least one"],
    ["# no\nlimits.uv_imo = -1", "limits.uv_imo (FILE line 2) is -1, expected a number"],
    ["\nlimits = { uv_imo = -1 }", "limits.uv_imo (FILE line 2) is -1, expected a number"],
    ["[http]\nlistn = 1", "http.listn (FILE line 2) is unknown, expected listen, tls_cert"],
    ["http = { listn = 1 }", "http.listn (FILE line 1) is unknown, expected listen"],
    ["[http]\nconstructor = 1", "http.constructor (FILE line 2) is unknown, expected listen"],
    ["[http.tls]\ncert = 1", "http.tls (FILE line 1) is unknown, expected listen"],
    ["\n[htp]\nlisten = 1", "htp (FILE line 2) is unknown, expected system, storage, http"],
    ["listen = 1", "listen (FILE line 1) is unknown, expected system, storage, http"],
    ["http = 1", "http (FILE line 1) is a number, expected a table"],
    ["[http]\nlisten = ", "FILE line 2 column 10 isn't TOML: invalid value"],
    ["[http]\n[http]", "FILE line 2 column 2 isn't TOML: trying to redefine"],
  ])("%j is refused with the line", (toml, words) => {
    const message = refusal(() => load(toml));
    expect(message.replaceAll(file, "FILE")).toContain(`configuration: ${words}`);
    expect(message).not.toContain("\n");
  });

  test("an unknown variable is refused, those of others are none of ours", () => {
    expect(load(null, { PATH: "/bin", BALLAST: "7" })).toEqual(load(null));
    const message = refusal(() => load(null, { BALLASTD_HTTP_LISTN: "x" }));
    expect(message).toContain("configuration: BALLASTD_HTTP_LISTN is an unknown variable");
    expect(message).toContain("expected BALLASTD_<SECTION>_<KEY>");
  });
});

test.each([[""], ["x".repeat(16)], ["~!@#$%^&*()_+-=[]{}"], ["x".repeat(512)]])(
  "the token %j is taken",
  (token) => {
    expect(load(null, { BALLASTD_AUTH_TOKEN: token }).auth.token).toBe(token);
  },
);

test("an address is loopback only when no other machine can reach it", () => {
  expect(["127.0.0.1", "::1", "localhost"].every(isLoopback)).toBe(true);
  expect(["0.0.0.0", "::", "127.0.0.1.example.com", "ship"].some(isLoopback)).toBe(false);
});

test("every key says what it is for, and takes its own example", () => {
  for (const { section, name, fallback, example = fallback, description } of CONFIG_KEYS) {
    const message = refusal(() => load(`[${section}]\n${name} = ${configText(example)}\n`));
    expect(message).toMatch(
      /^not refused|set both or neither|ballastd shore join|mqtts:\/\/ because/,
    );
    expect(description).not.toBe("");
  }
});
