// Reads a SQLite file made by export-sqlite.ts: each row of its table `reading` becomes a line of
// NDJSON, numbered from 1.

import type { Scalar } from "../../bwts/reading.ts";
import { valueJson } from "../../codec/json.ts";
import { VOIDED } from "../../codec/line.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { atPath } from "../../ground/owner.ts";
import {
  IMPORT_RECORD_MAX,
  type ImportRecord,
  type RefusedLine,
  tagsJsonOf,
} from "../../payload/import.ts";
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
  const decoder = decoderOf(db);
  let line = 0;
  for (const row of rows.iterate({ max_bytes: IMPORT_RECORD_MAX })) {
    line += 1;
    yield recordOf(line, row, decoder);
  }
}

/** The statement of all rows with these columns, which must be known ones. */
function boundedRows(names: readonly string[]): string {
  return statementText("wide.cells").replace(/iif\(.* as timestamp/s, (cell) =>
    names.map((name) => cell.replaceAll("timestamp", name)).join(", "),
  );
}

/** A decoder of the file's texts that throws for bytes that aren't one. */
function decoderOf(db: Connection): TextDecoder {
  const row = db.prepare<[], { encoding: string }>(statementText("wide.encoding")).get();
  return new TextDecoder(row?.encoding, { fatal: true, ignoreBOM: true });
}

function recordOf(line: number, row: ForeignRow, decoder: TextDecoder): ImportRecord | RefusedLine {
  const cells: [string, Scalar][] = [];
  let length = 0;
  for (const [name, given] of Object.entries(row)) {
    if (given === null) continue;
    const cell = scalarOf(given, decoder);
    if (typeof cell === "object") return { line, problem: `${name}: ${cell.problem}` };
    length += typeof cell === "string" ? cell.length : 0;
    if (length > IMPORT_RECORD_MAX)
      return { line, problem: `the row is too long, expected at most ${IMPORT_RECORD_MAX} bytes` };
    cells.push([name, cell]);
  }
  const zeros = cells.find(([name]) => name === NEGATIVE_ZEROS)?.[1];
  const negative = new Set(typeof zeros === "string" ? zeros.split(",") : []);
  const members = cells.flatMap(([name, cell]) => {
    if (name === NEGATIVE_ZEROS) return [];
    const value = cell === 0 && negative.has(name) ? -0 : cell;
    const json = name === "extra" ? tagsJsonOf(String(value)) : valueJson(value);
    return [`${JSON.stringify(name)}:${json}`];
  });
  return { line, json: `{${members.join(",")}}` };
}

/** A cell of `wide.cells`; an object if it isn't a value. */
function scalarOf(cell: unknown, decoder: TextDecoder): Scalar | { readonly problem: string } {
  if (isScalar(cell)) return cell;
  if (!(cell instanceof Uint8Array) || cell.length === 0)
    return { problem: `got a blob or over ${IMPORT_RECORD_MAX} bytes, expected a value` };
  try {
    return decoder.decode(cell);
  } catch {
    return { problem: `got other bytes, expected ${decoder.encoding.toUpperCase()}` };
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "number" || typeof value === "string";
}
