// Reads a file of raw readings as lines of NDJSON, whatever its format. It is streamed, and an
// unreadable line is reported in its place.

import { createReadStream, openSync } from "node:fs";
import { type Line, linesOf } from "../../ground/lines.ts";
import { atPath } from "../../ground/owner.ts";
import type { ImportRecord, RefusedLine } from "../../payload/import.ts";
import type { FileFormat } from "./file-format.ts";
import { csvRecords } from "./import-csv.ts";
import { sqliteRecords } from "./import-sqlite.ts";

/** The longest line of a file: a reading with 256 unknown tags of 16 kB. */
const LINE_MAX_BYTES = 4 * 1024 * 1024;

/** The records of `file`. Throws if it can't be read or has another format. */
export function recordsOf(
  file: string,
  format: FileFormat,
): AsyncIterable<ImportRecord | RefusedLine> {
  if (format === "sqlite") return sqliteRecords(file);
  const handle = atPath(file, () => openSync(file, "r"));
  const lines = linesOf(createReadStream("", { fd: handle }), LINE_MAX_BYTES);
  return format === "csv" ? csvRecords(lines) : ndjsonRecords(lines);
}

async function* ndjsonRecords(
  lines: AsyncIterable<Line>,
): AsyncGenerator<ImportRecord | RefusedLine> {
  for await (const line of lines)
    if ("problem" in line) yield { line: line.number, problem: line.problem };
    else if (line.text.trim() !== "") yield { line: line.number, json: line.text };
}
