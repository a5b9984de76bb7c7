// SQLite's native code, and the file from which it is loaded. Beside the bundle it is a separate
// file. A single executable contains it, but the system can't load it from there: so it is written
// into the data folder, under its hash, and kept for the next start. A folder of another user isn't
// trusted with code, nor is any while root acts with its owner's rights; then a temporary file is
// used.

import { hash } from "node:crypto";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import { assetPath, IS_EXECUTABLE, readAsset } from "../../ground/assets.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { asCaller } from "../../ground/owner.ts";
import { makeFolder } from "./make-folder.ts";

/**
 * Name of the environment data that passes the file's path to threads, so that the file written by
 * the first thread serves all.
 */
const SHARED = "ballastd addon";

/** The reason why the file isn't in the data folder; null if it is, or if no folder was named. */
let notKept: string | null = null;

/** Writes `addonFile` into the data folder `dir`, if that belongs to this user. */
export function keepAddonIn(dir: string): void {
  if (!IS_EXECUTABLE || shared() !== null) return;
  if (!isOurs(dir)) {
    notKept = `data folder ${dir} is another user's`;
    return;
  }
  try {
    setEnvironmentData(SHARED, kept(path.join(dir, "native")));
  } catch (error) {
    // A read-only folder is no error: its data can still be read.
    if (!["EACCES", "EROFS"].includes(codeOf(error) ?? "")) throw error;
    notKept = `data folder ${dir} can't be written (${codeOf(error)})`;
  }
}

/** The file to load; null if better-sqlite3 finds its own, as from the sources. */
export function addonFile(): string | null {
  const name = addonName();
  if (!IS_EXECUTABLE) return fs.existsSync(assetPath(name)) ? assetPath(name) : null;
  const file = shared() ?? temporary();
  setEnvironmentData(SHARED, file);
  return file;
}

/** A Failure with the next step if `error` says that the file can't be loaded, else null. */
export function loadFailure(error: unknown, file: string | null): Failure | null {
  if (codeOf(error) !== "ERR_DLOPEN_FAILED" || file === null) return null;
  const advice = /not permitted|failed to map/.test(messageOf(error))
    ? `its file system is mounted noexec: ${remedyFor(file)}`
    : "ballastd needs Linux with glibc 2.34 or later";
  return new Failure(EXIT.permission, `${file} can't be loaded (${messageOf(error)}); ${advice}`);
}

function remedyFor(file: string): string {
  // The file is <storage.dir>/native/<hash>, or in <temporary folder>/ballastd-XXXXXX.
  if (path.dirname(path.dirname(file)) !== os.tmpdir())
    return "set storage.dir to a folder on another, or remount it";
  const or = notKept === null ? "" : `, or mend why it was put there: ${notKept}`;
  return `set TMPDIR to a folder on another${or}`;
}

function addonName(): string {
  return `native/${process.platform}-${process.arch}.node`;
}

function shared(): string | null {
  const file = getEnvironmentData(SHARED);
  return typeof file === "string" ? file : null;
}

function isOurs(dir: string): boolean {
  const user = process.getuid?.();
  if (user !== process.geteuid?.()) return false;
  return fs.statSync(dir, { throwIfNoEntry: false })?.uid === user;
}

/** Writes the addon into `native`, under its hash, and removes other versions. */
function kept(native: string): string {
  const bytes = readAsset(addonName());
  const version = hash("sha256", bytes);
  const folder = path.join(native, version);
  const file = path.join(folder, "sqlite.node");
  if (holds(file, bytes)) return file;
  makeFolder(folder, 0o750);
  const part = `${file}.${process.pid}`;
  fs.writeFileSync(part, bytes, { flush: true, mode: 0o640 });
  fs.renameSync(part, file);
  for (const other of fs.readdirSync(native).filter((name) => name !== version))
    fs.rmSync(path.join(native, other), { recursive: true, force: true });
  return file;
}

function holds(file: string, bytes: Buffer): boolean {
  return fs.existsSync(file) && fs.readFileSync(file).equals(bytes);
}

/** The addon in a temporary folder, which is removed with this process. */
function temporary(): string {
  try {
    return asCaller(() => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ballastd-"));
      process.once("exit", () =>
        asCaller(() => fs.rmSync(folder, { recursive: true, force: true })),
      );
      const file = path.join(folder, "sqlite.node");
      fs.writeFileSync(file, readAsset(addonName()), { mode: 0o644 });
      // Readable for others, because a process with the rights of a data folder's owner loads it
      // too.
      fs.chmodSync(folder, 0o755);
      return file;
    });
  } catch (error) {
    const reason = codeOf(error) ?? messageOf(error);
    const problem = `SQLite's code can't be put into ${os.tmpdir()} (${reason}); set TMPDIR`;
    throw new Failure(
      EXIT.cannot_create,
      notKept === null ? problem : `${notKept}, and ${problem}, or mend the data folder`,
    );
  }
}
