// Updates as the units run them: the service as an account that may not switch versions, before
// each start the script that may, one folder of versions for several instances.

import { spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, inject, test } from "vitest";
import { readUpdate } from "../../src/app/control/update-file.ts";
import { makeCurrent } from "../../src/app/control/versions.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { PATIENCE_MS } from "../rig/patience.ts";
import { PROGRAM, startProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";
import { installFirst, makeVersion, type VersionSpec } from "../rig/versions.ts";

const newFolder = foldersOfTests();
const ACCOUNT = 61_234;
const root = path.resolve(import.meta.dirname, "..", "..");
const SWITCH_BACK = path.join(root, "systemd", "switch-back");

beforeAll(() => {
  expect(inject("bundleProblem")).toBeNull();
  expect(process.getuid?.(), "another account runs the service: run this as root").toBe(0);
});

/** Versions under a prefix of root's, and instances of an account with data elsewhere. */
function openSite() {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  const prefix = path.join(folder, "prefix");
  const install = (spec: VersionSpec) => {
    installFirst(prefix, spec.version, makeVersion(PROGRAM, folder, spec));
    makeCurrent(prefix, spec.version);
  };
  install({ version: "1.0.0" });
  const envOf = (name: string) => ({
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    BALLASTD_CONFIG: "/dev/null",
    BALLASTD_STORAGE_DIR: path.join(folder, name, "data"),
    BALLASTD_HTTP_LISTEN: "127.0.0.1:0",
    BALLASTD_MQTT_LISTEN: "127.0.0.1:0",
    BALLASTD_UPDATE_PREFIX: prefix,
  });
  const run = (name: string, ...args: readonly string[]) =>
    spawnSync(path.join(prefix, "current", "ballastd"), args, {
      encoding: "utf8",
      env: envOf(name),
      timeout: PATIENCE_MS,
    });
  const addInstance = (name: string) => {
    for (const made of [name, `${name}/data`, `${name}/state`]) {
      mkdirSync(path.join(folder, made));
      chownSync(path.join(folder, made), ACCOUNT, ACCOUNT);
    }
    expect(run(name, "token", "add", "--name", "x", "--role", "viewer").status).toBe(0);
  };
  /** One start, until it serves, is in recovery, or has ended; what it said, and its exit code. */
  const startOnce = async (name: string) => {
    const child = spawn(path.join(prefix, "current", "ballastd"), ["serve", "--recovery"], {
      env: { ...envOf(name), STATE_DIRECTORY: path.join(folder, name, "state") },
      stdio: ["ignore", "pipe", "pipe"],
      uid: ACCOUNT,
      gid: ACCOUNT,
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (/^(MQTT|RECOVERY): /m.test(said)) child.kill("SIGTERM");
      });
    const [code] = await once(child, "close");
    return { code, said };
  };
  const switchBack = (name: string) => {
    const env = { PATH: process.env.PATH, STATE_DIRECTORY: path.join(folder, name, "state") };
    expect(spawnSync("sh", [SWITCH_BACK, prefix], { env, encoding: "utf8" })).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "",
    });
  };
  const stateOf = (name: string) =>
    JSON.parse(readFileSync(path.join(folder, name, "data", "update.json"), "utf8"));
  const current = () => readlinkSync(path.join(prefix, "current"));
  return { folder, prefix, install, addInstance, run, startOnce, switchBack, stateOf, current };
}

const BROKEN: VersionSpec = { version: "1.2.0", migrates: true, isBroken: true };

test("a failed update is switched back wherever the data is, and written down", async () => {
  const { install, addInstance, run, startOnce, switchBack, current } = openSite();
  addInstance("one");
  install(BROKEN);
  expect(run("one", "update", "--instead-of", "1.0.0")).toMatchObject({ status: 0, stderr: "" });
  switchBack("one");
  const failed = await startOnce("one");
  expect(failed).toMatchObject({ code: 75 });
  expect(failed.said).toMatch(/the update to 1\.2\.0 is undone, 1\.0\.0 runs again/);
  switchBack("one");
  expect(current()).toBe("versions/1.0.0");
  expect((await startOnce("one")).said).toMatch(/^MQTT: /m);
  const audit = run("one", "export", "--audit", "--format", "ndjson").stdout;
  expect(audit).toMatch(/"kind":"update".*"from":"1\.2\.0","to":"1\.0\.0"/);
  // A finished update stays finished.
  install({ version: "1.1.0" });
  switchBack("one");
  expect(current()).toBe("versions/1.1.0");
});

test("a state that was left behind switches nothing back", () => {
  const { folder, install, addInstance, switchBack, current } = openSite();
  addInstance("one");
  const left = { state: "returning", from: "1.0.0", to: "1.1.0", schema: 1, attempts: 1 };
  writeFileSync(path.join(folder, "one", "state", "update.json"), JSON.stringify(left, null, 2));
  install({ version: "1.2.0" });
  switchBack("one");
  expect(current()).toBe("versions/1.2.0");
  install({ version: "1.1.0" });
  switchBack("one");
  expect(current()).toBe("versions/1.0.0");
});

test(
  "where nobody switches back, the page says so, and no start goes on for ever",
  LONG,
  async () => {
    const { install, addInstance, run, startOnce, switchBack, current } = openSite();
    addInstance("one");
    install(BROKEN);
    run("one", "update", "--instead-of", "1.0.0");
    expect((await startOnce("one")).code).toBe(75);
    expect((await startOnce("one")).code).toBe(75);
    const { code, said } = await startOnce("one");
    expect(said).toMatch(
      /^RECOVERY: the update to 1\.2\.0 failed \(.*\), but 1\.0\.0 isn't started/m,
    );
    expect(said).toMatch(/as root type: ballastd rollback/);
    expect(code).toBe(0);
    expect(run("one", "rollback", "--old-data")).toMatchObject({ status: 0 });
    expect(current()).toBe("versions/1.0.0");
    switchBack("one");
    expect((await startOnce("one")).said).toMatch(/^MQTT: /m);
  },
);

test("every instance of the machine tries an update for itself", LONG, async () => {
  const { prefix, install, addInstance, run, startOnce, stateOf } = openSite();
  addInstance("one");
  addInstance("two");
  install({ version: "1.1.0", migrates: true });
  expect(run("one", "update", "--instead-of", "1.0.0")).toMatchObject({ status: 0 });
  for (const name of ["one", "two"]) {
    expect((await startOnce(name)).said).toMatch(/^MQTT: /m);
    expect(stateOf(name)).toMatchObject({ state: "done", from: "1.0.0", to: "1.1.0" });
  }
  expect(stateOf("two").order).toBe(stateOf("one").order);
  // The other one went back: data that this one had migrated is given up only when it is said.
  makeCurrent(prefix, "1.0.0");
  expect((await startOnce("two")).said).toMatch(/^RECOVERY: .*newer than this program's/m);
  expect(run("two", "rollback").stderr).toMatch(/type: ballastd rollback --old-data/);
  expect(run("two", "rollback", "--old-data")).toMatchObject({ status: 0, stderr: "" });
  expect((await startOnce("two")).said).toMatch(/^MQTT: /m);
  expect(stateOf("two")).toMatchObject({ state: "returned" });
});

test("an order that a service writes into its folder switches to what is installed only", () => {
  const { folder, prefix, addInstance, switchBack, current } = openSite();
  addInstance("one");
  const state = path.join(folder, "one", "state", "update.json");
  for (const from of ["../../one/state", "1.0.0/../../one", "9.9.9", "1.0.0\nx", ""]) {
    writeFileSync(state, `{\n  "state": "returning",\n  "from": "${from}",\n}\n`);
    switchBack("one");
    expect(current()).toBe("versions/1.0.0");
  }
  expect(readdirSync(prefix).sort()).toEqual(["current", "versions"]);
});

test("a later version's manifest is read, and a bad one is told in a sentence", () => {
  const folder = newFolder();
  const { privateKey } = generateKeyPairSync("ed25519");
  const written = (manifest: object) => {
    const line = JSON.stringify(manifest);
    const signature = sign(null, Buffer.from(line), privateKey).toString("base64");
    const file = path.join(folder, "x.update");
    writeFileSync(file, `ballastd update 1\n${line}\n${signature}\nexec`);
    return file;
  };
  const good = {
    ...{ version: "1.1.0", platform: "linux", arch: "x64", schema: 1, bytes: 4 },
    sha256: "0".repeat(64),
  };
  const later = { ...good, oldest_schema: 1, notes: { en: "text" } };
  expect(readUpdate(written(later)).manifest).toEqual(good);
  expect(() => readUpdate(written({ ...good, version: "one" }))).toThrow(
    /x\.update: its manifest can't be read: version: [^{}[\]]+$/,
  );
  expect(() => readUpdate(written([]))).toThrow(/its manifest can't be read: [^{}[\]]+$/);
});

test("who waits for a data folder says so once, and serves when it is free", LONG, async () => {
  const folder = newFolder();
  await using first = startProgram({ args: ["serve"], folder });
  await first.waitForOutput(/^MQTT: /m);
  const socket = path.join(folder, "data", "control.sock");
  expect(lstatSync(socket).mode & 0o777).toBe(0o600);
  await using second = startProgram({ args: ["serve", "--recovery"], folder });
  await second.waitForOutput(/waiting for the data folder/);
  await sleep(5000);
  expect(second.stderr().match(/another ballastd uses it/g)).toHaveLength(1);
  expect(second.stdout()).toBe("");
  expect(await first.stop("SIGTERM")).toMatchObject({ code: 0 });
  await second.waitForOutput(/^MQTT: /m);
  expect(existsSync(socket)).toBe(true);
  expect(readdirSync(path.join(folder, "data")).filter((name) => /^c.{6}$/.test(name))).toEqual([]);
});

test("an upgrade goes on where the version before can't be linked, or isn't there", () => {
  const folder = newFolder();
  const [opt, bin] = ["opt", "bin"].map((name) => path.join(folder, name));
  const program = path.join(opt, "versions", "1.0.0", "ballastd");
  installFirst(opt, "1.0.0", PROGRAM);
  makeCurrent(opt, "1.0.0");
  mkdirSync(bin);
  writeFileSync(path.join(bin, "ln"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const script = readFileSync(path.join(root, "scripts/package/debian/preinst"), "utf8");
  const upgrade = () =>
    spawnSync("sh", ["-c", script.replaceAll("/opt/ballastd", opt), "preinst", "upgrade"], {
      env: { PATH: `${bin}:${process.env.PATH}` },
    }).status;
  const kept = path.join(opt, "kept", "1.0.0", "ballastd");
  expect(upgrade()).toBe(0);
  expect(readFileSync(kept).equals(readFileSync(program))).toBe(true);
  rmSync(program);
  expect(upgrade()).toBe(0);
  expect(existsSync(path.dirname(kept))).toBe(false);
  // The disk is full.
  writeFileSync(path.join(bin, "mkdir"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  expect(upgrade()).toBe(0);
  expect(existsSync(path.join(opt, "kept"))).toBe(false);
});

test("a purge goes on behind a data folder that can't be removed, such as a disk", () => {
  const folder = newFolder();
  const [data, settings, bin] = ["var/lib/ballastd", "etc/ballastd", "bin"].map((name) => {
    mkdirSync(path.join(folder, name), { recursive: true });
    return path.join(folder, name);
  });
  const rm = `case "$*" in *${data}*) exit 1 ;; esac\nexec /bin/rm "$@"`;
  for (const [name, lines] of Object.entries({ rm, "deb-systemd-helper": "" }))
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  const script = readFileSync(path.join(root, "scripts/package/debian/postrm"), "utf8");
  const own = script.replace(/ \/(var|etc|opt)(?=\/)/g, ` ${folder}/$1`);
  const { status, stderr } = spawnSync("sh", ["-c", own, "postrm", "purge"], {
    encoding: "utf8",
    env: { PATH: `${bin}:${process.env.PATH}` },
  });
  expect([status, stderr]).toEqual([0, expect.stringContaining(`something of ${data}`)]);
  expect(existsSync(settings)).toBe(false);
});
