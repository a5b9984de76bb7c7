// An entry of the officer's record book as read from a file, and the faults that it has by itself.
// Without zod: it is part of the page.

import type { Treatment } from "./book-kinds.ts";
import type { RecordCode } from "./form.ts";

export interface BookEntry {
  /** Its number in the file, from 1. */
  readonly line: number;
  /** Null where it can't be read. */
  readonly code: RecordCode | null;
  /** An item of the form before 2025, as `3.1`; else null. */
  readonly old_item: string | null;
  /** As the words of its kind say; null: they say neither. */
  readonly treatment: Treatment | null;
  readonly start_ms: number | null;
  /** Null where the book has none. */
  readonly end_ms: number | null;
  /** The place of the start. */
  readonly location: string | null;
  /** The place of the completion; that of the start where the book has no other. */
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
  /** As it stands in the book, or null. */
  readonly got: string | null;
  /** The line that it is at odds with; null for a fault of the line alone. */
  readonly other_line: number | null;
}

/** A line, or a cell of it, that couldn't be read. */
export interface BookProblem {
  readonly line: number;
  readonly problem: string;
}
