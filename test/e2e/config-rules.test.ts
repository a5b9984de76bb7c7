// Rules of the map over HTTP, on the built program: a PLC with other names is understood after the
// restart, a rule is taken out again, what can't be is refused, and the unit writes them as root.

import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { connectAsync } from "mqtt";
import { expect, test } from "vitest";
import {
  envOf,
  OWN_ADDRESSES,
  openShip,
  post,
  startsOf,
  TEXT,
  TOKEN,
} from "../oracle/settings-ship.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";
import { until } from "../rig/until.ts";

const newFolder = foldersOfTests();
const RULE = { topic: "plc/1", tag: "PT101", field: "SYS_PRESSURE" };
const OWN = { topic: null, tag: "F1", field: "SYS_FLOW_RATE" };
const added = (...rules: readonly object[]) => ({ rules: { add: rules } });

async function rulesAt(url: string) {
  const headers = { Authorization: `Bearer ${TOKEN}`, Connection: "close" };
  return (await (await fetch(`${url}/admin/config`, { headers })).json()).rules;
}

test("a PLC with names of its own is understood after rules were added by the page", async () => {
  await using ship = await openShip(newFolder, { env: OWN_ADDRESSES });
  const { appliance, read } = ship;
  const changes = [
    { key: "map.rule", old: "", new: "plc/1: PT101 = SYS_PRESSURE" },
    { key: "map.rule", old: "", new: "F1 = SYS_FLOW_RATE" },
  ];
  const dry = await post(appliance, { ...added(RULE, OWN), check: true });
  expect(dry).toMatchObject({ status: 200, body: { changes, stored: false, restart: true } });
  expect(read()).toBe(TEXT);
  const done = await post(appliance, { ...added(RULE, OWN), restart: true });
  expect(done.body).toMatchObject({ changes, stored: true, restarting: true });
  expect(done.body.before).toBe("ballastd.toml.before");
  expect(read().startsWith(TEXT)).toBe(true);
  const { url, broker } = await startsOf(appliance, 2);
  expect(await rulesAt(url)).toEqual([RULE, OWN]);
  const client = await connectAsync(broker, { reconnectPeriod: 0 });
  const timestamp = new Date().toISOString();
  const publish = (topic: string, fields: object) =>
    client.publishAsync(topic, JSON.stringify({ timestamp, ...fields }), { qos: 1 });
  await publish("plc/1", { PT101: 2.5 });
  await publish("bwts/BWTS-001/telemetry", { F1: 640 });
  await client.endAsync();
  await until("both values in the newest reading", async () => {
    const latest = await (await fetch(`${url}/api/telemetry/latest`)).json();
    return latest.SYS_PRESSURE === 2.5 && latest.SYS_FLOW_RATE === 640;
  });
  const less = { ...appliance, url };
  const out = await post(less, { rules: { remove: [RULE] }, restart: true });
  expect(out.body).toMatchObject({
    changes: [{ key: "map.rule", old: "plc/1: PT101 = SYS_PRESSURE", new: "" }],
    ...{ stored: true, restarting: true },
  });
  const next = await startsOf(appliance, 3);
  expect(await rulesAt(next.url)).toEqual([OWN]);
});

test("a rule that a start would refuse is named, and the file stays as it was", async () => {
  await using ship = await openShip(newFolder);
  const { appliance, read } = ship;
  const refused: readonly [object, string][] = [
    [added({ ...RULE, topic: "plc/#/1" }), "map.rule 1, topic"],
    [added({ ...RULE, field: "SYS PRESSURE" }), "expected 1 to 64 of"],
    [added(RULE, { ...RULE, field: "SYS_FLOW_RATE" }), "PT101"],
    [{ rules: { remove: [RULE] } }, "there is no rule plc/1: PT101 = SYS_PRESSURE in the file"],
    [added({ ...RULE, factor: 0 }), "a number other than 0"],
    [added({ ...RULE, values: { 3: "RUNNING" } }), "which is a number"],
    [added({ ...RULE, unit: "mbar" }), "unit"],
    [{ rules: {} }, "expected at least one change"],
    [added(...Array.from({ length: 65 }, () => RULE)), "expected at most 64 rules"],
  ];
  for (const [body, words] of refused) {
    const { status, body: answer } = await post(appliance, body);
    expect([status, answer.message]).toEqual([400, expect.stringContaining(words)]);
  }
  expect(read()).toBe(TEXT);
  expect(existsSync(`${ship.file}.before`)).toBe(false);
});

test("a rule is told with all that it has, also when it goes by its name alone", async () => {
  await using ship = await openShip(newFolder, { env: OWN_ADDRESSES });
  const { appliance } = ship;
  const whole = [
    { ...RULE, factor: 0.001, comma: "decimal", quality: "Q1", good: [192, "Good"] },
    { topic: "plc/1", tag: "t", field: "UVR_WATER_TEMP", factor: "5/9", offset: "-160/9" },
    { topic: "plc/1", tag: "st", field: "PROCESS_STATE", values: { "0": "IDLE", "3": "RUNNING" } },
  ];
  const done = await post(appliance, { ...added(...whole), restart: true });
  expect(done).toMatchObject({ status: 200, body: { stored: true } });
  const { url } = await startsOf(appliance, 2);
  expect(await rulesAt(url)).toEqual(whole);
  const tried = await post({ ...appliance, url }, { rules: { remove: [RULE] }, check: true });
  const line = 'factor = 0.001, comma = "decimal", quality = "Q1", good = [192, "Good"]';
  expect(tried.body.changes).toEqual([
    { key: "map.rule", old: `plc/1: PT101 = SYS_PRESSURE, ${line}`, new: "" },
  ]);
});

test("a file that a start couldn't read is named, and the service goes on", async () => {
  const folder = newFolder();
  const file = path.join(folder, "password");
  writeFileSync(file, "engine room 7\n", { mode: 0o600 });
  const login = { BALLASTD_MQTT_USERNAME: "plc", BALLASTD_MQTT_PASSWORD_FILE: file };
  await using ship = await openShip(newFolder, { folder, env: login });
  const { appliance, read } = ship;
  rmSync(file);
  const { status, body } = await post(appliance, { ...added(RULE), restart: true });
  expect([status, body.message]).toEqual([400, expect.stringContaining("mqtt.password_file")]);
  expect(read()).toBe(TEXT);
  expect((await fetch(`${appliance.url}/healthz`)).status).toBe(200);
});

test("where nobody writes the file, the refusal says where rules stand", LONG, async () => {
  await using ship = await openShip(newFolder, { isForeign: true });
  const { status, body } = await post(ship.appliance, added(RULE));
  expect([status, body.message]).toEqual([409, expect.stringContaining("[[map.rule]]")]);
  expect(body.message).not.toContain("config set");
});

test("rules of the environment variable stay there, for it wins over the file", LONG, async () => {
  const variable = { BALLASTD_MAP_RULE: JSON.stringify([{ tag: "A", field: "SYS_PRESSURE" }]) };
  await using ship = await openShip(newFolder, { env: variable });
  const { status, body } = await post(ship.appliance, added(RULE));
  expect([status, body.message]).toEqual([409, expect.stringContaining("BALLASTD_MAP_RULE")]);
  expect(ship.read()).toBe(TEXT);
});

test("where the service may not write the file, it leaves them for its unit", LONG, async () => {
  const env = (folder: string) => ({ SETTINGS_AT_START: "1", STATE_DIRECTORY: folder });
  const folder = newFolder();
  await using ship = await openShip(newFolder, {
    ...{ isForeign: true, folder, env: { ...OWN_ADDRESSES, ...env(folder) } },
  });
  const { appliance, read, file } = ship;
  const done = await post(appliance, { ...added(RULE), restart: true });
  expect(done.body).toMatchObject({ stored: true, before: null, restarting: true });
  await appliance.program.ended;
  expect(read()).toBe(TEXT);
  const left = path.join(folder, "settings.json");
  const taken = await runProgram({
    ...{ args: ["config", "take", left, "--config", file], folder },
    env: envOf(folder, file),
  });
  expect(taken, taken.stderr).toMatchObject({ code: 0 });
  expect(taken.stdout).toContain("map.rule: plc/1: PT101 = SYS_PRESSURE is added");
  expect(read()).toContain('[[map.rule]]\ntopic = "plc/1"\ntag = "PT101"');
  expect(existsSync(left)).toBe(false);
});
