// The database of a data folder, opened for writing: made when there is none, refused when it can't
// be trusted as a whole; single rows that are damaged are told. A new one gets its name when its
// schema is on disk, so that an empty file under that name is always damage and never a first start
// that was cut off.

import { existsSync, rmSync } from "node:fs";
import { placeFile } from "../durable.ts";
import { EXIT, Failure } from "../errors.ts";
import { lastRun } from "./audit.ts";
import { damageOf } from "./damage.ts";
import { rowsProblems } from "./derived.ts";
import { migrate } from "./migrate.ts";
import { type Connection, databaseFile, openWriter } from "./open.ts";
import { layReserve, releaseReserve } from "./reserve.ts";
import { openPresence } from "./still-there.ts";
import { databaseProblem, walFile } from "./trust.ts";

export interface OpenedDatabase {
  readonly db: Connection;
  /** Of the migrations that were run. */
  readonly migrations: readonly number[];
  /** Whether the run before was cut off and its write-ahead log is gone, with what it held. */
  readonly isLogMissing: boolean;
  /** Throws when the open files are no longer those under their names. */
  readonly present: () => void;
}

/** Opens the folder's database. Throws a Failure that says what to do when it can't be trusted. */
export function openDatabase(
  dir: string,
  {
    now_ms,
    before,
  }: {
    readonly now_ms: number;
    /** Called with the schema that a database has before it is migrated. */
    readonly before: (schema: number) => void;
  },
): OpenedDatabase {
  const file = databaseFile(dir);
  releaseReserve(dir);
  // Whoever opens the file makes a log.
  const hadLog = existsSync(walFile(file));
  const found = databaseProblem(dir);
  if (found !== null)
    throw new Failure(
      EXIT.io,
      `database ${file}: can't be trusted, ${found.problem} ` +
        `(check: ${found.check}); ${found.advice}`,
    );
  const made = existsSync(file) ? [] : makeDatabase(dir, now_ms);
  const db = openWriter(file);
  const migrations = [...made, ...migrate(db, now_ms, before)];
  layReserve(dir);
  for (const problem of rowsProblems(db)) damageOf(db).note(problem);
  // A run that was cut off leaves its log: SQLite removes it only when it closes the file.
  const isLogMissing = !hadLog && lastRun(db)?.kind === "start";
  return { db, migrations, isLogMissing, present: openPresence([file, walFile(file)]) };
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
