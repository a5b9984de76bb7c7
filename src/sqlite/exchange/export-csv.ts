// Readings as CSV by RFC 4180: a header line, CRLF, quotes where needed, an empty cell for null. A
// text that a spreadsheet would run as a formula is prefixed with an apostrophe, and so is one that
// already begins with apostrophe and formula, so that import can remove exactly one.

import type { Reading, Value } from "../../bwts/reading.ts";
import { valueJson } from "../../codec/json.ts";
import type { ExportColumn } from "./export-columns.ts";

const FORMULA = /^'*[=+\-@\t\r]/;
const ESCAPED_FORMULA = /^'+[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

export function csvHead(columns: readonly ExportColumn[]): string {
  return csvRow(columns.map(({ name }) => name));
}

export function csvLine(reading: Reading, columns: readonly ExportColumn[]): string {
  return csvRow(columns.map(({ read }) => read(reading)));
}

/** A line of cells. */
export function csvRow(cells: readonly Value[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(value: Value): string {
  if (value === null) return "";
  if (typeof value !== "string") return valueJson(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text of a cell without the apostrophe that guards against formulas. */
export function withoutApostrophe(cell: string): string {
  return ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell;
}
