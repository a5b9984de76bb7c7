// `ballastd export`: raw readings as CSV, NDJSON or a SQLite file. It reads the database beside a
// running instance, on a connection of its own, and writes under another name until all is there:
// half a file must not pass for the whole.

import {
  closeSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as breath } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Reading } from "../bwts/reading.ts";
import { endOf, type ParsedTime, parseTime, printTime } from "../clock.ts";
import { loadConfig } from "../config.ts";
import { codeOf, EXIT, Failure, messageOf } from "../errors.ts";
import { exported, TEXT_LAYOUTS } from "../sqlite/export.ts";
import { type Column, columnsNamed } from "../sqlite/export-columns.ts";
import { createWideFile } from "../sqlite/export-sqlite.ts";
import { type FileFormat, formatOf } from "../sqlite/file-format.ts";
import { databaseFile, openReader } from "../sqlite/open.ts";
import { type ClosedRange, closed, type TextFormat } from "../sqlite/query.ts";

export const summary = "write raw readings to a CSV, NDJSON or SQLite file";

export const help = `usage: ballastd export [options]

Writes all raw readings of a range, in order of time, also beside a running instance.

  --format csv|ndjson|sqlite  by default what the file's name ends with (.csv, .ndjson or .jsonl,
                              .sqlite or .db), else csv
  --from TIME                 first instant, ISO 8601, UTC unless it has a zone (the oldest reading)
  --to TIME                   last instant, included; a date alone means its end (the newest)
  --columns A,B,...           these fields of /api/tags, received_at, clock_trusted, extra (all);
                              the timestamp is always there, extra holds the unknown tags
  --output FILE               where to; - is the standard output (-)
  --force                     overwrite FILE
  --config FILE               the configuration of the instance

Examples:
  ballastd export --output readings.csv
  ballastd export --from 2026-05-01 --to 2026-05-31 --columns UVR_INTENSITY,SYS_FLOW_RATE
  ballastd export --output readings.sqlite`;

const OPTIONS = {
  format: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  columns: { type: "string" },
  output: { type: "string", default: "-" },
  force: { type: "boolean", default: false },
  config: { type: "string" },
} as const;

/** The standard output, as `--output` names it. */
const STDOUT = "-";

interface Plan {
  readonly database: string;
  readonly format: FileFormat;
  readonly range: ClosedRange;
  readonly columns: readonly Column[];
  readonly output: string;
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const { output } = values;
  const format = readFormat(values.format ?? null, output);
  if (format === "sqlite" && output === STDOUT)
    throw new Failure(EXIT.usage, "--output -: a SQLite file can't be piped, expected a file");
  const range = readRange(values.from, values.to);
  const columns = readColumns(values.columns ?? null);
  const { config } = loadConfig({ file: values.config ?? null, env: process.env });
  const database = databaseFile(config.storage.dir);
  if (!existsSync(database))
    throw new Failure(EXIT.failed, `${database}: there is no database yet; see storage.dir`);
  if (output !== STDOUT && existsSync(output) && !values.force)
    throw new Failure(EXIT.cannot_create, `${output}: is there already; --force overwrites it`);
  const count = await writeExport({ database, format, range, columns, output });
  const where = output === STDOUT ? "" : ` to ${output}`;
  process.stderr.write(`exported ${count} readings${where}\n`);
}

/** Writes the export and gives the number of readings. */
async function writeExport({ database, format, range, columns, output }: Plan): Promise<number> {
  const db = openReader(database);
  const { total, batches } = exported(db, range);
  const progress = { count: 0, total };
  const shown = withProgress(batches, progress);
  try {
    if (format === "sqlite") await writeFile(output, (part) => writeWide(shown, columns, part));
    else {
      const texts = Readable.from(textsOf(shown, { format, columns }));
      if (output === STDOUT) await pipeline(texts, process.stdout, { end: false });
      else
        await writeFile(output, (part) =>
          pipeline(texts, createWriteStream(part, { flags: "wx" })),
        );
    }
  } finally {
    db.close();
  }
  return progress.count;
}

/** Has `write` write another file, and gives it its name when it is complete and on disk. */
async function writeFile(output: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = `${output}.${process.pid}.part`;
  const remove = () => rmSync(part, { force: true });
  const stop = () => process.exit(EXIT.failed);
  process.once("exit", remove).once("SIGINT", stop).once("SIGTERM", stop);
  try {
    await write(part);
    const file = openSync(part, "r+");
    fsyncSync(file);
    closeSync(file);
    renameSync(part, output);
  } catch (error) {
    if (codeOf(error) === null) throw error;
    throw new Failure(EXIT.cannot_create, `${output}: ${messageOf(error)}`);
  } finally {
    remove();
    process.off("exit", remove).off("SIGINT", stop).off("SIGTERM", stop);
  }
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
  const wide = createWideFile(part, columns);
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

function readRange(from: string | undefined, to: string | undefined): ClosedRange {
  const start = from === undefined ? null : readTime("--from", from);
  const end = to === undefined ? null : readTime("--to", to);
  const range = closed({
    start_ms: start?.at_ms ?? null,
    end_ms: end === null ? null : endOf(end),
  });
  if (range.start_ms <= range.end_ms) return range;
  const after = `${printTime(range.start_ms)} is after --to ${printTime(range.end_ms)}`;
  throw new Failure(EXIT.usage, `--from ${after}, expected a start at or before the end`);
}

function readTime(option: string, text: string): ParsedTime {
  const time = parseTime(text);
  if (time !== null) return time;
  const expected = "ISO 8601, such as 2026-05-01 or 2026-05-01T06:30:00Z";
  throw new Failure(EXIT.usage, `${option} ${text}: expected ${expected}`);
}

function readColumns(text: string | null): readonly Column[] {
  try {
    return columnsNamed(text === null ? null : text.split(","));
  } catch (error) {
    throw new Failure(EXIT.usage, `--columns ${messageOf(error)}`);
  }
}
