// Settings over HTTP with a restart, on the built program: within the same process, and by the
// unit's step as root, which writes the file that the service may not write.

import { spawnSync } from "node:child_process";
import {
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { connectAsync } from "mqtt";
import { describe, expect, test } from "vitest";
import { makeCurrent } from "../../src/app/control/versions.ts";
import { startAppliance } from "../oracle/appliance.ts";
import {
  AS_ACCOUNT,
  envOf,
  OWN_ADDRESSES,
  openShip,
  post,
  SHIP,
  startsOf,
  TEXT,
  TOKEN,
} from "../oracle/settings-ship.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { reservePort } from "../rig/port.ts";
import { PROGRAM } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";
import { installFirst, makeVersion } from "../rig/versions.ts";

const newFolder = foldersOfTests();

/** The settings as the page has them, and their values by key. */
async function settingsAt(url: string) {
  const answer = await fetch(`${url}/admin/config`, {
    headers: { Authorization: `Bearer ${TOKEN}`, Connection: "close" },
  });
  const now = await answer.json();
  const values = new Map<string, { value: unknown; set: boolean }>(
    now.values.map((one: { key: string }) => [one.key, one]),
  );
  return { ...now, values };
}

test("settings with a restart count within the same process", async () => {
  await using ship = await openShip(newFolder, { env: OWN_ADDRESSES });
  const { appliance, read } = ship;
  const before = await settingsAt(appliance.url);
  expect(before).toMatchObject({
    ...{ file: ship.file, writable: true, problem: null, restarts: false },
    plc: { mode: "embedded", is_lan: false, topic: "bwts/BWTS-001", user: null, password: false },
  });
  expect(before.plc.addresses).toEqual([`127.0.0.1:${appliance.mqtt_port}`]);
  expect(before.values.get("system.vessel")).toMatchObject({ value: "", set: false });
  const { port } = await reservePort();
  const changes = [
    ...SHIP,
    { key: "mqtt.listen", value: `127.0.0.2:${port}, 127.0.0.1:${port}` },
    { key: "mqtt.username", value: "plc" },
    { key: "mqtt.password", value: "engine room 7" },
  ];
  const tried = await post(appliance, { changes, check: true, restart: true });
  expect(tried.body).toMatchObject({ stored: false, restart: true, restarting: false });
  expect(read()).toBe(TEXT);
  const done = await post(appliance, { changes, restart: true });
  expect(done.body).toMatchObject({ stored: true, restart: true, restarting: true });
  expect(JSON.stringify(done.body)).not.toContain("engine room");
  const { url, broker } = await startsOf(appliance, 2);
  expect(broker).toMatch(/^mqtt:\/\/127\.0\.0\.2:\d+$/);
  const { values, plc } = await settingsAt(url);
  expect(values.get("system.vessel")).toMatchObject({ value: "MV Exämple", set: true });
  expect(plc).toMatchObject({ is_lan: false, user: "plc", password: true });
  const login = { username: "plc", reconnectPeriod: 0 };
  await expect(connectAsync(broker, { ...login, password: "engine room 8" })).rejects.toThrow();
  const client = await connectAsync(broker, { ...login, password: "engine room 7" });
  await client.endAsync();
  // The password before stays whole until another one is in use.
  const again = [{ key: "mqtt.password", value: "engine room 8" }];
  const second = await post({ ...appliance, url }, { changes: again, restart: true });
  expect(second.body).toMatchObject({ stored: true, restarting: true });
  const next = await startsOf(appliance, 3);
  const other = await connectAsync(next.broker, { ...login, password: "engine room 8" });
  await other.endAsync();
  // Said again, nothing differs, and nothing starts again.
  const last = await post({ ...appliance, url: next.url }, { changes: SHIP, restart: true });
  expect(last.body).toMatchObject({ stored: false, restart: false, restarting: false });
});

describe("where the service may not write the file, its unit does", () => {
  const unitEnv = (folder: string) => ({
    ...OWN_ADDRESSES,
    ...{ SETTINGS_AT_START: "1", STATE_DIRECTORY: folder },
  });

  /** The step that the unit runs as root before a start, with the installed version. */
  function takeSettings(folder: string, file: string) {
    const prefix = newFolder();
    installFirst(prefix, "1.0.0", makeVersion(PROGRAM, prefix, { version: "1.0.0" }));
    makeCurrent(prefix, "1.0.0");
    return spawnSync(path.join("systemd", "take-settings"), [file, prefix], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, STATE_DIRECTORY: folder },
    });
  }

  async function startAgain(folder: string, file: string) {
    const env = { ...envOf(folder, file), ...unitEnv(folder) };
    return startAppliance({ folder, env, through: AS_ACCOUNT });
  }

  test("they are left, written by root before the next start, and used", async () => {
    const folder = newFolder();
    await using ship = await openShip(newFolder, { folder, env: unitEnv(folder), isForeign: true });
    const { appliance, read, file } = ship;
    const now = await settingsAt(appliance.url);
    expect(now).toMatchObject({ writable: true, problem: null, restarts: true });
    const alone = await post(appliance, { changes: SHIP });
    expect(alone).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/restart/) },
    });
    expect(existsSync(path.join(folder, "settings.json"))).toBe(false);
    const changes = [
      ...SHIP,
      { key: "mqtt.listen", value: `127.0.0.2:${(await reservePort()).port}` },
      { key: "mqtt.username", value: "plc" },
      { key: "mqtt.password", value: "engine room 7" },
    ];
    const done = await post(appliance, { changes, restart: true });
    expect(done.body).toMatchObject({ stored: true, restarting: true });
    expect((await appliance.program.ended).code).toBe(75);
    expect(read()).toBe(TEXT);
    const taken = takeSettings(folder, file);
    expect(taken).toMatchObject({ status: 0 });
    expect(read()).toContain('vessel = "MV Exämple"');
    expect(statSync(file)).toMatchObject({ uid: 0 });
    expect(existsSync(`${file}.before`)).toBe(true);
    await using again = await startAgain(folder, file);
    const { values, plc, problem } = await settingsAt(again.url);
    expect(values.get("system.vessel")).toMatchObject({ value: "MV Exämple", set: true });
    expect({ plc, problem }).toMatchObject({ plc: { user: "plc", password: true }, problem: null });
  });

  test("what root refuses changes nothing, and the page says so", LONG, async () => {
    const folder = newFolder();
    await using ship = await openShip(newFolder, { folder, env: unitEnv(folder), isForeign: true });
    await ship.appliance.program.stop("SIGTERM");
    const left = path.join(folder, "settings.json");
    const refused = [
      [{ key: "storage.dir", value: "/etc" }],
      [{ key: "mqtt.password_file", value: "/etc/shadow" }],
      [{ key: "shore.url", value: "https://stranger.example" }],
      [...SHIP, { key: "limits.uv_imo", value: -1 }],
    ];
    for (const changes of refused) {
      writeFileSync(left, JSON.stringify({ changes }));
      expect(takeSettings(folder, ship.file).status).not.toBe(0);
      expect(ship.read()).toBe(TEXT);
    }
    // A link to another's file isn't followed.
    rmSync(left);
    symlinkSync("/etc/shadow", left);
    expect(takeSettings(folder, ship.file)).toMatchObject({ status: 0, stdout: "", stderr: "" });
    rmSync(left);
    writeFileSync(left, "not JSON");
    expect(takeSettings(folder, ship.file).status).not.toBe(0);
    await using again = await startAgain(folder, ship.file);
    const { problem, writable } = await settingsAt(again.url);
    expect({ problem, writable }).toMatchObject({
      ...{ writable: true, problem: expect.stringContaining("isn't a list of settings") },
    });
    expect(existsSync(left)).toBe(false);
    await expect.poll(() => refusedAt(again.url)).toBe(true);
  });

  test("a password of the state folder is taken where the file names no data folder", () => {
    const [folder, prefix] = [newFolder(), newFolder()];
    const file = path.join(prefix, "ballastd.toml");
    writeFileSync(file, TEXT.replace(/^dir = .*$/m, ""));
    const password_file = path.join(folder, "mqtt-password");
    writeFileSync(password_file, "engine room 7\n");
    const changes = [
      { key: "mqtt.username", value: "plc" },
      { key: "mqtt.password_file", value: password_file },
    ];
    writeFileSync(path.join(folder, "settings.json"), JSON.stringify({ changes }));
    expect(takeSettings(folder, file)).toMatchObject({ status: 0 });
    expect(readFileSync(file, "utf8")).toContain(`password_file = "${password_file}"`);
  });

  test("a file that is none, or too large, is named", () => {
    const folder = newFolder();
    const [left, file] = ["settings.json", "ballastd.toml"].map((name) => path.join(folder, name));
    writeFileSync(file, TEXT);
    writeFileSync(left, "");
    truncateSync(left, 5 * 1024 * 1024);
    const { status, stderr } = takeSettings(folder, file);
    expect(status).toBe(78);
    expect(stderr).toMatch(/settings\.json: has 5242880 bytes, expected at most/);
    expect(stderr).not.toContain("at readSmall");
  });
});

/** True if the audit log says that root refused a change. */
async function refusedAt(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/admin/audit?kind=settings`, {
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  const { data } = await answer.json();
  return data.some(
    ({ actor, detail }: { actor: string; detail: { refused?: string } }) =>
      actor === "ballastd" && detail.refused === "at the restart",
  );
}
