// Opens the database of a data folder for writing. It is made if there is none, and refused if it
// can't be trusted as a whole; single damaged rows are reported. A new database gets its name after
// its schema is on disk, so that an empty file of that name is always damage and never an
// interrupted first start.

import { existsSync, rmSync } from "node:fs";
import { placeFile } from "../../ground/durable.ts";
import { codeOf, EXIT, Failure } from "../../ground/errors.ts";
import { damageOf } from "../file/damage.ts";
import { migrate, missingMigrations } from "../file/migrate.ts";
import { type Connection, databaseFile, openReader, openWriter, prepare } from "../file/open.ts";
import { layReserve, releaseReserve } from "../file/reserve.ts";
import { openPresence } from "../file/writable.ts";
import { lastRun } from "../records/audit.ts";
import { hotProblems } from "../sealed/hot.ts";
import { type DatabaseProblem, databaseProblem, walFile } from "./trust.ts";

export interface OpenedDatabase {
  readonly db: Connection;
  /** Numbers of the migrations that were run. */
  readonly migrations: readonly number[];
  /** True if the run before was cut off and its write-ahead log is gone, with the data in it. */
  readonly isLogMissing: boolean;
  /** Throws if the open files are no longer those under their names. */
  readonly present: () => void;
}

/** Opens the folder's database. Throws a Failure with the next step if it can't be trusted. */
export function openDatabase(
  dir: string,
  {
    now_ms,
    before,
  }: {
    readonly now_ms: number;
    /** Called before a migration, with the schema of the existing database. */
    readonly before: (schema: number) => void;
  },
): OpenedDatabase {
  const file = databaseFile(dir);
  releaseReserve(dir);
  // Checked before opening the file, which creates a log.
  const hadLog = existsSync(walFile(file));
  const found = databaseProblem(dir);
  const left = found?.check === "sums" ? problemReindexed(dir, found) : found;
  if (left !== null)
    throw new Failure(
      EXIT.io,
      `database ${file}: can't be trusted, ${left.problem} ` +
        `(check: ${left.check}); ${left.advice}`,
    );
  const isThere = existsSync(file);
  // A writing connection changes the file's header, so another version's file is refused before.
  if (isThere) refuseOthers(file);
  const made = isThere ? [] : makeDatabase(dir, now_ms);
  const db = openWriter(file);
  // Moves the log into the file. A power cut leaves one broken commit in the log; after a second
  // cut there would be two, which look like lost ones (COMMITS_TORN_MAX).
  prepare(db, "state.checkpoint").get({});
  const migrations = [...made, ...migrate(db, now_ms, before)];
  layReserve(dir);
  if (found !== null) damageOf(db).note(found.problem);
  for (const problem of hotProblems(db)) damageOf(db).note(problem);
  // A run that was cut off leaves its log: SQLite removes it only when it closes the file.
  const isLogMissing = !hadLog && lastRun(db)?.kind === "start";
  return { db, migrations, isLogMissing, present: openPresence([file, walFile(file)]) };
}

/**
 * The problem left after the index of hours and days was rebuilt; null if only that index was
 * damaged.
 */
function problemReindexed(dir: string, found: DatabaseProblem): DatabaseProblem | null {
  const db = openWriter(databaseFile(dir));
  try {
    prepare(db, "bucket.reindex").run({});
  } catch (error) {
    if (codeOf(error)?.startsWith("SQLITE_") !== true) throw error;
    return found;
  } finally {
    db.close();
  }
  return databaseProblem(dir);
}

function refuseOthers(file: string): void {
  const db = openReader(file);
  try {
    missingMigrations(db);
  } finally {
    db.close();
  }
}

function makeDatabase(dir: string, now_ms: number): readonly number[] {
  const file = databaseFile(dir);
  const part = `${file}.new`;
  removeDatabase(part);
  const db = openWriter(part);
  const migrations = migrate(db, now_ms);
  db.close();
  placeFile(part, file);
  return migrations;
}

/** Removes a database file with its log and its shared memory. */
export function removeDatabase(file: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
}
