// Reads a SQLite file made by export-sqlite.ts: each row of its table `reading` becomes a line of
// NDJSON, numbered from 1.

import type { Scalar } from "../../bwts/reading.ts";
import { valueJson } from "../../codec/json.ts";
import { VOIDED } from "../../codec/line.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { atPath } from "../../ground/owner.ts";
import { type ImportRecord, type RefusedLine, tagsJsonOf } from "../../payload/import.ts";
import { type Connection, connect, readSql, statementText } from "../file/open.ts";
import { COLUMNS, NOT_BELIEVED } from "./export-columns.ts";
import { NEGATIVE_ZEROS } from "./export-sqlite.ts";

type ForeignRow = Readonly<Record<string, unknown>>;

const known: ReadonlySet<string> = new Set([
  ...COLUMNS.map(({ name }) => name),
  VOIDED,
  NOT_BELIEVED,
  NEGATIVE_ZEROS,
]);

/** The rows of the file. Throws a Failure if it isn't an exported file. */
export async function* sqliteRecords(file: string): AsyncGenerator<ImportRecord | RefusedLine> {
  const db = atPath(file, () => opened(file));
  try {
    yield* rowsOf(db);
  } finally {
    db.close();
  }
}

/** Opens the file. A first query opens all files of the database, so that errors occur here. */
function opened(file: string): Connection {
  const db = connect(file, { readonly: true, fileMustExist: true });
  try {
    db.exec(readSql("open-wide"));
    db.prepare(statementText("wide.rows"));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Maximum bytes of a row, and so of a cell. A line of the other formats has the same limit. */
const ROW_MAX_BYTES = 4 * 1024 * 1024;

function* rowsOf(db: Connection): Generator<ImportRecord | RefusedLine> {
  const names = db
    .prepare(statementText("wide.rows"))
    .columns()
    .map(({ name }) => name);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Failure(
      EXIT.failed,
      `got the column ${JSON.stringify(unknown)}, expected fields only`,
    );
  const rows = db.prepare<[object], ForeignRow>(boundedRows(names));
  let line = 0;
  for (const row of rows.iterate({ max_bytes: ROW_MAX_BYTES })) {
    line += 1;
    yield recordOf(line, row);
  }
}

/** The statement of all rows with these columns, which must be known ones. */
function boundedRows(names: readonly string[]): string {
  return statementText("wide.cells").replace(/iif\(.* as timestamp/, (cell) =>
    names.map((name) => cell.replaceAll("timestamp", name)).join(", "),
  );
}

function recordOf(line: number, row: ForeignRow): ImportRecord | RefusedLine {
  const { [NEGATIVE_ZEROS]: zeros, ...cells } = row;
  const negative = new Set(typeof zeros === "string" ? zeros.split(",") : []);
  const members: string[] = [];
  let length = 0;
  for (const [name, cell] of Object.entries(cells)) {
    if (cell === null) continue;
    if (!isScalar(cell))
      return {
        line,
        problem: `${name}: got a blob or over ${ROW_MAX_BYTES} bytes, expected a value`,
      };
    length += typeof cell === "string" ? cell.length : 0;
    if (length > ROW_MAX_BYTES)
      return { line, problem: `the row is too long, expected at most ${ROW_MAX_BYTES} bytes` };
    const value = cell === 0 && negative.has(name) ? -0 : cell;
    const json = name === "extra" ? tagsJsonOf(String(value)) : valueJson(value);
    members.push(`${JSON.stringify(name)}:${json}`);
  }
  return { line, json: `{${members.join(",")}}` };
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "number" || typeof value === "string";
}
