// A machine whose service account is in a stranger's hands: what is root's on it, the account's
// data folder with something in it, and the commands as root types them.

import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { makeCurrent, versionFile } from "../../src/app/control/versions.ts";
import { openWriter } from "../../src/sqlite/file/open.ts";
import { PATIENCE_MS } from "./patience.ts";
import { PROGRAM } from "./program.ts";

/** An account without a name on most machines. */
export const OWNER = 61_234;
export const SECRET = "only root may read this";

/** The machine, in an empty folder. */
export function openMachine(folder: string) {
  chmodSync(folder, 0o755);
  const at = (...names: readonly string[]) => path.join(folder, ...names);
  for (const name of ["root", "etc", "stick", "prefix/versions/1.0.0"])
    mkdirSync(at(name), { recursive: true });
  const dir = at("data");
  mkdirSync(dir);
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    BALLASTD_CONFIG: at("etc", "ballastd.toml"),
    BALLASTD_STORAGE_DIR: dir,
    BALLASTD_STORAGE_FREE_WARN: "1024",
    BALLASTD_STORAGE_FREE_STOP: "1024",
    BALLASTD_UPDATE_PREFIX: at("prefix"),
    BALLASTD_UPDATE_KEY_FILE: at("etc", "key.pem"),
  };
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
      cwd: at("stick"),
      env: { ...env, ...more },
      encoding: "utf8",
      timeout: PATIENCE_MS,
    });
    return { status, stdout, stderr };
  };
  const marker = at("root", "ran");
  writeFileSync(env.BALLASTD_CONFIG, "# defaults\n");
  writeFileSync(versionFile(at("prefix"), "1.0.0"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  makeCurrent(at("prefix"), "1.0.0");
  mkdirSync(at("evil"));
  writeFileSync(at("evil", "ballastd"), `#!/bin/sh\nid -u > ${marker}\n`, { mode: 0o755 });
  expect(run(["token", "add", "--name", "mate", "--role", "viewer"]).status).toBe(0);
  writeFileSync(path.join(dir, "token"), "secret-of-the-service\n", { mode: 0o600 });
  expect(run(["backup", at("stick", "good.db")]).status).toBe(0);
  give(dir);
  chownSync(at("evil"), OWNER, OWNER);
  return { at, dir, run, marker };
}

/** Everything under a folder, past no link. */
export function namesIn(folder: string, under = ""): readonly string[] {
  return readdirSync(path.join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(under, entry.name);
    return entry.isDirectory() ? [name, ...namesIn(folder, name)] : [name];
  });
}

/** Everything under a folder becomes the account's, links themselves too. */
export function give(dir: string): void {
  lchownSync(dir, OWNER, OWNER);
  for (const name of namesIn(dir)) lchownSync(path.join(dir, name), OWNER, OWNER);
}

/** Files of root that the links point to: secrets, a database, folders. */
export function fillRoot(root: string, good: string): void {
  rmSync(root, { recursive: true });
  mkdirSync(path.join(root, "folder", "more"), { recursive: true, mode: 0o700 });
  chmodSync(root, 0o700);
  for (const name of ["shadow", "folder/passwd", "folder/more/x.db", "update.json"])
    writeFileSync(path.join(root, name), `${SECRET}\n`, { mode: 0o600 });
  copyFileSync(good, path.join(root, "root.db"));
  // A backup of root's own, whose token is a secret too.
  const db = openWriter(path.join(root, "root.db"));
  db.exec(`update backup_file set content = '${SECRET}' where name = 'token';
    pragma wal_checkpoint(truncate)`);
  db.close();
}

/** Names, kinds, contents, modes and owners of all that is there. */
export function stateOf(folder: string): readonly string[] {
  const names = [...namesIn(folder)].sort();
  return ["", ...names].map((name) => {
    const file = path.join(folder, name);
    const found = lstatSync(file);
    const { mode, uid, gid, mtimeMs } = found;
    const what = found.isSymbolicLink() ? readlinkSync(file) : "";
    const content = found.isFile() ? hash("sha256", readFileSync(file)) : what;
    return `${name} ${mode} ${uid}:${gid} ${mtimeMs} ${content}`;
  });
}
