// What commands share that look at an instance's data: the configuration that names it, and its
// database, read beside a running instance.

import { existsSync } from "node:fs";
import { type Config, loadConfig } from "../config.ts";
import { EXIT, Failure } from "../errors.ts";
import { type Connection, databaseFile, openReader } from "../sqlite/open.ts";

/** The configuration that `--config FILE` names, or without it the environment. */
export function configOf({ config }: { readonly config?: string | undefined }): Config {
  return loadConfig({ file: config ?? null, env: process.env }).config;
}

/** What `read` gives of the database. Throws a Failure while there is none. */
export function readDatabase<Result>(config: Config, read: (db: Connection) => Result): Result {
  const db = openReader(existingDatabase(config));
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** The database's file. Throws a Failure while there is none. */
export function existingDatabase({ storage }: Config): string {
  const file = databaseFile(storage.dir);
  if (existsSync(file)) return file;
  throw new Failure(EXIT.failed, `${file}: there is no database yet; see storage.dir`);
}

/** Prints a list, a line each; for people `none` when it is empty. */
export function writeList(lines: readonly string[], none: string | null): void {
  const shown = lines.length === 0 && none !== null ? [none] : lines;
  if (shown.length > 0) process.stdout.write(`${shown.join("\n")}\n`);
}
