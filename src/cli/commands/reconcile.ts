// `ballastd reconcile`: compares the officer's entries, a CSV file, with the log, and prints in
// words what doesn't match. It reads beside a running instance, and stores nothing.

import { closeSync, openSync, readSync } from "node:fs";
import { BOOK_BYTES_MAX, bookText } from "../../bwts/record-book/book-bytes.ts";
import { bookHeader, NoBookHeader } from "../../bwts/record-book/book-header.ts";
import { ZONE_EXPECTED, zoneMinutes } from "../../bwts/record-book/zone.ts";
import { endOf, parseTime } from "../../ground/clock.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { atPath } from "../../ground/owner.ts";
import { startedIn } from "../../sqlite/answers/operations.ts";
import { reconciliation } from "../../sqlite/exchange/record-book.ts";
import { printResult } from "../document.ts";
import { configOf, readDatabase } from "../instance-data.ts";
import { readLine, readRange } from "../options.ts";
import { reconciliationText } from "../reconciliation-text.ts";

export const summary = "compare the officer's record book (CSV) with the log";

export const help = `usage: ballastd reconcile FILE [options]

Compares the officer's entries with the operations of the log: what matches, differs in time,
volume, place or code, stands in the log only or in the book only, and which malfunction or bypass
has no entry. The book agrees only if kind, start, end, volume and place of every entry were read,
understood and compared; what wasn't is told with its line. It also finds the book's own faults:
items of the form before 2025, missing ends, overlaps, wrong order, dates that don't exist. Nothing
of the book is stored.

FILE is CSV with a line of names above: code, start, end, place, volume, tanks, in English, French
or Spanish, in any order; separated by comma, semicolon, tab or |; times such as 2026-05-01 05:08,
01/05/2026 0508 hrs or 1 May 2026 05:08. Or it has the form's own lines: date, code, item, text.
Tolerances: record_book.time_tolerance_minutes and record_book.volume_tolerance_percent.

  --from TIME     first instant that is compared (the day of the book's first entry)
  --to TIME       last instant, included (the day of its last entry)
  --zone ZONE     of times that name none, and of LT: UTC, or an offset such as +09:00 (UTC)
  --json          one JSON object, as /admin/reconcile answers it
  --config FILE   the configuration of the instance

Exit codes: 0 the book agrees with the log, 1 it doesn't, 74 the file or the log can't be read.

Examples:
  ballastd reconcile may.csv
  ballastd reconcile book.csv --from 2026-05-01 --to 2026-05-31 --zone +09:00`;

const OPTIONS = {
  from: { type: "string" },
  to: { type: "string" },
  zone: { type: "string" },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, OPTIONS);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `reconcile ${positionals.join(" ")}: expected one FILE`.trim());
  const zone_minutes = values.zone === undefined ? null : zoneMinutes(values.zone);
  if (values.zone !== undefined && zone_minutes === null)
    throw new Failure(EXIT.usage, `--zone ${values.zone}: ${ZONE_EXPECTED}`);
  readRange(values.from, values.to);
  const range = {
    start_ms: values.from === undefined ? null : (parseTime(values.from)?.at_ms ?? null),
    end_ms: endGiven(values.to),
  };
  const csv = bookIn(file);
  const config = configOf(values);
  const { time_tolerance_minutes, volume_tolerance_percent } = config.record_book;
  const tolerances = {
    time_minutes: time_tolerance_minutes,
    volume_percent: volume_tolerance_percent,
  };
  const { vessel, imo } = config.system;
  const asked = { csv, zone_minutes, range, tolerances, ship: { vessel, imo } };
  const found = orUnread(() =>
    readDatabase(config, (db) =>
      reconciliation((span) => startedIn(db, span, config.limits), asked),
    ),
  );
  printResult(values.json, found, reconciliationText(found));
  if (!found.agrees) process.exitCode = EXIT.failed;
}

function endGiven(text: string | undefined): number | null {
  const time = text === undefined ? null : parseTime(text);
  return time === null ? null : endOf(time);
}

/** The text of the file. Throws a Failure if it isn't a record book. */
function bookIn(file: string): string {
  try {
    const csv = bookText(atPath(file, () => beginningOf(file)));
    bookHeader(csv);
    return csv;
  } catch (error) {
    if (error instanceof NoBookHeader) throw new Failure(EXIT.io, `${file}: ${error.message}`);
    if (codeOf(error) === null) throw error;
    throw new Failure(EXIT.io, `${file}: can't be read (${codeOf(error) ?? messageOf(error)})`);
  }
}

/**
 * The bytes of a file or a pipe, up to one more than the maximum: an endless one is refused as too
 * large.
 */
function beginningOf(file: string): Uint8Array {
  const bytes = new Uint8Array(BOOK_BYTES_MAX + 1);
  const descriptor = openSync(file, "r");
  try {
    for (let filled = 0; filled < bytes.length; ) {
      const read = readSync(descriptor, bytes, filled, bytes.length - filled, null);
      if (read === 0) return bytes.subarray(0, filled);
      filled += read;
    }
  } finally {
    closeSync(descriptor);
  }
  throw new Failure(EXIT.io, `${file}: more than ${BOOK_BYTES_MAX} bytes, expected at most that`);
}

/**
 * Runs `read`, and gives its failures another exit code than 1, which means that the book doesn't
 * agree.
 */
function orUnread<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure && error.exitCode === EXIT.failed)
      throw new Failure(EXIT.io, error.message);
    throw error;
  }
}
