// The hot readings: those that aren't sealed yet, some thousand at the most. They are fetched and
// decoded once for as long as nothing is committed, however many questions touch them.

import {
  type Block,
  isWholeReading,
  type ReadingRow,
  rowsBlock,
  type Stretch,
  unsealedProblem,
} from "./block.ts";
import { memo } from "./memo.ts";
import { type Connection, prepare } from "./open.ts";
import type { ClosedRange } from "./query.ts";
import { isVoided, voidedSpans } from "./voids.ts";

/** Hot rows in order of time, and the readings that they hold. */
export interface HotReadings {
  readonly rows: readonly ReadingRow[];
  /** `rows`, decoded as they are asked for. */
  readonly block: Block;
}

/** The hot readings as of now, without those that a void hides. */
export function hotReadings(db: Connection): HotReadings {
  return memo(db, "hot", () => unlessVoided(db, storedHotReadings(db)));
}

function unlessVoided(db: Connection, all: HotReadings): HotReadings {
  const voided = voidedSpans(db);
  if (voided.length === 0) return all;
  return hotOf(all.rows.filter(({ at_ms }) => !isVoided(voided, at_ms)));
}

/** All hot readings as of now. */
export function storedHotReadings(db: Connection): HotReadings {
  return memo(db, "stored_hot", () =>
    hotOf(prepare<object, ReadingRow>(db, "reading.all").all({})),
  );
}

/** The same, without those that are damaged. */
export function wholeHotReadings(db: Connection): HotReadings {
  return memo(db, "whole_hot", () => hotOf(hotReadings(db).rows.filter(isWholeReading)));
}

/** A problem for each damaged hot reading. */
export function* hotProblems(db: Connection): Generator<string> {
  for (const row of storedHotReadings(db).rows)
    if (!isWholeReading(row)) yield unsealedProblem(row);
}

function hotOf(rows: readonly ReadingRow[]): HotReadings {
  return { rows, block: rowsBlock(rows) };
}

/** The stretch of `hot` inside a range, both ends included. */
export function hotWithin({ block }: HotReadings, range: ClosedRange): Stretch {
  return { from: indexAt(block, range.start_ms), to: indexAt(block, range.end_ms + 1) };
}

/** The first index of the block whose time is not before `at_ms`; `count` when there is none. */
export function indexAt(block: Block, at_ms: number): number {
  let low = 0;
  let high = block.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (block.at_ms(middle) < at_ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
