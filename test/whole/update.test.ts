// Updates from a stick: what is refused, what is tried, and what is there after a failure. The
// versions are the built program under other numbers, run by a small service manager.

import { execFile, spawnSync } from "node:child_process";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { upgradeRounds } from "../../scripts/upgrades/rounds.ts";
import { supervise } from "../../scripts/upgrades/supervisor.ts";
import { makeCurrent } from "../../src/app/control/versions.ts";
import { newestSchema } from "../../src/sqlite/file/migrate.ts";
import { openWriter } from "../../src/sqlite/file/open.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { PROGRAM, runProgram } from "../rig/program.ts";
import { installFirst, makeVersion, type VersionSpec } from "../rig/versions.ts";

const newFolder = foldersOfTests();
beforeAll(() => expect(inject("bundleProblem")).toBeNull());

const FIRST: VersionSpec = { version: "1.0.0" };

/** A prefix with `first` in it, keys, and a way to make updates and run the current one. */
function openSite(first: VersionSpec = FIRST) {
  const folder = newFolder();
  const prefix = path.join(folder, "prefix");
  installFirst(prefix, first.version, makeVersion(PROGRAM, folder, first));
  makeCurrent(prefix, first.version);
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key_file = path.join(folder, "public.pem");
  writeFileSync(key_file, publicKey.export({ type: "spki", format: "pem" }));
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    BALLASTD_CONFIG: "/dev/null",
    BALLASTD_STORAGE_DIR: path.join(folder, "data"),
    BALLASTD_HTTP_LISTEN: "127.0.0.1:0",
    BALLASTD_MQTT_LISTEN: "127.0.0.1:0",
    BALLASTD_UPDATE_PREFIX: prefix,
    BALLASTD_UPDATE_KEY_FILE: key_file,
  };
  const pack = (spec: VersionSpec, { key = privateKey }: { key?: KeyObject | null } = {}) => {
    const file = path.join(folder, "private.pem");
    if (key !== null) writeFileSync(file, key.export({ type: "pkcs8", format: "pem" }));
    const output = path.join(folder, `${spec.version}.update`);
    const script = path.resolve(import.meta.dirname, "..", "..", "scripts", "sign-update.ts");
    const signing = key === null ? ["--unsigned"] : ["--key", file];
    const executable = makeVersion(PROGRAM, folder, spec);
    const schema = String(newestSchema() + (spec.migrates ? 1 : 0));
    const args = [script, ...signing, "--schema", schema, "--output", output, executable];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return output;
  };
  const run = (...args: readonly string[]) =>
    spawnSync(path.join(prefix, "current", "ballastd"), args, { encoding: "utf8", env });
  const current = () => readlinkSync(path.join(prefix, "current"));
  return { folder, prefix, env, pack, run, current, key_file };
}

describe("an update is refused, with everything as it was", () => {
  test("when it isn't signed, or by somebody else, or there is no key to check it with", () => {
    const { pack, run, current, key_file, prefix } = openSite();
    const stranger = generateKeyPairSync("ed25519").privateKey;
    const file = pack({ version: "1.1.0" }, { key: stranger });
    expect(run("update", file).stderr).toMatch(/isn't signed with the key in/);
    const bare = pack({ version: "1.1.0" }, { key: null });
    expect(run("update", bare).stderr).toMatch(/isn't signed; --unsigned installs it/);
    rmSync(key_file);
    expect(run("update", file)).toMatchObject({ status: 78 });
    expect(run("update", file).stderr).toMatch(/no signature can be checked; --unsigned/);
    expect(current()).toBe("versions/1.0.0");
    expect(readdirSync(path.join(prefix, "versions"))).toEqual(["1.0.0"]);
    expect(run("update", bare, "--unsigned").stdout).toBe(
      "1.1.0 is installed; the next start tries it\n",
    );
    expect(current()).toBe("versions/1.1.0");
  });

  test("when it is cut off, altered, no update, or older", () => {
    const { folder, pack, run, current } = openSite();
    const good = pack({ version: "1.1.0" });
    const changed = (name: string, change: (file: string) => void) => {
      const file = path.join(folder, name);
      copyFileSync(good, file);
      change(file);
      return run("update", file).stderr;
    };
    expect(changed("cut", (file) => truncateSync(file, 500))).toMatch(/has 500 bytes, expected/);
    expect(changed("long", (file) => appendFileSync(file, "x"))).toMatch(/copy it again/);
    expect(changed("text", (file) => writeFileSync(file, "hello"))).toMatch(/is no update/);
    expect(changed("new.deb", (file) => writeFileSync(file, "!<arch>\ndebian-binary"))).toMatch(
      /is a Debian package; install it with: dpkg -i .*new\.deb/,
    );
    const alter = (from: string, to: string) => (file: string) =>
      writeFileSync(file, readFileSync(file, "latin1").replace(from, to), "latin1");
    expect(changed("payload", alter("exec", "evil"))).toMatch(/isn't the one of its manifest/);
    expect(changed("manifest", alter("1.1.0", "1.2.0"))).toMatch(/isn't signed with the key/);
    expect(run("update", pack({ version: "0.9.9" })).stderr).toMatch(/is older than 1\.0\.0/);
    expect(run("update", path.join(folder, "none")).stderr).toMatch(/can't be read \(ENOENT\)/);
    expect(current()).toBe("versions/1.0.0");
  });

  test("and --verify says so of each, and of a good one that it isn't, without a trace", () => {
    const { folder, prefix, pack, run, key_file } = openSite({ ...FIRST, migrates: true });
    const present = newestSchema() + 1;
    const verify = (file: string, ...more: readonly string[]) => {
      const { status, stdout, stderr } = run("update", "--verify", file, "--json", ...more);
      return { status, stderr, ...JSON.parse(stdout) };
    };
    const good = pack({ version: "1.1.0", migrates: true });
    expect(run("token", "add", "--name", "x", "--role", "viewer").status).toBe(0);
    const before = inodesIn(folder);
    expect(verify(good)).toMatchObject({
      ...{ status: 0, stderr: "", file: good, taken: true, installed: "1.0.0", problems: [] },
      signature: "good",
      manifest: { version: "1.1.0", platform: "linux", arch: process.arch, schema: present },
    });
    expect(inodesIn(folder)).toEqual(before);

    const other = process.arch === "x64" ? "arm64" : "x64";
    const stranger = generateKeyPairSync("ed25519").privateKey;
    const [magic, line, , ...rest] = readFileSync(good, "latin1").split("\n");
    const schema = newestSchema();
    const manifest = { ...JSON.parse(line ?? ""), version: "0.9.0", arch: other, schema };
    const bad = path.join(folder, "bad.update");
    const signature = sign(null, Buffer.from(JSON.stringify(manifest)), stranger);
    const head = [magic, JSON.stringify(manifest), signature.toString("base64")];
    const altered = rest.join("\n").replace("exec", "evil");
    writeFileSync(bad, [...head, altered].join("\n"), "latin1");
    const refused = verify(bad);
    expect(refused).toMatchObject({ status: 1, taken: false, signature: "bad" });
    expect(refused.problems.map((problem: string) => problem.replace(`${bad}: `, ""))).toEqual([
      `isn't signed with the key in ${key_file}`,
      `is for ${other}, this machine is ${process.arch}`,
      "0.9.0 is older than 1.0.0; to go back: ballastd rollback",
      expect.stringContaining(`0.9.0 has schema ${schema}, the data in ${folder}/data schema`),
      "its executable isn't the one of its manifest",
    ]);
    const waived = verify(bad, "--unsigned", "--older");
    expect(waived).toMatchObject({ signature: "not checked", taken: false });
    expect(waived.problems).toHaveLength(3);
    const said = run("update", "--verify", good).stdout;
    expect(said).toContain(`signature: good, by the key in ${key_file}\n`);
    expect(said).toContain(`would be installed: unpacked into ${prefix}/versions/1.1.0, rehearsed`);
    rmSync(key_file);
    expect(verify(good)).toMatchObject({ status: 78, taken: false, signature: "not checked" });
  });

  test("when the new version can't work with this very data", async () => {
    const { folder, env, pack, run, current } = openSite();
    expect(
      await runProgram({ args: ["token", "add", "--name", "x", "--role", "viewer"], env, folder }),
    ).toMatchObject({ code: 0 });
    // The new version's migration has been made already.
    const database = path.join(folder, "data", "ballastd.db");
    const db = openWriter(database);
    db.exec("alter table plant add column more text");
    db.close();
    const { status, stderr } = run("update", pack({ version: "1.1.0", migrates: true }));
    expect(status).toBe(1);
    expect(stderr).toMatch(/the new version can't do restore: .*the schema isn't what/);
    expect(current()).toBe("versions/1.0.0");
    expect(existsSync(path.join(folder, "data", "update.json"))).toBe(false);
  });
});

test("updates, rollbacks and failed trials under ingest lose and double nothing", async () => {
  const folder = newFolder();
  const found = await upgradeRounds({ program: PROGRAM, folder, rounds: 2, say: () => {} });
  expect(found).toMatchObject({ lost: [], doubled: [], verified: true });
  expect(found.versions).toEqual(["1.1.0", "1.0.0", "1.0.0"]);
  expect(found.stored).toBe(found.acknowledged);
  expect(found.acknowledged).toBeGreaterThan(100);
  // The one that failed had migrated: its data is kept, and the copy made before was put back.
  const left = readdirSync(path.join(folder, "data"));
  expect(left.filter((name) => name.startsWith("before-restore-"))).toHaveLength(1);
  const backups = readdirSync(path.join(folder, "data", "backup"));
  expect(backups).toContain(`ballastd-BWTS-001-before-1.2.0-schema-${newestSchema()}.db`);
});

test("a rollback across a change of schema asks for --old-data and keeps the rest", () => {
  const { folder, env, pack, run, current } = openSite();
  const serve = (...args: readonly string[]) => run("token", ...args);
  expect(serve("add", "--name", "before", "--role", "viewer").status).toBe(0);
  expect(run("update", pack({ version: "1.1.0", migrates: true })).status).toBe(0);
  startOnce(path.join(folder, "prefix"), env);
  expect(serve("add", "--name", "after", "--role", "viewer").status).toBe(0);
  const refused = run("rollback");
  expect(refused.stderr).toMatch(/1\.0\.0 can't read what 1\.1\.0 stored\. .* at the update, of 2/);
  expect(refused.stderr).toMatch(/type: ballastd rollback --old-data\. What was stored after that/);
  const kept = path.join(
    folder,
    "data",
    "backup",
    `ballastd-BWTS-001-before-1.1.0-schema-${newestSchema()}.db`,
  );
  renameSync(kept, `${kept}.away`);
  expect(run("rollback", "--old-data").stderr).toMatch(/isn't there any more or can't be read/);
  expect(current()).toBe("versions/1.1.0");
  renameSync(`${kept}.away`, kept);
  expect(run("rollback", "--old-data").stdout).toMatch(/^1\.0\.0 is current again/);
  expect(current()).toBe("versions/1.0.0");
  startOnce(path.join(folder, "prefix"), env);
  const names = serve("list").stdout;
  expect(names).toMatch(/^before /m);
  expect(names).not.toMatch(/^after /m);
  const left = readdirSync(path.join(folder, "data"));
  expect(left.filter((name) => name.startsWith("before-restore-"))).toHaveLength(1);
});

test("what dpkg has put in its place is tried as an update is, and gives way if it fails", () => {
  const { folder, prefix, env, run, current } = openSite();
  expect(run("token", "add", "--name", "before", "--role", "viewer").status).toBe(0);
  const place = (spec: VersionSpec) => {
    installFirst(prefix, spec.version, makeVersion(PROGRAM, folder, spec));
    makeCurrent(prefix, spec.version);
    return run("update", "--instead-of", FIRST.version);
  };
  expect(place({ version: "1.2.0", migrates: true, isBroken: true })).toMatchObject({
    status: 0,
    stdout: "the next start is tried; 1.0.0 comes back if it fails\n",
  });
  const failed = run("serve");
  expect(failed).toMatchObject({ status: 75 });
  expect(failed.stderr).toMatch(/the update to 1\.2\.0 is undone, 1\.0\.0 runs again/);
  startOnce(prefix, env);
  expect(current()).toBe("versions/1.0.0");
  expect(run("token", "list").stdout).toMatch(/^before /m);
  expect(place({ version: "1.1.0" })).toMatchObject({ status: 0 });
  startOnce(prefix, env);
  expect(run("rollback").stdout).toMatch(/^1\.0\.0 is current again/);
  expect(run("update", "--instead-of", FIRST.version)).toMatchObject({ status: 0, stdout: "" });
});

test("an update that was cut off before the restart is completed by typing it again", async () => {
  const { folder, prefix, env, pack, run } = openSite();
  const file = pack({ version: "1.1.0" });
  const supervisor = supervise(prefix, env);
  try {
    await expect.poll(supervisor.output).toMatch(/^MQTT:/m);
    installFirst(prefix, "1.1.0", makeVersion(PROGRAM, folder, { version: "1.1.0" }));
    makeCurrent(prefix, "1.1.0");
    const program = path.join(prefix, "current", "ballastd");
    expect(await promisify(execFile)(program, ["update", file], { env })).toEqual({
      stdout: "1.1.0 runs\n",
      stderr: "1.1.0 is installed already, 1.0.0 still runs and is restarted\n",
    });
    expect(run("update", file).stderr).toMatch(/1\.1\.0 is installed already$/m);
  } finally {
    await supervisor.stop();
  }
});

/** Every file below `folder`, with what changes when it is written. */
function inodesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => ({ name, stat: lstatSync(path.join(folder, name)) }))
    .map(({ name, stat: { ino, size, mtimeMs } }) => `${name} ${ino} ${size} ${mtimeMs}`)
    .sort();
}

/** Starts the current version, and stops it when it is ready. */
function startOnce(prefix: string, env: NodeJS.ProcessEnv): void {
  const script = `rm -f "${prefix}/out"
    "${prefix}/current/ballastd" serve > "${prefix}/out" 2>&1 & pid=$!
    for _ in $(seq 1800); do grep -q '^MQTT:' "${prefix}/out" && break; sleep 0.1; done
    kill -TERM $pid; wait $pid`;
  const { status } = spawnSync("sh", ["-c", script], { env, encoding: "utf8" });
  expect({ status, output: readFileSync(path.join(prefix, "out"), "utf8") }).toMatchObject({
    status: 0,
  });
}
