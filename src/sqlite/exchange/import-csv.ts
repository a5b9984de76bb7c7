// Readings from CSV as export-csv.ts writes it, or as a spreadsheet saves such a file: records may
// span lines within quotes. Each becomes a line of NDJSON; numbers stay text, so that they are read
// exactly. csv-parse 7 was rejected: 41 kB of bundle instead of this file's 4; 0.94 s of processor
// time to split 30,000 records of 104 cells, instead of 0.35 s; and it replaces bytes that aren't
// UTF-8 by other characters.

import { VOIDED } from "../../codec/line.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import type { Line } from "../../ground/lines.ts";
import {
  IMPORT_RECORD_MAX,
  type ImportRecord,
  type RefusedLine,
  tagsJsonOf,
} from "../../payload/import.ts";
import { COLUMNS, NOT_BELIEVED } from "./export-columns.ts";
import { withoutApostrophe } from "./export-csv.ts";

/** The records after the header line. Throws a Failure if the header isn't that of an export. */
export async function* csvRecords(
  lines: AsyncIterable<Line>,
): AsyncGenerator<ImportRecord | RefusedLine> {
  let header: readonly (Head | null)[] | null = null;
  for await (const record of recordsOf(lines)) {
    if ("problem" in record) {
      if (header === null) throw new Failure(EXIT.failed, `line ${record.line}: ${record.problem}`);
      yield record;
      continue;
    }
    const cells = cellsOf(record.text);
    if (header === null) header = headerOf(cells);
    else if (cells !== null && cells.length === 1 && cells[0] === "") continue;
    else yield jsonRecord(record.line, header, cells);
  }
}

interface Record {
  readonly line: number;
  readonly text: string;
}

// Match a complete cell with its comma, and a last one whose quote isn't closed. One expression for
// a whole record overflowed its stack at three million cells.
const COMPLETE = /(?:"[^"]*(?:""[^"]*)*"|[^",]*),/y;
const UNCLOSED = /"[^"]*(?:""[^"]*)*$/y;

/** True if the last cell has a quote that isn't closed. */
function opens(text: string): boolean {
  if (!text.includes('"')) return false;
  let end = 0;
  for (COMPLETE.lastIndex = 0; COMPLETE.test(text); ) end = COMPLETE.lastIndex;
  UNCLOSED.lastIndex = end;
  return UNCLOSED.test(text);
}

/** Joins lines until their quotes are closed. A record is numbered by its first line. */
async function* recordsOf(lines: AsyncIterable<Line>): AsyncGenerator<Record | RefusedLine> {
  let begun: Record | null = null;
  for await (const line of lines) {
    if ("problem" in line) {
      yield { line: line.number, problem: line.problem };
      begun = null;
      continue;
    }
    const { number, text } = line;
    // Within an open cell each quote opens or closes; a doubled quote does both.
    const isOpen: boolean = begun === null ? opens(text) : text.split('"').length % 2 === 1;
    const record: Record = { line: begun?.line ?? number, text: (begun?.text ?? "") + text };
    const isTooLong = record.text.length > IMPORT_RECORD_MAX;
    begun = isOpen && !isTooLong ? record : null;
    if (isOpen && isTooLong)
      yield {
        line: record.line,
        problem: `a quote isn't closed in ${IMPORT_RECORD_MAX} characters`,
      };
    else if (!isOpen) yield { ...record, text: record.text.replace(/\r?\n$/, "") };
  }
  if (begun !== null) yield { line: begun.line, problem: "the last quote isn't closed" };
}

// Matches a cell and its end: quoted, with doubled quotes inside, or without quotes.
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;

/** The cells of a record; null if a quote is misplaced. */
function cellsOf(text: string): readonly string[] | null {
  if (!text.includes('"')) return text.split(",");
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const match = CELL.exec(text);
    if (match === null) return null;
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2]);
    if (match[3] === "") return cells;
  }
}

/** A column: its NDJSON key and type. */
interface Head {
  readonly key: string;
  readonly json: (cell: string) => string;
}

const textJson = (cell: string) => JSON.stringify(withoutApostrophe(cell));

const WRITERS: ReadonlyMap<string, Head["json"]> = new Map(
  [...COLUMNS, { name: VOIDED, type: "boolean" } as const].map(({ name, type }) => {
    if (name === "extra") return [name, tagsJsonOf];
    return [name, type === "string" ? textJson : JSON.stringify];
  }),
);

/**
 * The columns by the header; null for one that isn't imported, because belief is computed anew.
 * Throws a Failure for a wrong header.
 */
function headerOf(cells: readonly string[] | null): readonly (Head | null)[] {
  if (cells === null || !cells.includes("timestamp"))
    throw new Failure(
      EXIT.failed,
      "line 1: expected names of columns by comma, timestamp among them",
    );
  // In one pass, which ends at the first unknown name: a line has room for a million.
  return cells.map((name, index) => {
    if (cells.indexOf(name) < index)
      throw new Failure(
        EXIT.failed,
        `line 1: got the column ${JSON.stringify(name)} twice, expected each once`,
      );
    if (name === NOT_BELIEVED) return null;
    const json = WRITERS.get(name);
    if (json !== undefined) return { key: `${JSON.stringify(name)}:`, json };
    throw new Failure(
      EXIT.failed,
      `line 1: got the column ${JSON.stringify(name)}, expected fields only`,
    );
  });
}

function jsonRecord(
  line: number,
  header: readonly (Head | null)[],
  cells: readonly string[] | null,
): ImportRecord | RefusedLine {
  if (cells === null) return { line, problem: "got a quote inside of a cell, expected it doubled" };
  if (cells.length !== header.length)
    return { line, problem: `got ${cells.length} cells, expected ${header.length}` };
  let members = "";
  for (const [position, head] of header.entries()) {
    const cell = cells[position];
    if (cell !== "" && head !== null)
      members += `${members === "" ? "" : ","}${head.key}${head.json(cell)}`;
  }
  return { line, json: `{${members}}` };
}
