// Reconciles the officer's record book with the log: entries that match, their differences, entries
// that only one of them has, and the faults of the book by itself. Pure; the book isn't stored.

import type { Operation } from "../operations/operation.ts";
import { bookFaults } from "./book-faults.ts";
import { type ClockShift, clockShift } from "./clock-shift.ts";
import {
  type BookGroup,
  type Difference,
  differencesOf,
  isLetterOf,
  type LogEntry,
  type Tolerances,
  type UncomparedFact,
  uncomparedOf,
} from "./differences.ts";
import type { RecordCode } from "./form.ts";
import { type LogOperation, logOperation } from "./log-entries.ts";
import { pairEntries, sharedPart } from "./pairing.ts";
import type { ReadBook } from "./read-book.ts";
import type { Reconciliation, ResultWord } from "./reconciliation.ts";
import { tankGroups } from "./tank-groups.ts";
import { printedZone } from "./zone.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Time beside the range in which operations are compared too: the book's date may be wrong. */
export const BESIDE_MS = DAY_MS;

/** Letters that are compared: of moved water, of failures, and null for one that wasn't read. */
const COMPARED: ReadonlySet<RecordCode | null> = new Set(["A", "B", "C", "D", "E", "F", null]);

export interface BookSpan {
  readonly start_ms: number;
  readonly end_ms: number;
}

interface ComparedEntry {
  readonly result: ResultWord;
  readonly log: LogEntry | null;
  readonly book: BookGroup | null;
  readonly differences: readonly Difference[];
  readonly uncompared: readonly UncomparedFact[];
}

export interface BookAndLog {
  readonly book: ReadBook;
  /** Operations that start in the range, or up to BESIDE_MS beside it. */
  readonly operations: readonly Operation[];
  readonly range: BookSpan;
  readonly tolerances: Tolerances;
}

/** The whole days (UTC) in which a book's entries begin; null for a book without times. */
export function bookRange({ entries }: ReadBook): BookSpan | null {
  const days = entries.flatMap(({ start_ms, end_ms }) => {
    const at_ms = start_ms ?? end_ms;
    return at_ms === null ? [] : [Math.floor(at_ms / DAY_MS) * DAY_MS];
  });
  if (days.length === 0) return null;
  // A reduce, since tens of thousands of days are too many to spread as arguments.
  const [first, last] = days.reduce(
    ([low, high], day) => [Math.min(low, day), Math.max(high, day)],
    [days[0], days[0]],
  );
  return { start_ms: first, end_ms: last + DAY_MS - 1 };
}

export function reconcile({ book, operations, range, tolerances }: BookAndLog): Reconciliation {
  const isIn = (at_ms: number) => at_ms >= range.start_ms && at_ms <= range.end_ms;
  const inRange = book.entries.filter(({ start_ms, end_ms }) => isIn(start_ms ?? end_ms ?? NaN));
  const groups = tankGroups(inRange, tolerances);
  const told = operations.flatMap((operation) => logOperation(operation) ?? []);
  const { entries, shift } = comparedEntries(
    told,
    groups.filter(({ code }) => COMPARED.has(code)),
    tolerances,
  );
  const results: readonly ComparedEntry[] = [
    ...entries.filter(({ log, book: own }) => own !== null || isIn(log?.start_ms ?? NaN)),
    ...groups.filter(({ code }) => !COMPARED.has(code)).map((one) => alone("not_compared", one)),
  ];
  const faults = bookFaults(book);
  const counted = (word: ResultWord) => results.filter(({ result }) => result === word).length;
  const isWhole = book.problems.length === 0 && faults.length === 0;
  return {
    agrees: isWhole && counted("match") > 0 && results.every(({ result }) => AGREEING.has(result)),
    range: { start: isoTime(range.start_ms), end: isoTime(range.end_ms) },
    tolerances: { ...tolerances },
    counts: {
      ...{ match: counted("match"), differs: counted("differs") },
      ...{ partly_compared: counted("partly_compared"), log_only: counted("log_only") },
      ...{ book_only: counted("book_only"), no_failure_entry: counted("no_failure_entry") },
      not_compared: counted("not_compared"),
    },
    read: readAs(book, inRange.length),
    shift: shift === null ? null : { ...shift, zone: printedZone(shift.minutes) },
    problems: [...book.problems],
    faults: [...faults],
    results: results.toSorted(byTime).map(answered),
  };
}

/** Result for an entry of the book alone; one that the log can't have (C, D) isn't compared. */
function unpaired(told: readonly LogOperation[], book: BookGroup): ComparedEntry {
  const isCirculated = told.some(({ whole }) => whole.code === "C");
  const isUnknown = book.code === "D" || (book.code === "C" && !isCirculated);
  return alone(isUnknown ? "not_compared" : "book_only", book);
}

/** Compares entries. A shift of the book's clock is undone for pairing only, not for times. */
function comparedEntries(
  told: readonly LogOperation[],
  groups: readonly BookGroup[],
  tolerances: Tolerances,
): { entries: readonly ComparedEntry[]; shift: ClockShift | null } {
  const all = told.flatMap(({ water }) => water);
  const shift = clockShift(all, groups, tolerances);
  const by_ms = (shift?.minutes ?? 0) * MINUTE_MS;
  const moved = (at_ms: number | null) => (at_ms === null ? null : at_ms - by_ms);
  const own = new Map<BookGroup, BookGroup>();
  for (const group of groups)
    own.set({ ...group, start_ms: moved(group.start_ms), end_ms: moved(group.end_ms) }, group);
  const asWritten = (group: BookGroup) => own.get(group) ?? group;
  const { wholes, logs, books } = takeUnsplit(told, [...own.keys()]);
  const { pairs, logOnly, bookOnly } = pairEntries(logs, books, tolerances);
  const entries: readonly ComparedEntry[] = [
    ...wholes.map(({ log, book, parts }) => unsplit(log, asWritten(book), { parts, tolerances })),
    ...pairs.map(({ log, book }) => compared(log, asWritten(book), tolerances)),
    ...logOnly.map((log) => ({
      ...{ result: missing(log), log, book: null, differences: [], uncompared: [] },
    })),
    ...bookOnly.map((group) => unpaired(told, asWritten(group))),
  ];
  return { entries, shift };
}

function readAs(book: ReadBook, inRange: number): Reconciliation["read"] {
  const { entries, separator, columns, date_order, decimal_sign } = book;
  return {
    ...{ entries: entries.length, outside_range: entries.length - inRange },
    ...{ separator, columns: [...columns], unknown_columns: [...book.unknown_columns] },
    ...{ left_out_lines: [...book.left_out], date_order, decimal_sign },
    is_date_order_told: book.is_order_told,
    zones: book.zones.map(printedZone),
    is_zone_told: !book.is_zone_assumed,
  };
}

const AGREEING: ReadonlySet<ResultWord> = new Set(["match", "not_compared"]);

/** Result for an entry of the log alone; bypasses and malfunctions have their own. */
function missing({ subject }: LogEntry): ResultWord {
  return subject === "failure" || subject === "bypassed" ? "no_failure_entry" : "log_only";
}

const alone = (result: ResultWord, book: BookGroup): ComparedEntry => ({
  ...{ result, log: null, book, differences: [], uncompared: [] },
});

function compared(log: LogEntry, book: BookGroup, tolerances: Tolerances): ComparedEntry {
  const differences = differencesOf(log, book, tolerances);
  const uncompared = uncomparedOf(log, book);
  const agreeing = uncompared.length === 0 ? "match" : "partly_compared";
  const result = differences.length === 0 ? agreeing : "differs";
  return { result, log, book, differences, uncompared };
}

/** Result for one entry of an operation that needs several. */
function unsplit(
  log: LogEntry,
  book: BookGroup,
  { parts, tolerances }: { readonly parts: number; readonly tolerances: Tolerances },
): ComparedEntry {
  const { differences, uncompared } = compared(log, book, tolerances);
  const split = { differs: "split", log: parts, book: 1, by: null } as const;
  return { result: "differs", log, book, differences: [split, ...differences], uncompared };
}

/** Minimum share of a part's time that an entry must cover to stand for the part too. */
const COVERED_MIN = 0.5;

/** Separates operations that needed several entries and have only one in the book. */
function takeUnsplit(told: readonly LogOperation[], groups: readonly BookGroup[]) {
  const wholes: { log: LogEntry; book: BookGroup; parts: number }[] = [];
  const taken = new Set<BookGroup>();
  const logs = told.flatMap(({ whole, water, failures }) => {
    const [only, ...more] =
      water.length < 2
        ? []
        : groups.filter(
            (one) => !taken.has(one) && isLetterOf(whole, one.code) && sharedPart(whole, one, 0),
          );
    const covered = only === undefined ? [] : water.filter((part) => covers(only, part));
    if (only === undefined || more.length > 0 || covered.length < 2) return [...water, ...failures];
    taken.add(only);
    wholes.push({ log: whole, book: only, parts: water.length });
    return [...water.filter(({ subject }) => subject === "bypassed"), ...failures];
  });
  return { wholes, logs, books: groups.filter((one) => !taken.has(one)) };
}

function covers({ start_ms, end_ms }: BookGroup, part: LogEntry): boolean {
  if (start_ms === null || end_ms === null || part.end_ms === null) return false;
  const shared_ms = Math.min(end_ms, part.end_ms) - Math.max(start_ms, part.start_ms);
  return shared_ms >= COVERED_MIN * (part.end_ms - part.start_ms);
}

function byTime(one: ComparedEntry, other: ComparedEntry): number {
  return timeOf(one) - timeOf(other);
}

const timeOf = ({ log, book }: ComparedEntry) =>
  log?.start_ms ?? book?.start_ms ?? book?.end_ms ?? Number.POSITIVE_INFINITY;

const isoTime = (at_ms: number) => new Date(at_ms).toISOString();

const timeOrNull = (at_ms: number | null) => (at_ms === null ? null : isoTime(at_ms));

type ComparedResult = Reconciliation["results"][number];

function answered({ result, log, book, differences, uncompared }: ComparedEntry): ComparedResult {
  return {
    result,
    log: log === null ? null : spanned(log),
    book: book === null ? null : answeredBook(book),
    differences: [...differences],
    uncompared: [...uncompared],
  };
}

function answeredBook({ treatment: _, lines, ...book }: BookGroup) {
  return { ...spanned(book), lines: [...lines] };
}

function spanned<
  Entry extends { readonly start_ms: number | null; readonly end_ms: number | null },
>({ start_ms, end_ms, ...rest }: Entry) {
  return { ...rest, start: timeOrNull(start_ms), end: timeOrNull(end_ms) };
}
