// `ballastd export`: raw readings as CSV, NDJSON or a SQLite file, or the audit log. It reads the
// database beside a running instance, on a connection of its own; before anything leaves, the audit
// log says so.

import path from "node:path";
import { setImmediate as breath } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { AuditDetail } from "../bwts/audit.ts";
import type { Reading } from "../bwts/reading.ts";
import type { Config } from "../config.ts";
import { EXIT, Failure, messageOf } from "../errors.ts";
import { openLog } from "../log.ts";
import { atPath } from "../owner.ts";
import { openInstance } from "../service/instance.ts";
import { exported, TEXT_LAYOUTS } from "../sqlite/export.ts";
import { auditLines } from "../sqlite/export-audit.ts";
import { type Column, columnsNamed, voidedColumn } from "../sqlite/export-columns.ts";
import { createWideFile } from "../sqlite/export-sqlite.ts";
import { type FileFormat, formatOf } from "../sqlite/file-format.ts";
import type { Connection } from "../sqlite/open.ts";
import type { ClosedRange, TextFormat } from "../sqlite/query.ts";
import { STORED, type TimelineOptions, VISIBLE } from "../sqlite/timeline.ts";
import { escapedJson } from "./escaped.ts";
import { configOf, existingDatabase, openDatabase } from "./instance-data.ts";
import { refuseOverwriting, STDOUT, writeFile, writeTexts } from "./output-file.ts";
import { readRange } from "./range-options.ts";

export const summary = "write raw readings, or the audit log, to a file";

export const help = `usage: ballastd export [options]

Writes all raw readings of a range, in order of time, also beside a running instance. The audit log
says what was exported.

  --format csv|ndjson|sqlite  by default what the file's name ends with (.csv, .ndjson or .jsonl,
                              .sqlite or .db), else csv
  --from TIME                 first instant, ISO 8601, UTC unless it has a zone (the oldest reading)
  --to TIME                   last instant, included; a date alone means its end (the newest)
  --columns A,B,...           these fields of /api/tags, received_at, clock_trusted, extra (all);
                              the timestamp is always there, extra holds the unknown tags
  --with-voided               also the readings that a void hides (ballastd void list), and a last
                              column, voided, that says which they are; import takes those not
  --audit                     the audit log instead, as CSV or NDJSON, in the order of its chain
  --output FILE               where to; - is the standard output (-)
  --force                     overwrite FILE
  --config FILE               the configuration of the instance

Examples:
  ballastd export --output readings.csv
  ballastd export --from 2026-05-01 --to 2026-05-31 --columns UVR_INTENSITY,SYS_FLOW_RATE
  ballastd export --output readings.sqlite
  ballastd export --audit --output audit.csv`;

const OPTIONS = {
  format: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  columns: { type: "string" },
  "with-voided": { type: "boolean", default: false },
  audit: { type: "boolean", default: false },
  output: { type: "string", default: "-" },
  force: { type: "boolean", default: false },
  config: { type: "string" },
} as const;

interface Plan {
  readonly format: FileFormat;
  readonly range: ClosedRange;
  /** Null: the audit log. */
  readonly columns: readonly Column[] | null;
  readonly output: string;
  readonly shown: TimelineOptions;
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const { output } = values;
  const format = readFormat(values.format ?? null, output);
  if (format === "sqlite" && output === STDOUT)
    throw new Failure(EXIT.usage, "--output -: a SQLite file can't be piped, expected a file");
  const withVoided = values["with-voided"];
  if (values.audit) refuseWithAudit(format, { columns: values.columns, withVoided });
  const range = readRange(values.from, values.to);
  const columns = values.audit ? null : readColumns(values.columns ?? null);
  const config = configOf(values);
  const database = existingDatabase(config);
  refuseOverwriting(output, values);
  const { from = null, to = null } = values;
  const named = values.columns?.split(",") ?? null;
  const what = values.audit ? "audit" : "telemetry";
  const voided = withVoided ? { with_voided: true } : {};
  await record(config, { what, format, from, to, columns: named, ...voided, output });
  const db = openDatabase(database);
  try {
    const shown = withVoided ? STORED : VISIBLE;
    const marked = withVoided && columns !== null ? [...columns, voidedColumn(db)] : columns;
    const done = await writeExport(db, { format, range, columns: marked, output, shown });
    process.stderr.write(`exported ${done}${output === STDOUT ? "" : ` to ${output}`}\n`);
  } finally {
    db.close();
  }
}

function refuseWithAudit(
  format: FileFormat,
  { columns, withVoided }: { columns: string | undefined; withVoided: boolean },
): void {
  if (withVoided)
    throw new Failure(EXIT.usage, "--with-voided: hidden are readings, expected no --audit");
  if (format === "sqlite")
    throw new Failure(EXIT.usage, "--audit: can't be a SQLite file, expected csv or ndjson");
  if (columns !== undefined)
    throw new Failure(EXIT.usage, `--columns ${columns}: expected none with --audit`);
}

/**
 * Has the audit log say what is exported. A folder that only can be read is exported all the same.
 */
async function record(config: Config, detail: AuditDetail): Promise<void> {
  try {
    const instance = await openInstance(config, openLog("error"));
    await instance.ask({ command: "audit", kind: "export", detail }).finally(instance.close);
  } catch (error) {
    process.stderr.write(`not in the audit log: this export (${escapedJson(messageOf(error))})\n`);
  }
}

/** Writes the export, and says what it was. */
async function writeExport(
  db: Connection,
  { format, range, columns, output, shown }: Plan,
): Promise<string> {
  if (columns === null) {
    await writeTexts(output, auditLines(db, range, format === "csv" ? "csv" : "ndjson"));
    return "the audit log";
  }
  const { total, batches } = exported(db, range, shown);
  const progress = { count: 0, total };
  const counted = withProgress(batches, progress);
  if (format === "sqlite") await writeFile(output, ({ file }) => writeWide(counted, columns, file));
  else await writeTexts(output, textsOf(counted, { format, columns }));
  return `${progress.count} readings`;
}

function* textsOf(
  batches: Iterable<readonly Reading[]>,
  { format, columns }: { readonly format: TextFormat; readonly columns: readonly Column[] },
): Generator<string> {
  const { head, line } = TEXT_LAYOUTS[format];
  yield head(columns);
  for (const batch of batches) yield batch.map((reading) => line(reading, columns)).join("");
}

async function writeWide(
  batches: Iterable<readonly Reading[]>,
  columns: readonly Column[],
  part: string,
): Promise<void> {
  const wide = atPath(path.dirname(part), () => createWideFile(part, columns));
  try {
    for (const batch of batches) {
      wide.add(batch);
      // A signal is noticed between two batches.
      await breath();
    }
    wide.finish();
  } finally {
    wide.close();
  }
}

const PROGRESS_MS = 200;

/** The batches, counted as they are taken, with the count on a terminal. */
function* withProgress(
  batches: Iterable<readonly Reading[]>,
  progress: { count: number; readonly total: number },
): Generator<readonly Reading[]> {
  const isShown = process.stderr.isTTY;
  let shown_ms = 0;
  for (const batch of batches) {
    yield batch;
    progress.count += batch.length;
    if (!isShown || performance.now() - shown_ms < PROGRESS_MS) continue;
    shown_ms = performance.now();
    process.stderr.write(`\rexporting: ${progress.count} of ${progress.total} readings`);
  }
  if (isShown) process.stderr.write("\r\x1b[K");
}

function readFormat(named: string | null, output: string): FileFormat {
  try {
    return formatOf(named, output);
  } catch (error) {
    throw new Failure(EXIT.usage, `--format ${messageOf(error)}`);
  }
}

function readColumns(text: string | null): readonly Column[] {
  try {
    return columnsNamed(text === null ? null : text.split(","));
  } catch (error) {
    throw new Failure(EXIT.usage, `--columns ${messageOf(error)}`);
  }
}
