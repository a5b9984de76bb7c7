// Finds where an entry of the book differs from the log by more than the tolerances, and which
// facts could not be compared: an entry agrees only if all facts that it needs were compared.
// Without zod: it is part of the page.

import type { BookEntry } from "./book-entry.ts";
import type { RecordCode } from "./form.ts";
import { isSamePlace } from "./places.ts";

export interface Tolerances {
  readonly time_minutes: number;
  /** Tolerance of a volume, in percent of the log's. */
  readonly volume_percent: number;
}

/** An entry that the log expects in the book. */
export interface LogEntry {
  readonly operation_id: number;
  /** Letter of the form; null if the operation's type isn't known, and it may be A or B. */
  readonly code: RecordCode | null;
  readonly subject: "treated" | "outside" | "bypassed" | "failure";
  readonly start_ms: number;
  /** Time of the end; null while it runs, and if it isn't known. */
  readonly end_ms: number | null;
  readonly location: string | null;
  readonly volume_m3: number | null;
}

/** An entry of the book, or several of one operation that were entered tank by tank. */
export interface BookGroup extends Omit<BookEntry, "line" | "old_item"> {
  readonly lines: readonly number[];
}

export const DIFFERENCES = ["start", "end", "volume", "place", "code", "split"] as const;

export interface Difference {
  readonly differs: (typeof DIFFERENCES)[number];
  /** The log's value: times as ISO 8601, volumes in m3, parts as their number. */
  readonly log: string | number | null;
  readonly book: string | number | null;
  /** Difference, book minus log: minutes of a time, percent of a volume. */
  readonly by: number | null;
}

export const FACTS = ["start", "end", "volume", "place", "code"] as const;

/** A fact that an entry needs and that couldn't be compared. */
export interface UncomparedFact {
  readonly fact: (typeof FACTS)[number];
  /** The side without it; "neither": both have it, but one as a position, the other as a name. */
  readonly lacks: "log" | "book" | "both" | "neither";
}

const MINUTE_MS = 60_000;

export function differencesOf(
  log: LogEntry,
  book: BookGroup,
  tolerances: Tolerances,
): readonly Difference[] {
  const found = [
    codeDifference(log, book),
    timeDifference("start", [log.start_ms, book.start_ms], tolerances),
    timeDifference("end", [log.end_ms, book.end_ms], tolerances),
    log.subject === "failure" ? null : volumeDifference(log, book, tolerances),
    placeDifference(log, book),
  ];
  return found.filter((one) => one !== null);
}

/** Facts that the entry needs and that weren't compared. A failure needs no volume. */
export function uncomparedOf(log: LogEntry, book: BookGroup): readonly UncomparedFact[] {
  const isFailure = log.subject === "failure";
  const needed: readonly (readonly [UncomparedFact["fact"], unknown, unknown])[] = [
    ["code", log.code, book.code],
    ["start", log.start_ms, book.start_ms],
    // A plant's alarm has no end; then the book's entry needs none.
    ...(isFailure && log.end_ms === null ? [] : [["end", log.end_ms, book.end_ms] as const]),
    ...(isFailure ? [] : [["volume", log.volume_m3, book.volume_m3] as const]),
    ["place", log.location, book.location],
  ];
  const found = needed.flatMap(([fact, own, theirs]): readonly UncomparedFact[] => {
    if (own === null || theirs === null)
      return [{ fact, lacks: own !== null ? "book" : theirs !== null ? "log" : "both" }];
    return fact === "place" && isPlaceOf(log, book) === null ? [{ fact, lacks: "neither" }] : [];
  });
  const isTold = isTreatedAs(log, book) || found.some(({ fact }) => fact === "code");
  return isTold ? found : [{ fact: "code", lacks: "neither" }, ...found];
}

/** False for an "untreated uptake" if the log has treated water, and the other way round. */
function isTreatedAs({ subject }: LogEntry, { treatment }: BookGroup): boolean {
  if (treatment === null || subject === "failure") return true;
  return (treatment === "untreated") === (subject === "bypassed");
}

/** True if the log's entry may have this letter in the book. */
export function isLetterOf(log: LogEntry, code: RecordCode | null): boolean {
  if (code === null || code === log.code) return true;
  if (log.subject === "failure") return false;
  if (log.code === null && (code === "A" || code === "B")) return true;
  // Water that bypassed the treatment is entered as E if it was an accident.
  return log.subject === "bypassed" && code === "E";
}

function codeDifference(log: LogEntry, book: BookGroup): Difference | null {
  if (isLetterOf(log, book.code)) return null;
  return { differs: "code", log: log.code, book: book.code, by: null };
}

function timeDifference(
  differs: "start" | "end",
  [log_ms, book_ms]: readonly [number | null, number | null],
  { time_minutes }: Tolerances,
): Difference | null {
  if (log_ms === null || book_ms === null) return null;
  const by = (book_ms - log_ms) / MINUTE_MS;
  // Times in the book have whole minutes, so one minute more is allowed.
  if (Math.abs(by) < time_minutes + 1) return null;
  const print = (at_ms: number) => new Date(at_ms).toISOString();
  return { differs, log: print(log_ms), book: print(book_ms), by: Math.round(by) };
}

export function isVolumeNear(log: LogEntry, book: BookGroup, { volume_percent }: Tolerances) {
  if (log.volume_m3 === null || book.volume_m3 === null) return null;
  const off = Math.abs(book.volume_m3 - log.volume_m3);
  // Volumes in the book are whole cubic metres, so at least 1 m3 is allowed.
  return off <= Math.max(1, (log.volume_m3 * volume_percent) / 100);
}

function volumeDifference(
  log: LogEntry,
  book: BookGroup,
  tolerances: Tolerances,
): Difference | null {
  if (isVolumeNear(log, book, tolerances) !== false) return null;
  const [own, theirs] = [log.volume_m3 ?? 0, book.volume_m3 ?? 0];
  const by = own === 0 ? null : Math.round(((theirs - own) / own) * 1000) / 10;
  return { differs: "volume", log: Math.round(own * 10) / 10, book: theirs, by };
}

/** True if both places of the book are the log's one; null if one can't be compared. */
function isPlaceOf(log: LogEntry, { location, end_location }: BookGroup): boolean | null {
  const places = [location, end_location].map((place) => isSamePlace(log.location, place));
  if (places.includes(false)) return false;
  return places.includes(null) ? null : true;
}

function placeDifference(log: LogEntry, book: BookGroup): Difference | null {
  if (isPlaceOf(log, book) !== false) return null;
  const places = new Set([book.location, book.end_location]);
  const named = [...places].filter((place) => place !== null).join(" - ");
  return { differs: "place", log: log.location, book: named, by: null };
}
