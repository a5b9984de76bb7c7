// The audit log as a file: every entry of a range in the order of writing, as CSV with the details
// as JSON, or as NDJSON with the entries of the API.

import { csvRow } from "../exchange/export-csv.ts";
import type { Connection } from "../file/open.ts";
import type { ClosedRange, TextFormat } from "../file/query.ts";
import { answerOf, auditRows } from "../records/audit.ts";

const HEAD = ["id", "timestamp", "clock_trusted", "kind", "actor", "address", "detail", "hash"];

/** The lines of the file; the first line of CSV is the header. */
export function* auditLines(
  db: Connection,
  range: ClosedRange,
  format: TextFormat,
): Generator<string> {
  if (format === "csv") yield csvRow(HEAD);
  for (const row of auditRows(db, range)) {
    const entry = answerOf(row);
    if (format === "ndjson") yield `${JSON.stringify(entry)}\n`;
    else yield csvRow(Object.values({ ...entry, detail: row.detail }));
  }
}
