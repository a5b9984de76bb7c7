// `ballastd config set` and `unset` on the built program: what is written and what is left alone,
// what is refused, and when it counts.

import { spawnSync } from "node:child_process";
import {
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { configurationFile } from "../../scripts/package/configuration-file.ts";
import { configCommands } from "../rig/config-command.ts";
import { reservePort } from "../rig/port.ts";
import { runProgram, startProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";

const openFile = configCommands(configurationFile());
const BAD_SECRET = "6b1f0c2e9d";
const SECRET = "0123456789abcdef-secret";

test("a key is set and unset, and it is said what changes", async () => {
  const { file, config, read, tables } = openFile();
  const installed = read();
  const args = ["limits.uv_imo", "300", "system.vessel", 'MV "Exämple"'];
  const set = await config("set", ...args);
  expect(set).toMatchObject({ code: 0, stderr: "" });
  expect(set.stdout).toBe(
    "limits.uv_imo: 252 (default) -> 300\n" +
      'system.vessel: "" (default) -> "MV \\"Exämple\\""\n' +
      `${file} was changed; the file before is ${file}.before\n` +
      "no instance runs: this counts from the next start\n",
  );
  expect(tables()).toMatchObject({ limits: { uv_imo: 300 }, system: { vessel: args[3] } });
  expect(readFileSync(`${file}.before`, "utf8")).toBe(installed);
  const again = await config("set", ...args, "--json");
  expect({ code: again.code, ...JSON.parse(again.stdout) }).toEqual({
    ...{ code: 0, file, before: null, restart: false, changes: [] },
  });
  expect((await config("set", "limits.uv_imo", "300.0")).stdout).toBe(
    `limits.uv_imo: is 300 already\n${file}: nothing was changed\n`,
  );
  expect(readFileSync(`${file}.before`, "utf8")).toBe(installed);
  const unset = await config("unset", "limits.uv_imo", "system.vessel", "--json");
  expect(JSON.parse(unset.stdout)).toMatchObject({
    before: `${file}.before`,
    changes: [
      { key: "limits.uv_imo", old: 300, new: 252 },
      { key: "system.vessel", old: args[3], new: "" },
    ],
  });
  expect(read()).toBe(installed);
});

test("owner, mode and a link to the file stay", async () => {
  const { folder, file, config } = openFile();
  chownSync(file, 65_534, 4321);
  const link = path.join(folder, "link.toml");
  symlinkSync("ballastd.toml", link);
  const { code, stdout } = await config("set", "mqtt.prefix", "ship", "--config", link);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("ship") });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  for (const one of [file, `${file}.before`]) {
    const { mode, uid, gid } = statSync(one);
    expect({ mode: mode & 0o7777, uid, gid }).toEqual({ mode: 0o640, uid: 65_534, gid: 4321 });
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("link"))).toEqual(["link.toml"]);
});

test("a secret's value is never said", async () => {
  const { config, tables } = openFile();
  const first = await config("set", "auth.token", SECRET);
  const other = await config("set", "auth.token", `${SECRET}2`, "--json");
  const gone = await config("unset", "auth.token");
  const short = await config("set", "auth.token", BAD_SECRET);
  const instead = await config("set", "mqtt.username", "plc", "mqtt.password_file", SECRET);
  const joined = await config("set", `auth.token=${SECRET}`, "x");
  expect([first, other, gone, short, instead, joined].map(({ code }) => code)).toEqual([
    ...[0, 0, 0, 78, 0, 2],
  ]);
  const said = [first, other, gone, short, instead, joined].flatMap(({ stdout, stderr }) => [
    ...[stdout, stderr],
  ]);
  expect(said.join("\n")).not.toMatch(new RegExp(`${SECRET}|${BAD_SECRET}`));
  expect(first.stdout).toContain('auth.token: "not set" (default) -> "set"\n');
  expect(JSON.parse(other.stdout).changes).toEqual([
    { key: "auth.token", old: "set", new: "set anew" },
  ]);
  expect(instead.stderr).toMatch(/^secrets: mqtt\.password_file: the file that it names can't be/);
  expect(tables()).toMatchObject({ auth: {}, mqtt: { password_file: SECRET } });
});

const REFUSED: readonly (readonly [args: readonly string[], code: number, says: RegExp])[] = [
  [["set", "mqtt.usernme", "x"], 2, /mqtt\.usernme is unknown: did you mean mqtt\.username\?/],
  [["set", "username", "x"], 2, /did you mean mqtt\.username or sparkplug\.username\?/],
  [["set", "nothing.like_it", "x"], 2, /expected a key such as http\.listen/],
  [["unset", "x".repeat(5000)], 2, /that key is unknown/],
  [["set", "limits.uv_imo"], 2, /got 1 words, expected pairs/],
  [["set"], 2, /got 0 words/],
  [["unset"], 2, /config unset: expected config show, config set/],
  [["set", "limits.uv_imo", "1", "limits.uv_imo", "2"], 2, /given twice/],
  [["set", "system.vessel", "M\uFFFDller"], 2, /system\.vessel: .*aren't UTF-8/],
  [["set", "limits.uv_imo", "1", "--origin"], 2, /only config show takes it/],
  [["set", "map.rule", "[]"], 2, /map\.rule: change its \[\[map\.rule\]\]/],
  [["set", "limits.uv_imo", "-1"], 78, /limits\.uv_imo is "-1", expected a number from 1/],
  [["set", "http.listen", ""], 78, /http\.listen .*expected at least one host:port/],
  [["set", "http.listen", '["a:1", "b"]'], 78, /http\.listen .*expected host:port/],
  [["set", "log.level", "loud"], 78, /log\.level is "loud", expected debug or info/],
  [
    ["set", "mqtt.username", "plc"],
    78,
    /nothing was changed.*mqtt\.password_file is not: set both/,
  ],
  [["set", "mqtt.listen", "0.0.0.0:1883"], 78, /nothing was changed.*reachable from outside/],
  [["set", "limits.dp_warn", "2"], 78, /limits\.dp_alarm is 1, expected more than/],
  [["set", "sensors.spans", "UVR_INTENSITY 9 1"], 78, /sensors\.spans has 9 to 1/],
];

test("what can't be is refused, and the file stays", LONG, async () => {
  const { folder, config, read } = openFile();
  const before = read();
  for (const [args, code, says] of REFUSED) {
    const refused = await config(...args);
    expect({ args, code: refused.code, stdout: refused.stdout }).toEqual({
      ...{ args, code, stdout: "" },
    });
    expect(refused.stderr).toMatch(says);
  }
  expect(read()).toBe(before);
  expect(readdirSync(folder).sort()).toEqual(["ballastd.toml"]);
});

test.each([
  ["no TOML", `[auth]\ntoken = ${SECRET} x\n`, /line 2 column \d+ isn't TOML/],
  ["another system's letters", Buffer.from("# K\xfchlung\n", "latin1"), /line 1 isn't UTF-8/],
  ["a newer form", "version = 2\n", /expected 1: the file is for a newer ballastd/],
  ["an unknown key", "[mqtt]\nusernme = 1\n", /mqtt\.usernme .*is unknown/],
  ["a section of another kind", "http = 5\n", /can't be changed without/],
])("a file with %s is refused as it is", LONG, async (_, text, says) => {
  const { file, config, read } = openFile("");
  writeFileSync(file, text);
  const before = readFileSync(file);
  const { code, stderr } = await config("set", "http.listen", "127.0.0.1:1");
  expect(code).toBe(78);
  expect(stderr).toMatch(says);
  expect(stderr).not.toContain(SECRET);
  expect(readFileSync(file)).toEqual(before);
  expect(read()).not.toContain("127.0.0.1:1");
});

test("a refused value in the file is mended, and a file that isn't there isn't made", async () => {
  const { folder, config, tables } = openFile('[limits]\nuv_imo = "much" # from the maker\n');
  const { code, stdout } = await config("set", "limits.uv_imo", "300");
  expect({ code, stdout }).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining(`"a value that can't be used" -> 300`) },
  });
  expect(tables()).toEqual({ limits: { uv_imo: 300 } });
  const missing = await config("set", "log.level", "warn", "--config", path.join(folder, "none"));
  expect(missing).toMatchObject({ code: 78, stderr: expect.stringContaining("none isn't there") });
  const pipe = path.join(folder, "pipe");
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  const fromPipe = await config("set", "log.level", "warn", "--config", pipe);
  expect(fromPipe).toMatchObject({ code: 78, stderr: expect.stringContaining("is not a file") });
  const inFolder = await config("set", "log.level", "warn", "--config", folder);
  expect(inFolder).toMatchObject({ code: 78, stderr: expect.stringContaining("is not a file") });
});

test("a running instance needs a restart, and takes the value then", LONG, async () => {
  const { folder, file, config } = openFile('[storage]\ndir = "data"\n');
  const port = (await reservePort()).port;
  const options = { folder, args: ["serve", "--config", file] };
  await using program = startProgram(options);
  await program.waitForOutput(/^MQTT: /m);
  const set = await config("set", "limits.uv_imo", "301", "--json");
  expect(JSON.parse(set.stdout)).toMatchObject({ restart: true });
  const { stdout } = await config("set", "limits.uv_imo", "302");
  expect(stdout).toMatch(
    /\nrestart needed, the running instance keeps the old values until then\n$/,
  );
  expect(await program.stop("SIGTERM")).toMatchObject({ code: 0 });
  const listen = `127.0.0.1:${port}`;
  await config("set", "http.listen", listen);
  const env = { BALLASTD_HTTP_LISTEN: undefined };
  await using next = startProgram({ ...options, env });
  await next.waitForOutput(/^MQTT: /m);
  expect(next.stdout()).toContain(`web: http://${listen}/`);
});

test("a service in recovery takes the mended file by itself", async () => {
  const { folder, file, config } = openFile();
  const { port } = await reservePort();
  const listen = `listen = ["127.0.0.1:${port}"]`;
  writeFileSync(file, `[http]\n${listen}\n[limits]\nuv_imo = "much"\n[storage]\ndir = "data"\n`);
  const env = { BALLASTD_HTTP_LISTEN: undefined };
  const args = ["serve", "--recovery", "--config", file];
  await using program = startProgram({ folder, args, env });
  await program.waitForOutput(/^RECOVERY: /m);
  const { stdout } = await config("unset", "limits.uv_imo");
  expect(stdout).toMatch(/\nthe service is in recovery: it reads the file by itself now\n$/);
  await program.waitForOutput(/^MQTT: /m);
});

test("a variable over the file, and a file that two sections share, are told", LONG, async () => {
  const { folder, file, config } = openFile();
  const password = path.join(folder, "password");
  writeFileSync(password, "engine room 7\n", { mode: 0o600 });
  symlinkSync(password, path.join(folder, "other"));
  await config("set", "mqtt.username", "plc", "mqtt.password_file", password);
  const pair = ["sparkplug.username", "plc", "sparkplug.password_file", path.join(folder, "other")];
  const shared = "mqtt.password_file and sparkplug.password_file are one file: the secret";
  const set = await config("set", ...pair);
  expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining(`secrets: ${shared}`) });
  const check = async () => {
    const { stdout } = await runProgram({ args: ["check", "--json"], folder });
    const findings: { what: string; state: string; says: string; fix: string }[] =
      JSON.parse(stdout);
    return findings.filter(({ what }) => what === "secrets");
  };
  const [finding, ...more] = await check();
  expect(more).toEqual([]);
  expect(finding).toMatchObject({
    ...{ state: "warning", says: expect.stringContaining(shared) },
    fix: "ballastd config unset sparkplug.username sparkplug.password_file",
  });
  const { code } = await config(...finding.fix.split(" ").slice(2));
  expect({ code, findings: await check() }).toEqual({ code: 0, findings: [] });
  const env = { BALLASTD_CONFIG: file, BALLASTD_MQTT_PASSWORD_FILE: password };
  const args = ["config", "set", "mqtt.listen", "0.0.0.0:0"];
  const told = await runProgram({ args, folder, env: { ...env, BALLASTD_MQTT_USERNAME: "x" } });
  expect(told.stderr).toBe("BALLASTD_MQTT_LISTEN is set here, and wins over the file\n");
  await config("set", "mqtt.listen", "127.0.0.1:0");
  await config("unset", "mqtt.username", "mqtt.password_file");
  const open = { ...env, BALLASTD_MQTT_USERNAME: "x", BALLASTD_MQTT_LISTEN: undefined };
  expect((await runProgram({ args, folder, env: open })).stderr).toMatch(
    /^without BALLASTD_.* a start would refuse the file: mqtt\.listen .*reachable from outside/,
  );
});
