// Migrations: numbered files in sql/migrations, each run once in its own transaction and recorded
// with its checksum. A database that is newer than the program, or that was made by other
// migrations, is refused.

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { assetPath } from "../../ground/assets.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { sumFacts } from "./mark.ts";
import { type Connection, connect, prepare, readSql, statementText } from "./open.ts";

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** The number of the newest migration that this program knows. */
export function newestSchema(): number {
  return readMigrations().at(-1)?.number ?? 0;
}

/** The recorded migrations as comments, and every statement of the current schema. */
export function schemaLines(db: Connection): readonly string[] {
  const migrations = appliedTo(db).map(({ number, name }) => `-- migration ${number}: ${name}`);
  return [...migrations, ...statements(db).map((text) => `${text};`)];
}

/** The recorded migrations, newest last; none without their table. */
function appliedTo(db: Connection): readonly Applied[] {
  const table = prepare(db, "schema.has_table").get({});
  return table?.count === 1 ? prepare(db, "schema.applied").all({}) : [];
}

/**
 * The schema's number in the file's head (`user_version`), for other tools. ballastd uses the table
 * of migrations; a database older than this entry has 0 until its next start.
 */
export function headSchema(db: Connection): number {
  return (
    prepare<"schema.user_version", { number: number }>(db, "schema.user_version").get({})?.number ??
    0
  );
}

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/**
 * Numbers of the missing migrations. Throws a Failure (exit 78) for a newer or foreign database.
 */
export function missingMigrations(db: Connection): readonly number[] {
  return missingFrom(appliedTo(db)).map(({ number }) => number);
}

/**
 * Migrates the database to the program's schema and returns the numbers of the migrations run. If
 * there are any and the database isn't new, `before` is called first with its present schema.
 * Throws a Failure (exit 78) for a newer or foreign database.
 */
export function migrate(
  db: Connection,
  now_ms: number,
  before = (_schema: number) => {},
): readonly number[] {
  const applied = appliedTo(db);
  const missing = missingFrom(applied);
  const schema = applied.at(-1)?.number;
  if (missing.length > 0 && schema !== undefined) before(schema);
  db.exec(schemaTable());
  for (const migration of missing) run(db, migration, now_ms);
  if (headSchema(db) !== newestSchema()) setHeadSchema(db, newestSchema());
  return missing.map(({ number }) => number);
}

function missingFrom(applied: readonly Applied[]): readonly Migration[] {
  const migrations = readMigrations();
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
        `database: a version in development made it (migration ${past.number} isn't the one of ` +
          "this program), and only that version reads it: export its readings with that version, " +
          "move ballastd.db to another folder, and import them with this one",
      );
  }
  const done = new Set(applied.map((past) => past.number));
  return migrations.filter((migration) => !done.has(migration.number));
}

/** True if this program's migrations alone made the database, all of them or the first ones. */
export function isOurs(db: Connection): boolean {
  try {
    missingMigrations(db);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return false;
  }
}

/**
 * Describes how the schema differs from the one that its migrations make; null if it doesn't, or if
 * they aren't this program's.
 */
export function damagedSchema(db: Connection): string | null {
  const applied = appliedTo(db);
  const known = new Map(readMigrations().map((migration) => [migration.number, migration]));
  const migrations = applied.flatMap(({ number }) => known.get(number) ?? []);
  // A newer program also writes a newer number into the head; one in development adds its own
  // migration.
  if (migrations.length < applied.length)
    return headSchema(db) === newestSchema() &&
      isSameText(statementsOf([...known.values()]), statements(db))
      ? "the record of its migrations has more rows than there were migrations"
      : null;
  const isAsRecorded = applied.every(
    ({ name, checksum }, at) =>
      name === migrations[at].name && checksum === migrations[at].checksum,
  );
  const [expected, found] = [statementsOf(migrations), statements(db)];
  if (isSameText(expected, found))
    return isAsRecorded ? null : "the record of its migrations isn't what was written";
  if (!isAsRecorded) return null;
  const wrong = found.find((statement, at) => statement !== expected[at]) ?? "what is missing";
  return `the schema isn't what its migrations make: ${wrong.slice(0, SHOWN).replace(/\s+/g, " ")}`;
}

const isSameText = (one: readonly string[], other: readonly string[]) =>
  one.join("\n") === other.join("\n");

/** Maximum length of a damaged statement in a message, in characters. */
const SHOWN = 60;

function statementsOf(migrations: readonly Migration[]): readonly string[] {
  const db = connect(":memory:", {});
  db.exec(schemaTable());
  for (const { text } of migrations) db.exec(text);
  const made = statements(db);
  db.close();
  return made;
}

function statements(db: Connection): readonly string[] {
  return prepare<"schema.statements", { text: string }>(db, "schema.statements")
    .all({})
    .map(({ text }) => text);
}

/**
 * Number of the migration that gives single facts and settings their checksums, which SQL can't
 * compute.
 */
const FACTS_SUMMED = 4;

function run(db: Connection, migration: Migration, now_ms: number): void {
  const { number, name, text, checksum } = migration;
  db.transaction(() => {
    db.exec(text);
    if (number === FACTS_SUMMED) sumFacts(db);
    prepare(db, "schema.record").run({ number, name, checksum, applied_ms: now_ms });
    setHeadSchema(db, number);
  })();
}

function setHeadSchema(db: Connection, number: number): void {
  db.exec(statementText("schema.set_user_version").replace("$number", String(number)));
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
