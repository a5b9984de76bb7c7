// Applies or undoes a void of readings piece by piece, with commits of messages in between. The
// void hides readings from its start to a mark that moves forward, or back while it is undone. At
// every commit counts, sums and readings agree. Two marks on disk name the void in progress and how
// far it hides, so that it continues after a kill.

import { SLOT_MS } from "../../bwts/health.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../../ground/clock.ts";
import type { DueList } from "../derived/due.ts";
import { putMark } from "../file/mark.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { countedPieces, countOf } from "../sealed/counts.ts";
import { firstUndamaged, startsIn, sumDayAgain, sumHourAgain } from "../sealed/sums.ts";
import { rawFrom } from "../sealed/timeline.ts";

/** Names of the marks of a void in progress, which void.sql contains too. */
const UNDER_WAY = "void_under_way";
const HIDES_TO = "void_hides_to_ms";

/**
 * The void in progress; it hides up to `hides_to_ms`, and is being undone if `undone_ms` isn't
 * null.
 */
interface VoidUnderWay extends ClosedRange {
  readonly id: number;
  readonly undone_ms: number | null;
  readonly hides_to_ms: number;
}

/** The result of a step: the number of readings that it hid, or showed again. */
export interface VoidStep {
  readonly readings: number;
  readonly isDone: boolean;
}

/** The void in progress; null if there is none. */
export function voidUnderWay(db: Connection): VoidUnderWay | null {
  return prepare(db, "void.under_way").get({}) ?? null;
}

/** Marks a void as in progress, which hides up to `hides_to_ms`. */
export function putUnderWay(db: Connection, id: number, hides_to_ms: number): void {
  putMark(db, UNDER_WAY, id);
  putMark(db, HIDES_TO, hides_to_ms);
}

/**
 * Advances the void in progress until `isLate`, by at least an hour, in the caller's transaction.
 */
export function moveOn(db: Connection, due: DueList, isLate: () => boolean): VoidStep {
  const begun = voidUnderWay(db);
  if (begun === null) return { readings: 0, isDone: true };
  const before = visibleIn(db, begun);
  let stretch = stretchLeft(begun);
  for (;;) {
    const piece = changePiece(db, begun, { left: stretch, isLate });
    const instants = startsIn(piece, SLOT_MS).map((at_ms) => Math.max(at_ms, piece.start_ms));
    due.changed({ of: "readings", instants, isVoid: true });
    const now = voidUnderWay(db) ?? begun;
    stretch = stretchLeft(now);
    if (stretch.start_ms > stretch.end_ms) {
      for (const name of [UNDER_WAY, HIDES_TO]) prepare(db, "mark.remove").run({ name });
      return { readings: Math.abs(visibleIn(db, begun) - before), isDone: true };
    }
    if (isLate()) return { readings: Math.abs(visibleIn(db, begun) - before), isDone: false };
  }
}

/**
 * The stretch that remains to be hidden or shown again; empty (start after end) if there is none.
 */
function stretchLeft({ start_ms, end_ms, undone_ms, hides_to_ms }: VoidUnderWay): ClosedRange {
  return undone_ms === null
    ? { start_ms: hides_to_ms + 1, end_ms }
    : { start_ms, end_ms: hides_to_ms };
}

/** Hides, or shows again, the next hours of a day; returns the time that they cover. */
function changePiece(
  db: Connection,
  { undone_ms }: VoidUnderWay,
  { left, isLate }: { readonly left: ClosedRange; readonly isLate: () => boolean },
): ClosedRange {
  const isUndone = undone_ms !== null;
  const day_ms = floorTo(isUndone ? left.end_ms : left.start_ms, DAY_MS);
  const start_ms = Math.max(left.start_ms, day_ms);
  const end_ms = Math.min(left.end_ms, day_ms + DAY_MS - 1);
  const hours = startsIn({ start_ms, end_ms }, HOUR_MS);
  let piece: ClosedRange = { start_ms, end_ms };
  for (const hour_ms of isUndone ? hours.toReversed() : hours) {
    piece = isUndone
      ? { start_ms: Math.max(hour_ms, start_ms), end_ms }
      : { start_ms, end_ms: Math.min(hour_ms + HOUR_MS - 1, end_ms) };
    putMark(db, HIDES_TO, isUndone ? piece.start_ms - 1 : piece.end_ms);
    // The buckets of expired readings stay unchanged, because they can't be summed again.
    if (hour_ms >= rawFrom(db)) sumHourAgain(db, hour_ms);
    if (isLate()) break;
  }
  if (piece.end_ms >= rawFrom(db)) sumDayAgain(db, day_ms);
  return piece;
}

/** Number of visible readings in a void's span; 0 if those at its edges are damaged. */
function visibleIn(db: Connection, { start_ms, end_ms }: ClosedRange): number {
  const count = () => countOf(countedPieces(db, { start_ms, end_ms }));
  return firstUndamaged(db, [count]) ?? 0;
}
