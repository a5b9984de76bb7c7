// Readings as a SQLite file that any tool reads: one wide table with a column for each field.
// Booleans are 0 and 1. A column of numbers takes the sign from negative zero; which fields had it
// stands in a column of its own: anything but a number in its place would be the greatest.

import type { Reading, Value } from "../bwts/reading.ts";
import type { Column } from "./export-columns.ts";
import { connect, readSql, statementText } from "./open.ts";

/** The file while it is written. */
export interface WideFile {
  add(readings: readonly Reading[]): void;
  /** Ends the file; without it there is nothing in it. */
  finish(): void;
  close(): void;
}

/** Fields that are negative zero, by comma; null where none is. */
export const NEGATIVE_ZEROS = "negative_zeros";

/** Rows a transaction: what SQLite's cache holds without spilling. */
const ROWS_MAX = 4096;

/** Begins a file of these columns at `file`, where there is none yet. */
export function createWideFile(file: string, columns: readonly Column[]): WideFile {
  const db = connect(file, {});
  db.exec(readSql("create-wide"));
  db.exec(cutTo("wide.table", columns));
  const insert = db.prepare<[object], unknown>(cutTo("wide.add", columns));
  const addAll = db.transaction((readings: readonly Reading[]) => {
    for (const reading of readings) insert.run(rowOf(reading, columns));
  });
  let waiting: Reading[] = [];
  const flush = () => {
    addAll(waiting);
    waiting = [];
  };
  return {
    add(readings) {
      waiting.push(...readings);
      if (waiting.length >= ROWS_MAX) flush();
    },
    finish: flush,
    close: () => db.close(),
  };
}

/** A statement of wide.generated.sql without the lines of other columns than these. */
function cutTo(statement: string, columns: readonly Column[]): string {
  const names = new Set([...columns.map(({ name }) => name), NEGATIVE_ZEROS]);
  const isKept = (line: string) => {
    const name = /^ {2}, \$?(\w+)/.exec(line)?.[1];
    return name === undefined || names.has(name);
  };
  return statementText(statement).split("\n").filter(isKept).join("\n");
}

function rowOf(reading: Reading, columns: readonly Column[]): object {
  const cells = columns.map(({ name, read }): [string, Value] => [name, read(reading)]);
  const zeros = cells.filter(([, value]) => Object.is(value, -0)).map(([name]) => name);
  return {
    ...Object.fromEntries(cells.map(([name, value]) => [name, stored(value)])),
    [NEGATIVE_ZEROS]: zeros.length === 0 ? null : zeros.join(","),
  };
}

function stored(value: Value): number | string | null {
  if (typeof value === "bigint") return String(value);
  return typeof value === "boolean" ? Number(value) : value;
}
