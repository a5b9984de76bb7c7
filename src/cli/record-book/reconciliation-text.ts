// The outcome of a reconciliation in words, for a terminal: what is wrong first, an entry a line,
// and how many match. No text of the book or of the plant begins a line.

import type { BookFaultKind } from "../../bwts/reconcile/book-entry.ts";
import type { Reconciliation, ResultWord } from "../../bwts/reconcile/reconciliation.ts";
import { escapedJson } from "../document.ts";

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
  log_only: "in the log only",
  book_only: "in the book only",
  no_failure_entry: "malfunctions or bypasses without an F or E entry",
  not_compared: "not compared",
};

export function reconciliationText(found: Reconciliation): string {
  const { counts, problems, faults, results, range, tolerances, read } = found;
  const wrong = results.filter(({ result }) => result !== "match" && result !== "not_compared");
  const told = Object.entries(RESULT_WORDS).map(([word, text]) => {
    const count = Object.entries(counts).find(([name]) => name === word)?.[1] ?? 0;
    return `${count} ${text}`;
  });
  const order = read.date_order === "day_month" ? "day before month" : "month before day";
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
    ...(read.outside_range === 0 ? [] : [`${read.outside_range} entries are outside of that`]),
    ...(read.is_date_order_told ? [] : [`dates such as 03/04/2026 were read with the ${order}`]),
    "nothing of the book is stored",
  ]
    .map(escapedJson)
    .join("\n");
}

function resultText({ result, log, book, differences }: ToldEntry): string {
  const entry = book ?? log;
  const where = [entry?.start, entry?.location].filter((one) => typeof one === "string");
  const lines = book === null ? "" : `line ${book.lines.join(", ")}: `;
  const code = entry?.code ?? "A or B";
  const operation = log === null ? "" : ` (operation ${log.operation_id})`;
  const about = `${code} ${where.join(", ")}${operation}`;
  switch (result) {
    case "log_only":
      return `in the log only: ${about}`;
    case "no_failure_entry":
      return log?.subject === "bypassed"
        ? `no ${code} entry for a bypass: ${about}`
        : `no ${code} entry for a malfunction: ${about}`;
    case "book_only":
      return `${lines}in the book only: ${about}`;
    default:
      return `${lines}${about}: ${differences.map(differenceText).join("; ")}`;
  }
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
