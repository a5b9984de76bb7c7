// Thinning: sealed readings are reduced to every 32nd, in blocks of 16,384 readings each, and eight
// blocks to one of the next level. Blocks of a level follow each other without overlap. Where one
// is missing (for the newest readings, or where late ones removed it), the level below is used, or
// the segments. Making a block takes as long as sealing a segment, so it is a step of its own
// between two commits.

import { DAY_MS } from "../../ground/clock.ts";
import { type Connection, prepare, write } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { sealedInDays } from "./counts.ts";
import { DamagedSegment } from "./segment-proof.ts";
import { segmentsOf } from "./segments.ts";
import {
  BLOCK_ROWS,
  LEVEL_RATIO,
  LEVELS,
  openThin,
  pitchOf,
  putThin,
  removeThin,
  type ThinReading,
  type ThinSpan,
  thinSpans,
} from "./thin-blocks.ts";
import { rawFrom, SEALED, timeline } from "./timeline.ts";
import { visibleParts } from "./voids.ts";

const EVER: ClosedRange = { start_ms: 0, end_ms: Number.MAX_SAFE_INTEGER };
/** Readings of a block of the lowest level; one between two others may have twice as many. */
export const BLOCK_READINGS = BLOCK_ROWS * pitchOf(0);

/**
 * Makes one block; false if there is none to make. Damaged readings are left out of every block.
 * Throws for other damage.
 */
export function thinOne(db: Connection): boolean {
  return write(db, () => {
    const around = new Set<number>();
    for (;;)
      try {
        return thinReadings(db) || thinBlocks(db);
      } catch (error) {
        if (!(error instanceof DamagedSegment) || around.has(error.span.id)) throw error;
        // From now on the holes end before the segment.
        around.add(error.span.id);
      }
  });
}

/**
 * Removes the blocks that stand for any of the ascending `instants`, in the transaction that seals
 * these readings.
 */
export function forgetThinned(db: Connection, instants: readonly number[]): void {
  const [start_ms] = instants;
  const end_ms = instants.at(-1);
  if (start_ms === undefined || end_ms === undefined) return;
  const touched = prepare(db, "thin.touched").all({ start_ms, end_ms });
  for (const span of touched)
    if (instants.some((at_ms) => at_ms >= span.start_ms && at_ms <= span.end_ms))
      removeThin(db, span);
}

/** Removes the blocks that a range cuts, in the transaction that hides or shows its readings. */
export function forgetThinnedIn(db: Connection, range: ClosedRange): void {
  for (const span of prepare(db, "thin.touched").all(range)) removeThin(db, span);
}

/** A stretch of time without a block. */
interface Hole extends ClosedRange {
  /** True if a block follows. */
  readonly bounded: boolean;
}

function thinReadings(db: Connection): boolean {
  for (const hole of holesOf(db)) {
    const count = sealedIn(db, hole);
    if (count < BLOCK_READINGS || (count === BLOCK_READINGS && !hole.bounded)) continue;
    const isRest = hole.bounded && count < 2 * BLOCK_READINGS;
    thinStretch(db, hole, isRest ? count : BLOCK_READINGS);
    return true;
  }
  return false;
}

function holesOf(db: Connection): readonly Hole[] {
  const spans = thinSpans(db, 0, EVER);
  const starts = [rawFrom(db), ...spans.map(({ end_ms }) => end_ms + 1)];
  const damaged = damagedSpans(db);
  return starts
    .map((start_ms, index) => {
      const next = spans.at(index);
      return { start_ms, end_ms: next === undefined ? EVER.end_ms : next.start_ms - 1 };
    })
    .filter(({ start_ms, end_ms }) => start_ms <= end_ms)
    .flatMap((hole) => visibleParts(damaged, hole))
    .map((hole) => ({ ...hole, bounded: hole.end_ms < EVER.end_ms }));
}

/** The spans of damaged segments, in order; readings in them aren't thinned. */
function damagedSpans(db: Connection): readonly ClosedRange[] {
  return segmentsOf(db)
    .damaged()
    .map(({ first_ms, last_ms }) => ({ start_ms: first_ms, end_ms: last_ms }))
    .sort((one, other) => one.start_ms - other.start_ms);
}

/** Distinct sealed readings in a hole, exact up to two blocks; 0 if they can't make one. */
function sealedIn(db: Connection, hole: Hole): number {
  const days = { ...hole, start_ms: hole.start_ms - DAY_MS + 1 };
  if (sealedInDays(db, days) < BLOCK_READINGS) return 0;
  let count = 0;
  for (const { from, to } of timeline(db, hole, SEALED)) {
    count += to - from;
    if (count >= 2 * BLOCK_READINGS) break;
  }
  return count;
}

/** Makes the block of the first `count` readings of a hole. */
function thinStretch(db: Connection, hole: Hole, count: number): void {
  const readings: ThinReading[] = [];
  const pitch = pitchOf(0);
  let { end_ms } = hole;
  let before = 0;
  for (const { block, from, to } of timeline(db, hole, SEALED)) {
    const end = Math.min(count, before + to - from);
    for (let rank = Math.ceil(before / pitch) * pitch; rank < end; rank += pitch) {
      const { at_ms, values } = block.analysed(from + rank - before);
      readings.push({ rank, at_ms, values });
    }
    if (before + to - from > count) {
      end_ms = block.at_ms(from + count - before) - 1;
      break;
    }
    before += to - from;
  }
  putThin(db, { level: 0, start_ms: readings[0].at_ms, end_ms, count }, readings);
}

function thinBlocks(db: Connection): boolean {
  for (let level = 1; level < LEVELS; level += 1)
    for (const spans of followingOf(db, level)) {
      thinSpansTo(db, level, spans);
      return true;
    }
  return false;
}

/** Consecutive blocks below `level` that have no block of that level yet. */
function* followingOf(db: Connection, level: number): Generator<readonly ThinSpan[]> {
  const made = thinSpans(db, level, EVER);
  const isMade = (span: ThinSpan) =>
    made.some(({ start_ms, end_ms }) => start_ms <= span.end_ms && end_ms >= span.start_ms);
  let following: ThinSpan[] = [];
  for (const span of thinSpans(db, level - 1, EVER)) {
    if (isMade(span)) following = [];
    else if (following.at(-1)?.end_ms === span.start_ms - 1) following.push(span);
    else following = [span];
    if (following.length === LEVEL_RATIO) yield following;
  }
}

function thinSpansTo(db: Connection, level: number, spans: readonly ThinSpan[]): void {
  const readings: ThinReading[] = [];
  let count = 0;
  let rows = 0;
  for (const span of spans) {
    const block = openThin(db, span);
    if (block === null) {
      // Damaged: after its removal it is made anew from its segments.
      removeThin(db, span);
      return;
    }
    for (let row = 0; row < block.at_ms.length; row += 1, rows += 1) {
      if (rows % LEVEL_RATIO !== 0) continue;
      const { rank, ...reading } = block.reading(row);
      readings.push({ ...reading, rank: count + rank });
    }
    count += span.count;
  }
  const { start_ms } = spans[0];
  const { end_ms } = spans[spans.length - 1];
  putThin(db, { level, start_ms, end_ms, count }, readings);
}
