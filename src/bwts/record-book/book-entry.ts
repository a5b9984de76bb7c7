// An entry of the officer's record book as read from a file, and the faults that it has by itself.
// Without zod: it is part of the page.

import type { Treatment } from "./book-kinds.ts";
import type { RecordCode } from "./form.ts";

export interface BookEntry {
  /** Number of its line in the file, from 1. */
  readonly line: number;
  /** Letter of the form; null if it can't be read. */
  readonly code: RecordCode | null;
  /** Number of an item of the form before 2025, such as `3.1`; else null. */
  readonly old_item: string | null;
  /** Treated or not, by the words of its kind; null if they don't say. */
  readonly treatment: Treatment | null;
  readonly start_ms: number | null;
  /** Time of the completion; null if the book has none. */
  readonly end_ms: number | null;
  /** The place of the start. */
  readonly location: string | null;
  /** The place of the completion; that of the start if the book has no other. */
  readonly end_location: string | null;
  readonly volume_m3: number | null;
  readonly tanks: string | null;
}

export const BOOK_FAULTS = [
  "old_item",
  "missing_start",
  "missing_end",
  "missing_volume",
  "missing_location",
  "missing_tanks",
  "end_before_start",
  "no_such_date",
  "overlap",
  "wrong_order",
] as const;
export type BookFaultKind = (typeof BOOK_FAULTS)[number];

export interface BookFault {
  readonly line: number;
  readonly fault: BookFaultKind;
  /** The faulty text as it is in the book; null without one. */
  readonly got: string | null;
  /** The line that it contradicts; null for a fault of the line alone. */
  readonly other_line: number | null;
}

/** A line, or one of its cells, that couldn't be read. */
export interface BookProblem {
  readonly line: number;
  readonly problem: string;
}
