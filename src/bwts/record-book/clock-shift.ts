// Finds a book whose entries are all ahead of the log, or behind it, by the same time: most likely
// it is kept in ship's time. This is only reported; it doesn't change how the book is read.

import {
  type BookGroup,
  isLetterOf,
  isVolumeNear,
  type LogEntry,
  type Tolerances,
} from "./differences.ts";

const MINUTE_MS = 60_000;
/** Steps of the shift, its minimum and its maximum: zones differ by whole quarters of an hour. */
const STEP_MINUTES = 15;
const SHIFT_MIN_MINUTES = 30;
const SHIFT_MAX_MINUTES = 14 * 60;
/** Minimum share of the book's entries that one shift must explain. */
const SHARE_MIN = 0.8;
/** Maximum number of entries used: a book of nonsense costs no more time. */
const LOOKED_AT = 500;

export interface ClockShift {
  /** Minutes by which the book is ahead of the log. */
  readonly minutes: number;
  readonly entries: number;
}

/** The shift of a book; null if its times fit as written, or no single shift explains them. */
export function clockShift(
  logs: readonly LogEntry[],
  books: readonly BookGroup[],
  tolerances: Tolerances,
): ClockShift | null {
  const moved = books.filter(({ code }) => code === "A" || code === "B").slice(0, LOOKED_AT);
  const votes = new Map<number, Set<BookGroup>>();
  for (const book of moved)
    for (const minutes of shiftsOf(book, logs, tolerances)) {
      const fitting = votes.get(minutes) ?? new Set();
      votes.set(minutes, fitting.add(book));
    }
  const sizes = [...votes].map(([minutes, fitting]) => ({ minutes, entries: fitting.size }));
  // If two explain as many entries, the smaller shift comes first, 0 before all.
  sizes.sort(
    (one, other) => other.entries - one.entries || Math.abs(one.minutes) - Math.abs(other.minutes),
  );
  const [best] = sizes;
  if (best === undefined || Math.abs(best.minutes) < SHIFT_MIN_MINUTES) return null;
  return best.entries >= Math.max(1, SHARE_MIN * moved.length) ? best : null;
}

/** Shifts (minutes) with which the entry's start and end fit an operation of its letter. */
function shiftsOf(
  book: BookGroup,
  logs: readonly LogEntry[],
  tolerances: Tolerances,
): readonly number[] {
  const { code, start_ms, end_ms } = book;
  const near_ms = tolerances.time_minutes * MINUTE_MS;
  if (start_ms === null || end_ms === null) return [];
  return logs.flatMap((log) => {
    if (log.end_ms === null || log.subject === "failure" || !isLetterOf(log, code)) return [];
    const by = (start_ms - log.start_ms) / MINUTE_MS;
    const minutes = Math.round(by / STEP_MINUTES) * STEP_MINUTES;
    const isOne =
      Math.abs(minutes) <= SHIFT_MAX_MINUTES &&
      [start_ms - log.start_ms, end_ms - log.end_ms].every(
        (off_ms) => Math.abs(off_ms - minutes * MINUTE_MS) <= near_ms,
      ) &&
      isVolumeNear(log, book, tolerances) !== false;
    return isOne ? [minutes] : [];
  });
}
