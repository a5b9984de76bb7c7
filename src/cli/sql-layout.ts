// Prints the result of a statement as text: a table for people, CSV, or a JSON list with one row a
// line. It is made in pieces while the rows are read, so that memory doesn't grow with their
// number.

import type { Value } from "../bwts/reading.ts";
import { valueJson } from "../codec/json.ts";
import { escapedJson } from "../ground/quoted.ts";
import type { Cell } from "../sqlite/answers/reading-table.ts";
import type { StatementResult } from "../sqlite/answers/statement.ts";
import { csvRow } from "../sqlite/exchange/export-csv.ts";

export const LAYOUTS = ["table", "csv", "json"] as const;
export type ResultLayout = (typeof LAYOUTS)[number];

/** Minimum size of a piece in characters; each piece is one write. */
const PIECE_MIN = 65_536;

/** The text of a result, in pieces. */
export function* resultText(layout: ResultLayout, result: StatementResult): Generator<string> {
  let piece = "";
  for (const text of TEXTS[layout](result)) {
    piece += text;
    if (piece.length < PIECE_MIN) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

const TEXTS: Readonly<Record<ResultLayout, (result: StatementResult) => Generator<string>>> = {
  table: tableText,
  csv: csvText,
  json: jsonText,
};

function* csvText({ columns, rows }: StatementResult): Generator<string> {
  yield csvRow(columns);
  for (const row of rows) yield csvRow(row.map(plainValue));
}

/** The value of a cell; a BLOB as hexadecimal digits. */
function plainValue(cell: Cell): Value {
  return cell instanceof Uint8Array ? Buffer.from(cell).toString("hex") : cell;
}

/** The rows as a JSON list, which is closed even if reading breaks off, so that it stays JSON. */
function* jsonText({ columns, rows }: StatementResult): Generator<string> {
  const keys = distinctNames(columns).map((name) => JSON.stringify(name));
  let between = "[";
  try {
    for (const row of rows) {
      const members = row.map((cell, index) => `${keys[index]}:${cellJson(cell)}`);
      yield `${between}${escapedJson(`{${members.join(",")}}`)}`;
      between = ",\n";
    }
  } catch (error) {
    if (between !== "[") yield "]\n";
    throw error;
  }
  yield between === "[" ? "[]\n" : "]\n";
}

/** A cell as JSON; an infinite number, which JSON lacks, is null. */
function cellJson(cell: Cell): string {
  const isInfinite = typeof cell === "number" && !Number.isFinite(cell);
  return isInfinite ? "null" : valueJson(plainValue(cell));
}

/** Column names for JSON; a repeated name gets a number. */
function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let number = 2; taken.has(distinct); number += 1) distinct = `${name}:${number}`;
    taken.add(distinct);
    return distinct;
  });
}

/** Number of first rows that set the columns' widths; a longer cell later shifts its line. */
const SAMPLE_ROWS = 200;
/** Maximum width of a column: texts of thousands of characters occur, and shift their line. */
const WIDTH_MAX = 40;

function* tableText({ columns, rows }: StatementResult): Generator<string> {
  const iterator = rows[Symbol.iterator]();
  const sample: (readonly Cell[])[] = [];
  while (sample.length < SAMPLE_ROWS) {
    const next = iterator.next();
    if (next.done === true) break;
    sample.push(next.value);
  }
  const widths = columns.map((name, index) =>
    Math.min(WIDTH_MAX, Math.max(name.length, ...sample.map((row) => cellText(row[index]).length))),
  );
  const line = (row: readonly Cell[]) => `${row.map(padded(widths)).join("  ").trimEnd()}\n`;
  yield line(columns);
  yield line(widths.map((width) => "-".repeat(width)));
  let count = 0;
  for (const row of sample) {
    yield line(row);
    count += 1;
  }
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    yield line(next.value);
    count += 1;
  }
  yield `(${count} ${count === 1 ? "row" : "rows"})\n`;
}

function padded(widths: readonly number[]): (cell: Cell, index: number) => string {
  return (cell, index) => {
    const text = cellText(cell);
    const isNumber = typeof cell === "number" || typeof cell === "bigint";
    return isNumber ? text.padStart(widths[index]) : text.padEnd(widths[index]);
  };
}

function cellText(cell: Cell): string {
  if (cell === null) return "null";
  const value = plainValue(cell);
  return typeof value === "string" ? escapedJson(value) : valueJson(value);
}
