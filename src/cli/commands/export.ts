// `ballastd export`: writes raw readings as CSV, NDJSON, Parquet, ISO 19848 or SQLite, and other
// records and the audit log as text. It reads the database beside a running instance, on its own
// connection; the audit log records the export before anything leaves.

import path from "node:path";
import { setImmediate as breath } from "node:timers/promises";
import { parseArgs } from "node:util";
import { dataChannelListText } from "../../bwts/data-channel-list.ts";
import type { ExportSource } from "../../bwts/data-channels.ts";
import { EXPORT_KINDS, type TextFormat } from "../../bwts/export-kind.ts";
import type { Reading } from "../../bwts/reading.ts";
import type { Config } from "../../config/config.ts";
import { readBuild } from "../../ground/assets.ts";
import { EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { atPath } from "../../ground/owner.ts";
import { exported, TEXT_LAYOUTS } from "../../sqlite/answers/export.ts";
import { auditLines, recordTexts } from "../../sqlite/answers/export-records.ts";
import { beginFile, filePieces } from "../../sqlite/exchange/begin-file.ts";
import {
  columnsNamed,
  type ExportColumn,
  filledColumns,
  voidedColumn,
} from "../../sqlite/exchange/export-columns.ts";
import { createWideFile } from "../../sqlite/exchange/export-sqlite.ts";
import { type FileFormat, formatOf } from "../../sqlite/exchange/file-format.ts";
import { throwNoted } from "../../sqlite/file/damage.ts";
import type { Connection } from "../../sqlite/file/open.ts";
import type { ClosedRange } from "../../sqlite/file/query.ts";
import { ALL_STORED, VISIBLE } from "../../sqlite/sealed/timeline.ts";
import { configOf, existingDatabase, openInstanceData, recordExport } from "../instance-data.ts";
import { readRange } from "../options.ts";
import { refuseOverwriting, STDOUT, writeFile, writeTexts } from "../output-file.ts";
import { withProgress } from "../progress.ts";

export const summary = "write readings, events and other records, or the audit log, to a file";

export const help = `usage: ballastd export [telemetry] [options]
       ballastd export events|health|predictions|alarms|gaps|operations|audit [options]
       ballastd export channels [--output FILE] [--force] [--config FILE]

Writes all raw readings of a range, or all events, health records, predictions, alarms, gaps,
operations or entries of the audit log, in order of time, also beside a running instance. The audit
log records the export, and a version of an operation that it was given out. Records have the form
of the API; nested parts are JSON text in CSV. Only readings can be imported again, and not from
Parquet or ISO 19848; the others are for other programs, and only a backup can restore them.

channels writes the data channel list of ISO 19848, which the packages of --format iso19848 refer
to: name in DNV's VIS, type, unit and meaning of each field.

  --format csv|ndjson|parquet|iso19848|sqlite
                              by default by the ending of the file's name (.csv, .ndjson or .jsonl,
                              .parquet, .sqlite or .db), else csv; csv and ndjson of other records;
                              iso19848 is a time series data package in JSON
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
  ballastd export --format iso19848 --from 2026-05-01 --output readings.json
  ballastd export channels --output channels.json
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
/** The kind of export that isn't made of stored data: the data channel list. */
const CHANNELS = "channels";

interface ExportPlan {
  readonly format: FileFormat;
  readonly range: ClosedRange;
  /** The exported columns, for readings only. */
  readonly columns: readonly ExportColumn[];
  readonly output: string;
  readonly withVoided: boolean;
  readonly source: ExportSource;
}

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: OPTIONS,
  });
  const { output } = values;
  if (positionals.length === 1 && positionals[0] === CHANNELS) {
    await writeChannels(values);
    return;
  }
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
  const detail = { what: kind, format, from, to, columns: named, ...voided, output };
  await recordExport(config, detail, kind === "operations" ? { range } : null);
  const db = openInstanceData(database);
  try {
    const plan = { format, range, columns, output, withVoided, source: sourceOf(config) };
    const done =
      kind === "telemetry"
        ? await writeReadings(db, plan)
        : await writeRecords(db, { ...plan, kind, limits: config.limits });
    process.stderr.write(`exported ${done}${output === STDOUT ? "" : ` to ${output}`}\n`);
    // The file is complete, with a note in place of each damaged part.
    throwNoted(db);
  } finally {
    db.close();
  }
}

/** Writes the data channel list, which follows from the configuration alone. */
async function writeChannels(given: {
  readonly output: string;
  readonly force: boolean;
  readonly config?: string;
}): Promise<void> {
  const { output, force: _force, config: _config, ...others } = given;
  const beside = Object.entries(others).find(([, value]) => value !== undefined && value !== false);
  if (beside !== undefined)
    throw new Failure(EXIT.usage, `--${beside[0]}: expected none with ${CHANNELS}`);
  refuseOverwriting(output, given);
  await writeTexts(output, [dataChannelListText(sourceOf(configOf(given)))]);
}

function sourceOf({ system }: Config): ExportSource {
  return { ...system, version: readBuild().version };
}

function readKind(positionals: readonly string[], isAudit: boolean): Kind {
  const [named = "telemetry", ...more] = isAudit ? [...positionals, "audit"] : positionals;
  const kind = KINDS.find((known) => known === named);
  if (kind !== undefined && more.length === 0) return kind;
  throw new Failure(
    EXIT.usage,
    `export ${[named, ...more].join(" ")}: expected one of ${KINDS.join(", ")}, ${CHANNELS}`,
  );
}

/** Throws a Failure for an option that only readings have. */
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
  if (format !== "csv" && format !== "ndjson")
    throw new Failure(EXIT.usage, `${kind}: can't be ${format}, expected csv or ndjson`);
  if (columns !== undefined)
    throw new Failure(EXIT.usage, `--columns ${columns}: expected none with ${kind}`);
}

/** Writes readings; returns a text with their number. */
async function writeReadings(db: Connection, plan: ExportPlan): Promise<string> {
  const { format, range, output, withVoided, source } = plan;
  const asked = filledColumns(db, plan.columns, format);
  const columns = withVoided ? [...asked, voidedColumn(db)] : asked;
  const readings = exported(db, range, withVoided ? ALL_STORED : VISIBLE);
  const progress = { count: 0, total: readings.total };
  const batches = withProgress(readings.batches, progress);
  if (format === "sqlite") await writeFile(output, ({ file }) => writeWide(batches, columns, file));
  else if (format === "parquet" || format === "iso19848")
    await writeTexts(
      output,
      filePieces({ batches }, beginFile({ format, source }, columns, readings)),
    );
  else await writeTexts(output, textsOf(batches, { format, columns }));
  return `${progress.count} readings`;
}

interface RecordsPlan extends ExportPlan {
  readonly kind: Exclude<Kind, "telemetry">;
  readonly limits: Config["limits"];
}

/** Writes records of another kind; returns a text about them. */
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
      // Signals are handled between two batches.
      await breath();
    }
    wide.finish();
  } finally {
    wide.close();
  }
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
