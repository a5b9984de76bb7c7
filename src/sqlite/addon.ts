// SQLite's native code, and the file it is loaded from. Beside the bundle it is such a file; one
// executable holds it inside, and the system loads nothing from there: it is written into the data
// folder, under its hash, and stays for the next start. A folder of somebody else's is not trusted
// with code that this user runs, nor one whose owner's rights root has taken; for it a temporary
// file of this user serves.

import { hash } from "node:crypto";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import { assetPath, IS_EXECUTABLE, readAsset } from "../assets.ts";
import { codeOf, EXIT, Failure, messageOf } from "../errors.ts";
import { asCaller } from "../owner.ts";
import { makeFolder } from "./make-folder.ts";

/** Threads are started with it, so that what the first one wrote serves all. */
const SHARED = "ballastd addon";

/** The reason why the file isn't in the data folder; null if it is, or if none was named. */
let notKept: string | null = null;

/** Sees to it that `addonFile` lies in the data folder `dir`, if that belongs to this user. */
export function keepAddonIn(dir: string): void {
  if (!IS_EXECUTABLE || shared() !== null) return;
  if (!isOurs(dir)) {
    notKept = `data folder ${dir} is another user's`;
    return;
  }
  try {
    setEnvironmentData(SHARED, kept(path.join(dir, "native")));
  } catch (error) {
    // A folder that can only be read still can be read.
    if (!["EACCES", "EROFS"].includes(codeOf(error) ?? "")) throw error;
    notKept = `data folder ${dir} can't be written (${codeOf(error)})`;
  }
}

/** The file to load; null: better-sqlite3 finds its own, as it does from the sources. */
export function addonFile(): string | null {
  const name = addonName();
  if (!IS_EXECUTABLE) return fs.existsSync(assetPath(name)) ? assetPath(name) : null;
  const file = shared() ?? temporary();
  setEnvironmentData(SHARED, file);
  return file;
}

/** A Failure with the next step when `error` says that the file can't be loaded, else null. */
export function loadFailure(error: unknown, file: string | null): Failure | null {
  if (codeOf(error) !== "ERR_DLOPEN_FAILED" || file === null) return null;
  const advice = /not permitted|failed to map/.test(messageOf(error))
    ? `its file system is mounted noexec: ${remedyFor(file)}`
    : "ballastd needs Linux with glibc 2.34 or later";
  return new Failure(EXIT.permission, `${file} can't be loaded (${messageOf(error)}); ${advice}`);
}

function remedyFor(file: string): string {
  // <storage.dir>/native/<hash>, or <temporary folder>/ballastd-XXXXXX.
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

/** The addon in `native`, under its hash; that of another version goes. */
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

/** The addon in a temporary folder of this process, which goes with it. */
function temporary(): string {
  try {
    return asCaller(() => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ballastd-"));
      process.once("exit", () =>
        asCaller(() => fs.rmSync(folder, { recursive: true, force: true })),
      );
      const file = path.join(folder, "sqlite.node");
      fs.writeFileSync(file, readAsset(addonName()), { mode: 0o644 });
      // It is loaded with the rights of a data folder's owner too.
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
