// Checks of what the program stands on: the data folder and who may write it, secrets that others
// can read, free space, the clock, certificates.

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dateProblem, readCertificate } from "../certificate.ts";
import { printTime } from "../clock.ts";
import type { Config } from "../config.ts";
import { freeBytes } from "../disk.ts";
import { codeOf, messageOf } from "../errors.ts";
import { newestReceiptOf } from "../sqlite/clock-trust.ts";
import { databaseFile, openReader } from "../sqlite/open.ts";
import { certificateFiles } from "./certificates.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** The folder and the database in it can be written by whoever runs this. */
export function checkFolder({ storage }: Config): readonly Finding[] {
  const what = "data folder";
  const { dir } = storage;
  if (!existsSync(dir))
    return [
      warning(what, `${dir} isn't there yet`, "the first start makes it; or set storage.dir"),
    ];
  const files = [dir, databaseFile(dir)].filter((file) => existsSync(file));
  const closed = files.find((file) => !isAllowed(file, constants.R_OK | constants.W_OK));
  if (closed === undefined) return [ok(what, dir)];
  const user = process.getuid?.() ?? "?";
  const fix = `run this as the service's user, or: chown -hR <that user> ${dir}`;
  return [failed(what, `${closed} can't be written by user ${user}`, fix)];
}

function isAllowed(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}

/** Permission bits of everybody but the owner's group. */
const OTHERS = 0o007;

/** Files with secrets that others on this machine can read. */
export function checkSecrets(
  { auth, mqtt, http }: Config,
  file: string | null,
): readonly Finding[] {
  const secrets = [
    auth.token_file,
    mqtt.password_file,
    http.tls_key,
    mqtt.tls_key,
    auth.token === "" ? "" : (file ?? ""),
  ].filter((secret) => secret !== "" && existsSync(secret));
  const open = secrets.filter((secret) => (statSync(secret).mode & OTHERS) !== 0);
  if (open.length === 0) return [ok("permissions", "files with secrets are closed to others")];
  return [
    warning("permissions", `others can read ${open.join(", ")}`, `chmod o= ${open.join(" ")}`),
  ];
}

export function checkDisk({ storage }: Config): readonly Finding[] {
  const what = "disk";
  const { dir, free_warn, free_stop } = storage;
  if (!existsSync(dir)) return [];
  try {
    const free = freeBytes(dir);
    const says = `${free} bytes are free`;
    const fix = "remove what isn't ballastd's, or old backups; see README, disk full";
    if (free < free_stop)
      return [failed(what, `${says}, below storage.free_stop ${free_stop}`, fix)];
    if (free < free_warn)
      return [warning(what, `${says}, below storage.free_warn ${free_warn}`, fix)];
    return [ok(what, says)];
  } catch (error) {
    return [failed(what, messageOf(error), "look at the disk and its mount")];
  }
}

/** The clock can't be earlier than this build, or than what was received already. */
export function checkClock(
  { storage }: Config,
  { now_ms, built_ms }: { readonly now_ms: number; readonly built_ms: number },
): readonly Finding[] {
  const earliest_ms = Math.max(built_ms, newestReceipt(storage.dir) ?? 0);
  const says = `it is ${printTime(now_ms)}`;
  if (now_ms >= earliest_ms) return [ok("clock", says)];
  const fix =
    "set the machine's clock (timedatectl set-time); if it is right and the receipt was dated wrongly: " +
    "ballastd clock disown --reason TEXT";
  return [failed("clock", `${says}, but something was received at ${printTime(earliest_ms)}`, fix)];
}

// What is wrong with a database that can't be read, another finding says.
function newestReceipt(dir: string): number | null {
  if (!existsSync(databaseFile(dir))) return null;
  try {
    const db = openReader(databaseFile(dir));
    const newest_ms = newestReceiptOf(db);
    db.close();
    return newest_ms;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return null;
  }
}

export function checkCertificates(config: Config, now_ms: number): readonly Finding[] {
  return certificateFiles(config).map((files) => {
    const what = `certificate of ${files.use}`;
    const fix = `put a current one at ${files.cert || files.ca}; it is read without a restart`;
    try {
      const certificate = readCertificate(files);
      const problem = dateProblem(certificate, now_ms);
      if (problem === null) return ok(what, `valid until ${printTime(certificate.ends_ms)}`);
      const isOver = now_ms >= certificate.ends_ms || now_ms < certificate.begins_ms;
      return isOver ? failed(what, problem, fix) : warning(what, problem, fix);
    } catch (error) {
      return failed(what, messageOf(error), fix);
    }
  });
}
