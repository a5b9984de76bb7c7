// Opens SQLite with the settings of every connection, and finds the statements of sql/ by name, so
// that TypeScript contains no SQL. Runs the writer's transactions: state in memory that mirrors the
// disk is registered, so that a failed transaction resets all of it. State that isn't registered
// changes only after the commit.

import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import type { Statements } from "../../../sql/statements.generated.d.ts";
import { assetPath, readAsset } from "../../ground/assets.ts";
import { codeOf, EXIT, Failure } from "../../ground/errors.ts";
import { statementsIn } from "../../ground/statements.ts";
import { addonFile, keepAddonIn, loadFailure } from "./addon.ts";
import { refusal } from "./refused.ts";

export type Connection = Database.Database;
export type Statement<Parameters extends object, Row> = Database.Statement<[Parameters], Row>;

export { databaseFile } from "../../ground/data-folder.ts";

/** Value of SQLite's setting `synchronous` under which a commit is on disk when it returns. */
const SYNCHRONOUS_FULL = 2;

/** The one read-write connection, durable at each commit. */
export function openWriter(file: string): Connection {
  keepAddonIn(path.dirname(file));
  const db = connect(file, {});
  db.exec(readSql("open-writer"));
  const found = prepare(db, "schema.synchronous").get({});
  if (found?.synchronous !== SYNCHRONOUS_FULL)
    throw new Error(`synchronous is ${found?.synchronous}, expected ${SYNCHRONOUS_FULL} (full)`);
  return db;
}

/** A read-only connection. The file must exist. Throws a Failure if this user may not read it. */
export function openReader(file: string): Connection {
  keepAddonIn(path.dirname(file));
  try {
    const db = connect(file, { readonly: true, fileMustExist: true });
    db.exec(readSql("open-reader"));
    return db;
  } catch (error) {
    if (!/^SQLITE_(CANTOPEN|READONLY)/.test(codeOf(error) ?? "")) throw error;
    throw refusal(file, "read") ?? refusal(path.dirname(file), "written") ?? error;
  }
}

/** A connection without settings. Throws a Failure if SQLite's native code can't be loaded. */
export function connect(file: string, options: Database.Options): Connection {
  const nativeBinding = addonFile();
  if (file !== ":memory:") refuseOtherKinds(file);
  try {
    return new Database(file, nativeBinding === null ? options : { ...options, nativeBinding });
  } catch (error) {
    throw loadFailure(error, nativeBinding) ?? error;
  }
}

/**
 * Throws a Failure if one of the database's files isn't a regular file: SQLite would wait for ever
 * at a named pipe.
 */
function refuseOtherKinds(file: string): void {
  for (const name of [file, `${file}-journal`, `${file}-wal`])
    if (statSync(name, { throwIfNoEntry: false })?.isFile() === false)
      throw new Failure(EXIT.io, `${name}: is not a file`);
}

const prepared = new WeakMap<Connection, Map<string, Database.Statement>>();

export type StatementName = keyof Statements;
type ParametersOf<Name extends StatementName> = Statements[Name]["parameters"];
export type RowOf<Name extends StatementName> = Statements[Name]["row"];

/** Some of a row's columns, of narrower or wider types; a name that the row lacks is refused. */
export type NarrowedRow<Row, Stored> = {
  [Column in keyof Row]: Column extends keyof Stored
    ? Stored[Column] extends Row[Column]
      ? Row[Column]
      : Stored[Column]
    : never;
};

/** The statement under `-- name: <name>`, compiled once. Throws if sql/ has none of that name. */
export function prepare<Name extends StatementName>(
  db: Connection,
  name: Name,
): Statement<ParametersOf<Name>, RowOf<Name>>;
/** As above, with a narrower row type than SQLite's. */
export function prepare<Name extends StatementName, Row extends NarrowedRow<Row, RowOf<Name>>>(
  db: Connection,
  name: Name,
): Statement<ParametersOf<Name>, Row>;
export function prepare(db: Connection, name: string): Database.Statement {
  const known = prepared.get(db) ?? new Map<string, Database.Statement>();
  prepared.set(db, known);
  const statement = known.get(name) ?? db.prepare(statementText(name));
  known.set(name, statement);
  return statement;
}

/** As `prepare`, with rows as arrays of their cells, which are read faster than by name. */
export function prepareCells<Name extends StatementName, Cell>(
  db: Connection,
  name: Name,
): Statement<ParametersOf<Name>, readonly Cell[]>;
export function prepareCells(db: Connection, name: StatementName): Database.Statement {
  return prepare(db, name).raw();
}

/** The whole of `sql/<name>.sql`. */
export function readSql(name: string): string {
  return readAsset(`sql/${name}.sql`).toString();
}

let statements: ReadonlyMap<string, string> | null = null;

/**
 * The text of a statement, for the few that are modified before use; for all others use `prepare`.
 */
export function statementText(name: string): string {
  statements ??= readStatements();
  const text = statements.get(name);
  if (text === undefined) throw new Error(`statement ${name}: not in sql/`);
  return text;
}

/** The texts of all statements by their names. */
export function readStatements(): ReadonlyMap<string, string> {
  const files = readdirSync(assetPath("sql")).filter((file) => file.endsWith(".sql"));
  return new Map(files.flatMap((file) => [...statementsIn(readSql(path.basename(file, ".sql")))]));
}

/** The version of the bundled SQLite. */
export function sqliteVersion(): string {
  const db = connect(":memory:", {});
  const row = prepare(db, "schema.sqlite_version").get({});
  db.close();
  return row?.version ?? "unknown";
}

/** State in memory that mirrors the disk; it is notified at the end of a transaction. */
export interface Mirror {
  /** Called after a commit. */
  keep(): void;
  /** Called after a rollback. */
  forget(): void;
}

const mirrorsOf = new WeakMap<Connection, Mirror[]>();

/** Notifies `mirror` at the end of each transaction of the connection. */
export function register(db: Connection, mirror: Mirror): void {
  const mirrors = mirrorsOf.get(db) ?? [];
  mirrorsOf.set(db, mirrors);
  mirrors.push(mirror);
}

/**
 * A function that returns the value of `read` from memory. The caller changes it along with the
 * disk; a rollback drops it.
 */
export function mirrored<Value>(db: Connection, read: () => Value): () => Value {
  let known: { readonly value: Value } | null = null;
  register(db, {
    keep() {},
    forget() {
      known = null;
    },
  });
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

/** Runs a transaction. Throws, with nothing changed on disk or in memory, if it fails. */
export function write<Result>(db: Connection, transaction: () => Result): Result {
  if (db.inTransaction) throw new Error("a transaction was begun inside of another");
  const mirrors = mirrorsOf.get(db) ?? [];
  try {
    const result = db.transaction(transaction)();
    for (const mirror of mirrors) mirror.keep();
    return result;
  } catch (error) {
    for (const mirror of mirrors) mirror.forget();
    throw error;
  }
}

interface DataVersion {
  readonly others: number;
  readonly own: number;
}

interface Memory {
  version: DataVersion;
  values: Map<string, unknown>;
}

const UNKNOWN: DataVersion = { others: -1, own: -1 };

const memories = new WeakMap<Connection, () => Memory>();

/**
 * Returns `compute()`, or its earlier result if the database hasn't changed since. SQLite reports
 * commits of other connections (data_version) and changes of this one (total_changes). A rollback
 * changes neither number: results computed in the transaction are dropped with it.
 */
export function memo<Result>(db: Connection, key: string, compute: () => Result): Result;
export function memo(db: Connection, key: string, compute: () => unknown): unknown {
  const { values } = currentMemory(db);
  if (!values.has(key)) values.set(key, compute());
  return values.get(key);
}

function currentMemory(db: Connection): Memory {
  const memoryOf =
    memories.get(db) ?? mirrored(db, (): Memory => ({ version: UNKNOWN, values: new Map() }));
  memories.set(db, memoryOf);
  const memory = memoryOf();
  const now = prepare<"state.version", DataVersion>(db, "state.version").get({}) ?? UNKNOWN;
  const { others, own } = memory.version;
  if (others !== now.others || own !== now.own) memory.values = new Map();
  memory.version = now;
  return memory;
}
