// `ballastd sql`: runs SQL that only reads, as one statement or at a prompt, beside a running
// instance or without one. Sealed readings, which no other tool can read, are a table; everything
// else is shown as it is stored.

import { parseArgs } from "node:util";
import type { Config } from "../../config/config.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { definitionsOf, tableNames } from "../../sqlite/answers/reading-table.ts";
import { tokensOf } from "../../sqlite/answers/sql-text.ts";
import { STATEMENT_MIB } from "../../sqlite/answers/statement.ts";
import {
  configOf,
  existingDatabase,
  openInstanceData,
  readDatabase,
  writeList,
} from "../instance-data.ts";
import { optionWord } from "../options.ts";
import { LAYOUTS, type ResultLayout } from "../sql-layout.ts";
import {
  CHILD,
  carryOut,
  ELAPSED_FACTOR,
  type RunningStatement,
  startStatement,
} from "../sql-process.ts";
import { type Dialogue, openEntry, readDialogue } from "../sql-prompt.ts";

export const summary = "query the stored data by SQL, as one statement or at a prompt";

const TIMEOUT_S = 60;
const TIMEOUT_MAX_S = 86_400;

export const help = `usage: ballastd sql [STATEMENT] [options]

Runs a statement of SQL that reads, or, without one, those of the standard input: at a terminal with
a prompt, else up to the first that fails. A statement ends with a semicolon; .help lists the
prompt's commands, which may also stand in place of STATEMENT. It works beside a running instance
and without one.

  reading(FROM, TO)   the readings of a range, sealed and not sealed yet, as the API answers them:
                      a column for each field of /api/tags, at_ms, received_at, clock_trusted and
                      extra, the unknown tags as JSON. FROM and TO are times as of --from and --to
                      of ballastd export; reading alone is all of them
  reading_hour        hours (UTC) as the API sums them up, means not rounded: start, start_ms, and
  reading_day         a column for each field with a mean, a maximum or a last value; likewise days.
                      readings are in these values, and as many as not_sealed says aren't yet
  segment_time        the first and the last time of the readings in each row of segment, where they
                      are packed; an index finds a range of first_ms or last_ms
  utc(MS), ms(TIME)   print and read the milliseconds since 1970 of columns such as at_ms

All other tables and views are as they lie in the file (main.reading has the readings that aren't
sealed yet), but for token and setting, which hold hashes of secrets.

  --format table|csv|json  table for people; CSV as of ballastd export; JSON: a list, a row a line;
                           a BLOB is printed as hexadecimal digits (table)
  --timeout SECONDS        ends a statement that takes more processor time, or with all waiting
                           ${ELAPSED_FACTOR} times as long; 1 to ${TIMEOUT_MAX_S} (${TIMEOUT_S})
  --config FILE            the configuration of the instance

A statement may take ${STATEMENT_MIB} MiB of memory and nothing of the disk. Ctrl-C ends it, and the
prompt goes on.

Examples:
  ballastd sql "select avg(UVR_INTENSITY) from reading('2026-05-01', '2026-05-31')
                where PROCESS_STATE = 'RUNNING'"
  ballastd sql --format csv "select utc(at_ms) as at, event_type, description from event"
  ballastd sql ".schema reading"`;

const OPTIONS = {
  format: { type: "string" },
  timeout: { type: "string", default: String(TIMEOUT_S) },
  config: { type: "string" },
  [CHILD]: { type: "boolean", default: false },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: OPTIONS,
  });
  if (values[CHILD]) return carryOut();
  const layout = optionWord("--format", values.format, LAYOUTS) ?? "table";
  const timeout_s = readTimeout(values.timeout);
  const [given, ...more] = positionals;
  if (more.length > 0)
    throw new Failure(
      EXIT.usage,
      `sql: got ${positionals.length} statements, expected one, in quotes`,
    );
  const dialogue = openDialogue(configOf(values), { layout, timeout_s });
  const end = () => {
    if (!dialogue.end()) process.exit(EXIT.failed);
  };
  process.on("SIGINT", end).on("SIGTERM", end).on("SIGHUP", end);
  if (given === undefined) await readDialogue(dialogue);
  else await runGiven(given, dialogue);
  process.off("SIGINT", end).off("SIGTERM", end).off("SIGHUP", end);
}

async function runGiven(given: string, dialogue: Dialogue): Promise<void> {
  const isEmpty = tokensOf(given.replaceAll(";", " ")).length === 0;
  if (isEmpty) throw new Failure(EXIT.usage, "sql: the statement is empty");
  const entry = openEntry(dialogue);
  // A statement given whole may be longer than lines typed at the prompt.
  const text = given.trimStart().startsWith(".") ? given : `${given}\n;`;
  if (await entry.add(text)) await entry.finish();
}

function readTimeout(given: string): number {
  const timeout_s = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (timeout_s >= 1 && timeout_s <= TIMEOUT_MAX_S) return timeout_s;
  throw new Failure(EXIT.usage, `--timeout ${given}: expected 1 to ${TIMEOUT_MAX_S} seconds`);
}

function openDialogue(
  config: Config,
  { layout, timeout_s }: { readonly layout: ResultLayout; readonly timeout_s: number },
): Dialogue {
  const file = existingDatabase(config);
  openInstanceData(file).close(); // refuses a database of another version
  let running: RunningStatement | null = null;
  return {
    async run(statement) {
      running = startStatement({ file, statement, layout }, timeout_s);
      await running.done.finally(() => {
        running = null;
      });
    },
    command: (line) => carryOutCommand(config, line),
    end() {
      running?.end();
      return running !== null;
    },
  };
}

const COMMANDS = `.tables          list the tables and views
.schema [TABLE]  show the definitions of all tables and views, or of one
.help            show this list
.quit            end, as Ctrl-D does; .exit too

A statement ends with a semicolon and may take several lines. Ctrl-C ends one that runs. Readings
are in the table reading(FROM, TO), such as reading('2026-05-01', '2026-05-31'); .schema reading
lists its columns. Their hours and days are in reading_hour and reading_day, without the readings
that not_sealed counts. More is in ballastd sql --help.`;

/** Carries out a command of the prompt; false ends the dialogue. */
function carryOutCommand(config: Config, line: string): boolean {
  const [command, name, ...more] = line.replace(/;$/, "").split(/\s+/);
  if (command === ".schema" && more.length === 0) printDefinitions(config, name ?? null);
  else if (name !== undefined) throw wrongCommand(line);
  else if (command === ".tables") writeList(readDatabase(config, tableNames), null);
  else if (command === ".help") process.stdout.write(`${COMMANDS}\n`);
  else if (command === ".quit" || command === ".exit") return false;
  else throw wrongCommand(line);
  return true;
}

function printDefinitions(config: Config, name: string | null): void {
  const definitions = readDatabase(config, (db) => definitionsOf(db, name));
  if (definitions.length === 0)
    throw new Failure(EXIT.usage, `.schema ${name}: expected a table or view that .tables lists`);
  writeList(definitions, null);
}

function wrongCommand(line: string): Failure {
  return new Failure(EXIT.usage, `${line}: expected .tables, .schema TABLE, .help or .quit`);
}
