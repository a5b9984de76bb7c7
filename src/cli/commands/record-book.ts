// `ballastd record-book`: drafts the entries of the Ballast Water Record Book from the operations
// of a range, as text, CSV or JSON. The audit log records the draft before it leaves.

import { RECORD_LANGUAGES } from "../../bwts/record-book/form.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { startedIn } from "../../sqlite/answers/operations.ts";
import {
  RECORD_FORMATS,
  type RecordBookQuery,
  recordBookTexts,
} from "../../sqlite/exchange/record-book.ts";
import { configOf, readDatabase, recordExport } from "../instance-data.ts";
import { optionWord, readOptions, readRange } from "../options.ts";
import { refuseOverwriting, STDOUT, writeTexts } from "../output-file.ts";

export const summary = "draft the entries of the ballast water record book";

export const help = `usage: ballastd record-book [options]

Drafts the entries of the Ballast Water Record Book (form of 2025, MEPC.369(80)) for the operations
that start in a range: uptake (A), discharge (B), circulation or transfer (C), failure (F), remarks
(H). Treated water, water outside the limits and bypassed water have an entry each. What ballastd
can't know, such as tanks, is an empty box. Each draft has to be verified and signed by the officer;
ballastd is no electronic record book. The audit log records the export.

  --from TIME        first instant, ISO 8601, UTC unless it has a zone (the oldest)
  --to TIME          last instant, included; a date alone means its end (the newest)
  --language en|fr|es
                     of the entries (record_book.language)
  --format text|csv|json
                     text to print, a line an entry, or as /api/record-book (text)
  --json             as --format json
  --output FILE      the file; - is the standard output (-)
  --force            overwrite FILE
  --config FILE      the configuration of the instance

Examples:
  ballastd record-book --from 2026-05-01 --to 2026-05-31
  ballastd record-book --from 2026-05-01 --language es --format csv --output may.csv`;

const OPTIONS = {
  from: { type: "string" },
  to: { type: "string" },
  language: { type: "string" },
  format: { type: "string" },
  output: { type: "string", default: STDOUT },
  force: { type: "boolean", default: false },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const values = readOptions(args, OPTIONS);
  const { output, from = null, to = null } = values;
  const named = optionWord("--format", values.format, RECORD_FORMATS);
  const chosen = optionWord("--language", values.language, RECORD_LANGUAGES);
  if (values.json && named !== null && named !== "json")
    throw new Failure(EXIT.usage, `--format ${named}: expected json with --json`);
  const format = values.json ? "json" : (named ?? "text");
  const range = readRange(values.from, values.to);
  refuseOverwriting(output, values);
  const config = configOf(values);
  const language = chosen ?? config.record_book.language;
  const { id, vessel, imo } = config.system;
  const ship = { system_id: id, vessel: vessel || null, imo: imo || null };
  const asked: RecordBookQuery = { range, language, format, ship };
  const operations = readDatabase(config, (db) => startedIn(db, range, config.limits));
  const texts = [...recordBookTexts(operations, asked)];
  await recordExport(config, { what: "record-book", format, from, to, language, output });
  await writeTexts(output, [...texts, ...endOf(format)]);
}

/** Line end after a JSON document on the standard output; other formats have their own. */
const endOf = (format: RecordBookQuery["format"]) => (format === "json" ? ["\n"] : []);
