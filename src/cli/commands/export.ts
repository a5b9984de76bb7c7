// `ballastd export`: raw readings as CSV, NDJSON, Parquet or a SQLite file, other records and the
// audit log as text. It reads the database beside a running instance, on a connection of its own;
// before anything leaves, the audit log says so.

import path from "node:path";
import { setImmediate as breath } from "node:timers/promises";
import { parseArgs } from "node:util";
import { askInstance } from "../../app/instance.ts";
import type { AuditDetail } from "../../bwts/audit.ts";
import { EXPORT_KINDS, type TextFormat } from "../../bwts/export/export-kind.ts";
import type { Reading } from "../../bwts/reading.ts";
import type { Config } from "../../config/config.ts";
import { EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { openLog } from "../../ground/log.ts";
import { atPath } from "../../ground/owner.ts";
import { exported, parquetPieces, TEXT_LAYOUTS } from "../../sqlite/answers/export.ts";
import { auditLines, recordTexts } from "../../sqlite/answers/export-records.ts";
import {
  columnsNamed,
  type ExportColumn,
  voidedColumn,
} from "../../sqlite/exchange/export-columns.ts";
import { createWideFile } from "../../sqlite/exchange/export-sqlite.ts";
import { type FileFormat, formatOf } from "../../sqlite/exchange/file-format.ts";
import { throwNoted } from "../../sqlite/file/damage.ts";
import type { Connection } from "../../sqlite/file/open.ts";
import type { ClosedRange } from "../../sqlite/file/query.ts";
import { STORED, VISIBLE } from "../../sqlite/sealed/timeline.ts";
import { escapedJson } from "../document.ts";
import { causeOf, configOf, existingDatabase, openInstanceData } from "../instance-data.ts";
import { readRange } from "../options.ts";
import { refuseOverwriting, STDOUT, writeFile, writeTexts } from "../output-file.ts";

export const summary = "write readings, events and other records, or the audit log, to a file";

export const help = `usage: ballastd export [telemetry] [options]
       ballastd export events|health|predictions|alarms|gaps|audit [options]

Writes all raw readings of a range, or all events, health records, predictions, alarms, gaps or
entries of the audit log, in order of time, also beside a running instance. The audit log records
the export. Records have the form of the API; nested parts are JSON text in CSV. Only readings can
be imported again, and not from Parquet; the others are for other programs, and only a backup can
restore them.

  --format csv|ndjson|parquet|sqlite
                              by default by the ending of the file's name (.csv, .ndjson or .jsonl,
                              .parquet, .sqlite or .db), else csv; parquet and sqlite of readings
                              only
  --from TIME                 first instant, ISO 8601, UTC unless it has a zone (the oldest)
  --to TIME                   last instant, included; a date alone means its end (the newest)
  --columns A,B,...           of readings these fields of /api/tags, received_at, clock_trusted,
                              extra (all); the timestamp is always there, extra holds the unknown
                              tags
  --with-voided               also the readings, or events, that a void hides (ballastd void list),
                              and a last column, voided, that says which they are; import takes
                              those not
  --audit                     as audit: in the order of its chain
  --output FILE               the file; - is the standard output (-)
  --force                     overwrite FILE
  --config FILE               the configuration of the instance

Examples:
  ballastd export --output readings.csv
  ballastd export --from 2026-05-01 --to 2026-05-31 --columns UVR_INTENSITY,SYS_FLOW_RATE
  ballastd export --output readings.sqlite
  ballastd export --from 2026-05-01 --to 2026-05-31 --output may.parquet
  ballastd export events --from 2026-05-01 --output events.csv
  ballastd export audit --output audit.csv`;

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

const KINDS = [...EXPORT_KINDS, "audit"] as const;
type Kind = (typeof KINDS)[number];

interface ExportPlan {
  readonly format: FileFormat;
  readonly range: ClosedRange;
  /** For readings only. */
  readonly columns: readonly ExportColumn[];
  readonly output: string;
  readonly withVoided: boolean;
}

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: OPTIONS,
  });
  const { output } = values;
  const kind = readKind(positionals, values.audit);
  const format = readFormat(values.format ?? null, output);
  if (format === "sqlite" && output === STDOUT)
    throw new Failure(EXIT.usage, "--output -: a SQLite file can't be piped, expected a file");
  const withVoided = values["with-voided"];
  refuseBeside(kind, { format, columns: values.columns, withVoided });
  const range = readRange(values.from, values.to);
  const columns = readColumns(values.columns ?? null);
  const config = configOf(values);
  const database = existingDatabase(config);
  refuseOverwriting(output, values);
  const { from = null, to = null } = values;
  const named = values.columns?.split(",") ?? null;
  const voided = withVoided ? { with_voided: true } : {};
  await record(config, { what: kind, format, from, to, columns: named, ...voided, output });
  const db = openInstanceData(database);
  try {
    const plan = { format, range, columns, output, withVoided };
    const done =
      kind === "telemetry"
        ? await writeReadings(db, plan)
        : await writeRecords(db, { ...plan, kind, limits: config.limits });
    process.stderr.write(`exported ${done}${output === STDOUT ? "" : ` to ${output}`}\n`);
    // The file is complete, and names what is damaged in its place.
    throwNoted(db);
  } catch (error) {
    throw causeOf(db, error);
  } finally {
    db.close();
  }
}

function readKind(positionals: readonly string[], isAudit: boolean): Kind {
  const [named = "telemetry", ...more] = isAudit ? [...positionals, "audit"] : positionals;
  const kind = KINDS.find((known) => known === named);
  if (kind !== undefined && more.length === 0) return kind;
  throw new Failure(
    EXIT.usage,
    `export ${[named, ...more].join(" ")}: expected one of ${KINDS.join(", ")}`,
  );
}

/** Refuses what only readings have. */
function refuseBeside(
  kind: Kind,
  {
    format,
    columns,
    withVoided,
  }: { format: FileFormat; columns: string | undefined; withVoided: boolean },
): void {
  if (kind === "telemetry") return;
  if (withVoided && kind !== "events")
    throw new Failure(EXIT.usage, `--with-voided: expected telemetry or events, not ${kind}`);
  if (format === "sqlite" || format === "parquet")
    throw new Failure(EXIT.usage, `${kind}: can't be ${format}, expected csv or ndjson`);
  if (columns !== undefined)
    throw new Failure(EXIT.usage, `--columns ${columns}: expected none with ${kind}`);
}

/** Records the export in the audit log. A read-only folder is exported without that. */
async function record(config: Config, detail: AuditDetail): Promise<void> {
  try {
    await askInstance(config, "audit", { kind: "export", detail }, openLog("error"));
  } catch (error) {
    process.stderr.write(`not in the audit log: this export (${escapedJson(messageOf(error))})\n`);
  }
}

/** Writes readings, and says how many. */
async function writeReadings(db: Connection, plan: ExportPlan): Promise<string> {
  const { range, output, withVoided } = plan;
  const columns = withVoided ? [...plan.columns, voidedColumn(db)] : plan.columns;
  const { total, batches } = exported(db, range, withVoided ? STORED : VISIBLE);
  const progress = { count: 0, total };
  const counted = withProgress(batches, progress);
  if (plan.format === "sqlite")
    await writeFile(output, ({ file }) => writeWide(counted, columns, file));
  else if (plan.format === "parquet")
    await writeTexts(output, parquetPieces({ total, batches: counted }, columns));
  else await writeTexts(output, textsOf(counted, { format: plan.format, columns }));
  return `${progress.count} readings`;
}

interface RecordsPlan extends ExportPlan {
  readonly kind: Exclude<Kind, "telemetry">;
  readonly limits: Config["limits"];
}

/** Writes records of another kind, and says what it was. */
async function writeRecords(db: Connection, plan: RecordsPlan): Promise<string> {
  const { kind, range, output } = plan;
  const format = plan.format === "csv" ? "csv" : "ndjson";
  if (kind === "audit") {
    await writeTexts(output, auditLines(db, range, format));
    return "the audit log";
  }
  const asked = { ...plan, kind, format, now_ms: Date.now() } as const;
  const told = { lines: 0 };
  await writeTexts(output, counting(recordTexts(db, asked), told));
  const count = told.lines - (format === "csv" ? 1 : 0);
  return `${count} ${kind === "health" ? "health records" : kind}`;
}

function* counting(texts: Iterable<string>, told: { lines: number }): Generator<string> {
  for (const text of texts) {
    told.lines += 1;
    yield text;
  }
}

function* textsOf(
  batches: Iterable<readonly Reading[]>,
  { format, columns }: { readonly format: TextFormat; readonly columns: readonly ExportColumn[] },
): Generator<string> {
  const { head, line } = TEXT_LAYOUTS[format];
  yield head(columns);
  for (const batch of batches) yield batch.map((reading) => line(reading, columns)).join("");
}

async function writeWide(
  batches: Iterable<readonly Reading[]>,
  columns: readonly ExportColumn[],
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

function readColumns(text: string | null): readonly ExportColumn[] {
  try {
    return columnsNamed(text === null ? null : text.split(","));
  } catch (error) {
    throw new Failure(EXIT.usage, `--columns ${messageOf(error)}`);
  }
}
