// Opens the damaged database with SQLite, as far as possible. Copies in a separate folder are used,
// since a connection may change its file, and the evidence must stay unchanged. Fixed bytes of the
// header are repaired. A log is left out if the database is sound without it and damaged with it; a
// damaged log is used beyond the damage.

import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { openFile } from "../../ground/durable.ts";
import { copyOpen } from "../../ground/file-copy.ts";
import { asOwner } from "../../ground/owner.ts";
import { rowsProblem } from "../derived/derived.ts";
import { openBytes } from "../file/file-bytes.ts";
import { isOurs } from "../file/migrate.ts";
import { type Connection, openReader, prepare } from "../file/open.ts";
import { lastRun } from "../records/audit.ts";
import { PAGE_BYTES, putFrames, readLog } from "./damaged-log.ts";
import { contentProblem, isDamagedFile, walFile } from "./trust.ts";

export interface SalvageSource {
  /** Connection for the small tables; null if even the schema can't be read. */
  readonly db: Connection | null;
  /** The copy whose pages are searched. */
  readonly file: string;
  /** The log whose pages are searched; null if there is none, or if it belongs to another file. */
  readonly log: string | null;
  /** True if a log was present and left out. */
  readonly isForeignLog: boolean;
  /** The reason why acknowledged data of the log may be lost; null if there is none. */
  readonly unread: string | null;
  close(): void;
}

const HEADER_BYTES = 100;
const MAGIC = Buffer.from("SQLite format 3\0");
/**
 * Offset and size of each number in the header whose value is fixed in our files, and that value.
 */
const FIXED = [
  [16, 2, PAGE_BYTES],
  [18, 1, 2],
  [19, 1, 2],
  [20, 1, 0],
  [21, 1, 64],
  [22, 1, 32],
  [23, 1, 32],
  [44, 4, 4],
  [56, 4, 1],
  [68, 4, 0x626c7374],
] as const;

/** Opens copies of `file`, made in the folder `work`. */
export function openSource(file: string, work: string): SalvageSource {
  const alone = path.join(work, "alone.db");
  if (existsSync(file)) copyOwners(file, alone);
  else writeFileSync(alone, "");
  mendHeader(alone);
  const without = opened(alone);
  const log = existsSync(walFile(file)) ? walFile(file) : null;
  const gone = wasCutOff(without) ? "it is missing, and the run before was cut off" : null;
  if (log === null)
    return sourceOf(without, { file: alone, log, isForeignLog: false, unread: gone });
  const whole = path.join(work, "with-log.db");
  copyFileSync(alone, whole);
  copyOwners(log, walFile(whole));
  const withLog = opened(whole);
  // Sound without the log and damaged with it: the log belongs to another database.
  if (isWhole(without, alone) && !isWhole(withLog, whole)) {
    withLog?.close();
    return sourceOf(without, { file: alone, log: null, isForeignLog: true, unread: gone });
  }
  const mended = openMended(alone, log);
  const kept = mended.db ?? withLog ?? without;
  for (const db of [withLog, without]) if (db !== kept) db?.close();
  return sourceOf(kept, { file: alone, log, isForeignLog: false, unread: mended.unread });
}

/**
 * The database with all frames of a log that SQLite would read only in part; `db` is null if that
 * fails.
 */
function openMended(
  alone: string,
  name: string,
): { readonly db: Connection | null; readonly unread: string | null } {
  const log = asOwner(() => openBytes(name));
  try {
    const read = readLog(log);
    const { pages, isBroken, unread } = read;
    if (!isBroken) return { db: null, unread };
    if (pages === 0) return { db: null, unread: "none of it can be read" };
    const mended = path.join(path.dirname(alone), "mended.db");
    copyFileSync(alone, mended);
    putFrames(log, read, mended);
    mendHeader(mended);
    const db = opened(mended);
    const hidden = "behind a damaged page of it the tables can't be read";
    return { db, unread: db === null ? hidden : unread };
  } finally {
    log.close();
  }
}

/** True if the last run was cut off, as far as the audit log can be read. */
function wasCutOff(db: Connection | null): boolean {
  try {
    return db !== null && lastRun(db)?.kind === "start";
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return true;
  }
}

/**
 * Copies a file of the data folder, opened with the rights of the folder's owner; root may make the
 * copy in another folder.
 */
function copyOwners(from: string, file: string): void {
  const handle = asOwner(() => openFile(from));
  try {
    copyOpen(handle, { start: 0, file, mode: 0o600 });
  } finally {
    closeSync(handle);
  }
}

function sourceOf(db: Connection | null, rest: Omit<SalvageSource, "db" | "close">): SalvageSource {
  return { db, ...rest, close: () => db?.close() };
}

/**
 * Repairs the header's fixed bytes, and the number of pages, which SQLite checks against the file.
 */
export function mendHeader(file: string): void {
  const { size } = statSync(file);
  if (size < PAGE_BYTES) return;
  const opened = openSync(file, "r+");
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(opened, header, 0, HEADER_BYTES, 0);
    MAGIC.copy(header);
    for (const [at, count, value] of FIXED) header.writeUIntBE(value, at, count);
    header.writeUInt32BE(Math.floor(size / PAGE_BYTES), 28);
    header.copy(header, 92, 24, 28);
    writeSync(opened, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(opened);
  }
}

/** A connection with a readable schema, else null. */
function opened(file: string): Connection | null {
  let db: Connection | null = null;
  try {
    db = openReader(file);
    prepare(db, "salvage.tables").all({});
    return db;
  } catch (error) {
    db?.close();
    if (!isDamagedFile(error)) throw error;
    return null;
  }
}

function isWhole(db: Connection | null, file: string): boolean {
  if (db === null || contentProblem(db, statSync(file).size) !== null) return false;
  return isOurs(db) && rowsProblem(db) === null;
}
