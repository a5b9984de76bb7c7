// Checks of the machine: the data folder and its permissions, secrets that others can read, free
// space, the clock, certificates.

import { closeSync, existsSync, openSync, rmSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { withShipTime } from "../../bwts/ship-time.ts";
import { dateProblem, readCertificate } from "../../config/certificate.ts";
import type { Config } from "../../config/config.ts";
import { limitDoubts } from "../../config/limit-doubts.ts";
import type { Build } from "../../ground/assets.ts";
import { printTime } from "../../ground/clock.ts";
import { freeBytes, printedSize } from "../../ground/disk.ts";
import { codeOf, messageOf } from "../../ground/errors.ts";
import { readKeyFile } from "../../shore/store-place.ts";
import { databaseFile, openReader } from "../../sqlite/file/open.ts";
import { newestReceiptOf } from "../../sqlite/records/clock-trust.ts";
import { certificateFiles } from "../certificates.ts";
import { readPassword, tokenIn } from "../secret-files.ts";
import { type Finding, failed, ok, reasonOf, warning } from "./finding.ts";

/**
 * Checks that the service can read the configuration file; this check runs with the service's
 * rights.
 */
export function checkReadable(file: string | null): readonly Finding[] {
  if (file === null || isOpened(file, "r")) return [];
  const user = process.geteuid?.() ?? "?";
  const fix = `chgrp <the service's group> ${file}; chmod 640 ${file}`;
  return [failed("configuration file", `${file} can't be read by the service's user ${user}`, fix)];
}

/** Reports limits that hardly any certificate has; with `keys` only limits of these keys. */
export function checkLimits(config: Config, keys: readonly string[] | null = null) {
  return limitDoubts(config, keys).map(({ text }) =>
    warning("limits", text, "compare it with the type approval certificate"),
  );
}

/** Checks that the service can write the folder and the database in it. */
export function checkFolder({ storage }: Config): readonly Finding[] {
  const what = "data folder";
  const { dir } = storage;
  if (!existsSync(dir))
    return isSystems(dir)
      ? [failed(what, `${dir} can't be made there`, "set storage.dir to a folder on a disk")]
      : [warning(what, `${dir} isn't there yet`, "the first start makes it; or set storage.dir")];
  const database = databaseFile(dir);
  const closed = [
    ...(isWritable(dir) ? [] : [dir]),
    ...(existsSync(database) && !isOpened(database, "r+") ? [database] : []),
  ];
  if (closed.length === 0) return [ok(what, dir)];
  const user = process.geteuid?.() ?? "?";
  const fix = `run this as the service's user, or: chown -hR <that user> ${dir}`;
  return [failed(what, `${closed[0]} can't be written by user ${user}`, fix)];
}

// Opened rather than tested by access(2), which would test root's rights instead of the service's.
function isOpened(file: string, flags: "r" | "r+" | "wx"): boolean {
  try {
    closeSync(openSync(file, flags));
    return true;
  } catch {
    return false;
  }
}

function isWritable(dir: string): boolean {
  const file = path.join(dir, `.check-${process.pid}`);
  const isMade = isOpened(file, "wx");
  if (isMade) rmSync(file);
  return isMade;
}

/** File system types of /proc and /sys (statfs(2)). */
const NO_DISKS = new Set([0x9fa0, 0x62656572]);

/** True if the folder would be in /proc or /sys, which store no files. */
function isSystems(dir: string): boolean {
  const above = path.dirname(dir);
  if (!existsSync(above)) return above !== dir && isSystems(above);
  return NO_DISKS.has(statfsSync(above).type);
}

/**
 * Checks that the service can read the files of passwords, of the token, and of the store's key.
 */
export function checkLogins({ auth, mqtt, shore, sparkplug }: Config): readonly Finding[] {
  const files = [
    () => readPassword(mqtt.password_file),
    () => readPassword(sparkplug.password_file, "sparkplug"),
    ...(shore.objects === "" ? [] : [() => readKeyFile(shore.objects_key, "shore.objects_key")]),
    ...(auth.token === "" && existsSync(auth.token_file) ? [() => tokenIn(auth.token_file)] : []),
  ];
  return files.flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      return [failed("secrets", reasonOf(error), "see who may read that file, and what is in it")];
    }
  });
}

/** Permission bits for users other than the owner and its group. */
const OTHERS = 0o007;

/** Reports files with secrets that others on this machine can read. */
export function checkSecrets(
  { auth, mqtt, http, shore, sparkplug }: Config,
  file: string | null,
): readonly Finding[] {
  const secrets = [
    auth.token_file,
    mqtt.password_file,
    sparkplug.password_file,
    http.tls_key,
    mqtt.tls_key,
    sparkplug.tls_key,
    shore.key,
    shore.objects_key,
    auth.token === "" ? "" : (file ?? ""),
  ].filter((secret) => secret !== "" && existsSync(secret));
  const open = secrets.filter((secret) => (statSync(secret).mode & OTHERS) !== 0);
  if (open.length === 0) return [ok("permissions", "files with secrets are closed to others")];
  return [
    warning("permissions", `others can read ${open.join(", ")}`, `chmod o= ${open.join(" ")}`),
  ];
}

/**
 * Reports a file of a password or token that two keys name: one secret is then sent to the wrong
 * place.
 */
export function checkShared({ auth, mqtt, shore, sparkplug }: Config): readonly Finding[] {
  const named = [
    ["mqtt.password_file", mqtt.password_file],
    ["sparkplug.password_file", sparkplug.password_file],
    ["auth.token_file", auth.token === "" ? auth.token_file : ""],
    ["shore.objects_key", shore.objects_key],
  ].filter(([, file]) => file !== "");
  const groups = Map.groupBy(named, ([, file]) => placeOf(file));
  return [...groups.values()]
    .filter((keys) => keys.length > 1)
    .map((keys) => {
      const names = keys.map(([key]) => key);
      const isUnused = sparkplug.url === "" && names.includes("sparkplug.password_file");
      return warning(
        "secrets",
        `${names.join(" and ")} are one file: the secret of one reaches the host of the other`,
        isUnused
          ? "ballastd config unset sparkplug.username sparkplug.password_file"
          : `give each its own file: ballastd config set ${names.at(-1)} FILE`,
      );
    });
}

/** The real path of a file: the same for every name and link of it. */
function placeOf(file: string): string {
  try {
    const { dev, ino } = statSync(file);
    return `${dev} ${ino}`;
  } catch {
    // Another finding reports files that can't be read.
    return path.resolve(file);
  }
}

export function checkDisk({ storage }: Config): readonly Finding[] {
  const what = "disk";
  const { dir, free_warn, free_stop } = storage;
  if (!existsSync(dir)) return [];
  try {
    const free = freeBytes(dir);
    const says = `${printedSize(free)} are free`;
    const fix = "remove what isn't ballastd's, or old backups; see Disk full at /manual";
    if (free < free_stop)
      return [failed(what, `${says}, below storage.free_stop (${printedSize(free_stop)})`, fix)];
    if (free < free_warn)
      return [warning(what, `${says}, below storage.free_warn (${printedSize(free_warn)})`, fix)];
    return [ok(what, says)];
  } catch (error) {
    return [failed(what, messageOf(error), "look at the disk and its mount")];
  }
}

/** Checks the clock: it can't be earlier than this build, or than the newest receipt. */
export function checkClock(
  { storage, system }: Config,
  { built_ms }: Pick<Build, "built_ms">,
  clock: () => number = Date.now,
): readonly Finding[] {
  const earliest_ms = Math.max(built_ms, newestReceipt(storage.dir) ?? 0);
  // Read after the receipt, since a running instance stores meanwhile.
  const now_ms = clock();
  const says = `it is ${withShipTime(printTime(now_ms), system.utc_offset)}`;
  if (now_ms >= earliest_ms) return [ok("clock", says)];
  const fix =
    "set the machine's clock (timedatectl set-time); if it is right and the receipt was dated " +
    "wrongly: ballastd clock disown --reason TEXT";
  return [failed("clock", `${says}, but something was received at ${printTime(earliest_ms)}`, fix)];
}

// Another finding reports a database that can't be read.
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
      return failed(what, reasonOf(error), fix);
    }
  });
}
