// An officer's file compared with an operation of a half hour at TESTPORT, as the program compares
// it: for tests of how files are read.

import type { Operation } from "../../src/bwts/operations/operation.ts";
import { bookText } from "../../src/bwts/record-book/book-bytes.ts";
import type { Reconciliation } from "../../src/bwts/record-book/reconciliation.ts";
import { reconciliation } from "../../src/sqlite/exchange/record-book.ts";
import { anOperation } from "./record-book.ts";

export const HALF_HOUR = {
  ...{ start: "2026-10-01T06:00:00.000Z", end: "2026-10-01T06:30:00.000Z" },
  ...{ location: "TESTPORT", volume_m3: 300 },
} as const;

/** The whole of that day, in UTC, is compared. */
const DAY = {
  start_ms: Date.parse("2026-10-01T00:00:00Z"),
  end_ms: Date.parse("2026-10-01T23:59:59.999Z"),
};

/** The book against one operation, which is an uptake of 300 m3 unless it is given otherwise. */
export function comparedBook(
  book: string | Uint8Array,
  given: Partial<Operation> = {},
  zone_minutes: number | null = null,
): Reconciliation {
  return comparedWith([anOperation({ ...HALF_HOUR, ...given })], book, zone_minutes);
}

/** The ship of these tests. */
const SHIP = { vessel: "MV Example Star", imo: "1234567" };

export function comparedWith(
  operations: readonly Operation[],
  book: string | Uint8Array,
  zone_minutes: number | null = null,
): Reconciliation {
  const csv = typeof book === "string" ? book : bookText(book);
  const tolerances = { time_minutes: 10, volume_percent: 5 };
  return reconciliation(() => operations, {
    csv,
    zone_minutes,
    range: DAY,
    tolerances,
    ship: SHIP,
  });
}
