// Prints the outcome of a reconciliation for a terminal: first the differences, one entry a line,
// then the number of matches. No line begins with a text of the book or of the plant.

import type { BookFaultKind } from "../bwts/record-book/book-entry.ts";
import type { Reconciliation, ResultWord } from "../bwts/record-book/reconciliation.ts";
import { escapedJson } from "../ground/quoted.ts";

type ToldEntry = Reconciliation["results"][number];

const FAULT_WORDS: Readonly<Record<BookFaultKind, string>> = {
  old_item: "an item of the form before 2025",
  missing_start: "the start is missing",
  missing_end: "the end is missing",
  missing_volume: "the volume is missing",
  missing_location: "the place is missing",
  missing_tanks: "the tanks are missing",
  end_before_start: "it ends before it starts",
  no_such_date: "there is no such date",
  overlap: "it overlaps with",
  wrong_order: "it stands too late: it began before",
};

const RESULT_WORDS: Readonly<Record<ResultWord, string>> = {
  match: "match",
  differs: "differ",
  partly_compared: "not fully compared",
  log_only: "in the log only",
  book_only: "in the book only",
  no_failure_entry: "malfunctions or bypasses without an entry",
  not_compared: "not compared",
};

export function reconciliationText(found: Reconciliation): string {
  const { counts, problems, faults, results, range, tolerances, read } = found;
  const wrong = results.filter(({ result }) => result !== "match" && result !== "not_compared");
  const told = Object.entries(RESULT_WORDS).map(([word, text]) => {
    const count = Object.entries(counts).find(([name]) => name === word)?.[1] ?? 0;
    return `${count} ${text}`;
  });
  return [
    ...problems.map(({ line, problem }) => `line ${line}: ${problem}`),
    ...faults.map(({ line, fault, got, other_line }) => {
      const beside = other_line === null ? "" : ` line ${other_line}`;
      return `line ${line}: ${FAULT_WORDS[fault]}${beside}${got === null ? "" : ` (${got})`}`;
    }),
    ...wrong.map(resultText),
    `${read.entries} entries read, ${told.join(", ")}`,
    range.start === range.end
      ? "compared with nothing of the log"
      : `compared from ${range.start} to ${range.end}, ` +
        `within ${tolerances.time_minutes} min and ${tolerances.volume_percent} %`,
    ...readLines(found),
    agreement(found),
    "nothing of the book is stored",
  ]
    .map(escapedJson)
    .join("\n");
}

/** The line about agreement; it mentions if less than the whole book was compared. */
function agreement({ agrees, counts }: Reconciliation): string {
  if (!agrees) return "the book doesn't agree with the log";
  if (counts.not_compared === 0) return "the book agrees with the log";
  const unknown = `entries that the log knows nothing of: ${counts.not_compared}`;
  return `the book agrees with the log where the two can be compared; ${unknown}`;
}

/**
 * Lines about assumptions and omissions in reading the book, which the officer may not have meant.
 */
function readLines({ read, shift }: Reconciliation): readonly string[] {
  const { outside_range, unknown_columns, left_out_lines, zones } = read;
  const order = read.date_order === "day_month" ? "day before month" : "month before day";
  const names = unknown_columns.map((name) => JSON.stringify(name)).join(", ");
  return [
    ...(shift === null ? [] : [shiftText(shift)]),
    ...(outside_range === 0 ? [] : [`${outside_range} entries are outside of that`]),
    ...(read.is_date_order_told ? [] : [`dates such as 03/04/2026 were read with the ${order}`]),
    ...(zones.length === 0
      ? []
      : [`times were read as ${zones.join(", ")}${read.is_zone_told ? "" : " (no zone is told)"}`]),
    ...(names === "" ? [] : [`columns that aren't known, and weren't used: ${names}`]),
    ...(left_out_lines.length === 0 ? [] : [leftOutText(left_out_lines)]),
  ];
}

function shiftText({ minutes, entries, zone }: NonNullable<Reconciliation["shift"]>): string {
  const hours = Math.round((Math.abs(minutes) / 60) * 100) / 100;
  const side = minutes > 0 ? "ahead of" : "behind";
  const which = entries === 1 ? "1 entry is" : `${entries} entries are`;
  return `${which} ${hours} h ${side} the log: is this ship's time? Then add --zone ${zone}`;
}

/**
 * Maximum number of left-out lines that are listed; a long file with a signature on each page has
 * many.
 */
const NAMED_MAX = 20;

function leftOutText(lines: readonly number[]): string {
  const more = lines.length > NAMED_MAX ? ` and ${lines.length - NAMED_MAX} more` : "";
  const named = lines.slice(0, NAMED_MAX).join(", ");
  return `taken for totals, signatures or repeated names: line ${named}${more}`;
}

function resultText({ result, log, book, differences, uncompared }: ToldEntry): string {
  const entry = book ?? log;
  const where = [entry?.start, entry?.location].filter((one) => typeof one === "string");
  const lines = book === null ? "" : `line ${book.lines.join(", ")}: `;
  const code = entry?.code ?? log?.code ?? (log === null ? "?" : "A or B");
  const operation = log === null ? "" : ` (operation ${log.operation_id})`;
  const about = `${code} ${where.join(", ")}${operation}`;
  switch (result) {
    case "log_only":
      return `in the log only: ${about}`;
    case "no_failure_entry":
      return log?.subject === "bypassed"
        ? `no ${code} entry for bypassed water: ${about}`
        : `no ${code} entry for a malfunction: ${about}`;
    case "book_only":
      return `${lines}in the book only: ${about}`;
    default: {
      const told = [...differences.map(differenceText), ...uncompared.map(uncomparedText)];
      return `${lines}${about}: ${told.join("; ")}`;
    }
  }
}

const SIDE_WORDS = { log: "the log has none", book: "the book has none", both: "neither has one" };

function uncomparedText({ fact, lacks }: ToldEntry["uncompared"][number]): string {
  const why = lacks === "neither" ? "the two can't be compared" : SIDE_WORDS[lacks];
  return `the ${fact} wasn't compared (${why})`;
}

function differenceText({ differs, log, book, by }: ToldEntry["differences"][number]): string {
  switch (differs) {
    case "start":
    case "end": {
      const word = (by ?? 0) < 0 ? "early" : "late";
      return `the ${differs} is ${Math.abs(by ?? 0)} min ${word}, log ${log}`;
    }
    case "volume":
      return `the volume is ${book} m3, log ${log} m3${by === null ? "" : ` (${by} %)`}`;
    case "split":
      return `one entry, and the log has ${log} parts: each needs its own`;
    default:
      return `the ${differs} is ${book}, log ${log}`;
  }
}
