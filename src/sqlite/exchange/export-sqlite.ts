// Readings as a SQLite file for any tool: one wide table with a column for each field. Booleans are
// 0 and 1. SQLite's numeric columns drop the sign of negative zero, so a separate column lists the
// fields with it; storing such values as text would sort them above all numbers.

import type { Reading, Value } from "../../bwts/reading.ts";
import { connect, readSql, statementText } from "../file/open.ts";
import type { ExportColumn } from "./export-columns.ts";

/** A SQLite file of readings while it is written. */
export interface WideFile {
  add(readings: readonly Reading[]): void;
  /** Completes the file. Without this call it stays empty. */
  finish(): void;
  close(): void;
}

/** Names of the fields that are negative zero, separated by commas; null if none is. */
export const NEGATIVE_ZEROS = "negative_zeros";

/** Maximum number of rows per transaction: SQLite's cache holds them without spilling. */
const ROWS_MAX = 4096;

/** Creates a file with these columns at `file`, which must not exist. */
export function createWideFile(file: string, columns: readonly ExportColumn[]): WideFile {
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

/** A statement of wide.generated.sql, cut to the lines of these columns. */
function cutTo(statement: string, columns: readonly ExportColumn[]): string {
  const names = new Set([...columns.map(({ name }) => name), NEGATIVE_ZEROS]);
  const isKept = (line: string) => {
    const name = /^ {2}, \$?(\w+)/.exec(line)?.[1];
    return name === undefined || names.has(name);
  };
  return statementText(statement).split("\n").filter(isKept).join("\n");
}

function rowOf(reading: Reading, columns: readonly ExportColumn[]): object {
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
