// Runs the statements that people type at `ballastd sql`: only those that read, and none that reads
// the tables with hashes of secrets. The connection can't write. This module refuses, with a
// reason, other files and settings, which would still be possible, and errors that SQLite words
// less clearly.

import { parseTime, printTime } from "../../ground/clock.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { isDamage } from "../file/damage.ts";
import { type Connection, openReader, prepare, readSql } from "../file/open.ts";
import { type Cell, defineReadings, READING_COLUMNS } from "./reading-table.ts";
import { columnsUsed, tokensOf } from "./sql-text.ts";

/** The result of a statement. */
export interface StatementResult {
  /** Names of the columns; two may be alike. */
  readonly columns: readonly string[];
  /** Made one by one as they are consumed. Throws a Failure for an error in the statement. */
  readonly rows: Iterable<readonly Cell[]>;
}

/** Maximum memory of a statement in MiB, besides that of the program itself. */
export const STATEMENT_MIB = 256;

/** The message for a statement that needs more memory. */
export const TOO_LARGE =
  `the statement takes more than ${STATEMENT_MIB} MiB of memory; expected a shorter range, ` +
  "fewer columns, or no sorting of so many rows";

/** The first words of the statements that only read. */
const ALLOWED = ["select", "with", "values", "explain"];

/** Runs one statement on the database in `file`. Throws a Failure if it can't be run. */
export function runStatement(file: string, text: string): StatementResult {
  const [first = ""] = tokensOf(text);
  if (!ALLOWED.includes(first))
    throw new Failure(
      EXIT.usage,
      `${first}: this prompt only reads, expected ${ALLOWED.join(", ")}; ` +
        "a pragma that reads is a table, such as pragma_table_info('event')",
    );
  const db = openConnection(file, columnsUsed(text, READING_COLUMNS));
  return asFailure(() => {
    const statement = db.prepare<[], readonly Cell[]>(text);
    if (!statement.reader || !statement.readonly)
      throw new Failure(EXIT.usage, `${first}: this prompt only reads, and this would write`);
    if (first !== "explain") refuseSecrets(db, text);
    const rows = statement.raw().safeIntegers();
    return {
      columns: statement.columns().map(({ name }) => name),
      rows: rowsOf(() => rows.iterate()),
    };
  });
}

function openConnection(file: string, used: ReadonlySet<string>): Connection {
  const db = openReader(file);
  defineReadings(db, openReader(file), (column) => used.has(column));
  db.function("utc", { deterministic: true }, utc);
  db.function("ms", { deterministic: true }, ms);
  db.exec(readSql("open-prompt"));
  return db;
}

/** The SQL function `utc`: a time in ms since 1970 as text; null for anything else. */
function utc(at_ms: unknown): string | null {
  const isTime = typeof at_ms === "number" && Math.abs(at_ms) <= TIME_MAX_MS;
  return isTime ? printTime(at_ms) : null;
}
/** The largest time of JavaScript's Date, in ms. */
const TIME_MAX_MS = 8.64e15;

/**
 * The SQL function `ms`, the reverse of `utc`, for any time that the API accepts; null for other
 * texts.
 */
function ms(text: unknown): bigint | null {
  const time = typeof text === "string" ? parseTime(text) : null;
  return time === null ? null : BigInt(time.at_ms);
}

/** Throws if the statement's program opens a table of secrets, under whatever name. */
function refuseSecrets(db: Connection, text: string): void {
  const secrets = prepare(db, "prompt.secret_pages").all({});
  for (const { opcode, p2, p3 } of db.prepare<[], Opcode>(`explain ${text}`).all()) {
    const found = secrets.find(({ page }) => page === p2);
    if (found !== undefined && p3 === MAIN && OPENING.has(opcode))
      throw new Failure(
        EXIT.usage,
        `${found.name}: can't be read, it holds hashes of secrets; ` +
          "ballastd token list and ballastd config show say what there is",
      );
  }
}

/** An instruction of SQLite's virtual machine. */
interface Opcode {
  readonly opcode: string;
  /** Root page of the opened table, for an instruction that opens one. */
  readonly p2: number;
  /** Number of the schema, for such an instruction. */
  readonly p3: number;
}
const OPENING: ReadonlySet<string> = new Set(["OpenRead", "ReopenIdx"]);
const MAIN = 0;

function* rowsOf(iterate: () => Iterable<readonly Cell[]>): Generator<readonly Cell[]> {
  const rows = asFailure(() => iterate()[Symbol.iterator]());
  for (;;) {
    const next = asFailure(() => rows.next());
    if (next.done === true) return;
    yield next.value;
  }
}

function asFailure<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw failureOf(error) ?? error;
  }
}

/** Matches the driver's errors about a statement with parameters. */
const PARAMETERS = /too (few|many) parameter|missing named parameter/i;

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^no such table/, "expected reading, or one that .tables lists"],
  [/readonly database/, "this prompt only reads, and this would write"],
  [/^no such column/, ".schema TABLE lists the columns of a table"],
  [PARAMETERS, "expected values in place of parameters"],
];

/** A Failure for an error in the statement; null for a fault of the file or of ballastd. */
function failureOf(error: unknown): Failure | null {
  const code = codeOf(error);
  if (error instanceof Failure || isDamage(error)) return null;
  if (code === "SQLITE_NOMEM") return new Failure(EXIT.failed, TOO_LARGE);
  const message = messageOf(error);
  const isTheirs =
    error instanceof RangeError ||
    PARAMETERS.test(message) ||
    /^SQLITE_(ERROR|TOOBIG|RANGE|MISMATCH|READONLY)/.test(code ?? "");
  if (!isTheirs) return null;
  const advice = ADVICE.find(([pattern]) => pattern.test(message));
  return new Failure(EXIT.usage, [message, ...(advice?.slice(1) ?? [])].join("; "));
}
