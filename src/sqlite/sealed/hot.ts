// The hot readings, which aren't sealed yet: a few thousand at most. They are read and decoded once
// until the next commit, however many queries use them.

import { type Connection, memo, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import {
  type Block,
  type BlockStretch,
  isWholeReading,
  type ReadingRow,
  rowsBlock,
  unsealedProblem,
} from "./block.ts";
import { spansInForce } from "./spans.ts";
import { indexAt } from "./sweep.ts";
import { isVoided, voidedSpans } from "./voids.ts";

/** Hot rows in order of time, and their readings. */
export interface HotReadings {
  readonly rows: readonly ReadingRow[];
  /** The readings of `rows`, decoded on demand. */
  readonly block: Block;
}

/** The current hot readings, without those that a void hides. */
export function hotReadings(db: Connection): HotReadings {
  return memo(db, "hot", () => unlessVoided(db, storedHotReadings(db)));
}

function unlessVoided(db: Connection, all: HotReadings): HotReadings {
  const voided = voidedSpans(db);
  if (voided.length === 0) return all;
  return hotOf(
    db,
    all.rows.filter(({ at_ms }) => !isVoided(voided, at_ms)),
  );
}

/** All current hot readings. */
export function storedHotReadings(db: Connection): HotReadings {
  return memo(db, "stored_hot", () => hotOf(db, prepare(db, "reading.all").all({})));
}

/** All current hot readings without damaged ones. */
export function wholeHotReadings(db: Connection): HotReadings {
  return memo(db, "whole_hot", () => hotOf(db, hotReadings(db).rows.filter(isWholeReading)));
}

/** All current hot readings, hidden ones too, without damaged ones. */
export function wholeStoredReadings(db: Connection): HotReadings {
  return memo(db, "whole_stored", () =>
    hotOf(db, storedHotReadings(db).rows.filter(isWholeReading)),
  );
}

/** The hot rows that are damaged. */
export function damagedHot(db: Connection): readonly ReadingRow[] {
  const whole = new Set(wholeStoredReadings(db).rows);
  return storedHotReadings(db).rows.filter((row) => !whole.has(row));
}

/** A problem for each damaged hot reading. */
export function* hotProblems(db: Connection): Generator<string> {
  for (const row of damagedHot(db)) yield unsealedProblem(row);
}

function hotOf(db: Connection, rows: readonly ReadingRow[]): HotReadings {
  return { rows, block: rowsBlock(rows, spansInForce(db)) };
}

/** The part of `hot` inside a range, both ends included. */
export function hotWithin({ block }: HotReadings, range: ClosedRange): BlockStretch {
  return { from: indexAt(block, range.start_ms), to: indexAt(block, range.end_ms + 1) };
}
