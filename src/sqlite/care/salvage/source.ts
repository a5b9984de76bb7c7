// Opens the damaged database with SQLite, as far as possible. It uses copies in a folder of their
// own, since a connection may change its file, and the evidence must stay unchanged. Known fixed
// bytes of the header are repaired. The log is used only if the database is sound with it.

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
import { openFile } from "../../../ground/durable.ts";
import { copyOpen } from "../../../ground/file-copy.ts";
import { asOwner } from "../../../ground/owner.ts";
import { rowsProblem } from "../../derived/derived.ts";
import { isOurs } from "../../file/migrate.ts";
import { type Connection, openReader, prepare } from "../../file/open.ts";
import { contentProblem, isDamagedFile, walFile } from "../trust.ts";
import { PAGE_BYTES } from "./page-file.ts";

export interface SalvageSource {
  /** For the small tables; null if even the schema can't be read. */
  readonly db: Connection | null;
  /** The copy whose pages are searched. */
  readonly file: string;
  /** The log whose pages are searched; null if there is none, or if it belongs to another file. */
  readonly log: string | null;
  /** True if a log was present and left out. */
  readonly isForeignLog: boolean;
  close(): void;
}

const HEADER_BYTES = 100;
const MAGIC = Buffer.from("SQLite format 3\0");
/** Offset and size of a number in the header, and its fixed value in our files. */
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
  const log = existsSync(walFile(file)) ? walFile(file) : null;
  if (log === null) return sourceOf(opened(alone), { file: alone, log, isForeignLog: false });
  const whole = path.join(work, "with-log.db");
  copyFileSync(alone, whole);
  copyOwners(log, walFile(whole));
  const [without, withLog] = [opened(alone), opened(whole)];
  // The file is sound without the log and damaged with it, so the log belongs to another database.
  const isForeignLog = isWhole(without, alone) && !isWhole(withLog, whole);
  const [best, other] = isForeignLog ? [without, withLog] : [withLog, without];
  const kept = best ?? other;
  if (kept !== other) other?.close();
  return sourceOf(kept, { file: alone, log: isForeignLog ? null : log, isForeignLog });
}

/**
 * Root may work in another folder; files of the data folder are opened with their owner's rights.
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
