// What commands share that look at an instance's data: the configuration that names it, and its
// database, read beside a running instance.

import { existsSync } from "node:fs";
import { type Config, loadConfig } from "../config.ts";
import { codeOf, EXIT, Failure, messageOf } from "../errors.ts";
import { actAsOwnerOf } from "../owner.ts";
import { type Connection, databaseFile, openReader } from "../sqlite/open.ts";
import { escapedLines } from "./escaped.ts";

/**
 * The configuration that `--config FILE` names, or without it the environment. From then on root
 * acts as the data folder's owner (owner.ts).
 */
export function configOf({ config }: { readonly config?: string | undefined }): Config {
  const loaded = loadConfig({ file: config ?? null, env: process.env }).config;
  actAsOwnerOf(loaded.storage.dir);
  return loaded;
}

/** What `read` gives of the database. Throws a Failure while there is none. */
export function readDatabase<Result>(config: Config, read: (db: Connection) => Result): Result {
  const db = openDatabase(existingDatabase(config));
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** A connection that reads. Throws a Failure when SQLite can't open the file. */
export function openDatabase(file: string): Connection {
  try {
    return openReader(file);
  } catch (error) {
    if (codeOf(error)?.startsWith("SQLITE_") !== true) throw error;
    throw new Failure(EXIT.io, `${file}: can't be opened (${messageOf(error)})`);
  }
}

/** The database's file. Throws a Failure while there is none. */
export function existingDatabase({ storage }: Config): string {
  const file = databaseFile(storage.dir);
  if (existsSync(file)) return file;
  throw new Failure(EXIT.failed, `${file}: there is no database yet; see storage.dir`);
}

/**
 * Prints a list, a line each; for people `none` when it is empty. Names come from the database,
 * which the service's account writes: nothing in them moves the cursor.
 */
export function writeList(lines: readonly string[], none: string | null): void {
  const shown = lines.length === 0 && none !== null ? [none] : lines;
  if (shown.length > 0) process.stdout.write(`${escapedLines(shown.join("\n"))}\n`);
}
