// The schema's history: numbered files in sql/migrations, each run once in a transaction of its own
// and remembered with its checksum. A database that is newer than the program, or that was made by
// other migrations than the program's, is refused rather than guessed at.

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { assetPath } from "../assets.ts";
import { EXIT, Failure } from "../errors.ts";
import { type Connection, prepare, readSql } from "./open.ts";

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/**
 * Brings the database up to the program's schema. Returns the numbers of the migrations that were
 * run. Throws a Failure (exit 78) for a newer or a foreign database.
 */
export function migrate(db: Connection, now_ms: number): readonly number[] {
  const migrations = readMigrations();
  db.exec(schemaTable());
  const applied = prepare<object, { number: number; name: string; checksum: string }>(
    db,
    "schema.applied",
  ).all({});
  const newest = migrations.at(-1)?.number ?? 0;
  for (const past of applied) {
    if (past.number > newest)
      throw new Failure(
        EXIT.config,
        `database: schema ${past.number} is newer than this program's ${newest}: ` +
          "install the ballastd that wrote it, or a later one",
      );
    const ours = migrations.find((migration) => migration.number === past.number);
    if (ours?.checksum !== past.checksum)
      throw new Failure(
        EXIT.config,
        `database: migration ${past.number} (${past.name}) isn't the one this program knows`,
      );
  }
  const done = new Set(applied.map((past) => past.number));
  const missing = migrations.filter((migration) => !done.has(migration.number));
  for (const migration of missing) run(db, migration, now_ms);
  return missing.map((migration) => migration.number);
}

function run(db: Connection, migration: Migration, now_ms: number): void {
  const { number, name, text, checksum } = migration;
  db.transaction(() => {
    db.exec(text);
    prepare(db, "schema.record").run({ number, name, checksum, applied_ms: now_ms });
  })();
}

function schemaTable(): string {
  return readSql("schema-table");
}

function readMigrations(): readonly Migration[] {
  return readdirSync(assetPath("sql/migrations"))
    .sort()
    .map((file) => {
      const text = readSql(`migrations/${file.replace(/\.sql$/, "")}`);
      const checksum = createHash("sha256").update(text).digest("hex");
      return { number: Number.parseInt(file, 10), name: file, text, checksum };
    });
}
