// Replaces a data folder's database by a backup. The backup is copied into the folder, verified,
// migrated to this program's schema and verified again; then one rename exchanges the two. The old
// data is kept in a folder of its own. The caller must hold the folder's lock.

import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { AuditEntry, By } from "../../bwts/audit.ts";
import { printTime, SECOND_MS } from "../../ground/clock.ts";
import { freeBytes, printedSize } from "../../ground/disk.ts";
import { openFile, placeFile, syncPath, writeWhole } from "../../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { copyOpen } from "../../ground/file-copy.ts";
import { actingOwner, atPath } from "../../ground/owner.ts";
import { makeFolder } from "../file/make-folder.ts";
import { damagedSchema, migrate } from "../file/migrate.ts";
import { type Connection, databaseFile, openWriter, prepare, readSql } from "../file/open.ts";
import { openAuditLog } from "../records/audit.ts";
import { type BackupLabel, labelOf, stamp } from "./backup.ts";
import { type BackupFile, filesOf, KEPT_FILES, TOKEN_NAME } from "./backup-files.ts";
import { refuseForeignFile, refuseUnsound, verifiedFile } from "./file-check.ts";
import { salvagedFile, salvagingFile } from "./trust.ts";
import type { VerifyResult } from "./verify.ts";

export interface RestoreOrder {
  readonly file: string;
  /** The expected SHA-256 of the file, in hex; null accepts any. */
  readonly sha256: string | null;
  /** The actor for the audit log. */
  readonly by: By;
  /** The data folder, which must exist. */
  readonly dir: string;
  readonly token_file: string;
  readonly now_ms: number;
  /** Minimum free space on the disk, in bytes; with less, nothing is begun. */
  readonly floor_bytes: number;
  /** True if a backup of damaged data is accepted too. */
  readonly takesDamaged: boolean;
}

/** A backup that this program can use. */
export interface TriedBackup {
  /** SHA-256 of the backup, in hex. */
  readonly sha256: string;
  readonly verified: VerifyResult;
  /** The backup's label; null for a database that was copied by hand. */
  readonly label: BackupLabel | null;
  /** Numbers of the migrations that were needed. */
  readonly migrations: readonly number[];
}

export interface RestoreResult extends TriedBackup {
  /** Folder with the old data; null if there was none. */
  readonly kept: string | null;
}

/**
 * Does everything but the exchange. Throws a Failure with the reason if the backup can't be used.
 */
export function tryBackup(order: RestoreOrder): TriedBackup {
  return staged(order, (_part, found) => found);
}

/**
 * Restores a backup. Throws a Failure, with the data unchanged, if it can't be trusted or space is
 * short.
 */
export function restoreBackup(order: RestoreOrder): RestoreResult {
  return staged(order, (part, { files, ...found }) => {
    const { dir, token_file } = order;
    const kept = setAside(order);
    // The database comes last: if this is cut off, the restore is still to be done, all of it.
    for (const name of KEPT_FILES)
      if (!files.some((file) => file.name === name)) rmSync(path.join(dir, name), { force: true });
    for (const { name, content } of files)
      if (name === TOKEN_NAME) placeToken(token_file, content);
      else writeWhole(path.join(dir, name), content);
    placeFile(part, databaseFile(dir));
    for (const left of [salvagingFile(dir), salvagedFile(dir)]) rmSync(left, { force: true });
    return { ...found, kept };
  });
}

/**
 * Writes the token's file. Its folder may be one where the owner of the data folder can't write,
 * but the file must belong to that owner.
 */
function placeToken(file: string, content: Uint8Array): void {
  const folder = path.dirname(file);
  const account = actingOwner();
  atPath(folder, () => {
    makeFolder(folder, 0o755);
    const isOurs = account === null || process.geteuid?.() === account.uid;
    writeWhole(file, content, isOurs ? {} : { account });
  });
}

type Staged = TriedBackup & { readonly files: readonly BackupFile[] };

function staged<Result>(
  order: RestoreOrder,
  then: (part: string, found: Staged) => Result,
): Result {
  const { file, dir, floor_bytes } = order;
  const part = path.join(dir, "restore.part");
  const remove = () => {
    for (const rest of ["", "-journal", "-wal", "-shm"]) rmSync(part + rest, { force: true });
  };
  const handle = opened(file);
  try {
    const need = fstatSync(handle).size + floor_bytes;
    const free = freeBytes(dir);
    if (free < need)
      throw new Failure(
        EXIT.io,
        `data folder ${dir}: ${printedSize(free)} are free, expected ${printedSize(need)}`,
      );
    remove();
    const sha256 = copyOpen(handle, { start: 0, file: part, mode: 0o600 });
    refuseOther(sha256, order);
    refuseForeignFile(part);
    refuseUnsound(part);
    const found = made(part, order);
    const verified = verifiedFile(part);
    if (verified.problem !== null && !order.takesDamaged)
      throw new Failure(
        EXIT.failed,
        `${file}: ${verified.problem}; --damaged takes it all the same, without what is damaged`,
      );
    return then(part, { ...found, sha256, verified });
  } catch (error) {
    if (error instanceof Failure)
      throw new Failure(error.exitCode, named(error.message, part, file));
    if (codeOf(error) === null) throw error;
    throw new Failure(EXIT.io, `${file}: can't be restored (${messageOf(error)})`);
  } finally {
    closeSync(handle);
    remove();
  }
}

function opened(file: string): number {
  try {
    return atPath(file, () => openFile(file));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.failed, `${file}: can't be read (${codeOf(error) ?? messageOf(error)})`);
  }
}

function refuseOther(found: string, { file, sha256 }: RestoreOrder): void {
  if (sha256 === null || sha256 === found) return;
  throw new Failure(
    EXIT.failed,
    `${file}: has SHA-256 ${found}, expected ${sha256}: it isn't the file that was made`,
  );
}

// The message with the user's file in place of its copy.
function named(message: string, part: string, file: string): string {
  return message.replaceAll(part, file);
}

/** Turns the copy into the final database, with an entry in its audit log. */
function made(
  part: string,
  { file, by, now_ms }: RestoreOrder,
): Omit<Staged, "verified" | "sha256"> {
  const db = openWriter(part);
  try {
    const label = labelOf(db);
    const files = label === null ? [] : filesOf(db);
    db.exec(readSql("unlabel-backup"));
    const problem = damagedSchema(db);
    if (problem !== null) throw new Failure(EXIT.failed, `${part}: ${problem}`);
    const migrations = migrate(db, now_ms);
    const made_at = label === null ? null : printTime(label.made_ms);
    note(db, {
      ...by,
      at_ms: now_ms,
      kind: "restore",
      detail: { file: path.basename(file), made_at, by: label?.version ?? null },
    });
    prepare(db, "state.checkpoint").get({});
    return { label, files, migrations };
  } finally {
    db.close();
  }
}

function note(db: Connection, entry: AuditEntry): void {
  const log = openAuditLog(db);
  db.transaction(() => log.add(entry, { clock_trusted: true }))();
}

/**
 * Keeps the old data in a folder of its own; returns its path, null if there was none. The database
 * stays in place until the new one is renamed over it. Its write-ahead log is merged first, because
 * beside another database it would corrupt that.
 */
function setAside({ dir, token_file, now_ms }: RestoreOrder): string | null {
  const database = databaseFile(dir);
  if (!existsSync(database)) return null;
  const kept = freeFolder(dir, now_ms);
  makeFolder(kept, 0o750);
  emptyLog(database);
  for (const rest of ["-wal", "-shm"])
    if (existsSync(database + rest))
      renameSync(database + rest, path.join(kept, path.basename(database) + rest));
  linkOrCopy(database, path.join(kept, path.basename(database)));
  for (const name of KEPT_FILES) keepFile(path.join(dir, name), path.join(kept, name));
  keepFile(token_file, path.join(kept, TOKEN_NAME));
  syncPath(kept);
  return kept;
}

/** A folder that isn't there: what an earlier restore of the same second kept stays as it is. */
function freeFolder(dir: string, now_ms: number): string {
  const kept = path.join(dir, `before-restore-${stamp(now_ms)}`);
  return existsSync(kept) ? freeFolder(dir, now_ms + SECOND_MS) : kept;
}

function keepFile(file: string, kept: string): void {
  if (!existsSync(file)) return;
  const handle = openFile(file);
  try {
    copyOpen(handle, { start: 0, file: kept, mode: 0o600 });
  } finally {
    closeSync(handle);
  }
}

function emptyLog(database: string): void {
  try {
    const db = openWriter(database);
    prepare(db, "state.checkpoint").get({});
    db.close();
  } catch (error) {
    // A database that can't be opened is kept as it is, with its log.
    if (codeOf(error) === null) throw error;
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
    syncPath(to);
  }
}

const TRIAL = /^trial-(\d+)$/;

/** A new empty folder for `tryBackup`; those of processes that were killed are removed first. */
export function trialFolder(dir: string): { readonly dir: string; remove(): void } {
  for (const name of readdirSync(dir)) {
    const pid = TRIAL.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(path.join(dir, name), { recursive: true, force: true });
  }
  const trial = path.join(dir, `trial-${process.pid}`);
  makeFolder(trial, 0o700);
  writeFileSync(path.join(trial, "README"), "A backup is being tried here; this can be removed.\n");
  return { dir: trial, remove: () => rmSync(trial, { recursive: true, force: true }) };
}
