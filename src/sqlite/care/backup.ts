// A backup: one file with a snapshot of the database and the small files beside it, made from its
// own connection while the writer goes on. It is compacted, labelled, synced and verified before it
// gets its name, so that a file of that name can be restored. SQLite's backup API was rejected:
// from another connection it starts again at every commit.

import { hash } from "node:crypto";
import { closeSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { DAY_MS, printTime } from "../../ground/clock.ts";
import { freeBytes, printedSize } from "../../ground/disk.ts";
import { openNew, partOf, placeFile } from "../../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { hashOfFile } from "../../ground/file-copy.ts";
import { asOwner, atPath } from "../../ground/owner.ts";
import { makeFolder } from "../file/make-folder.ts";
import { type Connection, connect, databaseFile, prepare, readSql } from "../file/open.ts";
import { type BackupFile, readSmallFiles } from "./backup-files.ts";
import { refuseForeignFile, refuseUnsound, verifiedFile } from "./file-check.ts";
import type { VerifyResult } from "./verify.ts";

/** Maximum number of a backup: more than can ever be made, and far below 2^53. */
const NUMBER_MAX = 1_000_000_000_000;
/** Maximum time of making: the end of the year 9999. */
const MADE_MAX_MS = 253_402_300_799_999;

/** The label of a backup, checked strictly because the file may come from a stranger. */
const Label = z.object({
  /**
   * The highest number in its folder plus one: a wrong clock can't change the order. Absent in
   * older backups.
   */
  number: z.number().int().min(0).max(NUMBER_MAX).optional(),
  made_ms: z.number().int().min(0).max(MADE_MAX_MS),
  /** Version of the program that made the backup. */
  version: z.string(),
  system_id: z.string(),
  /** `daily`, `command`, `asked` over HTTP, or the change before which it was made. */
  reason: z.string(),
  /** Text about damage in the backed-up data; null if there is none; absent in older backups. */
  damage: z.string().nullable().optional(),
});
export type BackupLabel = Readonly<z.output<typeof Label>>;

export interface BackupOrder {
  readonly dir: string;
  /** Path of the backup. An existing file is replaced when the new one is complete. */
  readonly output: string;
  readonly label: BackupLabel;
  /** Path of the token, which may be outside of the data folder. */
  readonly token_file: string;
  /**
   * Minimum free space on the data folder's disk after the backup, in bytes; below it none is
   * begun.
   */
  readonly floor_bytes: number;
}

export interface Backup {
  /** Path of the backup, which differs from the ordered one if the data is damaged. */
  readonly file: string;
  readonly bytes: number;
  /** SHA-256 of the file, in hex. Kept elsewhere, it proves later that the file is unaltered. */
  readonly sha256: string;
  readonly verified: VerifyResult;
  /** Text about damage in the backed-up data; null if there is none. */
  readonly damage: string | null;
}

/** The form of a time in file names: 20260501T031700Z. */
export function stamp(at_ms: number): string {
  return printTime(at_ms).replace(/[-:]|\.\d+/g, "");
}

/** Path of the copy made before a migration from `schema`. `stem` is the path without schema. */
export function beforeSchemaFile(stem: string, schema: number): string {
  return `${stem}-schema-${schema}.db`;
}

/** Name of a backup of damaged data, which never replaces a sound backup. */
export function damagedName(output: string): string {
  return `${output.replace(/\.db$/, "")}-damaged.db`;
}

/**
 * Makes a backup. Throws a Failure, with no file left, if space is short or the copy isn't a whole
 * database. Known damaged data is backed up too, and labelled so, because the rest of it is sound.
 */
export function makeBackup(order: BackupOrder): Backup {
  const { dir, output, token_file } = order;
  const source = databaseFile(dir);
  if (!existsSync(source))
    throw new Failure(EXIT.failed, `${source}: there is no database yet; see storage.dir`);
  try {
    const files = readSmallFiles(dir, token_file);
    return atPath(path.dirname(output), () => madeAt(source, files, order));
  } catch (error) {
    if (error instanceof Failure || codeOf(error) === null) throw error;
    throw new Failure(EXIT.io, `${output}: the backup can't be made (${messageOf(error)})`);
  }
}

function madeAt(source: string, files: readonly BackupFile[], order: BackupOrder): Backup {
  const { output } = order;
  const part = partOf(output);
  try {
    makeFolder(path.dirname(output), 0o750);
    removeUnfinished(path.dirname(output), order.label.made_ms);
    refuseTooLittleSpace(source, order);
    // The backup holds the token, so only its owner may read it. SQLite takes the empty file for a
    // new database.
    closeSync(openNew(part, 0o600));
    copy(source, part);
    label(part, files, order);
    refuseForeignFile(part);
    refuseUnsound(part);
    const verified = verifiedFile(part);
    const damage = verified.problem;
    const file = damage === null ? output : damagedName(output);
    if (damage !== null) labelDamaged(part, damage);
    const sha256 = hashOfFile(part);
    placeFile(part, file);
    return { file, bytes: statSync(file).size, sha256, verified, damage };
  } finally {
    for (const rest of ["", "-journal", "-wal", "-shm"]) rmSync(part + rest, { force: true });
  }
}

/** Age of an unfinished backup from which nobody can be making it any more. */
const UNFINISHED_MAX_MS = DAY_MS;
const UNFINISHED = /^ballastd-.+\.db\.[0-9a-f]{12}\.part(-journal|-wal|-shm)?$/;

/** Removes backups that were cut off by a power cut or a kill: each is as large as the database. */
function removeUnfinished(folder: string, now_ms: number): void {
  for (const name of readdirSync(folder)) {
    if (!UNFINISHED.test(name)) continue;
    const file = path.join(folder, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: now_ms };
    if (now_ms - mtimeMs > UNFINISHED_MAX_MS) rmSync(file, { force: true });
  }
}

// Throws a Failure if space is short. The floor applies to the data folder's disk; a stick may be
// filled.
function refuseTooLittleSpace(source: string, { dir, output, floor_bytes }: BackupOrder): void {
  const folder = path.dirname(output);
  const [here, bytes] = asOwner(() => [statSync(dir).dev, statSync(source).size] as const);
  const floor = statSync(folder).dev === here ? floor_bytes : 0;
  const need = bytes + floor;
  const free = freeBytes(folder);
  if (free < need)
    throw new Failure(
      EXIT.io,
      `${output}: ${printedSize(free)} are free, expected ${printedSize(need)} ` +
        "(the database, and what must stay free)",
    );
}

function copy(source: string, part: string): void {
  const db = asOwner(() => openSource(source));
  try {
    prepare(db, "backup.copy").run({ file: part });
  } finally {
    db.close();
  }
}

/**
 * Opens the source with all of its files at once, so that the copy opens nothing more in the
 * folder.
 */
function openSource(source: string): Connection {
  const db = connect(source, { readonly: true, fileMustExist: true });
  db.exec(readSql("open-copy"));
  prepare(db, "backup.is_labelled").get({});
  return db;
}

function label(part: string, files: readonly BackupFile[], { label, output }: BackupOrder): void {
  const db = connect(part, { fileMustExist: true });
  try {
    db.transaction(() => {
      db.exec(readSql("label-backup"));
      const number = nextNumber(path.dirname(output));
      prepare(db, "backup.put_label").run({ ...label, number });
      for (const { name, content } of files) {
        const sha256 = hash("sha256", content, "buffer");
        prepare(db, "backup.put_file").run({ name, content, sha256 });
      }
    })();
  } finally {
    db.close();
  }
}

function labelDamaged(part: string, damage: string): void {
  const db = connect(part, { fileMustExist: true });
  try {
    prepare(db, "backup.put_damage").run({ damage });
  } finally {
    db.close();
  }
}

/**
 * The label of a backup; null for a database that isn't a backup. Throws a Failure for a label that
 * ballastd never writes.
 */
export function labelOf(db: Connection): BackupLabel | null {
  const table = prepare(db, "backup.is_labelled").get({});
  if (table?.count !== 1) return null;
  const row = prepare(db, "backup.label").get({});
  if (row === undefined) return null;
  const read = Label.safeParse(row);
  if (read.success) return read.data;
  const [{ path: at, message }] = read.error.issues;
  throw new Failure(EXIT.failed, `the backup was altered: ${at.join(".")}: ${message}`);
}

/** A backup in a folder; `label` is null if the file can't be read. */
export interface ListedBackup {
  readonly file: string;
  readonly bytes: number;
  readonly label: BackupLabel | null;
  /** Order of making: the higher, the later. */
  readonly position: number;
}

/** Position of backups without a number, which are ordered by day, before all with a number. */
const BEFORE_NUMBERS = -1_000_000;

function positionOf(label: BackupLabel | null): number {
  if (label === null) return Number.NEGATIVE_INFINITY;
  return label.number ?? BEFORE_NUMBERS + Math.floor(label.made_ms / DAY_MS);
}

function nextNumber(folder: string): number {
  const highest = Math.max(0, ...listBackups(folder).map(({ position }) => position));
  return Math.min(highest + 1, NUMBER_MAX);
}

/** The backups of a folder, newest first; files of other programs aren't listed. */
export function listBackups(folder: string): readonly ListedBackup[] {
  return atPath(folder, () => listedIn(folder));
}

function listedIn(folder: string): readonly ListedBackup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".db"))
    .map((name) => listed(path.join(folder, name)))
    .filter((backup) => backup !== null)
    .sort((one, other) => other.position - one.position || madeOf(other) - madeOf(one));
}

const madeOf = ({ label }: ListedBackup): number => label?.made_ms ?? 0;

function listed(file: string): ListedBackup | null {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  try {
    refuseForeignFile(file);
    const db = connect(file, { readonly: true, fileMustExist: true });
    try {
      const label = labelOf(db);
      return { file, bytes, label, position: positionOf(label) };
    } finally {
      db.close();
    }
  } catch {
    return path.basename(file).startsWith("ballastd-")
      ? { file, bytes, label: null, position: positionOf(null) }
      : null;
  }
}
