// Copies the small tables of a damaged database, row by row: those that have no hash and can't be
// recomputed. SQLite reads them from both ends up to the damage. If the schema is lost, these
// tables are lost too: a row found on a page may be deleted already, and a revoked token must not
// come back.

import { messageOf } from "../../ground/errors.ts";
import { isRowWhole } from "../derived/derived.ts";
import { type Connection, prepare, statementText } from "../file/open.ts";
import { keptBytes } from "../records/quarantine.ts";
import { HARVESTED, type NamedRow } from "./found-rows.ts";
import type { Loss } from "./loss.ts";
import { isDamagedFile } from "./trust.ts";

/** Tables that are recomputed from readings, or handled by the salvage itself. */
const MADE_AGAIN = [
  ...["chain_head", "ledger", "segment_place", "bucket", "schema_migration", "mark"],
];

interface ForeignTable {
  readonly name: string;
  readonly without_rowid: number;
}

/** The columns of every table, in order. */
export function columnsOf(db: Connection): ReadonlyMap<string, readonly string[]> {
  return new Map(tablesOf(db).map(({ name }) => [name, columns(db, name).map((of) => of.name)]));
}

function tablesOf(db: Connection): readonly ForeignTable[] {
  return prepare<"salvage.tables", ForeignTable>(db, "salvage.tables").all({});
}

function columns(db: Connection, table: string) {
  return prepare<"salvage.columns", { name: string; pk: number }>(db, "salvage.columns").all({
    table,
  });
}

/** Takes over the readable rows of all tables that aren't harvested or recomputed. */
export function takeTables(db: Connection, from: Connection): readonly Loss[] {
  const others = tablesOf(db).filter(
    ({ name }) => !MADE_AGAIN.includes(name) && !HARVESTED.some((known) => known === name),
  );
  return others.flatMap((table) =>
    inPart(table.name, takeTable(db, from, table) ?? treeProblem(from, table.name)),
  );
}

function inPart(name: string, problem: string | null): readonly Loss[] {
  if (problem === null) return [];
  const why = `only in part: ${problem}`;
  return [{ what: "table", name, readings: null, from: null, to: null, why }];
}

/** Matches a fault of an index, which is rebuilt and hides no row. */
const OF_INDEX = /^(wrong # of entries in index|row \d+ missing from index)/;

/**
 * The fault because of which reading a table may skip rows without an error; null if there is none.
 */
export function treeProblem(from: Connection, table: string): string | null {
  try {
    const rows = prepare<"salvage.tree", { said: string; root: number }>(from, "salvage.tree").all({
      table,
    });
    for (const { said, root } of rows)
      for (const line of said.split("\n")) {
        const tree = /^Tree (\d+) /.exec(line)?.[1] ?? String(root);
        if (line === "ok" || line.startsWith("***") || OF_INDEX.test(line)) continue;
        if (tree === String(root)) return line;
      }
    return null;
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return messageOf(error);
  }
}

function takeTable(db: Connection, from: Connection, table: ForeignTable): string | null {
  const names = columns(db, table.name);
  const keys = table.without_rowid
    ? names.filter(({ pk }) => pk > 0).map(({ name }) => name)
    : ["rowid"];
  const walks = [
    ["salvage.forwards", { KEY: keys.join(", ") }],
    ["salvage.backwards", { DESCENDING: keys.map((key) => `${key} desc`).join(", ") }],
  ] as const;
  let problem: string | null = null;
  for (const [name, words] of walks) {
    problem = walk(db, from, {
      table: table.name,
      text: cut(name, { TABLE: table.name, ...words }),
    });
    if (problem === null) return null;
  }
  return problem;
}

/** Copies rows up to the end or the first error; returns the error's text. */
function walk(
  db: Connection,
  from: Connection,
  { table, text }: { readonly table: string; readonly text: string },
): string | null {
  try {
    let damaged = 0;
    for (const row of from.prepare<[], Record<string, unknown>>(text).safeIntegers().iterate())
      if (isRowWhole(table, row)) insert(db, table, row);
      else damaged += 1;
    return damaged === 0 ? null : `${damaged} of its rows are damaged`;
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return messageOf(error);
  }
}

/** Inserts a row with the columns that both databases know. */
function insert(db: Connection, table: string, row: Readonly<Record<string, unknown>>): void {
  const names = columns(db, table)
    .map(({ name }) => name)
    .filter((name) => name in row);
  const words = {
    TABLE: table,
    COLUMNS: names.join(", "),
    VALUES: names.map((name) => `$${name}`).join(", "),
  };
  db.prepare(cut("salvage.take_over", words)).run(row);
}

/** Takes over quarantined messages; returns their number and bytes. */
export function takeQuarantine(
  db: Connection,
  rows: Iterable<NamedRow>,
): { readonly count: number; readonly bytes: number } {
  let count = 0;
  let bytes = 0;
  for (const row of rows) {
    insert(db, "quarantine", row);
    count += 1;
    if (Buffer.isBuffer(row.payload))
      bytes += keptBytes({
        topic: String(row.topic),
        detail: String(row.detail),
        payload: row.payload,
      });
  }
  return { count, bytes };
}

/** The losses of quarantined messages: counted by the damaged database, but not found whole. */
export function lostQuarantine(
  from: Connection | null,
  found: ReadonlyMap<number, NamedRow>,
): readonly Loss[] {
  if (from === null) return [];
  let lost = 0;
  try {
    for (const { id } of prepare(from, "salvage.quarantine_ids").iterate({}))
      if (!found.has(id)) lost += 1;
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return inPart("quarantine", messageOf(error));
  }
  const problem = lost > 0 ? `${lost} of its rows are damaged` : treeProblem(from, "quarantine");
  return inPart("quarantine", problem);
}

function cut(name: string, words: Readonly<Record<string, string>>): string {
  return statementText(name).replace(/\b[A-Z]{3,}\b/g, (word) => words[word] ?? word);
}
