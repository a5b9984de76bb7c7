// Pairs the entries that the log expects with those of the book: first entries that overlap in
// time, the best pair first; then remaining ones of one letter and place at another time, as a
// wrong date makes them.

import { firstIndex } from "../ranks.ts";
import {
  type BookGroup,
  isLetterOf,
  isVolumeNear,
  type LogEntry,
  type Tolerances,
} from "./differences.ts";
import { areSameWords, comparedWords } from "./places.ts";

export interface EntryPair<Log extends LogEntry = LogEntry> {
  readonly log: Log;
  readonly book: BookGroup;
}

export interface PairingResult<Log extends LogEntry> {
  readonly pairs: readonly EntryPair<Log>[];
  readonly logOnly: readonly Log[];
  readonly bookOnly: readonly BookGroup[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Maximum distance of an entry at another time: one wrong month or year. */
const FAR_MS = 370 * DAY_MS;
/** Maximum distance without a common volume: the difference between ship's time and UTC. */
const NEAR_MS = DAY_MS;
/** Minimum share of common time at which entries are a pair even with different letters. */
const SHARED_MIN = 0.5;

/** Maximum number of candidates for an entry of the log: this bounds the time for nonsense. */
const CANDIDATES_MAX = 20;

/** Maximum number of possible pairs for a search beyond one day. */
const FAR_PAIRS_MAX = 2_000_000;
/** Maximum length of an operation: an earlier entry of the book can't be about it. */
const LASTING_MAX_MS = 31 * DAY_MS;

/** The score of a pair, 0 or more; null if the two can't be a pair. */
type PairScore = (log: LogEntry, book: BookGroup) => number | null;

/** The entries of a book that begin within a time, both ends included. */
type BooksIn = (start_ms: number, end_ms: number) => readonly BookGroup[];

/** A round of pairing: the score, and the time around an entry of the log that is searched. */
interface PairTurn {
  readonly score: PairScore;
  readonly before_ms: number;
  readonly after_ms: number;
}

export function pairEntries<Log extends LogEntry>(
  logs: readonly Log[],
  books: readonly BookGroup[],
  tolerances: Tolerances,
): PairingResult<Log> {
  const isHere = placeComparison(logs, books);
  const asked = { tolerances, isHere };
  const slack_ms = tolerances.time_minutes * MINUTE_MS;
  const overlapping: PairTurn = {
    score: (log, book) => overlapScore(log, book, asked),
    ...{ before_ms: LASTING_MAX_MS + slack_ms, after_ms: slack_ms },
  };
  const first = pairedIn(overlapping, { pairs: [], logOnly: logs, bookOnly: books });
  const isFew = first.logOnly.length * first.bookOnly.length <= FAR_PAIRS_MAX;
  const apart_ms = isFew ? FAR_MS : NEAR_MS;
  const elsewhen: PairTurn = {
    score: (log, book) => otherTimeScore(log, book, asked),
    ...{ before_ms: apart_ms, after_ms: apart_ms },
  };
  return pairedIn(elsewhen, first);
}

function pairedIn<Log extends LogEntry>(
  turn: PairTurn,
  { pairs, logOnly, bookOnly }: PairingResult<Log>,
): PairingResult<Log> {
  const found = bestPairs(logOnly, booksByTime(bookOnly), turn);
  const taken = new Set<object>(found.flatMap(({ log, book }) => [log, book]));
  return {
    pairs: [...pairs, ...found],
    logOnly: logOnly.filter((one) => !taken.has(one)),
    bookOnly: bookOnly.filter((one) => !taken.has(one)),
  };
}

/** Compares places; each is read only once, since a book of nonsense makes millions of pairs. */
function placeComparison(logs: readonly LogEntry[], books: readonly BookGroup[]) {
  const words = new Map<object, ReturnType<typeof comparedWords>>();
  for (const one of [...logs, ...books]) words.set(one, comparedWords(one.location));
  return (log: LogEntry, book: BookGroup) =>
    areSameWords(words.get(log) ?? null, words.get(book) ?? null);
}

function booksByTime(books: readonly BookGroup[]): BooksIn {
  const timed = books
    .flatMap((book) => {
      const at_ms = book.start_ms ?? book.end_ms;
      return at_ms === null ? [] : [{ at_ms, book }];
    })
    .sort((one, other) => one.at_ms - other.at_ms);
  const ordered = timed.map(({ book }) => book);
  const place = (from_ms: number) => firstIndex(timed.length, (at) => timed[at].at_ms >= from_ms);
  return (start_ms, end_ms) => ordered.slice(place(start_ms), place(end_ms + 1));
}

function bestPairs<Log extends LogEntry>(
  logs: readonly Log[],
  booksIn: BooksIn,
  { score, before_ms, after_ms }: PairTurn,
): readonly EntryPair<Log>[] {
  const scored = logs.flatMap((log) =>
    booksIn(log.start_ms - before_ms, (log.end_ms ?? log.start_ms) + after_ms)
      .flatMap((book) => {
        const value = score(log, book);
        return value === null ? [] : [{ log, book, value }];
      })
      .sort((one, other) => other.value - one.value)
      .slice(0, CANDIDATES_MAX),
  );
  scored.sort((one, other) => other.value - one.value);
  const taken = new Set<object>();
  return scored.flatMap(({ log, book }) => {
    if (taken.has(log) || taken.has(book)) return [];
    taken.add(log).add(book);
    return [{ log, book }];
  });
}

interface ScoreInput {
  readonly tolerances: Tolerances;
  readonly isHere: ReturnType<typeof placeComparison>;
}

/** Common share of two spans, 0 to 1; null if they don't touch. Without an end: an instant. */
export function sharedPart(log: LogEntry, book: BookGroup, slack_ms: number): number | null {
  const start_ms = book.start_ms ?? book.end_ms;
  if (start_ms === null) return null;
  const end_ms = book.end_ms === null || book.end_ms < start_ms ? start_ms : book.end_ms;
  const log_end_ms = log.end_ms ?? log.start_ms;
  if (start_ms > log_end_ms + slack_ms || end_ms < log.start_ms - slack_ms) return null;
  const shared = Math.min(end_ms, log_end_ms) - Math.max(start_ms, log.start_ms);
  const all = Math.max(end_ms, log_end_ms) - Math.min(start_ms, log.start_ms);
  return all === 0 ? 1 : Math.max(0, shared) / all;
}

/** The common share of the time, plus points for the same letter, place and volume. */
function overlapScore(
  log: LogEntry,
  book: BookGroup,
  { tolerances, isHere: compared }: ScoreInput,
): number | null {
  const shared = sharedPart(log, book, tolerances.time_minutes * MINUTE_MS);
  if (shared === null || (needsMost(log, book) && shared < SHARED_MIN)) return null;
  if (!isLetterOf(log, book.code) && (log.subject === "failure" || book.code === "F")) return null;
  const isHere = compared(log, book);
  // A different place, with mostly a different time, is another operation.
  if (isHere === false && shared < SHARED_MIN && log.subject !== "failure") return null;
  const likely = (is: boolean | null) => (is === null ? 0 : is ? 0.3 : -0.3);
  const isNear = isVolumeNear(log, book, tolerances);
  const isOwn = book.code === log.code || (log.subject === "bypassed" && book.code === "E");
  return shared + (isOwn ? 0.5 : 0) + likely(isHere) + likely(isNear);
}

/**
 * True if the two are a pair only with most of their time in common: they have different letters,
 * or the log's is a bypass within the operation that the book's entry is about.
 */
function needsMost(log: LogEntry, { code }: BookGroup): boolean {
  if (!isLetterOf(log, code)) return true;
  return log.subject === "bypassed" && (code === "A" || code === "B");
}

function otherTimeScore(
  log: LogEntry,
  book: BookGroup,
  { tolerances, isHere }: ScoreInput,
): number | null {
  const start_ms = book.start_ms ?? book.end_ms;
  if (start_ms === null || log.code !== book.code) return null;
  const apart_ms = Math.abs(start_ms - log.start_ms);
  const isNear = isVolumeNear(log, book, tolerances);
  if (isNear === false || apart_ms > FAR_MS) return null;
  // Beyond a day the hour and the length must agree: then only the date is wrong.
  if (apart_ms > NEAR_MS && !(isNear === true && isOtherDay(log, book, tolerances))) return null;
  if (isHere(log, book) === false) return null;
  return apart_ms <= NEAR_MS ? 2 - apart_ms / NEAR_MS : 1 - apart_ms / FAR_MS;
}

function isOtherDay(
  log: LogEntry,
  { start_ms, end_ms }: BookGroup,
  { time_minutes }: Tolerances,
): boolean {
  if (start_ms === null || end_ms === null || log.end_ms === null) return false;
  const apart_ms = Math.abs(start_ms - log.start_ms);
  const offDay_ms = Math.abs(apart_ms - Math.round(apart_ms / DAY_MS) * DAY_MS);
  const longer_ms = Math.abs(end_ms - start_ms - (log.end_ms - log.start_ms));
  return Math.max(offDay_ms, longer_ms) <= time_minutes * MINUTE_MS;
}
