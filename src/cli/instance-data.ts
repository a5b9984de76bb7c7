// Functions for commands that read an instance's data: its configuration, and its database, read
// beside a running instance.

import { existsSync } from "node:fs";
import { openInstance } from "../app/instance.ts";
import type { AuditDetail } from "../bwts/audit.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import { openLog } from "../ground/log.ts";
import { actAsOwnerOf } from "../ground/owner.ts";
import { escapedJson } from "../ground/quoted.ts";
import { missingMigrations } from "../sqlite/file/migrate.ts";
import { type Connection, databaseFile, openReader } from "../sqlite/file/open.ts";
import { refusal } from "../sqlite/file/refused.ts";
import type { CommandInput } from "../sqlite/threads/writer-commands.ts";
import { escapedLines } from "./document.ts";

/**
 * The configuration of `--config FILE`, or of the environment. From then on root acts with the
 * rights of the data folder's owner (owner.ts).
 */
export function configOf({ config }: { readonly config?: string | undefined }): Config {
  const loaded = loadConfig({ file: config ?? null, env: process.env }).config;
  actAsOwnerOf(loaded.storage.dir);
  return loaded;
}

/** As `readDatabase`, for asynchronous work. */
export async function withDatabase<Result>(
  config: Config,
  work: (db: Connection) => Promise<Result>,
): Promise<Result> {
  const db = openInstanceData(existingDatabase(config));
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** The result of `read` on the database. Throws a Failure if there is none. */
export function readDatabase<Result>(config: Config, read: (db: Connection) => Result): Result {
  const db = openInstanceData(existingDatabase(config));
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/**
 * Opens a read-only connection. Throws a Failure if SQLite can't open the file, or if another
 * version of ballastd wrote it: unknown data would silently be left out.
 */
export function openInstanceData(file: string): Connection {
  const db = openFile(file);
  try {
    missingMigrations(db);
  } catch (error) {
    // Damage passes: the command itself finds and reports it.
    if (error instanceof Failure) {
      db.close();
      throw error;
    }
  }
  return db;
}

function openFile(file: string): Connection {
  try {
    return openReader(file);
  } catch (error) {
    if (codeOf(error)?.startsWith("SQLITE_") !== true) throw error;
    throw new Failure(EXIT.io, `${file}: can't be opened (${messageOf(error)})`);
  }
}

/** The database's file. Throws a Failure if there is none. */
export function existingDatabase({ storage }: Config): string {
  const file = databaseFile(storage.dir);
  if (existsSync(file)) return file;
  const refused = refusal(file, "read");
  if (refused !== null) throw refused;
  throw new Failure(EXIT.failed, `${file}: there is no database yet; see storage.dir`);
}

/**
 * Prints a list, one line each, or `none` (if it isn't null) for an empty list. Control characters
 * are escaped, since the service's account can write any name into the database.
 */
export function writeList(lines: readonly string[], none: string | null): void {
  const shown = lines.length === 0 && none !== null ? [none] : lines;
  if (shown.length > 0) process.stdout.write(`${escapedLines(shown.join("\n"))}\n`);
}

/**
 * Records an export in the audit log, marks `operations` as given out, and signs a head of the
 * ledger. If that can't be written, the export goes on, and stderr has a warning.
 */
export async function recordExport(
  config: Config,
  detail: AuditDetail,
  operations: CommandInput["give_out"] | null = null,
): Promise<void> {
  const marks = operations === null ? [] : ["not marked as given out: its verdicts"];
  const left = ["not in the audit log: this export", ...marks, "no head is signed for it"];
  try {
    const instance = await openInstance(config, openLog("error"));
    try {
      await instance.ask("audit", { kind: "export", detail });
      left.shift();
      if (operations !== null) {
        await instance.ask("give_out", operations);
        left.shift();
      }
      await instance.sign("export");
    } finally {
      await instance.close();
    }
  } catch (error) {
    process.stderr.write(`${left.join("; ")} (${escapedJson(messageOf(error))})\n`);
  }
}
