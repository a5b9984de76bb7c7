// `ballastd import`: stores raw readings from a file of `ballastd export`. A running instance's
// writer stores them, in requests of a size that it accepts; without one, this process does. A file
// can be imported repeatedly: stored readings don't change. The audit log records the start of an
// import, before anything is stored, and its result.

import { createReadStream, existsSync, openSync } from "node:fs";
import { qualifiedBy } from "../../bwts/quality-names.ts";
import { tagIndexInAnyCase } from "../../bwts/tags.ts";
import { printable } from "../../ground/columns.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { type Line, linesOf } from "../../ground/lines.ts";
import { openLog } from "../../ground/log.ts";
import { atPath } from "../../ground/owner.ts";
import { IMPORT_RECORD_MAX, type ImportRecord, type RefusedLine } from "../../payload/import.ts";
import { similarField } from "../../payload/similar-field.ts";
import { type FileFormat, formatOf } from "../../sqlite/exchange/file-format.ts";
import { csvRecords } from "../../sqlite/exchange/import-csv.ts";
import { sqliteRecords } from "../../sqlite/exchange/import-sqlite.ts";
import type { ImportResult } from "../../sqlite/threads/import.ts";
import { printResult } from "../document.ts";
import { type Importer, openImporter } from "../importer.ts";
import { configOf } from "../instance-data.ts";
import { readLine } from "../options.ts";

export const summary = "store the raw readings of a CSV, NDJSON or SQLite file";

export const help = `usage: ballastd import [options] FILE

Stores the raw readings of a file that ballastd export wrote, in a running instance or, with none
running, in its data folder. Readings that are already stored change nothing. A line that can't be
read, or that contradicts stored data, is reported and not stored, and the exit code is 1.

  --format csv|ndjson|sqlite  by default by the ending of the file's name (.csv, .ndjson or .jsonl,
                              .sqlite or .db), else csv
  --json                      the result as a JSON object
  --config FILE               the configuration of the instance`;

/** Limits of one commit: number of readings, and characters of their text. */
const BATCH_READINGS_MAX = 500;
const BATCH_CHARACTERS_MAX = 4 * 1024 * 1024;
/** Maximum number of refused lines that are listed. */
const NAMED_MAX = 10;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, {
    format: { type: "string" },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `got ${positionals.length} files, expected one`);
  const format = readFormat(values.format ?? null, file);
  const config = configOf(values);
  if (!atPath(file, () => existsSync(file)))
    throw new Failure(EXIT.failed, `${file}: there is no such file`);
  const importer = await openImporter(config, openLog(config.log.level), file);
  const total: Total = { stored: 0, same: 0, refused: 0, problems: [], names: new Set() };
  try {
    await importAll(recordsOf(file, format), importer, total);
  } catch (error) {
    if (codeOf(error) === null) throw error;
    const before = total.stored + total.same === 0 ? "" : `; before that, ${textOf(total)}`;
    throw new Failure(EXIT.failed, `${file}: ${messageOf(error)}${before}`.trimEnd());
  } finally {
    await importer.close(total);
  }
  const alike = alikeOf(total.names);
  if (alike.length > 0)
    process.stderr.write(`ballastd: unknown tags look like fields: ${alike.join(", ")}\n`);
  const { names: _, ...counts } = total;
  printResult(values.json, counts, textOf(total));
  if (total.refused > 0) process.exitCode = EXIT.failed;
}

interface Total {
  stored: number;
  same: number;
  refused: number;
  /** The first NAMED_MAX refused lines. */
  readonly problems: RefusedLine[];
  /** Names of members, of which some may be misspelt. */
  readonly names: Set<string>;
}

/** A name in JSON that may be a field's. */
const NAME = /"([A-Za-z][\w.-]{2,80})"\s*:/g;
const NAMES_MAX = 10_000;

function noteNames(names: Set<string>, json: string): void {
  for (const [, name] of json.matchAll(NAME)) if (names.size < NAMES_MAX) names.add(name);
}

const isKnown = (name: string) => tagIndexInAnyCase(name) !== null || qualifiedBy(name) !== null;

/** The unknown tags that a field was probably meant by, each with it. */
function alikeOf(names: ReadonlySet<string>): readonly string[] {
  const alike = [...names].flatMap((name) => {
    const field = isKnown(name) ? null : similarField(name);
    return field === null ? [] : [`${name} (${field}?)`];
  });
  const more = alike.length - NAMED_MAX;
  return more > 0 ? [...alike.slice(0, NAMED_MAX), `and ${more} more`] : alike;
}

async function importAll(
  records: AsyncIterable<ImportRecord | RefusedLine>,
  importer: Importer,
  total: Total,
): Promise<void> {
  const isShown = process.stderr.isTTY;
  let batch: ImportRecord[] = [];
  let characters = 0;
  // One batch is stored while the next one is read.
  let stored: Promise<ImportResult> = Promise.resolve({ stored: 0, same: 0, refused: [] });
  const store = async () => {
    add(total, await stored);
    stored = importer.store(batch);
    // A failure is thrown when the next batch awaits it; until then it must not count as unhandled.
    stored.catch(() => {});
    batch = [];
    characters = 0;
    const count = total.stored + total.same + total.refused;
    if (isShown) process.stderr.write(`\rimporting: ${count} readings`);
  };
  try {
    for await (const record of records) {
      if ("problem" in record) {
        add(total, { stored: 0, same: 0, refused: [record] });
        continue;
      }
      batch.push(record);
      noteNames(total.names, record.json);
      characters += record.json.length;
      if (batch.length >= BATCH_READINGS_MAX || characters >= BATCH_CHARACTERS_MAX) await store();
    }
    if (batch.length > 0) await store();
  } finally {
    // The batch under way is counted, and stored as a whole, also if the file can't be read on.
    add(total, await stored);
  }
  if (isShown) process.stderr.write("\r\x1b[K");
}

function add(total: Total, { stored, same, refused }: ImportResult): void {
  total.stored += stored;
  total.same += same;
  total.refused += refused.length;
  total.problems.push(...refused.slice(0, NAMED_MAX - total.problems.length));
}

function textOf({ stored, same, refused, problems }: Total): string {
  const sorted = problems.toSorted((one, other) => one.line - other.line);
  const named = sorted.map(({ line, problem }) => `line ${line}: ${printable(problem)}`);
  const more = refused - problems.length;
  return [
    ...named,
    ...(more > 0 ? [`and ${more} more`] : []),
    `stored ${stored} readings, ${same} were there already, ${refused} lines were refused`,
    "",
  ].join("\n");
}

function readFormat(named: string | null, file: string): FileFormat {
  const format = asUsage(() => formatOf(named, file));
  if (format === "parquet" || format === "iso19848")
    throw new Failure(
      EXIT.usage,
      `${file}: ${format} can't be imported, expected csv, ndjson, sqlite`,
    );
  return format;
}

function asUsage<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new Failure(EXIT.usage, `--format ${messageOf(error)}`);
  }
}

/** The records of `file`. Throws if it can't be read or has another format. */
export function recordsOf(
  file: string,
  format: FileFormat,
): AsyncIterable<ImportRecord | RefusedLine> {
  if (format === "sqlite") return sqliteRecords(file);
  const handle = atPath(file, () => openSync(file, "r"));
  const lines = linesOf(createReadStream("", { fd: handle }), IMPORT_RECORD_MAX);
  return format === "csv" ? csvRecords(lines) : ndjsonRecords(lines);
}

async function* ndjsonRecords(
  lines: AsyncIterable<Line>,
): AsyncGenerator<ImportRecord | RefusedLine> {
  for await (const line of lines)
    if ("problem" in line) yield { line: line.number, problem: line.problem };
    else if (line.text.trim() !== "") yield { line: line.number, json: line.text };
}
