// Reconciles the officer's record book with the log: which entries match, where they differ, what
// stands in one alone, and the faults of the book by itself. Pure; nothing of the book is kept.

import type { Operation } from "../operations/operation.ts";
import type { RecordCode } from "../record-book/form.ts";
import type { BookEntry } from "./book-entry.ts";
import { areOthers, bookFaults, tanksIn } from "./book-faults.ts";
import {
  type BookGroup,
  type Difference,
  differencesOf,
  isLetterOf,
  type LogEntry,
  type Tolerances,
} from "./differences.ts";
import { type LogOperation, logOperation } from "./log-entries.ts";
import { pairEntries, sharedPart } from "./pairing.ts";
import { isSamePlace } from "./places.ts";
import type { ReadBook } from "./read-book.ts";
import { RESULTS, type Reconciliation, type ResultWord } from "./reconciliation.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Operations so long before and after the range may be in it by a wrong date of the book. */
export const BESIDE_MS = DAY_MS;

/** Letters that the log has something to say about. */
const COMPARED: ReadonlySet<RecordCode | null> = new Set(["A", "B", "E", "F"]);

export interface BookSpan {
  readonly start_ms: number;
  readonly end_ms: number;
}

interface ComparedEntry {
  readonly result: ResultWord;
  readonly log: LogEntry | null;
  readonly book: BookGroup | null;
  readonly differences: readonly Difference[];
}

export interface BookAndLog {
  readonly book: ReadBook;
  /** All that start in the range, or up to BESIDE_MS beside it. */
  readonly operations: readonly Operation[];
  readonly range: BookSpan;
  readonly tolerances: Tolerances;
}

/** The whole days (UTC) that the entries of a book begin in; null for a book without times. */
export function bookRange({ entries }: ReadBook): BookSpan | null {
  const days = entries.flatMap(({ start_ms, end_ms }) => {
    const at_ms = start_ms ?? end_ms;
    return at_ms === null ? [] : [Math.floor(at_ms / DAY_MS) * DAY_MS];
  });
  if (days.length === 0) return null;
  // Spread as arguments, tens of thousands would be too many.
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
  const { wholes, logs, books } = takeUnsplit(
    told,
    groups.filter(({ code }) => COMPARED.has(code)),
    tolerances,
  );
  const { pairs, logOnly, bookOnly } = pairEntries(logs, books, tolerances);
  const results: readonly ComparedEntry[] = [
    ...wholes,
    ...pairs.map(({ log, book: entry }) => compared(log, entry, tolerances)),
    ...logOnly
      .filter(({ start_ms }) => isIn(start_ms))
      .map((log) => ({ result: missing(log), log, book: null, differences: [] })),
    ...bookOnly.map((entry) => alone("book_only", entry)),
    ...groups.filter(({ code }) => !COMPARED.has(code)).map((one) => alone("not_compared", one)),
  ];
  const faults = bookFaults(book);
  const counts = Object.fromEntries(
    RESULTS.map((word) => [word, results.filter(({ result }) => result === word).length]),
  );
  const isWhole = book.problems.length === 0 && faults.length === 0;
  return {
    agrees: isWhole && results.every(({ result }) => AGREEING.has(result)),
    range: { start: isoTime(range.start_ms), end: isoTime(range.end_ms) },
    tolerances: { ...tolerances },
    counts: {
      match: 0,
      differs: 0,
      log_only: 0,
      book_only: 0,
      no_failure_entry: 0,
      not_compared: 0,
      ...counts,
    },
    read: {
      ...{ entries: book.entries.length, outside_range: book.entries.length - inRange.length },
      ...{ separator: book.separator, columns: [...book.columns], date_order: book.date_order },
      ...{ is_date_order_told: book.is_order_told, decimal_sign: book.decimal_sign },
    },
    problems: [...book.problems],
    faults: [...faults],
    results: results.toSorted(byTime).map(answered),
  };
}

const AGREEING: ReadonlySet<ResultWord> = new Set(["match", "not_compared"]);

/** A bypass or a malfunction that nobody wrote down is told apart. */
function missing({ subject }: LogEntry): ResultWord {
  return subject === "failure" || subject === "bypassed" ? "no_failure_entry" : "log_only";
}

const alone = (result: ResultWord, book: BookGroup): ComparedEntry => ({
  ...{ result, log: null, book, differences: [] },
});

function compared(log: LogEntry, book: BookGroup, tolerances: Tolerances): ComparedEntry {
  const differences = differencesOf(log, book, tolerances);
  return { result: differences.length === 0 ? "match" : "differs", log, book, differences };
}

/** Entries of one operation, tank by tank, while they are gathered. */
interface TankGroup {
  readonly first: BookEntry;
  readonly lines: number[];
  readonly tanks: (string | null)[];
  /** The tanks of all of them. */
  readonly names: Set<string>;
  end_ms: number | null;
  volume_m3: number | null;
}

/**
 * Entries of one letter, place and time for different tanks are one. Each is compared with the
 * group before it in a time that doesn't grow with that: a book of one group takes no minutes.
 */
function tankGroups(
  entries: readonly BookEntry[],
  { time_minutes }: Tolerances,
): readonly BookGroup[] {
  const groups: TankGroup[] = [];
  const isNear = (one: number | null, other: number | null) =>
    one === other || Math.abs((one ?? 0) - (other ?? 0)) <= time_minutes * MINUTE_MS;
  for (const entry of entries) {
    const last = groups.at(-1);
    const names = tanksIn(entry.tanks);
    const isOne =
      last !== undefined &&
      isNear(last.first.start_ms, entry.start_ms) &&
      isNear(last.end_ms, entry.end_ms) &&
      last.first.code === entry.code &&
      areOthers(last.names, names) &&
      isSamePlace(last.first.location, entry.location) !== false;
    if (isOne) join(last, entry, names);
    else groups.push(groupOf(entry, names));
  }
  return groups.map(({ first, lines, tanks, end_ms, volume_m3 }) => {
    const { line: _line, old_item: _old, ...rest } = first;
    const named = tanks.length === 1 ? first.tanks : tanks.join(", ");
    return { ...rest, end_ms, volume_m3, lines, tanks: named };
  });
}

function groupOf(first: BookEntry, names: ReadonlySet<string>): TankGroup {
  const { line, tanks, end_ms, volume_m3 } = first;
  return { first, lines: [line], tanks: [tanks], names: new Set(names), end_ms, volume_m3 };
}

function join(group: TankGroup, entry: BookEntry, names: ReadonlySet<string>): void {
  const isKnown = group.volume_m3 !== null && entry.volume_m3 !== null;
  const latest = [group.end_ms, entry.end_ms].filter((one) => one !== null);
  group.lines.push(entry.line);
  group.tanks.push(entry.tanks);
  for (const name of names) group.names.add(name);
  group.end_ms = latest.length === 0 ? null : Math.max(...latest);
  group.volume_m3 = isKnown ? (group.volume_m3 ?? 0) + (entry.volume_m3 ?? 0) : null;
}

/** An entry that has so much of a part is the entry of that part too. */
const COVERED_MIN = 0.5;

/** Takes out operations that had to be split, and that the book has as one entry. */
function takeUnsplit(
  told: readonly LogOperation[],
  groups: readonly BookGroup[],
  tolerances: Tolerances,
) {
  const wholes: ComparedEntry[] = [];
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
    const split = { differs: "split", log: water.length, book: 1, by: null } as const;
    const differences = [split, ...differencesOf(whole, only, tolerances)];
    wholes.push({ result: "differs", log: whole, book: only, differences });
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

function answered({ result, log, book, differences }: ComparedEntry): ComparedResult {
  return {
    result,
    log: log === null ? null : spanned(log),
    book: book === null ? null : { ...spanned(book), lines: [...book.lines] },
    differences: [...differences],
  };
}

function spanned<
  Entry extends { readonly start_ms: number | null; readonly end_ms: number | null },
>({ start_ms, end_ms, ...rest }: Entry) {
  return { ...rest, start: timeOrNull(start_ms), end: timeOrNull(end_ms) };
}
